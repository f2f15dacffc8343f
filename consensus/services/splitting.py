"""A version of the dataset is divided into parts. The draw follows from the plan alone, so what a preview shows is
what is kept."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import Conflict, DomainError
from annotator.formats.fault import Fault
from annotator.models import Study, User
from annotator.names import checked_name
from annotator.services.audit import record
from consensus import code_version
from consensus.models import DatasetVersion, Split, SplitCase, SplitUnit
from consensus.selectors.split_facts import CaseFacts, facts_of
from consensus.selectors.split_report import split_report
from consensus.services.freezing import require
from consensus.splitting.asked import Asked
from consensus.splitting.drawing import draw
from consensus.splitting.plan import LEFT_OUT
from protocols.scoring_names import SplitUnit as Unit

LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Drawing:
    """A split that is not written down yet."""

    asked: Asked
    facts: Mapping[int, CaseFacts]
    part_of: Mapping[int, str]  # by case; LEFT_OUT for those in no part
    report: dict[str, Any]

    def digest(self) -> str:
        """Of the plan and of every case's part; changes with either and with nothing else."""
        lines = [[self.facts[case].public_id, part] for case, part in sorted(self.part_of.items())]
        text = json.dumps([self.asked.as_data(), lines], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def draw_split(version: DatasetVersion, asked: Asked) -> Drawing:
    """Nothing is written. DomainError when the plan does not fit the version."""
    facts = facts_of(version)
    _check(asked, facts)
    items = [asked.item(one.public_id, str(one.subject), one.device, one.values) for one in facts.values()]
    try:
        drawn = draw(items, asked.plans(), asked.seed)
    except Fault as fault:
        raise DomainError(fault.code, _(fault.message) % _named(asked, fault.params)) from None
    part_of = {case: drawn.part_of[one.public_id] for case, one in facts.items()}
    _check_filled(asked, part_of)
    return Drawing(asked, facts, part_of, split_report(version, asked, facts, part_of, drawn.asked))


def make_split(*, version: DatasetVersion, actor: User, name: str, asked: Asked) -> Split:
    require(actor, version.study, May.FREEZE)
    name = checked_name(name, missing=_("Give the split a name."))
    drawing = draw_split(version, asked)
    digest = drawing.digest()
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=version.study_id)
        same = version.splits.filter(digest=digest).first()
        if same is not None:
            raise Conflict("same_split", _("“%(name)s” is the same split already.") % {"name": same.name})
        split = Split.objects.create(
            version=version,
            number=(version.splits.aggregate(last=Max("number"))["last"] or 0) + 1,
            name=name,
            unit=asked.unit.value,
            plan=asked.as_data(),
            report=drawing.report,
            code_version=code_version.of_splitting(),
            digest=digest,
            made_by=actor,
        )
        _write_members(split, drawing)
        after = {"name": name, "version": version.number, "digest": digest, "seed": asked.seed}
        record(action="split.made", actor=actor, study=version.study, subject=split.public_id, after=after)
    return split


def _write_members(split: Split, drawing: Drawing) -> None:
    """One unit per subject, or per case where subjects may be torn apart; a case hangs on its unit."""
    placed = {case: part for case, part in drawing.part_of.items() if part != LEFT_OUT}
    by_subject = drawing.asked.unit is Unit.SUBJECT
    units: dict[int, SplitUnit] = {}
    for case, part in placed.items():
        subject = drawing.facts[case].subject
        key = subject if by_subject else case
        units.setdefault(key, SplitUnit(split=split, subject_id=subject if by_subject else None, part=part))
    made = dict(zip(units, SplitUnit.objects.bulk_create(units.values()), strict=True))
    SplitCase.objects.bulk_create(
        SplitCase(split=split, unit=made[drawing.facts[case].subject if by_subject else case], case_id=case)
        for case in placed
    )


def _check(asked: Asked, facts: Mapping[int, CaseFacts]) -> None:
    if not 0 <= asked.seed <= LARGEST_SEED:
        message = _("The seed is a whole number from 0 to %(largest)s.") % {"largest": LARGEST_SEED}
        raise DomainError("bad_seed", message, field="seed")
    known = {variable for one in facts.values() for variable in one.values}
    for variable in asked.variables:
        if variable not in known:
            message = _("No case of this version has a value for %(variable)s.") % {"variable": variable}
            raise DomainError("unknown_variable", message, field="stratify_by")
    for part in asked.parts:
        for variable, value in part.named:
            if not any(one.values.get(variable) == value for one in facts.values()):
                words = {"part": part.name, "variable": variable, "value": value}
                raise DomainError("unknown_value", _("%(part)s: no case has %(variable)s = %(value)s.") % words)


def _check_filled(asked: Asked, part_of: Mapping[int, str]) -> None:
    """A subject with very many cases can leave nothing for a part."""
    filled = set(part_of.values())
    for part in asked.parts:
        if part.key not in filled:
            message = _("%(part)s would be empty: too few cases, or too many of one subject.") % {"part": part.name}
            raise DomainError("empty_part", message)


def _named(asked: Asked, params: Mapping[str, object]) -> dict[str, object]:
    """Parts by the names that people gave them."""
    names: dict[object, object] = {part.key: part.name for part in asked.parts}
    return {key: names.get(value, value) if key == "part" else value for key, value in params.items()}
