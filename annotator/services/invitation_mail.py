"""The invitation by e-mail, where the installation can send any."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from annotator.models import Invitation

logger = logging.getLogger("quorum.mail")


def mail_invitation(*, invitation: Invitation, link: str) -> bool:
    """Whether it was sent. The link lets a person in, so it stands in the letter and nowhere else."""
    if not settings.EMAIL_CONFIGURED:
        return False
    words = {
        "name": invitation.invited_by.name,
        "study": invitation.study.name,
        "role": invitation.get_role_display(),
        "link": link,
        "until": invitation.expires_at.date().isoformat(),
    }
    if invitation.team is not None:
        words["team"] = invitation.team.name
        subject = _("Invitation to the team “%(team)s”") % words
        letter = _(
            "%(name)s invites you to the team “%(team)s”, which takes part in a challenge on Quorum.\n\n"
            "Open this link to accept; it is for you alone and works until %(until)s:\n\n%(link)s\n\n"
            "If you did not expect this letter, nothing needs to be done."
        )
    else:
        subject = _("Invitation to the study “%(study)s”") % words
        letter = _(
            "%(name)s invites you to take part in the study “%(study)s” on Quorum as: %(role)s.\n\n"
            "Open this link to accept; it is for you alone and works until %(until)s:\n\n%(link)s\n\n"
            "If you did not expect this letter, nothing needs to be done."
        )
    try:
        return bool(send_mail(" ".join(subject.split()), letter % words, None, [invitation.email]))
    except (SMTPException, OSError) as fault:
        logger.warning("an invitation could not be sent: %s", type(fault).__name__)
        return False
