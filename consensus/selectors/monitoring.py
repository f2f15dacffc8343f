"""What the monitor looks at: of each grader the labels that became final, beside what the grader had said of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.models import Case, Membership, Reading, Revision, Role, Round, Study
from annotator.models import Target as TargetRow
from annotator.models.reading import Answer
from annotator.selectors.recipes import recipe_of
from consensus.models import Reference, ReferenceInput, Seat
from consensus.models.reference import ReferenceState
from consensus.programme.judging import Judged
from consensus.programme.monitoring import Final, Settled
from protocols.names import Kind, Source
from protocols.recipe import Recipe
from protocols.targets import Target

JUDGED_ROUNDS = (Round.Kind.MAIN, Round.Kind.REGRADE)
UNSEEN = (Answer.UNGRADABLE, Answer.NOT_VISIBLE, Answer.CANNOT_BE_DETERMINED)
RECENT = 100  # readings


@dataclass(frozen=True)
class FinalLabel:
    """A photograph whose label is final and that the grader has read, and since when both is so."""

    case: int
    at: datetime
    final: Final


@dataclass(frozen=True)
class Habits:
    """How fast somebody reads, and how often nothing could be said. Milliseconds; None before the first reading."""

    readings: int = 0
    active_ms: float | None = None
    recent_ms: float | None = None  # of the latest `RECENT` readings
    answers: int = 0
    unseen: int = 0

    @property
    def unseen_share(self) -> float | None:
        return self.unseen / self.answers if self.answers else None


def monitored_labels(recipe: Recipe) -> list[Target]:
    """Labels that graders give and that have something to find."""
    return [
        target
        for target in recipe.targets
        if target.kind is Kind.LABEL and target.source is Source.GRADED and target.positive
    ]


def graders_of(study: Study) -> list[Membership]:
    """Everybody who reads or has read, those who left too."""
    graders = Membership.objects.filter(study=study, role=Role.GRADER).select_related("user")
    return sorted(graders, key=lambda one: (not one.active, len(one.code), one.code))


def _judged(prefix: str = "") -> dict[str, Any]:
    """What graders said on their own, also what was set aside since. Neither hidden repeats nor what came back after a
    senior had sent a case back with a hint."""
    return {
        f"{prefix}withdrawn_at": None,
        f"{prefix}assignment__round__kind__in": JUDGED_ROUNDS,
        f"{prefix}assignment__repeat_of": None,
    }


def _on_their_own(prefix: str = "") -> Q:
    """Not a case that was reopened after its grader had discussed it with others, and knew what they say."""
    discussed = Seat.objects.filter(
        revision__reading__assignment=OuterRef(f"{prefix}assignment"),
        discussion__opened_at__lt=OuterRef(f"{prefix}submitted_at"),
    )
    return Q(**{f"{prefix}number": 1}) | ~Q(Exists(discussed))


def readings_judged() -> QuerySet[Reading]:
    return Reading.objects.filter(_on_their_own(), **_judged())


def _answers_judged(graders: Sequence[int] | None = None) -> QuerySet[Revision]:
    """From the graders downwards, where some are named: the database then follows its indexes."""
    rows = Revision.objects.filter(_on_their_own("reading__"), **_judged("reading__"))
    return rows if graders is None else rows.filter(reading__assignment__grader__in=graders)


def final_labels(study: Study, target: Target, graders: Sequence[int] | None = None) -> dict[int, list[FinalLabel]]:
    """By grader (membership), in the order in which the labels became final; of `graders` only, if given.

    Where a grader has read a case in several rounds, the first reading counts.
    """
    row = TargetRow.objects.get(study=study, key=target.key)
    heads, voters = _final_references(row, target, graders), _voters(row, graders)
    rows = (
        _answers_judged(graders)
        .filter(target=row)
        .order_by("reading_id")
        .values_list(
            *("reading__assignment__grader", "image_id", "label", "answer"),
            *("reading__submitted_at", "reading__assignment__case__number"),
        )
    )
    found: dict[int, dict[int, FinalLabel]] = {}
    for grader, image, label, answer, submitted, case in rows:
        head = heads.get(image)
        said = word_of(label, answer, target)
        mine = found.setdefault(grader, {})
        if head is None or not said or image in mine:
            continue
        settled = _settled(head.state, (head.pk, grader) in voters)
        mine[image] = FinalLabel(case, max(head.since, submitted), Final(Judged(head.label, said), settled))
    return {grader: sorted(mine.values(), key=lambda one: (one.at, one.case)) for grader, mine in found.items()}


def final_counts(case: Case, target: Target) -> dict[int, tuple[int, int]]:
    """Of each grader who has read the case: how many of the grader's photographs have a final label, and how many of
    those belong to this case. Counted by the database."""
    graders = readings_judged().filter(assignment__case=case).order_by().values_list("assignment__grader", flat=True)
    final = Reference.objects.filter(
        ~Q(label="") | Q(answer=Answer.UNGRADABLE),
        case=OuterRef("reading__assignment__case_id"),  # with it the database finds one row by its index
        image=OuterRef("image_id"),
        target=OuterRef("target_id"),
        following__isnull=True,
    )
    mine = _answers_judged(list(graders)).filter(Exists(final), target__key=target.key)
    here = Q(reading__assignment__case=case)
    counted = mine.order_by().values("reading__assignment__grader")
    counted = counted.annotate(finals=Count("image", distinct=True), here=Count("image", distinct=True, filter=here))
    return {row["reading__assignment__grader"]: (row["finals"], row["here"]) for row in counted}


@dataclass(frozen=True)
class _Head:
    """The latest version at a photograph, and since when it says what it says."""

    pk: int
    label: str
    state: str
    since: datetime


def _final_references(row: TargetRow, target: Target, graders: Sequence[int] | None) -> dict[int, _Head]:
    """By photograph; nothing where the readings leave it open."""
    references = Reference.objects.filter(target=row)
    if graders is not None:
        references = references.filter(case__in=_cases_of(graders))
    rows = references.order_by("image_id", "version").values_list(
        "image_id", "pk", "label", "answer", "state", "created_at"
    )
    heads: dict[int, _Head] = {}
    for image, pk, label, answer, state, made in rows:
        word = word_of(label, answer, target)
        before = heads.get(image)
        heads[image] = _Head(pk, word, state, before.since if before and before.label == word else made)
    return {image: head for image, head in heads.items() if head.label}


def _cases_of(graders: Sequence[int]) -> QuerySet[Reading, int]:
    mine = readings_judged().filter(assignment__grader__in=graders)
    return mine.order_by().values_list("assignment__case", flat=True)


def word_of(label: str, answer: str, target: Target) -> str:
    """An answer in the place of a label means the label that says the same; nothing where it is open."""
    return (target.ungradable or "") if answer == Answer.UNGRADABLE else label


def _voters(row: TargetRow, graders: Sequence[int] | None) -> set[tuple[int, int]]:
    """Whose answer is in which of the latest references."""
    rows = ReferenceInput.objects.filter(reference__target=row, reference__following__isnull=True, included=True)
    if graders is not None:
        rows = rows.filter(revision__reading__assignment__grader__in=graders)
    return set(rows.order_by().values_list("reference_id", "revision__reading__assignment__grader"))


def _settled(state: str, voted: bool) -> Settled:
    """What a senior accepts is the vote, with the grader's own answer in it; what somebody settles is not."""
    if state == ReferenceState.IMPORTED:
        return Settled.KNOWN
    if state in (ReferenceState.ADJUDICATED, ReferenceState.ADJUSTED):
        return Settled.ADJUDICATED
    return Settled.AGREED if voted else Settled.OTHERS


def habits(study: Study, only: Membership | None = None) -> dict[int, Habits]:
    """By grader (membership)."""
    judged = readings_judged().filter(assignment__grader__study=study)
    if only is not None:
        judged = judged.filter(assignment__grader=only)
    times: dict[int, list[int]] = {}
    for grader, active in judged.order_by("pk").values_list("assignment__grader", "active_ms"):
        times.setdefault(grader, []).append(active)
    answered = _answered(study, list(times))
    return {
        grader: Habits(len(mine), _usual(mine), _usual(mine[-RECENT:]), *answered.get(grader, (0, 0)))
        for grader, mine in times.items()
    }


def _usual(times: Iterable[int]) -> float | None:
    """Imported readings have no time."""
    known = [one for one in times if one]
    return float(median(known)) if known else None


def _answered(study: Study, graders: Sequence[int]) -> Mapping[int, tuple[int, int]]:
    unseen = Q(answer__in=UNSEEN)
    for target in recipe_of(study).targets:
        if target.ungradable:
            unseen |= Q(target__key=target.key, label=target.ungradable)
    rows = _answers_judged(graders).order_by().values("reading__assignment__grader")
    counted = rows.annotate(answers=Count("pk"), unseen=Count("pk", filter=unseen))
    return {row["reading__assignment__grader"]: (row["answers"], row["unseen"]) for row in counted}
