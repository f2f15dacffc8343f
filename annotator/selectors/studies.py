"""What pages and API say about studies; every function starts from the role filter in `annotator.access`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotator import access
from annotator.access import May
from annotator.models import Assignment, Case, Image, Invitation, Membership, Role, Study
from annotator.selectors.recipes import recipe_of
from annotator.selectors.turn import DONE, to_be_read
from protocols import PUBLISHED
from protocols.difference import Difference, differences

if TYPE_CHECKING:
    from annotator.access import Person

IN_PLAN = ~Q(state=Assignment.State.WITHDRAWN)


@dataclass(frozen=True)
class Progress:
    """How much of what was assigned has been submitted."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 means finished."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def left(self) -> int:
        return self.total - self.done


@dataclass(frozen=True)
class GraderProgress:
    membership: Membership
    progress: Progress


@dataclass(frozen=True)
class Worklist:
    """A grader's share of one study, as the home page shows it."""

    study: Study
    progress: Progress
    next_public_id: str


def recipe_differences(study: Study) -> Sequence[Difference]:
    """How the study's recipe differs from the published one."""
    return differences(PUBLISHED[study.protocol], recipe_of(study))


def _count(model: "type[Case] | type[Image]") -> Coalesce:
    rows = model.objects.filter(study=OuterRef("pk")).order_by().values("study").annotate(n=Count("pk"))
    return Coalesce(Subquery(rows.values("n")), 0)


def onlooker_studies(user: "Person") -> QuerySet[Study]:
    """Studies the person oversees, each with counts, in one query."""
    work = Assignment.objects.filter(round__study=OuterRef("pk")).order_by().values("round__study")
    return access.studies_visible_to(user, May.SEE_ALL_WORK).annotate(
        case_count=_count(Case),
        image_count=_count(Image),
        assigned=Coalesce(Subquery(work.annotate(n=Count("pk", filter=IN_PLAN)).values("n")), 0),
        submitted=Coalesce(Subquery(work.annotate(n=Count("pk", filter=DONE)).values("n")), 0),
    )


def worklists(user: "Person") -> list[Worklist]:
    """The grader's own studies with progress and the next case to read, in two queries."""
    memberships = access.studies_visible_to(user, May.READ_CASES).filter(~Q(state=Study.State.SETUP))
    own = access.assignments_of(user)
    rows = own.order_by().values("grader__study").annotate(total=Count("pk"), done=Count("pk", filter=DONE))
    counts = {row["grader__study"]: Progress(row["done"], row["total"]) for row in rows}
    following = to_be_read(own.filter(grader__study=OuterRef("pk"))).values("public_id")[:1]
    studies = memberships.annotate(next_public_id=Subquery(following))
    return [
        Worklist(study, counts.get(study.pk, Progress(0, 0)), getattr(study, "next_public_id") or "")  # noqa: B009
        for study in studies
    ]


def study_progress(study: Study) -> Progress:
    counts = Assignment.objects.filter(IN_PLAN, round__study=study).aggregate(
        total=Count("pk"), done=Count("pk", filter=DONE)
    )
    return Progress(counts["done"], counts["total"])


def grader_progress(study: Study) -> list[GraderProgress]:
    """One row per grader who is or was in the study."""
    members = (
        Membership.objects.filter(study=study, role=Role.GRADER)
        .select_related("user")
        .annotate(
            total=Count("assignments", filter=~Q(assignments__state=Assignment.State.WITHDRAWN)),
            done=Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED)),
        )
        .order_by("pk")
    )
    return [GraderProgress(member, Progress(member.done, member.total)) for member in members]


def members_of(study: Study) -> QuerySet[Membership]:
    return Membership.objects.filter(study=study).select_related("user").order_by("role", "user__name", "pk")


def open_invitations(study: Study) -> QuerySet[Invitation]:
    """To a role; those to a team stand with the team."""
    waiting = Invitation.objects.filter(study=study, team=None, accepted_at=None, revoked_at=None)
    return waiting.select_related("invited_by")


def images_of(
    study: Study, *, search: str = "", side: str = "", state: str = "", with_names: bool = False
) -> QuerySet[Image]:
    """The image list of people who see all work. Original names are searched for organisers only (`with_names`)."""
    images = Image.objects.filter(study=study).select_related("subject", "eye").prefetch_related("case_images__case")
    if search:
        found = Q(subject__pseudonym__icontains=search) | Q(device__icontains=search) | Q(public_id__startswith=search)
        images = images.filter(found | Q(original_name__icontains=search) if with_names else found)
    if side:
        images = images.filter(eye__side=side)
    read_by_somebody = Exists(Assignment.objects.filter(IN_PLAN, case__case_images__image=OuterRef("pk")))
    if state == "unassigned":
        images = images.filter(~read_by_somebody)
    elif state == "assigned":
        images = images.filter(read_by_somebody)
    return images


def grader_share(user: "Person", study: Study) -> Progress:
    """A grader's own progress and nobody else's."""
    counts = (
        access.assignments_of(user)
        .filter(grader__study=study)
        .aggregate(total=Count("pk"), done=Count("pk", filter=DONE))
    )
    return Progress(counts["done"], counts["total"])
