"""A whole study is fused in the background: in short transactions, from where an earlier attempt stopped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.errors import Conflict
from annotator.models import Case, Job, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from consensus import code_version
from consensus.fusion.registry import is_estimated, knows
from consensus.models import ConsensusRun, Reference
from consensus.selectors.inputs import PlaceKey, inputs_of
from consensus.selectors.standing import WAITING, cases_to_fuse, cases_with_standing, is_voted, rules_of
from consensus.services.agreement import measure_again
from consensus.services.drawings import compare_again
from consensus.services.estimating import estimate_graders, refuse_too_few_graders
from consensus.services.fusing import PlaceFusion, fuse_case
from consensus.services.letters import draw_letters
from consensus.services.opening_discussions import open_discussions
from consensus.services.signed_off import refuse_without_reason
from consensus.services.watching import watch_graders
from consensus.services.writing import (
    CaseWrite,
    NewReference,
    automatic,
    new_places,
    standing_again,
    unchanged_since,
    write_cases,
)
from protocols.recipe import Recipe

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

KIND = "fuse_readings"
CHUNK = 6  # cases per transaction: few enough to hold the database for well under 100 ms
MOST_NAMED = 100  # cases that could not be fused, named in the result


@dataclass
class Tally:
    cases: int = 0
    references: int = 0
    changed_meanwhile: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)

    def as_result(self) -> dict[str, Any]:
        return {
            "cases": self.cases,
            "references": self.references,
            "changed_meanwhile": self.changed_meanwhile,
            "refused": self.refused[:MOST_NAMED],
        }


def request_run(*, study: Study, actor: User, reason: str = "") -> Job:
    """Check the wish now, do it in the background. A run that is still going on is not begun a second time."""
    reason = reason.strip()
    refuse_without_reason(study, reason)
    refuse_unknown_rules(recipe_of(study))
    if not cases_to_fuse(study):
        raise _nothing_to_fuse(study)
    refuse_too_few_graders(study=study)
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who ask at once take turns
        if Job.objects.filter(study=study, kind=KIND, finished_at=None).exists():
            raise Conflict("run_going_on", _("A run of this study is going on already."))
        return request_job(kind=KIND, owner=actor, study=study, arguments={"reason": reason} if reason else {})


def refuse_unknown_rules(recipe: Recipe) -> None:
    for target in recipe.targets:
        if is_voted(target) and not (knows(target) or is_estimated(target)):
            message = _("%(target)s: no case can be fused by the rule “%(rule)s” on its own.")
            raise Conflict("unknown_rule", message % {"target": _(target.name), "rule": target.consensus.rule})


def _nothing_to_fuse(study: Study) -> Conflict:
    waiting = cases_with_standing(study).filter(Q(standing=WAITING)).count()
    if not waiting:
        has_cases = Case.objects.filter(study=study).exists()
        message = _("Every reference is up to date.") if has_cases else _("There is no case to fuse yet.")
        return Conflict("nothing_to_fuse", message)
    words = ngettext(
        "Nothing can be fused yet: %(count)s case waits for readings.",
        "Nothing can be fused yet: %(count)s cases wait for readings.",
        waiting,
    )
    return Conflict("nothing_to_fuse", words % {"count": f"{waiting:,}"})


def run_fusion_job(job: Job, progress: "Progress") -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    study, owner = job.study, job.owner
    tally = fuse_study(study=study, actor=owner, job=job, progress=progress)
    progress.afterwards += [
        lambda: measure_again(study=study, actor=owner),
        lambda: watch_graders(study=study),
        lambda: compare_again(study=study, actor=owner),
    ]
    return tally.as_result()


def fuse_study(*, study: Study, actor: User, job: Job, progress: "Progress") -> Tally:
    """Every case that has all its readings and no reference that rests on them. What an earlier attempt has written is
    up to date, so that this one goes on where that one stopped."""
    refuse_unknown_rules(recipe_of(study))
    run, reason = _begun(study, actor, job), str(job.arguments.get("reason", ""))
    waiting = cases_to_fuse(study)  # an estimate of the graders makes every case out of date
    if run.cases_total < len(waiting):
        run.cases_total = len(waiting)
        run.save(update_fields=["cases_total"])
    tally = Tally()
    fuse_cases(run, waiting, tally, reason=reason, actor=actor, progress=progress)
    ConsensusRun.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    return tally


def fuse_cases(
    run: ConsensusRun,
    cases: list[int],
    tally: Tally,
    *,
    reason: str,
    actor: User,
    progress: "Progress",
    holds_fast: bool = True,
    decisions: Mapping[tuple[PlaceKey, str], Reference] | None = None,
) -> None:
    """In short transactions; what was fused before these counts as done. `decisions` are earlier ones, by place
    and digest of the readings they were made about: where it is the same again, they stand again."""
    before, total = max(0, run.cases_total - len(cases)), max(run.cases_total, len(cases))
    for start in range(0, len(cases), CHUNK):
        chunk = cases[start : start + CHUNK]
        writes = _fused(run.study, chunk, tally, reason, decisions or {})
        with transaction.atomic():
            progress.report(before + start + len(chunk), total)
            _write(run, writes, tally, actor, holds_fast)


def _begun(study: Study, actor: User, job: Job) -> ConsensusRun:
    """The run of an earlier attempt, with what was estimated then; or a new one."""
    known = ConsensusRun.objects.filter(job=job).first()
    if known is not None:
        return known
    cases, estimates = len(cases_to_fuse(study)), estimate_graders(study=study)
    with transaction.atomic():
        kind = ConsensusRun.Kind.STUDY
        run = new_run(study=study, actor=actor, kind=kind, job=job, cases=cases, estimates=estimates)
        after = {"cases": cases, "code_version": run.code_version, "recipe": run.recipe_digest, **job.arguments}
        record(action="consensus.begun", actor=actor, study=study, subject=run.public_id, after=after)
    return run


def new_run(
    *,
    study: Study,
    actor: User,
    kind: str,
    job: Job | None = None,
    cases: int = 1,
    estimates: dict[str, Any] | None = None,
) -> ConsensusRun:
    return ConsensusRun.objects.create(
        study=study,
        kind=kind,
        started_by=actor,
        job=job,
        recipe_digest=study.recipe_digest,
        rules=rules_of(recipe_of(study)),
        estimates=estimates or {},
        code_version=code_version.of_fusion(),
        cases_total=cases,
        finished_at=None if job else timezone.now(),
    )


def _fused(
    study: Study, chunk: list[int], tally: Tally, reason: str, decisions: Mapping[tuple[PlaceKey, str], Reference]
) -> list[CaseWrite]:
    read = inputs_of(study, chunk)
    letters = draw_letters(study=study)  # after the readings: whoever joined and read since the run began has one too
    writes = []
    for inputs in read:
        try:
            fusion = fuse_case(inputs, letters)
        except ValueError as fault:  # one case whose readings do not fit does not keep the others
            tally.refused.append({"case": inputs.case.number, "message": str(fault)})
            continue
        new = [_next(fusion.places[key], decisions, reason) for key in new_places(fusion)]
        writes.append(CaseWrite(fusion, new))
    return writes


def _next(fusion: PlaceFusion, decisions: Mapping[tuple[PlaceKey, str], Reference], reason: str) -> NewReference:
    """The vote; or what was decided about exactly these readings before."""
    decision = decisions.get((fusion.place.key, fusion.inputs_digest))
    if decision is None:
        return automatic(fusion, reason)
    return standing_again(fusion.place, decision, dict(fusion.excluded), reason)


def _write(run: ConsensusRun, writes: list[CaseWrite], tally: Tally, actor: User, holds_fast: bool) -> None:
    current = unchanged_since(writes)
    tally.changed_meanwhile += len(writes) - len(current)
    if not current:
        return
    tally.references += write_cases(run, current, holds_fast=holds_fast)
    open_discussions(study=run.study, cases=[write.inputs.case.pk for write in current])
    tally.cases += len(current)
    numbers = [write.inputs.case.number for write in current]
    after = {"cases": numbers, "references": [reference.digest for write in current for reference in write.new]}
    record(action="consensus.fused", actor=actor, study=run.study, subject=run.public_id, after=after)
