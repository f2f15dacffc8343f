"""What pages say about phases and submissions."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from evaluation.access import Seat
from evaluation.models import Phase, Scorecard, Submission
from evaluation.selectors.results import FAILED, SCORED, WAITING, WITHDRAWN, state_of

PLACES = 4


def phase_state(phase: Phase) -> dict[str, str]:
    """In one word, with its tone."""
    now = timezone.now()
    if now < phase.opens_at:
        return {"key": "coming", "label": _("Not open yet"), "tone": "neutral"}
    if now < phase.closes_at:
        return {"key": "open", "label": _("Open"), "tone": "info"}
    return {"key": "closed", "label": _("Closed"), "tone": "neutral"}


def shown_words(phase: Phase) -> str:
    if phase.shows_references:
        return _("Teams see their scores, single cases and the references.")
    if phase.shows_results:
        return _("Teams see their scores and the leaderboard, but no single case.")
    return _("Results are hidden from teams; they see that a submission was received and checked.")


def submission_state(seat: Seat, submission: Submission, card: Scorecard | None) -> dict[str, str]:
    """On a hidden phase a team is told no more than that all is well."""
    state = state_of(submission, card)
    if state == WITHDRAWN:
        return {"key": state, "label": _("Withdrawn"), "tone": "neutral"}
    if not seat.sees_results(submission.phase):
        return {"key": "received", "label": _("Received and checked"), "tone": "ok"}
    return {
        SCORED: {"key": state, "label": _("Scored"), "tone": "ok"},
        WAITING: {"key": state, "label": _("Being scored"), "tone": "info"},
        FAILED: {"key": state, "label": _("Could not be scored"), "tone": "danger"},
    }[state]


def number(value: Any) -> str:
    """As a table shows it; an undefined number is a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return f"{value:,}"
    # Adding nought makes a plain one of what would be shown as less than nought but is not.
    return f"{round(value, PLACES) + 0.0:.{PLACES}f}".replace("-", "−") if isinstance(value, float) else str(value)


def interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{number(low)} – {number(high)}"
