"""Gentle reminders: seldom, only to those who have something to read, and without a word about cases."""

import logging
from datetime import datetime
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from annotator.errors import Conflict
from annotator.models import Membership, User
from annotator.selectors.reminders import REST, reminders_due, standing_of
from annotator.services.audit import record

logger = logging.getLogger("quorum.mail")


def remind_everybody(now: datetime | None = None) -> int:
    """Those whose round ends soon or who have paused for long; to how many."""
    now = now or timezone.now()
    count = 0
    for member in reminders_due(now):
        try:
            remind(member=member, actor=None, now=now)
            count += 1
        except Conflict:  # somebody else was faster, or there is nothing left to read
            continue
    return count


def remind(*, member: Membership, actor: User | None, now: datetime | None = None) -> Membership:
    """Shown in the grader's worklist; by letter too, where the installation can send any and the grader wants them. A
    letter that could not be sent is tried again later."""
    now = now or timezone.now()
    if not standing_of(member, now).left:
        raise Conflict("nothing_left", _("%(name)s has nothing to read now.") % {"name": member.user.name})
    before = member.reminded_at
    with transaction.atomic():
        rested = Q(reminded_at=None) | Q(reminded_at__lte=now - REST)
        if not Membership.objects.filter(rested, pk=member.pk, active=True).update(reminded_at=now):
            message = _("%(name)s was reminded in the last %(days)s days.")
            raise Conflict("reminded_lately", message % {"name": member.user.name, "days": REST.days})
        record(action="member.reminded", actor=actor, study=member.study, subject=member.code)
    if settings.EMAIL_CONFIGURED and member.user.wants_reminders and not _sent(member, now):
        Membership.objects.filter(pk=member.pk, reminded_at=now).update(reminded_at=before)
    member.refresh_from_db()
    return member


def _sent(member: Membership, now: datetime) -> bool:
    closes = standing_of(member, now).closes
    with override(settings.LANGUAGE_CODE):
        words = {
            "study": member.study.name,
            "link": settings.PUBLIC_URL.rstrip("/") + reverse("worklist", args=[member.study.public_id]),
            "by": closes.date().isoformat() if closes else "",
        }
        subject = " ".join((_("Reading for the study “%(study)s”") % words).split())
        letter = _("In the study “%(study)s” cases are waiting for you. You can go on here:\n\n%(link)s") % words
        if closes:
            letter += "\n\n" + _("The round ends on %(by)s.") % words
        letter += "\n\n" + _("You can turn these letters off on your account page.")
    try:
        return bool(send_mail(subject, letter, None, [member.user.email]))
    except (SMTPException, OSError) as fault:
        logger.warning("a reminder could not be sent: %s", type(fault).__name__)
        return False


@transaction.atomic
def want_reminders(*, person: User, wanted: bool) -> None:
    """A wish about letters is the person's own and no event."""
    User.objects.filter(pk=person.pk).update(wants_reminders=wanted)
