"""What home, the list of studies and a study's first page say; the number of queries does not grow with the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Case as Choice
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Lower
from django.utils import timezone

from annotator import access
from annotator.access import May
from annotator.models import Assignment, Case, Flag, Job, Membership, Role, Study, User
from annotator.selectors.studies import Progress, onlooker_studies
from annotator.selectors.turn import DONE, to_be_read

LATELY = timedelta(days=7)  # a failed job older than this has been seen


class Step(StrEnum):
    """What an organiser does, in this order, until reading can begin."""

    IMAGES = "images"
    PEOPLE = "people"
    ASSIGN = "assign"
    OPEN = "open"


class Need(StrEnum):
    """What waits for somebody's attention."""

    NO_IMAGES = "no images"
    NO_GRADERS = "no graders"
    NOT_ASSIGNED = "cases without graders"
    NOT_OPEN = "ready to open"
    FAILED_JOBS = "failed jobs"
    FLAGS = "open flags"


@dataclass(frozen=True)
class Standing:
    """Where a study stands, for people who oversee it."""

    study: Study
    manages: bool
    images: int
    cases: int
    graders: int
    unassigned: int
    failed_jobs: int
    open_flags: int
    progress: Progress

    @property
    def done_steps(self) -> frozenset[Step]:
        done = {
            Step.IMAGES: self.cases > 0,
            Step.PEOPLE: self.graders > 0,
            Step.ASSIGN: self.progress.total > 0 and self.unassigned == 0,
            Step.OPEN: self.study.state != Study.State.SETUP,
        }
        return frozenset(step for step, is_done in done.items() if is_done)

    @property
    def next_step(self) -> Step | None:
        return next((step for step in Step if step not in self.done_steps), None)

    @property
    def needs(self) -> list[tuple[Need, int]]:
        """What needs attention, most urgent first, each with its number. A closed study needs nothing but answers."""
        if self.study.state == Study.State.CLOSED:
            return [(Need.FLAGS, self.open_flags)] if self.open_flags else []
        ready = self.study.state == Study.State.SETUP and self.next_step is Step.OPEN
        found = [
            (Need.FAILED_JOBS, self.failed_jobs),
            (Need.FLAGS, self.open_flags),
            (Need.NO_IMAGES, int(self.cases == 0)),
            (Need.NO_GRADERS, int(self.graders == 0)),
            (Need.NOT_ASSIGNED, self.unassigned if self.graders else 0),
            (Need.NOT_OPEN, int(ready)),
        ]
        return [(need, count) for need, count in found if count]


@dataclass(frozen=True)
class StudyRow:
    """One line of the list of studies: an onlooker has a standing, a grader only the own share."""

    study: Study
    roles: tuple[Role, ...]
    standing: Standing | None
    own: Progress | None


STATE_ORDER = Choice(
    When(state=Study.State.READING, then=Value(0)),
    When(state=Study.State.SETUP, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


def find_studies(
    user: User, *, search: str = "", state: str = "", protocol: str = "", sort: str = "", descending: bool = False
) -> QuerySet[Study]:
    """The person's studies. Their protocol is told, and so filtered by, only to those who oversee them."""
    studies = access.studies_visible_to(user)
    if search:
        studies = studies.filter(Q(name__icontains=search) | Q(description__icontains=search))
    if state:
        studies = studies.filter(state=state)
    if protocol:
        studies = studies.filter(protocol=protocol, pk__in=access.studies_visible_to(user, May.SEE_ALL_WORK))
    if sort == "state":
        keys: list[Any] = [STATE_ORDER.desc() if descending else STATE_ORDER.asc(), Lower("name")]
    elif sort == "created":
        keys = ["-pk" if descending else "pk"]  # the order of creation, without reading past the recipe in each row
    else:
        keys = [Lower("name").desc() if descending else Lower("name").asc(), "pk"]
    return studies.order_by(*keys).defer("recipe")


def _counted(rows: QuerySet[Any], group: str) -> Coalesce:
    counted = rows.order_by().values(group).annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


def standings(user: User, studies: Sequence[Study]) -> dict[int, Standing]:
    """By study, for those of the given studies that the person oversees; one query."""
    unread = ~Exists(Assignment.objects.filter(case=OuterRef("pk")).exclude(state=Assignment.State.WITHDRAWN))
    failed = Job.objects.filter(state=Job.State.FAILED, finished_at__gte=timezone.now() - LATELY)
    flags = Flag.objects.filter(closed_at=None, assignment__grader__study=OuterRef("pk"))
    manages = Membership.objects.filter(user=user, study=OuterRef("pk"), active=True, role=Role.ORGANISER)
    rows = (
        onlooker_studies(user)
        .defer("recipe")  # large, and no list shows it
        .filter(pk__in=[study.pk for study in studies])
        .annotate(
            manages=Exists(manages),
            unassigned=_counted(Case.objects.filter(unread, study=OuterRef("pk")), "study"),
            graders=_counted(Membership.objects.filter(study=OuterRef("pk"), role=Role.GRADER, active=True), "study"),
            failed_jobs=_counted(failed.filter(study=OuterRef("pk")), "study"),
            open_flags=_counted(flags, "assignment__grader__study"),
        )
    )
    return {row.pk: _standing(row) for row in rows}


def _standing(row: Any) -> Standing:
    return Standing(
        study=row,
        manages=row.manages,
        images=row.image_count,
        cases=row.case_count,
        graders=row.graders,
        unassigned=row.unassigned,
        failed_jobs=row.failed_jobs if row.manages else 0,  # a job is for its owner and the organisers
        open_flags=row.open_flags if row.manages else 0,  # a question is for the organisers
        progress=Progress(row.submitted, row.assigned),
    )


def study_rows(user: User, studies: Sequence[Study]) -> list[StudyRow]:
    """What the list says of these studies, in their order; three queries."""
    pks = [study.pk for study in studies]
    standing_of = standings(user, studies)
    roles: dict[int, list[Role]] = {}
    for study_id, role in Membership.objects.filter(user=user, study__in=pks, active=True).values_list("study", "role"):
        roles.setdefault(study_id, []).append(Role(role))
    own = own_progress(user, pks)
    return [
        StudyRow(study, tuple(roles.get(study.pk, ())), standing_of.get(study.pk), own.get(study.pk))
        for study in studies
    ]


def own_progress(user: User, studies: Sequence[int]) -> dict[int, Progress]:
    """A grader's own progress by study; one query."""
    rows = (
        access.assignments_of(user)
        .filter(grader__study__in=studies)
        .order_by()
        .values("grader__study")
        .annotate(total=Count("pk"), done=Count("pk", filter=DONE))
    )
    return {row["grader__study"]: Progress(row["done"], row["total"]) for row in rows}


def latest_overseen(user: User, most: int) -> list[Study]:
    """Studies the person oversees: those being read first, then those being set up, the newest first."""
    overseen = access.studies_visible_to(user, May.SEE_ALL_WORK)
    return list(overseen.order_by(STATE_ORDER, "-pk").defer("recipe")[:most])


def next_case(user: User, study: Study) -> Assignment | None:
    """The case of the person's worklist whose turn it is."""
    return to_be_read(access.assignments_of(user).filter(grader__study=study)).first()
