"""What a split must know of the cases of a version: subject, device, labels, and the measures that are compared."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from annotator.geometry.runs import Toggles, area
from annotator.selectors.recipes import recipe_of
from annotator.services.field_of_view import field_px
from consensus.fusion.registry import union
from consensus.fusion.standing import field_shares, measures_fields, ratios
from consensus.fusion.stored import reply_of
from consensus.models import DatasetVersion, Reference
from protocols.names import Kind
from protocols.recipe import Recipe

AREAS = frozenset({"mask", "ellipse", "objects"})
WHOLE = "whole"
CHUNK = 200  # references whose areas are in memory at once


@dataclass
class CaseFacts:
    pk: int
    public_id: str
    number: int
    subject: int
    device: str
    values: dict[str, str]  # of labels and strata
    measures: dict[str, float] = field(default_factory=dict)


def facts_of(version: DatasetVersion) -> dict[int, CaseFacts]:
    """By case (row number), in the order of their numbers."""
    images = version.images.order_by("-position").values_list("case_id", "image__subject_id", "image__device")
    first = {case: (subject, device) for case, subject, device in images}  # the first photograph comes last and stays
    rows = version.cases.order_by("case__number").values_list("case_id", "case__public_id", "case__number", "strata")
    facts = {
        pk: CaseFacts(pk, name, number, *first[pk], {key: str(value) for key, value in strata.items()})
        for pk, name, number, strata in rows
    }
    for case, found in _labels(version).items():
        facts[case].values |= found
    return facts


def _labels(version: DatasetVersion) -> dict[int, dict[str, str]]:
    """An eye's label is that of its first photograph which could be read, else that it could not."""
    recipe = recipe_of(version.study)
    ungradable = {target.key: target.ungradable for target in recipe.targets}
    rows = version.references.filter(reference__kind=Kind.LABEL).order_by("reference__image__case_images__position")
    found: dict[int, dict[str, str]] = {}
    for case, target, label, answer in rows.values_list(
        "reference__case_id", "reference__target__key", "reference__label", "reference__answer"
    ):
        known = found.setdefault(case, {})
        if known.get(target, ungradable.get(target)) == ungradable.get(target):
            known[target] = label or answer
    return found


def variables_of(version: DatasetVersion, facts: Iterable[CaseFacts]) -> dict[str, str]:
    """Every label and stratum by which cases can be told apart, with its name."""
    names = {target.key: target.name for target in recipe_of(version.study).targets}
    keys = sorted({key for case in facts for key in case.values}, key=lambda key: (key not in names, key))
    return {key: names.get(key, key) for key in keys}


def measured(version: DatasetVersion, facts: dict[int, CaseFacts]) -> dict[str, str]:
    """Fill in the measures of each case's first photograph, and give their names."""
    recipe = recipe_of(version.study)
    held = version.references.filter(reference__kind__in=AREAS, reference__answer=Reference.Answer.PRESENT)
    first = held.filter(reference__image__case_images__position=1).order_by("reference__case_id")
    rows = first.select_related("reference__target", "reference__image").iterator(chunk_size=CHUNK)
    names: dict[str, str] = {}
    for case, held_here in groupby((row.reference for row in rows), key=lambda reference: reference.case_id):
        names |= _measure(recipe, facts[case], list(held_here))
    return names


def _measure(recipe: Recipe, case: CaseFacts, references: list[Reference]) -> dict[str, str]:
    """Areas in per cent of the picture, and the ratios and shares of the recipe."""
    names: dict[str, str] = {}
    width, height = references[0].image.width, references[0].image.height
    marked = {reference.target.key: {WHOLE: _mask(reference, width, height)} for reference in references}
    for reference in references:
        key = reference.target.key
        case.measures[f"area:{key}"] = 100 * area(marked[key][WHOLE], width, height) / (width * height)
        names[f"area:{key}"] = reference.target.name
    seen = field_px(references[0].image) if measures_fields(recipe.measures) else None
    for measure in recipe.measures:
        found = ratios(measure, marked, width, height)
        if found is None:
            found = field_shares(measure, marked, width, height, seen)
        if found:
            case.measures[measure.key] = found[WHOLE]
            names[measure.key] = measure.name
    return names


def _mask(reference: Reference, width: int, height: int) -> Toggles:
    """All objects together count as one area."""
    reply = reply_of(
        Kind(reference.kind),
        answer=reference.answer,
        geometry=reference.geometry,
        packed=bytes(reference.runs) if reference.runs is not None else None,
        label="",
        signs=(),
        width=width,
        height=height,
    )
    return union(reply.masks)
