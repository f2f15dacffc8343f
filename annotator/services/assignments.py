"""Assigning cases: previewed, balanced, in each grader's own order, and only ever added to."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotator import plan as planning
from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Case, CaseImage, Job, Membership, Reading, Role, Round, Study, User
from annotator.selectors.work import graders_per_case
from annotator.services.audit import record
from annotator.services.jobs import request_job

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

URGENT = 1  # any priority above none
CHUNK = 150  # assignments per transaction: few enough to hold the database for under 100 ms


@dataclass(frozen=True)
class Rule:
    """How a round is shared out. `graders_per_case` None: every grader reads every case. `subjects_apart`: cases of one
    subject do not follow one another, so that the first eye does not colour the reading of the second."""

    graders_per_case: int | None
    subjects_apart: bool = False


@dataclass(frozen=True)
class Plan:
    """What would be assigned: grader (membership id) → case ids, in reading order."""

    round: Round
    rule: Rule
    new: dict[int, list[int]]
    held: dict[int, int]  # grader → cases already assigned
    elsewhere: int = 0  # cases that an earlier round has

    @property
    def count(self) -> int:
        return sum(len(cases) for cases in self.new.values())


def plan_assignments(*, study: Study, rule: Rule, first: Collection[int] = ()) -> Plan:
    """The extension of the latest main round that would give every case its graders; cases that an earlier round has
    are left to it. `first`: numbers of cases that are urgent. Nothing is written."""
    round = main_round(study)
    graders = _graders(study)
    every = _urgency(study, first)
    k = rule.graders_per_case
    if k is not None and not 1 <= k <= len(graders):
        message = _("Choose from 1 to %(count)s graders per case.") % {"count": len(graders)}
        raise DomainError("bad_count", message, field="graders_per_case")
    earlier = _in_earlier_rounds(round)
    cases = {case: urgency for case, urgency in every.items() if case not in earlier}
    held, lost, load = _already(round)
    if k is None:
        ever = {case: held[case] | lost[case] for case in {*held, *lost}}
        new = planning.every_grader(list(cases), graders, ever)
    else:
        new = planning.k_per_case(list(cases), graders, k, held, lost, load, round.seed)
    subjects = _subjects(study) if rule.subjects_apart else None
    last = _last_subjects(round, subjects) if subjects else {}
    ordered = {
        grader: planning.own_order(
            mine, grader, round.seed, load.get(grader, 0), cases, subjects=subjects, last_subject=last.get(grader)
        )
        for grader, mine in new.items()
    }
    held_now = {grader: load.get(grader, 0) for grader in graders}
    return Plan(round=round, rule=rule, new=ordered, held=held_now, elsewhere=len(every) - len(cases))


def _graders(study: Study) -> list[int]:
    """Those who may be given cases, by membership."""
    rows = _able(study).order_by("pk")
    if not rows.exists():
        raise Conflict("no_graders", _("Add graders first: there is nobody to assign cases to."))
    if study.only_qualified:
        rows = rows.filter(qualified_at__isnull=False)
        if not rows.exists():
            raise Conflict("nobody_qualified", _("None of the graders has passed the exam yet."))
    return list(rows.values_list("pk", flat=True))


def _able(study: Study) -> QuerySet[Membership]:
    return Membership.objects.filter(study=study, role=Role.GRADER, active=True, user__is_active=True)


def _urgency(study: Study, first: Collection[int]) -> dict[int, int]:
    """Every case, in the order of their numbers, with how urgent it is."""
    rows = list(Case.objects.filter(study=study).order_by("number").values_list("pk", "number", "priority"))
    if not rows:
        raise Conflict("no_cases", _("Add images first: there is nothing to read."))
    unknown = sorted(set(first) - {number for _pk, number, _priority in rows})
    if unknown:
        raise DomainError("no_such_case", _("There is no case %(number)s.") % {"number": unknown[0]}, field="first")
    urgent = frozenset(first)
    return {pk: max(priority, URGENT) if number in urgent else priority for pk, number, priority in rows}


def main_round(study: Study) -> Round:
    """The round that the plan goes on in."""
    return study.rounds.filter(kind=Round.Kind.MAIN).latest("number")


def rule_of(study: Study) -> Rule:
    """What the round was shared out by before; of a new one what the protocol says."""
    round = main_round(study)
    if round.planned:
        return Rule(round.graders_per_case, round.subjects_apart)
    return Rule(graders_per_case(study))


def _in_earlier_rounds(round: Round) -> set[int]:
    rows = Assignment.objects.filter(
        round__study=round.study_id, round__kind=Round.Kind.MAIN, round__number__lt=round.number
    )
    return set(rows.order_by().values_list("case_id", flat=True).distinct())


def _subjects(study: Study) -> dict[int, int]:
    """Case → subject; an image without one is a subject of its own."""
    rows = CaseImage.objects.filter(case__study=study, position=1).values_list(
        "case_id", "image__subject_id", "image_id"
    )
    return {case: subject or -image for case, subject, image in rows.iterator(chunk_size=5000)}


def _last_subjects(round: Round, subjects: dict[int, int]) -> dict[int, int]:
    """Grader → subject of the case that their list ends with."""
    ends = Assignment.objects.filter(round=round, grader=OuterRef("grader")).order_by("-position").values("pk")[:1]
    rows = Assignment.objects.filter(round=round, pk=Subquery(ends)).values_list("grader_id", "case_id")
    return {grader: subjects[case] for grader, case in rows}


def _already(round: Round) -> tuple[dict[int, set[int]], dict[int, set[int]], dict[int, int]]:
    """Who holds which case, from whom it was taken away, and how many of this round each grader holds."""
    held: dict[int, set[int]] = defaultdict(set)
    lost: dict[int, set[int]] = defaultdict(set)
    load: dict[int, int] = defaultdict(int)
    aside = set(_set_aside(round).values_list("assignment", flat=True))
    rows = Assignment.objects.filter(round__in=_counting(round), repeat_of=None)
    for pk, case, grader, state, where in rows.values_list("pk", "case_id", "grader_id", "state", "round_id").iterator(
        chunk_size=5000
    ):
        gone = state == Assignment.State.WITHDRAWN
        (lost if gone or pk in aside else held)[case].add(grader)
        if not gone and where == round.pk:
            load[grader] += 1
    return held, lost, load


def _counting(round: Round) -> list[int]:
    """The round, and those in which others read what a removed grader had."""
    instead = Round.objects.filter(study=round.study_id, kind=Round.Kind.REGRADE)
    return [round.pk, *instead.values_list("pk", flat=True)]


def _set_aside(round: Round) -> QuerySet[Reading]:
    """Of graders who were removed: they stand in for nobody, not even while they are open again."""
    return Reading.objects.filter(set_aside_at__isnull=False, assignment__round__study=round.study_id)


def request_assignment(*, study: Study, rule: Rule, actor: User, first: Collection[int] = ()) -> Job:
    """Check the wish now, do it in the background."""
    plan_assignments(study=study, rule=rule, first=first)
    arguments = asdict(rule) | {"first": sorted(set(first))}
    return request_job(kind="assign_cases", owner=actor, study=study, arguments=arguments)


def run_assign_job(job: Job, progress: "Progress") -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    rule = Rule(job.arguments["graders_per_case"], job.arguments.get("subjects_apart", False))
    first = job.arguments.get("first", ())
    count = assign_cases(study=job.study, rule=rule, first=first, actor=job.owner, progress=progress)
    return {"assigned": count}


def assign_cases(
    *, study: Study, rule: Rule, actor: User, first: Collection[int] = (), progress: "Progress | None" = None
) -> int:
    """Carry the plan out in short transactions. Run again after a break, it adds only what is missing."""
    plan = plan_assignments(study=study, rule=rule, first=first)
    if first:
        _mark_urgent(study, first, actor)
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
    taken = Assignment.objects.filter(round__in=_counting(round), repeat_of=None, case__in=cases)
    known = list(taken.values_list("pk", "grader_id", "case_id", "state"))
    held = {(grader, case) for _pk, grader, case, _state in known}
    aside = set(
        _set_aside(round).filter(assignment__in=[pk for pk, *_rest in known]).values_list("assignment", flat=True)
    )
    gone = Assignment.State.WITHDRAWN
    counts = Counter(case for pk, _grader, case, state in known if state != gone and pk not in aside)
    last = dict(
        Assignment.objects.filter(grader__in={grader for grader, _case in wanted})
        .values_list("grader_id")
        .annotate(Max("position"))
        .order_by()
    )
    able = set(_able(round.study).values_list("pk", flat=True))  # somebody may have left since the plan was made
    rows = []
    k = plan.rule.graders_per_case
    for grader, case in wanted:
        full = k is not None and counts[case] >= k
        if (grader, case) in held or full or grader not in able:
            continue
        last[grader] = last.get(grader, 0) + 1
        counts[case] += 1
        rows.append(Assignment(grader_id=grader, case_id=case, round=round, position=last[grader]))
    Assignment.objects.bulk_create(rows)
    if rows:
        _keep_rule(round, plan.rule)
        after = {"round": round.number, "count": len(rows), "seed": round.seed} | asdict(plan.rule)
        record(action="cases.assigned", actor=actor, study=round.study, subject=round.public_id, after=after)
    return len(rows)


@transaction.atomic
def _mark_urgent(study: Study, first: Collection[int], actor: User) -> None:
    """Kept with the cases, so that graders who join later get them first too."""
    rows = Case.objects.filter(study=study, number__in=first, priority__lt=URGENT)
    if rows.update(priority=URGENT):
        record(action="cases.urgent", actor=actor, study=study, after={"cases": sorted(set(first))})


def _keep_rule(round: Round, rule: Rule) -> None:
    """The rule that was carried out last is the one that a later extension goes on with."""
    if round.planned and Rule(round.graders_per_case, round.subjects_apart) == rule:
        return
    round.planned, round.graders_per_case, round.subjects_apart = True, rule.graders_per_case, rule.subjects_apart
    round.save(update_fields=["planned", "graders_per_case", "subjects_apart"])
