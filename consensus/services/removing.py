"""A grader is removed with all readings: previewed, done as one, followed up as new readings arrive, taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Assignment, Job, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.selectors.regrading import Regrading, cases_of, open_work_of, plan_regrading, readings_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from annotator.services.removing import (
    SetAside,
    give_to_others,
    hold_assigning,
    set_grader_aside,
    take_grader_back,
)
from consensus.models import ConsensusRun, Reference, ReferenceInput, Removal
from consensus.selectors.inputs import PlaceKey, inputs_of
from consensus.selectors.letters import letters_of
from consensus.selectors.removals import (
    Change,
    decisions_before,
    place_words,
    ready_cases,
    removal_of,
    resting_on,
    said,
)
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.fusing import fuse_place
from consensus.services.runs import Tally, fuse_cases, new_run

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

KIND = "follow_removal"
AT_ONCE = 200  # cases looked at together


@dataclass(frozen=True)
class Preview:
    open_assignments: int
    readings: int
    cases: int
    regrading: Regrading
    references: int
    labels: list[Change]
    """Labels that a vote without this grader would change or leave open until somebody else has read the image."""


def preview_removal(*, study: Study, grader: Membership) -> Preview:
    cases = cases_of(grader)
    own = readings_of(grader)
    rest_on = ReferenceInput.objects.filter(reference__following=None, revision__reading__in=own)
    return Preview(
        open_assignments=open_work_of(grader).count(),
        readings=own.count(),
        cases=len(cases),
        regrading=plan_regrading(study=study, cases=cases, without={grader.pk}, seed=0),
        references=rest_on.values("reference").distinct().count(),
        labels=_labels_without(study, cases, grader),
    )


def _labels_without(study: Study, cases: Sequence[int], grader: Membership) -> list[Change]:
    keys = [target.key for target in recipe_of(study).targets if target.kind.value == "label"]
    if not keys:
        return []
    letters = letters_of(study)
    others = readings_taking_part().exclude(assignment__grader=grader)
    found: list[Change] = []
    for start in range(0, len(cases), AT_ONCE):
        for inputs in inputs_of(study, cases[start : start + AT_ONCE], among=others):
            readers = {reading.pk: reading.assignment.grader_id for reading in inputs.readings}
            # A newcomer's letter is drawn by a run, not by somebody who only looks; until then a number will do.
            by_reading = {reading: letters.get(grader, str(grader)) for reading, grader in readers.items()}
            several = len({place.position for place in inputs.places.values()}) > 1
            for place in inputs.places.values():
                if place.row.key in keys and place.latest is not None:
                    fused = fuse_place(place, place.excluded, by_reading).fused
                    before, after = (
                        said(place.row, place.latest.answer, place.latest.label),
                        said(place.row, fused.answer, fused.label),
                    )
                    if before != after:
                        found.append(
                            Change(
                                inputs.case, place_words(place.row, place.position if several else None), before, after
                            )
                        )
    return sorted(found, key=lambda change: change.case.number)


@transaction.atomic
def remove_grader(*, study: Study, grader: Membership, reason: str, actor: User) -> Removal:
    """One action: readings set aside, open work taken away, images given to others."""
    Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who remove take turns
    hold_assigning(study)
    if removal_of(grader) is not None:
        raise Conflict("removed", _("This grader has been removed already."))
    cases = cases_of(grader)
    aside = set_grader_aside(grader=grader, reason=reason, actor=actor)
    round, plan = give_to_others(study=study, cases=cases, without={grader.pk})
    removal = Removal.objects.create(
        study=study,
        grader=grader,
        reason=reason.strip(),
        removed_by=actor,
        readings=aside.readings,
        withdrawn=aside.withdrawn,
        was_active=aside.was_active,
        round=round,
    )
    removal.cases.set(cases)
    after: dict[str, Any] = {"readings": len(aside.readings), "withdrawn": len(aside.withdrawn), "cases": len(cases)}
    after |= {"round": round.number, "assigned": plan.count, "reason": removal.reason}
    record(action="grader.removed", actor=actor, study=study, subject=grader.code, after=after)
    _follow(removal)
    return removal


@transaction.atomic
def take_back_removal(*, removal: Removal, actor: User) -> Removal:
    """The readings count again; what others read in their place is set aside."""
    hold_assigning(removal.study)
    removal = (
        Removal.objects.select_for_update(of=("self",)).select_related("study", "grader", "round").get(pk=removal.pk)
    )
    if removal.taken_back_at is not None:
        raise Conflict("taken_back", _("This was taken back already."))
    later = resting_on(removal)
    if later is not None:
        message = _("%(name)s has read in this grader's place and was removed too. Take that removal back first.")
        raise Conflict("rested_on", message % {"name": later.grader.user.name})
    withdrawn = {int(key): state for key, state in removal.withdrawn.items()}
    aside = SetAside(list(removal.readings), withdrawn, removal.was_active)
    words, cases = _("The removal of a grader was taken back."), list(removal.cases.values_list("pk", flat=True))
    instead = take_grader_back(
        grader=removal.grader, aside=aside, round=removal.round, cases=cases, reason=words, actor=actor
    )
    removal.taken_back_at, removal.taken_back_by = timezone.now(), actor
    removal.save(update_fields=["taken_back_at", "taken_back_by"])
    after = {"readings": len(aside.readings), "set_aside": len(instead.readings), "withdrawn": len(instead.withdrawn)}
    record(action="grader.taken_back", actor=actor, study=removal.study, subject=removal.grader.code, after=after)
    _follow(removal)
    return removal


def reading_arrived(assignment: Assignment) -> None:
    """A case that lost a reading gets a new reference once it has all others. Most studies have no removal, which costs
    one query."""
    rows = Removal.objects.filter(study=assignment.grader.study_id, cases=assignment.case_id)
    for removal in rows.select_related("study", "removed_by").order_by("pk"):
        _follow(removal)


def _follow(removal: Removal) -> None:
    going_on = Job.objects.filter(study=removal.study, kind=KIND, finished_at=None, started_at=None)
    if ready_cases(removal) and not going_on.exists():
        request_job(kind=KIND, owner=removal.removed_by, study=removal.study, arguments={})


def run_follow_job(job: Job, progress: "Progress") -> dict[str, Any]:
    """New references for every case of a removal that nobody has to read any more; safe to run twice."""
    if job.study is None:
        raise ValueError("job has no study")
    removals = list(Removal.objects.filter(study=job.study).order_by("pk"))
    ready = {removal: ready_cases(removal) for removal in removals}
    reasons = {case: removal.reason for removal in removals for case in ready[removal]}
    decisions: dict[tuple[PlaceKey, str], Reference] = {}
    for removal in removals:  # of two decisions about the same readings the later one counts
        if removal.taken_back_at is not None and ready[removal]:
            decisions |= decisions_before(removal, ready[removal])
    tally = Tally()
    if reasons:
        run = ConsensusRun.objects.filter(job=job).first() or new_run(
            study=job.study, actor=job.owner, kind=ConsensusRun.Kind.STUDY, job=job, cases=len(reasons)
        )
        for reason in sorted(set(reasons.values())):
            cases = [case for case, why in reasons.items() if why == reason]
            # Not held fast: a reading that cannot be taken back the moment it was sent in would tell what it was for.
            wish: dict[str, Any] = {"reason": reason, "actor": job.owner, "progress": progress}
            fuse_cases(run, cases, tally, holds_fast=False, decisions=decisions, **wish)
        ConsensusRun.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    return tally.as_result()
