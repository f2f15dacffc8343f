"""Clinical truth is imported from a table: looked at first, then written as a whole or not at all."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.truth_csv import CASE, TruthRow, read_truth
from annotator.models import CaseImage, Study, User
from annotator.selectors.photographs import photographs_by_name
from annotator.services.audit import record
from consensus import code_version
from consensus.fusion.digests import word_digest
from consensus.models import ConsensusRun, Reference
from consensus.selectors.datasets import is_signed
from consensus.selectors.truth import (
    ClinicTarget,
    clinic_targets,
    latest_truth,
    photographs_by_case,
)
from consensus.services.signed_off import refuse_without_reason

LONGEST_TEXT = 500
LONGEST_FILE_NAME = 255
MOST_BYTES = 2 * 1024 * 1024
MOST_NAMED = 50  # bad lines named at once


@dataclass(frozen=True)
class Table:
    """A file as it came: its name and its bytes."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True)
class Change:
    """The answer that a photograph would get, and the one that stands now."""

    photograph: CaseImage
    target: ClinicTarget
    label: str
    before: Reference | None

    @property
    def value(self) -> str:
        return self.target.name_of(self.label)

    @property
    def value_before(self) -> str:
        return self.target.name_of(self.before.label) if self.before else ""


@dataclass(frozen=True)
class TruthPlan:
    """What a table would change. `faults` name every line that cannot be used; then there are no changes."""

    changes: list[Change]
    same: int
    missing: dict[str, list[int]]  # by target: numbers of cases that would still have no answer, where one is required
    faults: list[str]

    @property
    def new(self) -> int:
        return len(self.changes) - self.corrections

    @property
    def corrections(self) -> int:
        return sum(change.before is not None for change in self.changes)

    @property
    def digest(self) -> str:
        """Of what would be written, so that what is confirmed is what was looked at."""
        lines = [
            f"{change.photograph.image_id} {change.target.row.key} {change.label}"
            f" {change.before.version if change.before else 0}"
            for change in self.changes
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def uploaded_table(name: str, size: int, read: Callable[[], bytes]) -> Table:
    """A file that somebody sends; one that is too large is not read."""
    if size > MOST_BYTES:
        limit = {"limit": MOST_BYTES // 1024 // 1024}
        raise DomainError("too_large", _("A table may have at most %(limit)s MB.") % limit, field="file")
    return Table(name[-LONGEST_FILE_NAME:], read())


def needs_reason(study: Study, plan: TruthPlan) -> bool:
    """Whoever corrects what is known, or adds to it after a sign-off, says why."""
    return plan.corrections > 0 or is_signed(study)


def plan_truth(*, study: Study, table: Table) -> TruthPlan:
    """Nothing is written."""
    targets = {target.row.key: target for target in clinic_targets(study)}
    if not targets:
        raise Conflict("no_clinic_target", _("No target of this protocol is answered by the clinic."))
    words = {key: target.words for key, target in targets.items()}
    read = read_truth(table.content, words, {key: target.allowed for key, target in targets.items()})
    faults = list(read.faults)
    photographs = photographs_by_case(study) if read.named_by == CASE else photographs_by_name(study)
    found = [(row, _found(row, read.named_by, photographs, faults)) for row in read.rows]
    if faults:
        faults.sort(key=lambda fault: fault.line or 0)
        return TruthPlan([], 0, {}, [_fault_words(table.name, fault) for fault in faults])
    latest = latest_truth(study)
    said = [
        Change(photograph, targets[key], label, latest.get((photograph.image_id, targets[key].row.pk)))
        for row, named in found
        for photograph in named
        for key, label in row.values.items()
    ]
    changes = [change for change in said if change.before is None or change.before.label != change.label]
    known = {*latest, *((change.photograph.image_id, change.target.row.pk) for change in said)}
    every = [photograph for rows in photographs.values() for photograph in rows]
    return TruthPlan(changes, len(said) - len(changes), _missing(targets.values(), every, known), [])


def _found(
    row: TruthRow, named_by: str, photographs: dict[str, list[CaseImage]], faults: list[BadTable]
) -> list[CaseImage]:
    """A case by its number means all its photographs; a file name means one."""
    named = photographs.get(row.name, [])
    if not named:
        faults.append(bad_table("unknown_case", row.line, column=named_by, value=row.name[:60]))
    elif named_by != CASE and len(named) > 1:
        faults.append(bad_table("several_images", row.line, column=named_by, value=row.name[:60]))
    return named


def _missing(
    targets: Iterable[ClinicTarget], photographs: list[CaseImage], known: set[tuple[int, int]]
) -> dict[str, list[int]]:
    missing: dict[str, list[int]] = {}
    for target in targets:
        if target.asked.required:
            numbers = {row.case.number for row in photographs if (row.image_id, target.row.pk) not in known}
            missing |= {target.row.key: sorted(numbers)} if numbers else {}
    return missing


def _fault_words(file: str, fault: BadTable) -> str:
    why = _(fault.message) % fault.params
    if fault.line is None:
        return f"{file}: {why}"
    return _("%(file)s, line %(line)s: %(fault)s") % {"file": file, "line": fault.line, "fault": why}


def import_truth(
    *, study: Study, actor: User, table: Table, source: str, reason: str = "", seen: str | None = None
) -> ConsensusRun | None:
    """New references, all in one transaction; None when the table says what is known already.

    `seen` is the digest of the plan that was looked at. A correction of what stands needs a reason.
    """
    source, reason = _text(source, "source"), _text(reason, "reason")
    if not source:
        raise DomainError("source_missing", _("Say where the clinic knows this from."), field="source")
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who import take turns
        plan = plan_truth(study=study, table=table)
        if plan.faults:
            raise DomainError("bad_table", "\n".join(plan.faults[:MOST_NAMED]), field="file")
        if seen is not None and seen != plan.digest:
            raise Conflict("truth_changed", _("What is known was changed meanwhile. Look at the table again."))
        if plan.corrections and not reason:
            message = _("Say why what is known is corrected; it is kept with every correction.")
            raise DomainError("reason_missing", message, field="reason")
        if not plan.changes:
            return None
        refuse_without_reason(study, reason)
        return _write(study, actor, table, source, reason, plan)


def _text(text: str, field: str) -> str:
    text = text.strip()
    if len(text) > LONGEST_TEXT:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_TEXT}
        raise DomainError("too_long", message, field=field)
    return text


def _write(study: Study, actor: User, table: Table, source: str, reason: str, plan: TruthPlan) -> ConsensusRun:
    told = {"file": table.name, "sha256": table.sha256, "source": source, "reason": reason}
    run = ConsensusRun.objects.create(
        study=study,
        kind=ConsensusRun.Kind.IMPORT,
        started_by=actor,
        recipe_digest=study.recipe_digest,
        rules={key: told | {"rule": "imported"} for key in sorted({change.target.row.key for change in plan.changes})},
        code_version=code_version.of_fusion(),
        cases_total=len({change.photograph.case_id for change in plan.changes}),
        finished_at=timezone.now(),
    )
    Reference.objects.bulk_create(_row(run, change, source, reason, table.sha256) for change in plan.changes)
    cases = sorted({change.photograph.case.number for change in plan.changes})
    after = told | {"cases": cases, "answers": len(plan.changes), "corrected": plan.corrections}
    record(action="truth.imported", actor=actor, study=study, subject=run.public_id, after=after)
    return run


def _row(run: ConsensusRun, change: Change, source: str, reason: str, table: str) -> Reference:
    before = change.before
    return Reference(
        run=run,
        case=change.photograph.case,
        image=change.photograph.image,
        target=change.target.row,
        version=before.version + 1 if before else 1,
        previous=before,
        kind=change.target.row.kind,
        state=Reference.State.IMPORTED,
        label=change.label,
        source=source,
        comment=reason,
        inputs_digest=table,
        digest=word_digest(change.label),
    )
