"""One case as its grader works on it: the questions, the work so far, and the way to the next case.

Everything is the asking grader's own and told by the assignment: no image ids, no names, nothing of the truth.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotator.answers import geometry_sent, masks_of
from annotator.geometry import mask_text
from annotator.models import Assignment, CaseImage, Draft, Flag, Image, Reading, Revision, Study, Target, User
from annotator.selectors.fellow import fellow_of
from annotator.selectors.flags import flags_of
from annotator.selectors.recipes import recipe_of
from annotator.selectors.turn import next_in_turn
from annotator.selectors.work import Place, own_cases, photographs, place_of, targets_of
from protocols.recipe import Recipe
from protocols.targets import Target as Asked


@dataclass(frozen=True)
class Spot:
    """Where in a case a photograph stands, and how large it is."""

    position: int
    width: int
    height: int


@dataclass(frozen=True)
class DraftShown:
    """An answer as it travels; version 0 stands for what was submitted and has not been taken up again."""

    position: int
    target: str
    version: int
    content: dict[str, Any] | None
    masks: list[str]
    saved_at: datetime | None

    def as_data(self) -> dict[str, Any]:
        """What is stored, as a change is answered with it; without the place, which the change has named."""
        saved_at = timezone.localtime(self.saved_at).isoformat().replace("+00:00", "Z") if self.saved_at else None
        return {"version": self.version, "content": self.content, "masks": self.masks, "saved_at": saved_at}


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
    drafts: list[DraftShown]
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
    drafts, fellow = drafts_of(assignment), fellow_of(assignment)
    if reading is not None and is_submitted and not drafts:
        drafts = drafts_from(reading, assignment)
    return Workbench(
        assignment=assignment,
        recipe=recipe,
        author=author_of(user),
        images=[Photograph(assignment.public_id, row.position, row.image) for row in photographs(assignment)],
        questions=[Question(recipe.target(row.key), row) for row in targets_of(study, graded_only=True)],
        drafts=drafts,
        submitted=reading if is_submitted else None,
        can_withdraw=is_submitted and _can_withdraw(reading, assignment, now),
        flags=flags_of(assignment),
        fellow=Photograph(assignment.public_id, 0, fellow) if fellow is not None else None,
        lease=lease_of(assignment, tab, now),
        place=place_of(user, assignment),
        next_unread=next_unread(user, assignment),
    )


def _can_withdraw(reading: Reading | None, assignment: Assignment, now: datetime) -> bool:
    unused = reading is not None and reading.used_at is None
    return unused and assignment.grader.study.state == Study.State.READING and is_open(assignment.round, now)


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


def drafts_of(assignment: Assignment) -> list[DraftShown]:
    """The unsent answers in the order of photographs and questions; what was taken back is not among them."""
    rows = Draft.objects.filter(assignment=assignment, content__isnull=False).select_related("target")
    spots = _spots(assignment.case_id)
    shown = [
        draft_shown(row, spot=spots[row.image_id], key=row.target.key, kind=row.target.kind)
        for row in rows
        if row.image_id in spots
    ]
    return sorted(shown, key=lambda draft: (draft.position, draft.target))


def draft_shown(draft: Draft, *, spot: Spot, key: str, kind: str) -> DraftShown:
    content, masks = travelling(kind, draft.content, draft.runs, spot)
    return DraftShown(spot.position, key, draft.version, content, masks, draft.saved_at)


def drafts_from(reading: Reading, assignment: Assignment) -> list[DraftShown]:
    """What was submitted, in the form of drafts."""
    spots = _spots(assignment.case_id)
    shown = []
    for revision in Revision.objects.filter(reading=reading).select_related("target").order_by("pk"):
        spot = spots[revision.image_id]
        content, masks = travelling(revision.kind, content_of(revision), revision.runs, spot)
        shown.append(DraftShown(spot.position, revision.target.key, 0, content, masks, reading.submitted_at))
    return sorted(shown, key=lambda draft: (draft.position, draft.target))


def content_of(revision: Revision) -> dict[str, Any]:
    """A frozen answer as the content of a draft."""
    names = ("answer", "geometry", "label", "signs", "confidence")
    return {name: getattr(revision, name) for name in names}


def travelling(
    kind: str, content: dict[str, Any] | None, packed: "bytes | memoryview[int] | None", spot: Spot
) -> tuple[dict[str, Any] | None, list[str]]:
    """Content and masks as they are sent. The digests are made anew from the stored bytes."""
    if content is None:
        return None, []
    masks = masks_of(kind, content["geometry"], bytes(packed) if packed is not None else None)
    sent = {**content, "geometry": geometry_sent(kind, content["geometry"])}
    return sent, [mask_text.write(mask, spot.width, spot.height) for mask in masks]


def next_unread(user: User, assignment: Assignment) -> str | None:
    return next_in_turn(own_cases(user, assignment.grader.study), assignment)


def _spots(case_id: int) -> dict[int, Spot]:
    """Image → its place in the case."""
    names = ("image_id", "position", "image__width", "image__height")
    return {image: Spot(*spot) for image, *spot in CaseImage.objects.filter(case=case_id).values_list(*names)}
