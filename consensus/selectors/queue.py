"""The senior's queue: cases in order of disagreement, narrowed by state, target, grader and stratum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Case as Choice
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from annotator.models import Case, CaseImage, Study, Target, User
from consensus.models import CaseReview, Reference
from consensus.selectors.letters import grader_of_letter
from consensus.selectors.standing import DECIDED, STALE, TO_DECIDE, WAITING, cases_with_standing
from consensus.selectors.taking_part import readings_taking_part

ORDERS: Mapping[str, Any] = {
    "disagreement": F("review__disagreement").desc(nulls_last=True),
    "gci": F("review__gci").asc(nulls_last=True),
    "distance": F("review__distance_px").desc(nulls_last=True),
    "vcdr": F("review__vcdr_spread").desc(nulls_last=True),
    "split": F("review__label_split").desc(nulls_last=True),
    "number": F("number").asc(),
}


@dataclass(frozen=True)
class QueueAsked:
    """How the queue is looked at; the same words in the address of its page and of a case in it."""

    order: str = "disagreement"
    target: str = ""
    state: str = ""
    grader: str = ""
    stratum: str = ""  # key:value

    @property
    def narrowed(self) -> bool:
        return bool(self.target or self.state or self.grader or self.stratum)

    def words(self) -> dict[str, str]:
        """What differs from the queue as it is first shown."""
        plain = QueueAsked()
        return {name: value for name, value in vars(self).items() if value and value != getattr(plain, name)}


@dataclass(frozen=True)
class TargetStanding:
    key: str
    name: str
    state: str
    state_words: str
    stale: bool


@dataclass(frozen=True)
class QueueRow:
    case: Case
    state: str
    review: CaseReview | None
    image_id: str
    targets: list[TargetStanding] = field(default_factory=list)
    held_by_other: bool = False


@dataclass(frozen=True)
class QueuePlace:
    """Where a case stands in the queue; 0 where the queue does not hold it."""

    number: int
    total: int
    previous: str | None
    next: str | None
    next_left: str | None  # that is to be decided; of those before it where none comes after it


def queue_of(study: Study, asked: QueueAsked) -> QuerySet[Case]:
    cases = cases_with_standing(study)
    if asked.state:
        cases = cases.filter(Q(standing=asked.state))
    if asked.target:
        heads = Reference.objects.filter(case=OuterRef("pk"), target__key=asked.target, following__isnull=True)
        cases = cases.filter(Exists(heads))
    if asked.grader:
        grader = grader_of_letter(study, asked.grader)
        read = readings_taking_part().filter(assignment__case=OuterRef("pk"), assignment__grader=grader)
        cases = cases.filter(Exists(read)) if grader else cases.none()
    if asked.stratum:
        cases = cases.filter(pk__in=_in_stratum(study, asked.stratum))
    rows = cases.select_related("study").defer("study__recipe")
    if asked.order == "number":
        return rows.order_by("number")
    # What waits for the senior comes before what is decided or not yet read.
    later = Choice(When(Q(standing__in=(DECIDED, WAITING)), then=Value(1)), default=Value(0))
    return rows.order_by(later, ORDERS[asked.order], "number")


def rows_of(user: User, cases: "QuerySet[Case] | Sequence[Case]") -> list[QueueRow]:
    """What the queue says of these cases; the number of queries does not grow with theirs."""
    found, now = list(cases), timezone.now()
    heads: dict[int, list[Reference]] = {}
    latest = Reference.objects.filter(case__in=found, following__isnull=True).exclude(
        target__source=Target.Source.IMPORTED
    )
    for row in latest.select_related("target").only("case_id", "state", "target").order_by("target__position", "pk"):
        heads.setdefault(row.case_id, []).append(row)
    reviews = {row.case_id: row for row in CaseReview.objects.filter(case__in=found)}
    images = {}
    for shown in CaseImage.objects.filter(case__in=found).select_related("image").order_by("-position"):
        images[shown.case_id] = shown.image.public_id
    return [
        _row(user, case, reviews.get(case.pk), heads.get(case.pk, []), images.get(case.pk, ""), now) for case in found
    ]


def _row(
    user: User, case: Case, review: CaseReview | None, heads: list[Reference], image: str, now: datetime
) -> QueueRow:
    state = str(getattr(case, "standing", ""))
    held = review is not None and review.until is not None and review.until > now and review.holder_id != user.pk
    targets = [
        TargetStanding(head.target.key, head.target.name, head.state, str(head.get_state_display()), state == STALE)
        for head in heads
    ]
    return QueueRow(case, state, review, image, targets, held)


def left_to_decide(study: Study) -> int:
    return cases_with_standing(study).filter(Q(standing__in=TO_DECIDE)).count()


def counts_by_state(study: Study) -> dict[str, int]:
    found: dict[str, int] = {}
    for standing in cases_with_standing(study).values_list("standing", flat=True):  # type: ignore[misc]
        found[standing] = found.get(standing, 0) + 1
    return found


def place_in_queue(study: Study, asked: QueueAsked, case: Case) -> QueuePlace:
    rows = list(queue_of(study, asked).values_list("public_id", "standing"))  # type: ignore[misc]
    ids = [name for name, _standing in rows]
    here = ids.index(case.public_id) if case.public_id in ids else -1
    around = [*rows[here + 1 :], *rows[: max(here, 0)]]
    left = next((name for name, standing in around if standing in TO_DECIDE), None)
    previous = ids[here - 1] if here > 0 else None
    return QueuePlace(here + 1, len(ids), previous, ids[here + 1] if here + 1 < len(ids) else None, left)


def _in_stratum(study: Study, stratum: str) -> list[int]:
    """Compared here: a table's heading may be any text, which the databases read as paths, numbers or signs."""
    rows = Case.objects.filter(study=study).values_list("pk", "strata").iterator(chunk_size=2000)
    return [pk for pk, strata in rows if stratum in {f"{key}:{value}" for key, value in strata.items()}]


def strata_of(study: Study) -> list[str]:
    """Every stratum that a case of the study has, as "key:value"."""
    # Few differ: the database compares them faster than they can be read.
    rows = Case.objects.filter(study=study).order_by().values_list("strata", flat=True).distinct()
    return sorted({f"{key}:{value}" for strata in rows.iterator(chunk_size=2000) for key, value in strata.items()})
