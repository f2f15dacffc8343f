"""Annotations from elsewhere, as readings or as references: one plan to look at, one way to carry it out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.annotation_items import Item
from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import Conflict, DomainError
from annotator.models import AnnotationImport, Job, Study, User
from annotator.selectors.annotation_match import Outcome, Verdict, digest_of
from annotator.selectors.annotation_readings import plan_readings
from annotator.services.annotation_readings import import_readings, refuse_nothing, refuse_unseen
from annotator.services.annotation_uploads import drop, spool_of, wish_of
from annotator.services.jobs import request_job
from consensus.selectors.annotation_references import plan_references
from consensus.services.annotation_references import import_references, needs_reason
from consensus.services.watching import watch_graders

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

KIND = "import_annotations"


@dataclass(frozen=True)
class Plan:
    """What would become of every item. `needs_reason`: whoever carries it out says why."""

    outcomes: list[Outcome]
    needs_reason: bool = False

    @property
    def digest(self) -> str:
        return digest_of(self.outcomes)


def plan_annotations(study: Study, wish: ImportWish, items: Iterable[Item]) -> Plan:
    """Nothing is written."""
    if wish.as_reference:
        outcomes = plan_references(study, items).outcomes
        return Plan(outcomes, needs_reason(study, outcomes))
    return Plan(plan_readings(study, wish, items).outcomes)


def apply_annotations(
    *,
    held: AnnotationImport,
    wish: ImportWish,
    spool: Spool,
    seen: str | None = None,
    actor: User | None = None,
    fence: Callable[[], None] = lambda: None,
) -> dict[str, int]:
    write = import_references if wish.as_reference else import_readings
    return write(held=held, wish=wish, spool=spool, seen=seen, actor=actor, fence=fence)


def plan_of(row: AnnotationImport) -> Plan:
    """Of what was looked at, as the study now stands."""
    spool = spool_of(row)
    if not spool.is_whole:
        raise Conflict("not_looked_at", _("The file is no longer here. Send it again."))
    return plan_annotations(row.study, wish_of(row), spool.items())


def request_import(
    *, row: AnnotationImport, actor: User, seen: str, reason: str = "", without_rejected: bool = False
) -> Job:
    """Check the wish now, do it in the background."""
    plan = plan_of(row)
    refuse_unseen(seen, plan.digest)
    refuse_nothing(plan.outcomes)
    if plan.needs_reason and not reason.strip():
        message = _("Say why references that stand are replaced; it is kept with each of them.")
        raise DomainError("reason_missing", message, field="reason")
    if not without_rejected and any(one.verdict is Verdict.REJECTED for one in plan.outcomes):
        message = _("Some entries are rejected. Say that the others are to be imported without them.")
        raise DomainError("some_rejected", message, field="without_rejected")
    with transaction.atomic():
        held = AnnotationImport.objects.select_for_update(of=("self",)).select_related("applying").get(pk=row.pk)
        if held.applied_at is not None or (held.applying is not None and not held.applying.finished):
            raise Conflict("applied", _("This file is being imported already."))
        arguments = {"import": row.public_id, "seen": seen, "reason": reason.strip()}
        job = request_job(kind=KIND, owner=actor, study=row.study, arguments=arguments)
        held.applying = job
        held.save(update_fields=["applying"])
    return job


def run_import_job(job: Job, progress: "Progress") -> dict[str, Any]:
    row = AnnotationImport.objects.select_related("study", "actor").get(public_id=job.arguments["import"])
    spool = spool_of(row)
    if row.applied_at is None and not spool.is_whole:
        raise Conflict("not_looked_at", _("The file is no longer here. Send it again."))
    wish = replace(wish_of(row), reason=job.arguments["reason"])
    counts = apply_annotations(
        held=row,
        wish=wish,
        spool=spool,
        seen=job.arguments["seen"],
        actor=job.owner,
        fence=lambda: progress.report(0, 1),
    )
    spool.close()
    progress.afterwards += [lambda: drop(row), lambda: watch_graders(study=row.study)]
    return counts
