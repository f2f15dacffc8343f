"""Who sees what of a challenge. Overseers of the study see everything; a member of a team sees the own submissions, and
of scores, cases and references only what the phase shows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import Forbidden, NotVisible
from annotator.models import Team
from evaluation.models import Challenge, Phase, PhaseCase, Submission

if TYPE_CHECKING:
    from annotator.access import Person


@dataclass(frozen=True)
class Seat:
    """Where a person sits in a challenge."""

    challenge: Challenge
    manages: bool
    oversees: bool
    team: Team | None

    def sees_results(self, phase: Phase) -> bool:
        return self.oversees or phase.shows_results

    def sees_cases(self, phase: Phase) -> bool:
        """Single cases tell what the reference is."""
        return self.oversees or phase.shows_references

    def require_results(self, phase: Phase) -> None:
        if not self.sees_results(phase):
            raise Forbidden("results_hidden", _("The results of this phase are not shown to teams."))

    def require_cases(self, phase: Phase) -> None:
        if not self.sees_cases(phase):
            raise Forbidden("cases_hidden", _("This phase does not show single cases to teams."))

    def require_team(self) -> Team:
        if self.team is None:
            raise Forbidden("not_in_a_team", _("Only members of a team submit results."))
        return self.team

    def submissions(self) -> QuerySet[Submission]:
        """The latest first; a team sees its own alone."""
        rows = Submission.objects.filter(phase__challenge=self.challenge)
        rows = rows.select_related("phase", "phase__version", "team", "submitted_by", "job")
        return rows if self.oversees else rows.filter(team=self.team)


def challenges_visible_to(user: "Person") -> QuerySet[Challenge]:
    overseen = Q(study__in=access.studies_visible_to(user, May.SEE_READINGS))
    return Challenge.objects.filter(overseen | Q(study__in=access.teams_of(user).values("study")))


def seat_for(user: "Person", public_id: str) -> Seat:
    """What may not be seen is answered like what does not exist."""
    challenge = challenges_visible_to(user).select_related("study").filter(public_id=public_id).first()
    if challenge is None:
        raise NotVisible("not_found", _("There is no such challenge, or it is not yours to see."))
    return seat_in(user, challenge)


def seat_in(user: "Person", challenge: Challenge) -> Seat:
    rights = access.rights(user, challenge.study)
    team = access.teams_of(user).filter(study=challenge.study_id).first()
    return Seat(challenge, May.MANAGE in rights, May.SEE_READINGS in rights, team)


def phase_of(challenge: Challenge, public_id: str) -> Phase:
    rows = Phase.objects.filter(challenge=challenge, public_id=public_id).select_related("version", "split")
    phase = rows.first()
    if phase is None:
        raise NotVisible("not_found", _("There is no such phase."))
    phase.challenge = challenge
    return phase


def submission_of(seat: Seat, public_id: str) -> Submission:
    submission = seat.submissions().filter(public_id=public_id).first()
    if submission is None:
        raise NotVisible("not_found", _("There is no such submission, or it is not yours to see."))
    submission.phase.challenge = seat.challenge
    return submission


def case_of(seat: Seat, submission: Submission, name: str) -> PhaseCase:
    """A single case with its picture, for those who may see the reference of it; for all others there is none."""
    row = PhaseCase.objects.filter(phase=submission.phase, name=name).select_related("image__subject").first()
    if row is None or not seat.sees_cases(submission.phase):
        raise NotVisible("not_found", _("There is no such case, or it is not yours to see."))
    return row
