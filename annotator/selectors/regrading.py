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
    """As many graders for each case as the plan of its round wants, none of whom has had it. Where every grader reads
    every case anyway there is nobody else."""
    graders, wanted = _others(study, without), graders_wanted(cases)
    held: dict[int, set[int]] = defaultdict(set)
    lost: dict[int, set[int]] = defaultdict(set)
    rows = Assignment.objects.filter(case__in=cases, round__kind__in=COUNTED, repeat_of=None)
    rows = rows.annotate(aside=Exists(set_aside()))
    for case, grader, state, is_aside in rows.values_list("case_id", "grader_id", "state", "aside"):
        gone = is_aside or state == Assignment.State.WITHDRAWN or grader in without
        (lost if gone else held)[case].add(grader)
    short = [case for case in cases if wanted.get(case, 0) is not None]
    asked = {case: wanted.get(case) or len(held[case]) + 1 for case in short}
    urgent = dict(Case.objects.filter(pk__in=cases).values_list("pk", "priority"))
    load, new = _open_work(graders), {grader: list[int]() for grader in graders}
    for k in sorted(set(asked.values())) if graders else ():
        alike = [case for case in short if asked[case] == k]
        more = planning.k_per_case(alike, graders, min(k, len(graders)), held, lost, load, seed)
        for grader, mine in more.items():
            new[grader] += mine
            load[grader] += len(mine)
    ordered = {grader: planning.own_order(mine, grader, seed, 0, urgent) for grader, mine in new.items() if mine}
    given = {case for mine in ordered.values() for case in mine}
    return Regrading(
        ordered, [case for case in cases if case not in given and (case not in asked or len(held[case]) < asked[case])]
    )


def set_aside() -> QuerySet[Reading]:
    """Of an assignment: what was read stands in for nobody. Also while its grader has it open again, because what is
    sent in anew stays aside."""
    return Reading.objects.filter(assignment=OuterRef("pk"), set_aside_at__isnull=False)


def graders_wanted(cases: Collection[int]) -> dict[int, int | None]:
    """By case, how many graders the main round that has it was shared out to; None: all of them. Nothing where it was
    never shared out."""
    rows = Assignment.objects.filter(
        case__in=cases, round__kind=Round.Kind.MAIN, round__planned=True, repeat_of=None
    ).order_by("round__number")
    return dict(rows.values_list("case_id", "round__graders_per_case").distinct())


def surplus_of(cases: Collection[int], keep: Membership) -> list[int]:
    """Assignments, of whatever round, by which a case has more graders than its plan wants: those who came to it last,
    and never `keep`."""
    wanted = graders_wanted(cases)
    rows = Assignment.objects.filter(~Exists(set_aside()), case__in=cases, round__kind__in=COUNTED, repeat_of=None)
    by_case: dict[int, dict[int, list[int]]] = defaultdict(dict)
    for pk, case, grader in (
        rows.exclude(state=Assignment.State.WITHDRAWN).order_by("pk").values_list("pk", "case_id", "grader_id")
    ):
        by_case[case].setdefault(grader, []).append(pk)
    found: list[int] = []
    for case, holders in by_case.items():
        k = wanted.get(case)
        others = [mine for grader, mine in holders.items() if grader != keep.pk]
        if k is not None and len(holders) > k:
            found += [pk for mine in others[k - len(holders) :] for pk in mine]
    return found


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
