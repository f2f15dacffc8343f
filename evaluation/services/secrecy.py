"""What one phase shows must not be what another one hides: a team knows a picture again, whatever name it has."""

from collections.abc import Collection
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Study
from evaluation.models import Phase, PhaseCase


def refuse_leaks(
    *, study: Study, name: str, shows: bool, closes_at: datetime, cases: Collection[int], phase: Phase | None = None
) -> None:
    """Of a phase with these cases, beside all other phases on the study. A hidden phase has nothing to lose once it is
    closed; a reference that was shown stays known."""
    others = Phase.objects.filter(challenge__study=study, shows_references=not shows)
    if phase is not None:
        others = others.exclude(pk=phase.pk)
    if shows:
        others = others.filter(closes_at__gt=timezone.now())
    elif closes_at <= timezone.now():
        return
    known = PhaseCase.objects.filter(phase__in=others).order_by("pk").values_list("case_id", "phase__name")
    other = next((name_of_other for case, name_of_other in known.iterator() if case in cases), None)
    if other is not None:
        raise leak(*((name, other) if shows else (other, name)))


def leak(shown: str, hidden: str) -> Conflict:
    message = _("“%(shown)s” would show references of cases that “%(hidden)s” hides from teams.")
    return Conflict("shown_elsewhere", message % {"shown": shown, "hidden": hidden}, field="shown")
