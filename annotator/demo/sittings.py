"""The demo's graders at work: everything is read but the last few cases of the visitor's own worklist.

In a study of several sittings somebody settles in between what was read so far, and cases come back as hidden repeats.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone

from annotator.answers import Given
from annotator.demo import people
from annotator.demo.cases import DrawnCase, team
from annotator.demo.sequels import play_interludes
from annotator.models import Assignment, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.readings import submit_reading
from annotator.services.repeats import draw_repeats


@dataclass(frozen=True)
class Readers:
    """The graders of a study, in the order in which they joined, and what they say of its cases. `steady`: after so
    many cases of the own list the careless one begins to be so; None: from the first."""

    members: list[Membership]
    drawn: Mapping[int, DrawnCase]
    careless: int
    steady: int | None = None

    def worklist(self, reader: int) -> list[Assignment]:
        mine = self.members[reader].assignments.exclude(state=Assignment.State.WITHDRAWN)
        return list(mine.select_related("grader__user", "grader__study").order_by("position"))

    def answers(self, reader: int, place: int, assignment: Assignment) -> tuple[Given, ...]:
        """`place` in the own list, from 0."""
        drawn = self.drawn[assignment.case_id]
        drifted = reader == self.careless and self.steady is not None and place >= self.steady
        return drawn.later[reader] if drifted or assignment.repeat_of_id is not None else drawn.readings[reader]

    def said(self) -> dict[int, list[tuple[Given, ...]]]:
        """By case and grader; of a case that somebody does not read, what that grader would say."""
        said = {case: list(drawn.readings) for case, drawn in self.drawn.items()}
        for reader in range(len(self.members)):
            for place, assignment in enumerate(self.worklist(reader)):
                if assignment.repeat_of_id is None:
                    said[assignment.case_id][reader] = self.answers(reader, place, assignment)
        return said


def readers_of(study: Study, drawn: Mapping[int, DrawnCase], seed: int, steady: int | None) -> Readers:
    careless = next(number for number, profile in enumerate(team(study.protocol, seed)) if profile.bad_apple)
    return Readers(people.graders_of(study), drawn, careless, steady)


def read_all(study: Study, readers: Readers, *, sittings: int, left_for_visitor: int, organiser: User) -> None:
    """What was read before an interruption is left alone."""
    for sitting in range(1, sittings + 1):
        for reader in range(len(readers.members)):
            mine = readers.worklist(reader)
            share = len(mine) * sitting // sittings
            end = min(share, len(mine) - left_for_visitor) if reader == 0 else share
            for place, assignment in enumerate(mine[: max(0, end)]):
                if assignment.state == Assignment.State.WAITING:
                    _read(assignment, reader, readers.answers(reader, place, assignment))
        if sittings > 1:
            play_interludes(study)
        if sitting < sittings and recipe_of(study).repeats.share:
            draw_repeats(study=study, actor=organiser)


def _read(assignment: Assignment, reader: int, answers: tuple[Given, ...]) -> None:
    opened = timezone.now()
    submit_reading(
        assignment=assignment,
        actor=assignment.grader.user,
        answers=answers,
        opened_at=opened,
        active_ms=20_000 + (assignment.position * 7919 + reader * 104_729) % 70_000,
    )
