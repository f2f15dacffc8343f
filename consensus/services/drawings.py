"""Every drawing is set beside the vote of the others in the background, and kept; limits on means are looked at."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Job, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from consensus import code_version
from consensus.models import Alert, DrawingReport
from consensus.programme.drawing import first_mean_crossing, measure_of
from consensus.selectors.agreement import cases_read, is_read
from consensus.selectors.alerts import counting_since
from consensus.selectors.drawings import (
    Drawn,
    as_rows,
    codes_of,
    compared,
    drawings_digest,
    drawn_targets,
    kept_drawings,
    latest_drawings,
)
from consensus.services.watching import Crossed, raise_alerts

KIND = "compare_drawings"
CHUNK = 24  # cases whose readings are in memory at once


def request_drawings(*, study: Study, actor: User) -> Job:
    if not drawn_targets(recipe_of(study)) or not is_read(study):
        raise Conflict("nothing_drawn", _("Nobody has drawn anything yet."))
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who ask at once take turns
        if Job.objects.filter(study=study, kind=KIND, finished_at=None).exists():
            raise Conflict("comparing_going_on", _("The drawings are being compared already."))
        return request_job(kind=KIND, owner=actor, study=study, arguments={})


def compare_again(*, study: Study, actor: User) -> Job | None:
    """After a run, where the recipe has a limit on drawings and the report rests on other readings."""
    drawn = {target.key for target in drawn_targets(recipe_of(study))}
    if not any(limit.target in drawn for limit in recipe_of(study).monitoring.limits):
        return None
    known = latest_drawings(study)
    if known is not None and known.inputs_digest == drawings_digest(study):
        return None
    try:
        return request_drawings(study=study, actor=actor)
    except Conflict:
        return None


def run_drawings_job(job: Job, progress: Any) -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    report = compare_drawings(study=job.study, actor=job.owner, tell=progress.report)
    watch_drawings(study=job.study, report=report)
    return {"drawings": report.content["drawings"]}


def compare_drawings(*, study: Study, actor: User, tell: Callable[[int, int], None]) -> DrawingReport:
    """If a report of the same readings is there, that one is given."""
    digest, known = drawings_digest(study), latest_drawings(study)
    if known is not None and (known.inputs_digest, known.code_version) == (digest, code_version.of_drawings()):
        return known
    cases, found = cases_read(study), list[Drawn]()
    for start in range(0, len(cases), CHUNK):
        found += compared(study, cases[start : start + CHUNK])
        tell(min(start + CHUNK, len(cases)), len(cases) + 1)
    content = {"drawings": len(found), "targets": as_rows(found, codes_of(study))}
    return _kept(study, actor, digest, content)


@transaction.atomic
def _kept(study: Study, actor: User, digest: str, content: dict[str, Any]) -> DrawingReport:
    program = code_version.of_drawings()
    report = DrawingReport.objects.create(
        study=study, created_by=actor, code_version=program, inputs_digest=digest, content=content
    )
    after = {"drawings": content["drawings"], "inputs": digest, "code_version": program}
    record(action="drawings.compared", actor=actor, study=study, subject=str(content["drawings"]), after=after)
    return report


def watch_drawings(*, study: Study, report: DrawingReport) -> list[Alert]:
    """Each limit counts the drawings that were read after its last alert was closed."""
    recipe = recipe_of(study)
    members = dict(Membership.objects.filter(study=study).values_list("code", "pk"))
    since, found = counting_since(list(members.values())), []
    for target in drawn_targets(recipe):
        limits = [
            one for one in recipe.monitoring.limits if (one.target, one.measure) == (target.key, measure_of(target))
        ]
        for code, mine in kept_drawings(report, target.key).items() if limits else ():
            for limit in limits:
                begun = since.get((members[code], limit.key))
                values = [value for value, at in zip(mine.values, mine.at, strict=True) if begun is None or at > begun]
                crossing = first_mean_crossing(values, limit, recipe.monitoring)
                if crossing is not None:
                    mean = crossing.mean
                    crossed = (limit, crossing.look, mean.value, mean.of, crossing.bound, begun)
                    found.append(Crossed(members[code], *crossed))
    return raise_alerts(study=study, crossings=found)
