"""What would become of annotations as readings: of whom, and what stands there already. Nothing is written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from annotator.annotation_items import Item
from annotator.annotation_wish import ImportWish
from annotator.errors import DomainError
from annotator.formats.bad_mark import BadMark, bad_mark
from annotator.formats.file_names import folded
from annotator.models import Assignment, Membership, Reading, Revision, Role, Round, Study
from annotator.names import checked_name
from annotator.selectors.annotation_match import Outcome, Verdict, matched

FUSED = (Round.Kind.MAIN, Round.Kind.REGRADE, Round.Kind.SEND_BACK)
Place = tuple[int, int]
"""Image and target, by their row numbers."""


@dataclass
class Held:
    """What a grader has of a case in the main round: the assignment, the imported reading in force and its answers."""

    assignment: Assignment
    reading: Reading | None = None
    answers: dict[Place, Revision] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadingPlan:
    """`members` by the grader's name in the outcomes; whoever is not in it is made when it is applied."""

    outcomes: list[Outcome]
    members: Mapping[str, Membership]
    held: Mapping[tuple[int, int], Held]  # by grader and case


class Graders:
    """The graders of the study by code and by name, and those who are not in it yet."""

    def __init__(self, study: Study) -> None:
        rows = Membership.objects.filter(study=study, role=Role.GRADER).select_related("user").order_by("pk")
        self._by_code = {folded(row.code): row for row in rows}
        self._by_name: dict[str, list[Membership]] = {}
        for row in rows:
            self._by_name.setdefault(folded(row.user.name), []).append(row)
        self.members: dict[str, Membership] = {}
        self._told: dict[str, str | BadMark] = {}
        self._new: dict[str, str] = {}

    def name(self, given: str) -> str | BadMark:
        """The name that the grader goes by; a fault when it cannot be told who is meant."""
        if given not in self._told:
            self._told[given] = self._find(given)
        return self._told[given]

    def _find(self, given: str) -> str | BadMark:
        if not given.strip():
            return bad_mark("no_grader")
        known = self._by_code.get(folded(given.strip()))
        named = [known] if known else self._by_name.get(folded(" ".join(given.split())), [])
        if len(named) > 1:
            return bad_mark("several_graders", name=given, count=len(named))
        if named:
            shown = f"{named[0].user.name} ({named[0].code})"
            self.members[shown] = named[0]
            return shown
        try:
            return self._new.setdefault(folded(" ".join(given.split())), checked_name(given, missing=""))
        except DomainError as refusal:
            return bad_mark("bad_grader", name=given[:60], detail=refusal.message)


def plan_readings(study: Study, wish: ImportWish, items: Iterable[Item]) -> ReadingPlan:
    graders = Graders(study)
    grader_of = (
        (lambda item: graders.name(item.grader)) if wish.by_folder else (lambda _item: graders.name(wish.grader))
    )
    outcomes = matched(study, items, grader_of=grader_of, graded_only=True)
    held, refused = _held(study, graders.members.values())
    compared = [_compared(one, graders.members.get(one.grader), held, refused) for one in outcomes]
    return ReadingPlan(compared, graders.members, held)


def _compared(
    outcome: Outcome,
    member: Membership | None,
    held: Mapping[tuple[int, int], Held],
    refused: Mapping[tuple[int, int], str],
) -> Outcome:
    if not outcome.is_usable or member is None:
        return outcome
    photograph, target = outcome.spot
    place = (member.pk, photograph.case_id)
    if place in refused:
        return outcome.rejected(bad_mark(refused[place], grader=outcome.grader))
    former = held[place].answers.get((photograph.image_id, target.pk)) if place in held else None
    if former is None:
        return outcome
    verdict = Verdict.SAME if former.digest == outcome.item.digest else Verdict.REPLACES
    return Outcome(outcome.item, verdict, photograph, target, outcome.grader)


def _held(
    study: Study, members: Iterable[Membership]
) -> tuple[dict[tuple[int, int], Held], dict[tuple[int, int], str]]:
    """What may be filled or replaced, and where nothing may be, with the reason."""
    known = [member.pk for member in members]
    rows = Assignment.objects.filter(
        grader__in=known, round__kind__in=FUSED, repeat_of=None, case__study=study
    ).select_related("round")
    held: dict[tuple[int, int], Held] = {}
    refused: dict[tuple[int, int], str] = {}
    assignments = {row.pk: row for row in rows}
    readings = {
        row.assignment_id: row for row in Reading.objects.filter(assignment__in=rows.order_by(), withdrawn_at=None)
    }
    begun = set(
        Assignment.objects.filter(pk__in=rows.order_by().values("pk"), drafts__content__isnull=False).values_list(
            "pk", flat=True
        )
    )
    for row in assignments.values():
        place, reading = (row.grader_id, row.case_id), readings.get(row.pk)
        if reading is not None and reading.annotation_import_id is not None and reading.used_at is not None:
            refused[place] = "used"
        elif reading is not None and reading.set_aside_at is not None:
            refused[place] = "set_aside"
        elif reading is not None and reading.annotation_import_id is None:
            refused[place] = "read_here"
        elif row.pk in begun or row.state == Assignment.State.STARTED:
            refused[place] = "begun_here"
        elif row.state == Assignment.State.WITHDRAWN:
            refused[place] = "taken_away"
        elif row.round.kind == Round.Kind.MAIN:
            held[place] = Held(row, reading)
        else:
            refused[place] = "begun_here"  # it was sent back, or is to be read again
    by_reading = {one.reading.pk: one for one in held.values() if one.reading is not None}
    imported = Revision.objects.filter(
        reading__annotation_import__study=study, reading__withdrawn_at=None, reading__assignment__grader__in=known
    )
    for revision in imported.defer("runs").order_by("pk"):
        if revision.reading_id in by_reading:
            by_reading[revision.reading_id].answers[revision.image_id, revision.target_id] = revision
    return {place: one for place, one in held.items() if place not in refused}, refused
