"""A team's challenges on its members' home pages."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.models import User
from evaluation.models import Challenge
from evaluation.views.words import phase_state


def shelves_of(user: User) -> list[dict[str, str]]:
    """One for each challenge in which the person competes."""
    own = Challenge.objects.filter(study__in=access.teams_of(user).values("study")).prefetch_related("phases")
    return [
        {
            "title": challenge.name,
            "text": _told(sum(phase_state(phase)["key"] == "open" for phase in challenge.phases.all())),
            "url": reverse("challenge", args=[challenge.public_id]),
            "label": _("Open the challenge"),
        }
        for challenge in own.order_by("-pk")
    ]


def _told(count: int) -> str:
    if not count:
        return _("No phase is open now.")
    return ngettext("%(count)s phase is open.", "%(count)s phases are open.", count) % {"count": count}
