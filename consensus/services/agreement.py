"""The agreement of a study's graders is measured in the background, and kept as a report."""

from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Job, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from consensus import code_version
from consensus.agreement.content import (
    ALL,
    area_content,
    label_content,
    measure_content,
    point_content,
    twice_content,
    with_strata,
)
from consensus.agreement.twice import BOTH, joined
from consensus.models import AgreementReport, DatasetVersion
from consensus.selectors.agreement import (
    Basis,
    Sheets,
    basis_now,
    basis_of,
    cases_read,
    empty_sheets,
    gather,
    gather_twice,
    graders_twice,
    is_read,
    latest_report,
    readings_digest,
)
from consensus.selectors.letters import letters_of
from consensus.services.letters import draw_letters
from protocols.names import Kind
from protocols.recipe import Recipe

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

KIND = "measure_agreement"
CHUNK = 24  # cases whose readings are in memory at once


def request_report(*, study: Study, actor: User) -> Job:
    if not is_read(study):
        raise Conflict("nothing_read", _("Nobody has submitted a reading yet."))
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who ask at once take turns
        if Job.objects.filter(study=study, kind=KIND, finished_at=None).exists():
            raise Conflict("report_going_on", _("The agreement is being measured already."))
        return request_job(kind=KIND, owner=actor, study=study, arguments={})


def measure_again(*, study: Study, actor: User) -> Job | None:
    """After a run, unless the report is being made or rests on the same readings already."""
    known = latest_report(study)
    if known is not None and known.inputs_digest == readings_digest(study):
        return None
    try:
        return request_report(study=study, actor=actor)
    except Conflict:
        return None


def run_report_job(job: Job, progress: Any) -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    report = make_report(study=job.study, actor=job.owner, tell=progress.report)
    return {"cases": report.content["cases"]}


def make_report(*, study: Study, actor: User, tell: "Callable[[int, int], None]") -> AgreementReport:
    """Measure what the readings are now. If a report of the same readings is there, that one is given."""
    digest = readings_digest(study)
    known = latest_report(study)
    if known is not None and (known.inputs_digest, known.code_version) == (digest, code_version.of_agreement()):
        return known
    return _kept(study, actor, digest, _measured(study, draw_letters(study=study), basis_now(), tell))


def agreement_of(
    version: DatasetVersion, tell: "Callable[[int, int], None]", cases: "QuerySet[Any, Any] | None" = None
) -> dict[str, Any]:
    """Of the readings that a frozen version rests on, or of those of some cases: as it was measured, or else measured
    now and not kept."""
    study, basis = version.study, basis_of(version, cases)
    reports = AgreementReport.objects.filter(study=study, code_version=code_version.of_agreement())
    known = reports.filter(inputs_digest=basis.digest(study)).first()
    if known is not None:
        return dict(known.content)
    read = set(basis.readings.values_list("assignment__grader", flat=True))
    return _measured(study, {who: letter for who, letter in letters_of(study).items() if who in read}, basis, tell)


def _measured(
    study: Study, letters: dict[int, str], basis: Basis, tell: "Callable[[int, int], None]"
) -> dict[str, Any]:
    recipe, cases = recipe_of(study), cases_read(study, basis)
    sheets = empty_sheets(recipe, [letters[grader] for grader in sorted(letters, key=lambda one: _place(letters[one]))])
    for start in range(0, len(cases), CHUNK):
        gather(sheets, study, cases[start : start + CHUNK], letters, basis)
        tell(min(start + CHUNK, len(cases)), len(cases) + 1)
    content = _content(recipe, sheets)
    _add_twice(content, study, letters, basis)
    return {"cases": len(cases), "graders": _graders(sheets), **content}


def _add_twice(content: dict[str, Any], study: Study, letters: dict[int, str], basis: Basis) -> None:
    """Of every target and measure, how far each grader agrees with the own first reading, and all together."""
    recipe, found = recipe_of(study), {}
    for grader in sorted(graders_twice(study, basis), key=lambda one: _place(letters.get(one, ""))):
        sheets = empty_sheets(recipe, BOTH)
        gather_twice(sheets, study, grader, basis)
        found[letters.get(grader, "")] = sheets
    for name in ("targets", "measures"):
        for key, part in content[name].items():
            own = {letter: getattr(sheets, name)[key] for letter, sheets in found.items()}
            own = {letter: sheet for letter, sheet in own.items() if letter and sheet.rows}
            if own:
                everybody = {ALL: joined(list(own.values()))} if len(own) > 1 else {}
                part["twice"] = [
                    twice_content(sheet, letter, part["kind"], part.get("labels", ()))
                    for letter, sheet in {**own, **everybody}.items()
                ]


def _place(letter: str) -> tuple[int, str]:
    return len(letter), letter


def _graders(sheets: Sheets) -> list[str]:
    return list(next(iter(sheets.targets.values())).graders) if sheets.targets else []


def _content(recipe: Recipe, sheets: Sheets) -> dict[str, Any]:
    targets = {}
    for target in recipe.targets:
        sheet = sheets.targets.get(target.key)
        if sheet is None or not sheet.rows:
            continue
        if target.kind is Kind.LABEL:
            labels, scale = [option.key for option in target.options], target.gradable if target.ordered else ()
            of_labels = partial(label_content, labels=labels, scale=scale)
            targets[target.key] = with_strata(sheet, of_labels)
        else:
            targets[target.key] = with_strata(sheet, point_content if target.kind is Kind.POINT else area_content)
    measures = {key: with_strata(sheet, measure_content) for key, sheet in sheets.measures.items() if sheet.rows}
    return {"targets": targets, "measures": measures}


@transaction.atomic
def _kept(study: Study, actor: User, digest: str, content: dict[str, Any]) -> AgreementReport:
    report = AgreementReport.objects.create(
        study=study, created_by=actor, code_version=code_version.of_agreement(), inputs_digest=digest, content=content
    )
    after = {"cases": content["cases"], "readings": digest, "code_version": report.code_version}
    record(action="agreement.measured", actor=actor, study=study, subject=f"{content['cases']}", after=after)
    return report
