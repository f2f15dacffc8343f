"""One case as its grader works on it: the questions, the work so far, and the way to the next case.

Everything is the asking grader's own and told by the assignment: no image ids, no names, nothing of the truth.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotator.models import Assignment, Flag, Image, Reading, Study, Target, User
from annotator.selectors.fellow import fellow_of
from annotator.selectors.flags import flags_of
from annotator.selectors.kept import Kept, drafts_from, drafts_of
from annotator.selectors.recipes import recipe_of
from annotator.selectors.turn import next_in_turn
from annotator.selectors.work import Place, own_cases, photographs, place_of, targets_of
from protocols.recipe import Recipe
from protocols.targets import Target as Asked


@dataclass(frozen=True)
class Photograph:
    assignment: str
    position: int
    image: Image


@dataclass(frozen=True)
class Question:
    """A target as the recipe has it, and the study's own row with instructions and examples."""

    asked: Asked
    row: Target


@dataclass(frozen=True)
class Lease:
    mine: bool
    until: datetime | None  # None: nobody has the case open


@dataclass(frozen=True)
class Workbench:
    assignment: Assignment
    recipe: Recipe
    author: str
    images: list[Photograph]
    questions: list[Question]
    kept: Kept
    submitted: Reading | None
    can_withdraw: bool
    flags: list[Flag]
    fellow: Photograph | None
    lease: Lease
    place: Place
    next_unread: str | None


def workbench_of(user: User, assignment: Assignment, *, tab: str = "") -> Workbench:
    study = assignment.grader.study
    recipe, now = recipe_of(study), timezone.now()
    reading = Reading.objects.filter(assignment=assignment, withdrawn_at=None).first()
    is_submitted = reading is not None and assignment.state == Assignment.State.SUBMITTED
    kept, fellow = drafts_of(assignment), fellow_of(assignment)
    if reading is not None and is_submitted and kept == Kept([], []):
        kept = drafts_from(reading, assignment)
    return Workbench(
        assignment=assignment,
        recipe=recipe,
        author=author_of(user),
        images=[Photograph(assignment.public_id, row.position, row.image) for row in photographs(assignment)],
        questions=[Question(recipe.target(row.key), row) for row in targets_of(study, graded_only=True)],
        kept=kept,
        submitted=reading if is_submitted else None,
        can_withdraw=is_submitted and _can_withdraw(reading, assignment, now),
        flags=flags_of(assignment),
        fellow=Photograph(assignment.public_id, 0, fellow) if fellow is not None else None,
        lease=lease_of(assignment, tab, now),
        place=place_of(user, assignment),
        next_unread=next_unread(user, assignment),
    )


def _can_withdraw(reading: Reading | None, assignment: Assignment, now: datetime) -> bool:
    if reading is None or assignment.grader.study.state != Study.State.READING or not is_open(assignment.round, now):
        return False
    return not is_held_fast(reading, assignment)


def is_held_fast(reading: Reading, assignment: Assignment) -> bool:
    """Whether its grader can no longer take it back: it was used, or anything of the same grader since it came in.

    By the time, and not by the reading alone: what is never used, a hidden repeat, or not yet, because somebody else
    has not read the case, would stand out among the others."""
    if reading.used_at is not None:
        return True
    own = Reading.objects.filter(assignment__grader=assignment.grader_id)
    return own.filter(used_at__gte=reading.submitted_at).exists()


def author_of(user: User) -> str:
    """Who a change was made by, as the browser keeps it: the same person on this server, and nothing about him."""
    return salted_hmac("quorum.author", str(user.pk), secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()[:32]


class Period(Protocol):
    """A round, or whatever knows when its round opens and closes."""

    @property
    def opens(self) -> datetime | None: ...
    @property
    def closes(self) -> datetime | None: ...


def is_open(period: Period, now: datetime) -> bool:
    return not ((period.opens and now < period.opens) or (period.closes and now >= period.closes))


def lease_of(assignment: Assignment, tab: str, now: datetime) -> Lease:
    until = assignment.lease_until
    if until is None or until <= now:
        return Lease(mine=False, until=None)
    return Lease(mine=bool(tab) and assignment.lease_holder == tab, until=until)


def next_unread(user: User, assignment: Assignment) -> str | None:
    return next_in_turn(own_cases(user, assignment.grader.study), assignment)
