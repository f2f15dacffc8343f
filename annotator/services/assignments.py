"""Assigning cases: previewed, balanced, in each grader's own order, and only ever added to."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from annotator import plan as planning
from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Case, Job, Membership, Role, Round, Study, User
from annotator.services.audit import record
from annotator.services.jobs import request_job

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

CHUNK = 80  # assignments per transaction: few enough to hold the database for well under 100 ms


@dataclass(frozen=True)
class Plan:
    """What would be assigned: grader (membership id) → case ids, in reading order."""

    round: Round
    graders_per_case: int | None  # None: every grader reads every case
    new: dict[int, list[int]]
    held: dict[int, int]  # grader → cases already assigned

    @property
    def count(self) -> int:
        return sum(len(cases) for cases in self.new.values())


def plan_assignments(*, study: Study, graders_per_case: int | None) -> Plan:
    """The extension of the main round's plan that would give every case its graders. Nothing is written."""
    round = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    graders = list(
        Membership.objects.filter(study=study, role=Role.GRADER, active=True)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if not graders:
        raise Conflict("no_graders", _("Add graders first: there is nobody to assign cases to."))
    cases = dict(Case.objects.filter(study=study).order_by("number").values_list("pk", "priority"))
    if not cases:
        raise Conflict("no_cases", _("Add images first: there is nothing to read."))
    if graders_per_case is not None and not 1 <= graders_per_case <= len(graders):
        message = _("Choose from 1 to %(count)s graders per case.") % {"count": len(graders)}
        raise DomainError("bad_count", message, field="graders_per_case")
    held, lost, load = _already(round)
    if graders_per_case is None:
        ever = {case: held[case] | lost[case] for case in {*held, *lost}}
        new = planning.every_grader(list(cases), graders, ever)
    else:
        new = planning.k_per_case(list(cases), graders, graders_per_case, held, lost, load, round.seed)
    ordered = {
        grader: planning.own_order(mine, grader, round.seed, load.get(grader, 0), cases) for grader, mine in new.items()
    }
    return Plan(round=round, graders_per_case=graders_per_case, new=ordered, held={g: load.get(g, 0) for g in graders})


def _already(round: Round) -> tuple[dict[int, set[int]], dict[int, set[int]], dict[int, int]]:
    """Who holds which case in this round, from whom it was taken away, and how many each grader holds."""
    held: dict[int, set[int]] = defaultdict(set)
    lost: dict[int, set[int]] = defaultdict(set)
    load: dict[int, int] = defaultdict(int)
    rows = Assignment.objects.filter(round=round, repeat_of=None).values_list("case_id", "grader_id", "state")
    for case, grader, state in rows.iterator(chunk_size=5000):
        if state == Assignment.State.WITHDRAWN:
            lost[case].add(grader)
        else:
            held[case].add(grader)
            load[grader] += 1
    return held, lost, load


def request_assignment(*, study: Study, graders_per_case: int | None, actor: User) -> Job:
    """Check the wish now, do it in the background."""
    plan_assignments(study=study, graders_per_case=graders_per_case)
    arguments = {"graders_per_case": graders_per_case}
    return request_job(kind="assign_cases", owner=actor, study=study, arguments=arguments)


def run_assign_job(job: Job, progress: "Progress") -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    count = assign_cases(
        study=job.study, graders_per_case=job.arguments["graders_per_case"], actor=job.owner, progress=progress
    )
    return {"assigned": count}


def assign_cases(*, study: Study, graders_per_case: int | None, actor: User, progress: "Progress | None" = None) -> int:
    """Carry the plan out in short transactions. Run again after a break, it adds only what is missing."""
    plan = plan_assignments(study=study, graders_per_case=graders_per_case)
    wanted = [(grader, case) for grader, cases in plan.new.items() for case in cases]
    done = 0
    for start in range(0, len(wanted), CHUNK):
        done += _assign_chunk(plan, wanted[start : start + CHUNK], actor)
        if progress is not None:
            progress.report(start + len(wanted[start : start + CHUNK]), len(wanted))
    return done


@transaction.atomic
def _assign_chunk(plan: Plan, wanted: list[tuple[int, int]], actor: User) -> int:
    """The round's row is the lock: whoever assigns at the same time waits, then sees what is already held."""
    round = Round.objects.select_for_update().select_related("study").get(pk=plan.round.pk)
    cases = {case for _grader, case in wanted}
    taken = Assignment.objects.filter(round=round, repeat_of=None, case__in=cases)
    held = set(taken.values_list("grader_id", "case_id"))
    counts = dict(
        taken.exclude(state=Assignment.State.WITHDRAWN).values_list("case_id").annotate(Count("pk")).order_by()
    )
    last = dict(
        Assignment.objects.filter(round=round, grader__in={grader for grader, _case in wanted})
        .values_list("grader_id")
        .annotate(Max("position"))
        .order_by()
    )
    rows = []
    for grader, case in wanted:
        full = plan.graders_per_case is not None and counts.get(case, 0) >= plan.graders_per_case
        if (grader, case) in held or full:
            continue
        last[grader] = last.get(grader, 0) + 1
        counts[case] = counts.get(case, 0) + 1
        rows.append(Assignment(grader_id=grader, case_id=case, round=round, position=last[grader]))
    Assignment.objects.bulk_create(rows)
    if rows:
        after = {"round": round.number, "count": len(rows), "seed": round.seed}
        record(action="cases.assigned", actor=actor, study=round.study, subject=round.public_id, after=after)
    return len(rows)
