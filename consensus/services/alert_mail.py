"""A letter to the organisers about new alerts, where the installation can send any."""

import logging
from collections.abc import Sequence
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from annotator.models import Role, Study, User
from consensus.models import Alert

logger = logging.getLogger("quorum.mail")


def mail_alerts(*, study: Study, alerts: Sequence[Alert]) -> int:
    """One letter for all that were raised together; to how many it was sent. It names nobody and no number."""
    if not settings.EMAIL_CONFIGURED:
        return 0
    organisers = User.objects.filter(
        memberships__study=study, memberships__role=Role.ORGANISER, memberships__active=True, is_active=True
    )
    with override(settings.LANGUAGE_CODE):
        subject, letter = _letter(study, len(alerts))
    return sum(_sent(subject, letter, email) for email in organisers.values_list("email", flat=True).distinct())


def _letter(study: Study, count: int) -> tuple[str, str]:
    words = {
        "study": study.name,
        "count": count,
        "link": settings.PUBLIC_URL.rstrip("/") + reverse("monitor", args=[study.public_id]),
    }
    subject = _("Monitoring of the study “%(study)s”") % words
    letter = ngettext(
        "In the study “%(study)s” a grader has crossed a limit of the protocol.\n\n"
        "The monitor shows who it is and how sure it is, and there the alert is closed with a note:\n\n%(link)s",
        "In the study “%(study)s” limits of the protocol were crossed %(count)s times.\n\n"
        "The monitor shows by whom and how sure it is, and there alerts are closed with a note:\n\n%(link)s",
        count,
    )
    return " ".join(subject.split()), letter % words


def _sent(subject: str, letter: str, email: str) -> int:
    try:
        return send_mail(subject, letter, None, [email])
    except (SMTPException, OSError) as fault:
        logger.warning("a letter about alerts could not be sent: %s", type(fault).__name__)
        return 0
