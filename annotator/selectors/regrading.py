"""What a grader has read and still has to read, and who would read it instead."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator import plan as planning
from annotator.models import Assignment, Case, Membership, Reading, Role, Round, Study

OPEN = (Assignment.State.WAITING, Assignment.State.STARTED)
COUNTED = (Round.Kind.MAIN, Round.Kind.REGRADE, Round.Kind.SEND_BACK)


@dataclass(frozen=True)
class Regrading:
    """Who would read what instead: grader (membership) → cases in reading order; `unread` cases find nobody."""

    new: dict[int, list[int]]
    unread: list[int]

    @property
    def count(self) -> int:
        return sum(len(cases) for cases in self.new.values())


def readings_of(grader: Membership) -> QuerySet[Reading]:
    """Those that take part, or would."""
    return Reading.objects.filter(
        assignment__grader=grader,
        assignment__round__kind__in=COUNTED,
        assignment__repeat_of=None,
        withdrawn_at=None,
        set_aside_at=None,
    )


def open_work_of(grader: Membership) -> QuerySet[Assignment]:
    return Assignment.objects.filter(grader=grader, state__in=OPEN)


def cases_of(grader: Membership) -> list[int]:
    """What others have to read instead: read or still to be read, hidden repeats left out."""
    rows = Assignment.objects.filter(grader=grader, round__kind__in=COUNTED, repeat_of=None)
    done = set(readings_of(grader).values_list("assignment__case", flat=True))
    return sorted(done | set(rows.filter(state__in=OPEN).values_list("case", flat=True)))


def plan_regrading(*, study: Study, cases: Sequence[int], without: Collection[int], seed: int) -> Regrading:
    """As many graders for each case as the plan wants, none of whom has had it. Where every grader reads every case
    anyway there is nobody else."""
    main = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    graders = _others(study, without)
    if main.planned and main.graders_per_case is None:
        return Regrading({}, list(cases))
    held: dict[int, set[int]] = defaultdict(set)
    lost: dict[int, set[int]] = defaultdict(set)
    rows = Assignment.objects.filter(case__in=cases, round__kind__in=COUNTED, repeat_of=None)
    # What a grader who was removed before has read stands in for nobody.
    aside = Reading.objects.filter(assignment=OuterRef("pk"), withdrawn_at=None, set_aside_at__isnull=False)
    rows = rows.annotate(aside=Exists(aside))
    for case, grader, state, is_aside in rows.values_list("case_id", "grader_id", "state", "aside"):
        gone = is_aside or state == Assignment.State.WITHDRAWN or grader in without
        (lost if gone else held)[case].add(grader)
    k = main.graders_per_case or max((len(held[case]) + 1 for case in cases), default=1)
    if not graders or not cases:
        return Regrading({}, list(cases))
    load = _open_work(graders)
    urgent = dict(Case.objects.filter(pk__in=cases).values_list("pk", "priority"))
    new = planning.k_per_case(list(cases), graders, min(k, len(graders)), held, lost, load, seed)
    ordered = {grader: planning.own_order(mine, grader, seed, 0, urgent) for grader, mine in new.items() if mine}
    given = {case for mine in ordered.values() for case in mine}
    return Regrading(ordered, [case for case in cases if case not in given and len(held[case]) < k])


def _others(study: Study, without: Collection[int]) -> list[int]:
    rows = Membership.objects.filter(study=study, role=Role.GRADER, active=True, user__is_active=True)
    if study.only_qualified:
        rows = rows.filter(qualified_at__isnull=False)
    return list(rows.exclude(pk__in=without).order_by("pk").values_list("pk", flat=True))


def _open_work(graders: Sequence[int]) -> dict[int, int]:
    """How much each has still to read."""
    rows = Membership.objects.filter(pk__in=graders).annotate(
        left=Count("assignments", filter=Q(assignments__state__in=OPEN))
    )
    return dict(rows.values_list("pk", "left"))
