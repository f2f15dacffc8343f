"""What the pages about images, people and reading show. The caller has passed the role filter in `annotator.access`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotator import access
from annotator.models import (
    Assignment,
    CaseImage,
    Image,
    Membership,
    Reading,
    Role,
    Study,
    Target,
    TargetExample,
)
from annotator.selectors.recipes import recipe_of
from annotator.selectors.studies import IN_PLAN, Progress
from annotator.selectors.turn import DONE, OWN_ORDER, after, before
from protocols.names import Plan

if TYPE_CHECKING:
    from annotator.access import Person


@dataclass(frozen=True)
class ListedImage:
    """An image with the case it belongs to and how far that case has been read."""

    image: Image
    case_number: int | None
    read: Progress


@dataclass(frozen=True)
class Neighbours:
    """Public ids of what stands before and after; empty at the ends."""

    previous: str
    next: str


@dataclass(frozen=True)
class Place:
    """Where a case stands in its grader's own order."""

    number: int
    total: int
    neighbours: Neighbours


@dataclass(frozen=True)
class Member:
    membership: Membership
    progress: Progress | None  # of graders only
    removed: bool = False  # has left, and readings were set aside


def listed_images(images: Sequence[Image]) -> list[ListedImage]:
    """One query for a whole page of images, whose `case_images` were fetched before."""
    cases = {image.pk: row.case for image in images for row in image.case_images.all()}
    counts = (
        Assignment.objects.filter(IN_PLAN, repeat_of=None, case__in=[case.pk for case in cases.values()])
        .order_by()
        .values("case")
        .annotate(total=Count("pk"), done=Count("pk", filter=DONE))
    )
    read = {row["case"]: Progress(row["done"], row["total"]) for row in counts}
    nobody = Progress(0, 0)
    return [
        ListedImage(image, case.number, read.get(case.pk, nobody)) if case else ListedImage(image, None, nobody)
        for image, case in ((image, cases.get(image.pk)) for image in images)
    ]


def image_neighbours(image: Image) -> Neighbours:
    row = Image.objects.filter(study=image.study_id).values_list("public_id", flat=True)
    before = row.filter(pk__lt=image.pk).order_by("-pk").first()
    after = row.filter(pk__gt=image.pk).order_by("pk").first()
    return Neighbours(previous=before or "", next=after or "")


def own_cases(user: "Person", study: Study) -> QuerySet[Assignment]:
    """A grader's assignments of one study in the grader's own order."""
    own = access.assignments_of(user).filter(grader__study=study)
    return own.select_related("round").order_by(*OWN_ORDER)


def place_of(user: "Person", assignment: Assignment) -> Place:
    """Counted in the database, so that it costs the same for ten cases and for ten thousand."""
    own = own_cases(user, assignment.grader.study)
    counts = own.order_by().aggregate(total=Count("pk"), earlier=Count("pk", filter=before(assignment)))
    ids = own.values_list("public_id", flat=True)
    previous = ids.filter(before(assignment)).order_by("-position", "-pk").first()
    following = ids.filter(after(assignment)).first()
    return Place(counts["earlier"] + 1, counts["total"], Neighbours(previous=previous or "", next=following or ""))


def photographs(assignment: Assignment) -> list[CaseImage]:
    """The pictures of a case in their order."""
    return list(CaseImage.objects.filter(case=assignment.case_id).select_related("image").order_by("position"))


def targets_of(study: Study, *, graded_only: bool) -> QuerySet[Target]:
    """Targets with their examples; graders see only what they are asked."""
    targets = Target.objects.filter(study=study).prefetch_related("examples").order_by("position")
    return targets.filter(source=Target.Source.GRADED) if graded_only else targets


def examples_of(target: Target) -> QuerySet[TargetExample]:
    return TargetExample.objects.filter(target=target).order_by("position")


def members_with_progress(study: Study) -> list[Member]:
    """Everybody who is or was in the study, those who left last, in one query."""
    members = (
        Membership.objects.filter(study=study)
        .select_related("user")
        .annotate(
            total=Count("assignments", filter=~Q(assignments__state=Assignment.State.WITHDRAWN)),
            done=Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED)),
            aside=Exists(Reading.objects.filter(assignment__grader=OuterRef("pk"), set_aside_at__isnull=False)),
        )
        .order_by(F("active").desc(), "role", "user__name", "pk")
    )
    return [
        Member(
            member,
            Progress(member.done, member.total) if member.role == Role.GRADER else None,
            removed=member.aside and not member.active,
        )
        for member in members
    ]


def graders_per_case(study: Study) -> int | None:
    """The protocol's rule: None when every grader reads every case."""
    readers = recipe_of(study).readers
    return None if readers.plan is Plan.EVERY_GRADER else readers.graders_per_case


def has_hidden_repeats(study: Study) -> bool:
    """Whether a case may be shown to the same grader twice; side by side the two would give themselves away."""
    return recipe_of(study).repeats.share > 0
