"""Labels that go round among the graders who differ on them: for those who take part, and for the organiser."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotator import access
from annotator.errors import NotVisible
from annotator.models import Assignment, Study
from annotator.selectors.recipes import recipe_of
from consensus.models import Discussion, Reference, Seat
from consensus.programme.discussion import Talk, talk
from consensus.selectors.later_photographs import is_spared
from consensus.selectors.monitoring import word_of


@dataclass(frozen=True)
class Heard:
    """One line of a discussion: who, what and why; of round 0 are the readings, which come without words."""

    seat: Seat
    round: int
    label: str
    signs: list[str]
    reason: str
    at: datetime

    @property
    def content(self) -> dict[str, Any]:
        """As an answer travels."""
        found = {"answer": "present", "geometry": None, "confidence": None}
        return {**found, "label": self.label, "signs": list(self.signs)}


@dataclass(frozen=True)
class Thread:
    """A discussion as it stands."""

    discussion: Discussion
    heard: list[Heard]

    def talk(self, *more: str) -> Talk:
        """How it stands, or would after one more statement."""
        first = [one.label for one in self.heard if one.round == 0]
        statements = [one.label for one in self.heard if one.round > 0]
        rounds, quorum = self.discussion.rounds, self.discussion.quorum
        return talk(first, [*statements, *more], rounds=rounds, quorum=quorum)

    @property
    def statements(self) -> int:
        return sum(one.round > 0 for one in self.heard)

    @property
    def seats(self) -> list[Seat]:
        return [one.seat for one in self.heard if one.round == 0]

    @property
    def asked(self) -> Seat:
        """Whose turn it is, while it goes on."""
        return self.seats[self.talk().turn]


@dataclass(frozen=True)
class Counts:
    """How discussions of a study went; `overtaken`: something else came first, such as a senior's decision."""

    going_on: int
    agreed: int
    quorum: int
    passed_on: int
    overtaken: int
    statements: float | None  # the usual number of those that ended in agreement

    @property
    def total(self) -> int:
        return self.going_on + self.agreed + self.quorum + self.passed_on + self.overtaken


def live_discussions(study: Study) -> QuerySet[Discussion]:
    """Those that go on: nobody has decided or fused anew since, everybody who takes part can still be asked, the
    readings are those that were given, and no photograph before makes this one needless."""
    here = Seat.objects.filter(discussion=OuterRef("pk"))
    asked = {"grader__active": True, "grader__user__is_active": True}
    in_force = {"revision__reading__withdrawn_at": None, "revision__reading__set_aside_at": None}
    rows = Discussion.objects.filter(
        ~Exists(here.exclude(**asked, **in_force)),
        outcome="",
        reference__following=None,
        reference__case__study=study,
        reference__case__study__state=Study.State.READING,
    )
    recipe = recipe_of(study)
    if recipe.case.max_photographs == 1:
        return rows
    needed = Reference.objects.filter(~is_spared(recipe), case__study=study, following__isnull=True)
    return rows.filter(reference__in=needed.order_by().values("pk"))


def discussed_before() -> QuerySet[Discussion]:
    """Of a reference: whether its graders have talked about the same readings already; they do so once."""
    same = ("case", "image", "target", "inputs_digest")
    return Discussion.objects.filter(**{f"reference__{name}": OuterRef(name) for name in same})


def discussions_of(user: "access.Person", study: Study) -> QuerySet[Discussion]:
    """Those in which this person takes part, reached by the own cases."""
    own = Seat.objects.filter(
        discussion=OuterRef("pk"), revision__reading__assignment__in=access.assignments_of(user).values("pk")
    )
    return Discussion.objects.filter(Exists(own), reference__case__study=study)


def awaiting(user: "access.Person", study: Study) -> QuerySet[Discussion]:
    """Where it is this person's turn; first what waits longest."""
    if not user.is_authenticated:
        return Discussion.objects.none()
    mine = live_discussions(study).filter(pk__in=discussions_of(user, study).values("pk"), awaits__user=user)
    return mine.order_by("awaits_since", "pk")


def discussion_for(user: "access.Person", study: Study, public_id: str) -> Discussion:
    rows = discussions_of(user, study).select_related("reference__target", "reference__image", "reference__case__study")
    found = rows.defer("reference__runs", "reference__votes").filter(public_id=public_id).first()
    if found is None:
        raise NotVisible("not_found", _("There is no such discussion, or you do not take part in it."))
    return found


def managed_discussion(study: Study, discussion_id: str) -> Discussion:
    """For whoever looks after the study."""
    rows = Discussion.objects.filter(reference__case__study=study, public_id=discussion_id)
    found = rows.select_related("reference__case__study").defer("reference__runs", "reference__votes").first()
    if found is None:
        raise NotVisible("not_found", _("There is no such discussion."))
    return found


def own_assignment(user: "access.Person", discussion: Discussion) -> Assignment:
    """By which the person sees the picture."""
    seats = discussion.seats.filter(revision__reading__assignment__in=access.assignments_of(user).values("pk"))
    seat = seats.select_related("revision__reading__assignment__grader").first()
    if seat is None:
        raise NotVisible("not_found", _("There is no such discussion, or you do not take part in it."))
    return seat.revision.reading.assignment


def thread_of(discussion: Discussion) -> Thread:
    [found] = threads_of([discussion])
    return found


def threads_of(discussions: Iterable[Discussion]) -> list[Thread]:
    """Three queries, however many there are."""
    rows = list(discussions)
    seats: dict[int, list[Seat]] = {row.pk: [] for row in rows}
    people = ("grader__user", "revision__reading__assignment")
    for seat in Seat.objects.filter(discussion__in=rows).select_related(*people).defer("revision__runs"):
        seats[seat.discussion_id].append(seat)
    said: dict[int, list[Heard]] = {row.pk: [] for row in rows}
    for row in Discussion.objects.filter(pk__in=list(said)).prefetch_related("statements"):
        by_key = {seat.pk: seat for seat in seats[row.pk]}
        for one in row.statements.all():
            turn = (one.number - 1) // max(1, len(by_key)) + 1
            said[row.pk].append(Heard(by_key[one.seat_id], turn, one.label, one.signs, one.reason, one.said_at))
    return [_thread(row, sorted(seats[row.pk], key=lambda seat: seat.place), said[row.pk]) for row in rows]


def _thread(discussion: Discussion, seats: list[Seat], said: list[Heard]) -> Thread:
    reference = discussion.reference
    target = recipe_of(reference.case.study).target(reference.target.key)
    first = [
        Heard(
            *(seat, 0, word_of(seat.revision.label, seat.revision.answer, target), list(seat.revision.signs)),
            *("", seat.revision.reading.submitted_at),
        )
        for seat in seats
    ]
    return Thread(discussion, [*first, *said])


def counts_of(study: Study) -> Counts:
    """By what came of them."""
    here = Discussion.objects.filter(reference__case__study=study)
    by = dict(here.order_by().values_list("outcome").annotate(Count("pk")))
    going_on = live_discussions(study).count()
    ended = here.filter(outcome__in=(Discussion.Outcome.AGREED, Discussion.Outcome.QUORUM))
    spoken = list(ended.annotate(spoken=Count("statements")).values_list("spoken", flat=True))
    return Counts(
        going_on=going_on,
        agreed=by.get(Discussion.Outcome.AGREED.value, 0),
        quorum=by.get(Discussion.Outcome.QUORUM.value, 0),
        passed_on=by.get(Discussion.Outcome.PASSED_ON.value, 0),
        overtaken=by.get("", 0) - going_on,
        statements=median(spoken) if spoken else None,
    )


def settled_in_discussion(study: Study) -> int:
    """Labels that stand because their graders agreed on them."""
    return Reference.objects.filter(case__study=study, state=Reference.State.DISCUSSED, following=None).count()
