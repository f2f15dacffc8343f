"""What the clinic knows about the cases of a study: which targets it answers, what stands, and what is missing."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.formats.truth_csv import CASE
from annotator.models import Case, CaseImage, Study, Target
from annotator.selectors.photographs import photographs_of
from annotator.selectors.recipes import recipe_of
from consensus.models import Reference
from protocols.names import Kind, Source
from protocols.targets import Target as Asked

ImageTarget = tuple[int, int]
"""Image and target, by their row numbers."""


@dataclass(frozen=True)
class ClinicTarget:
    """A label that is imported and never graded."""

    row: Target
    asked: Asked

    @property
    def words(self) -> dict[str, str]:
        """How a table may write each answer: its key, its name, or as the protocol's own files do."""
        found: dict[str, str] = {}
        for option in self.asked.options:
            for written in (option.file_value, option.name, option.key):
                if written:
                    found[written.casefold()] = option.key
        return found

    @property
    def allowed(self) -> str:
        """The answers, for people: “glaucoma (1), no-glaucoma (0)”."""
        return ", ".join(
            f"{option.key} ({option.file_value})" if option.file_value else option.key for option in self.asked.options
        )

    def name_of(self, label: str) -> str:
        return next((_(option.name) for option in self.asked.options if option.key == label), label)


@dataclass(frozen=True)
class TruthShown:
    """One imported answer about one photograph, beside the senior's table."""

    position: int
    target: str
    name: str
    label: str
    value: str
    source: str
    version: int
    imported_at: datetime


@dataclass(frozen=True)
class TruthStanding:
    """How far one target is known, and what the clinic says how often."""

    target: ClinicTarget
    counts: list[tuple[str, int]]  # photographs by answer
    sources: list[str]
    missing: list[int]  # numbers of cases without an answer; none where an answer is not required


def clinic_targets(study: Study) -> list[ClinicTarget]:
    recipe = recipe_of(study)
    rows = Target.objects.filter(study=study, source=Target.Source.IMPORTED, kind=Target.Kind.LABEL)
    known = {target.key: target for target in recipe.targets if target.source is Source.IMPORTED}
    pairs = [(row, known.get(row.key)) for row in rows.order_by("position")]
    return [ClinicTarget(row, asked) for row, asked in pairs if asked is not None and asked.kind is Kind.LABEL]


def latest_truth(study: Study) -> dict[ImageTarget, Reference]:
    rows = Reference.objects.filter(case__study=study, state=Reference.State.IMPORTED, following__isnull=True)
    return {(row.image_id, row.target_id): row for row in rows.only("image_id", "target_id", "label", "version")}


def photographs_by_case(study: Study) -> dict[str, list[CaseImage]]:
    """All photographs of a case, by its number as a table writes it."""
    found: dict[str, list[CaseImage]] = {}
    for row in photographs_of(study):
        found.setdefault(str(row.case.number), []).append(row)
    return found


def no_strata_words() -> str:
    return _("The image list said nothing about these targets.")


def strata_table(study: Study) -> bytes:
    """What the image list said about targets of the clinic, as the table that an import takes; empty if nothing."""
    keys = [target.row.key for target in clinic_targets(study)]
    rows = Case.objects.filter(study=study).order_by("number").values_list("number", "strata")
    lines = [[number, *(strata.get(key, "") for key in keys)] for number, strata in rows.iterator(chunk_size=2000)]
    told = [line for line in lines if any(line[1:])]
    if not told:
        return b""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((CASE, *keys))
    writer.writerows(told)
    return out.getvalue().encode()


def standing_of_truth(study: Study) -> list[TruthStanding]:
    rows = Reference.objects.filter(case__study=study, state=Reference.State.IMPORTED, following__isnull=True)
    by_target: dict[int, list[tuple[int, str, str]]] = {}
    for target, number, label, source in rows.values_list("target_id", "case__number", "label", "source"):
        by_target.setdefault(target, []).append((number, label, source))
    numbers = list(Case.objects.filter(study=study).order_by("number").values_list("number", flat=True))
    return [_standing(target, by_target.get(target.row.pk, []), numbers) for target in clinic_targets(study)]


def _standing(target: ClinicTarget, rows: list[tuple[int, str, str]], numbers: list[int]) -> TruthStanding:
    labels = [label for _number, label, _source in rows]
    known = {number for number, _label, _source in rows}
    return TruthStanding(
        target=target,
        counts=[(option.key, labels.count(option.key)) for option in target.asked.options],
        sources=sorted({source for _number, _label, source in rows}),
        missing=[number for number in numbers if number not in known] if target.asked.required else [],
    )


def truth_of_case(case: Case) -> list[TruthShown]:
    targets: Mapping[int, ClinicTarget] = {target.row.pk: target for target in clinic_targets(case.study)}
    positions = dict(CaseImage.objects.filter(case=case).values_list("image_id", "position"))
    rows = Reference.objects.filter(case=case, state=Reference.State.IMPORTED, following__isnull=True)
    return [
        TruthShown(
            position=positions.get(row.image_id, 1),
            target=targets[row.target_id].row.key,
            name=_(targets[row.target_id].asked.name),
            label=row.label,
            value=targets[row.target_id].name_of(row.label),
            source=row.source,
            version=row.version,
            imported_at=timezone.localtime(row.created_at),
        )
        for row in rows.order_by("image", "target__position")
        if row.target_id in targets
    ]
