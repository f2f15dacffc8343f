"""Hidden repeats in the monitor: how alike each grader's two readings of the same case are."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotator.models import Membership, Study
from annotator.recipe_words import target_names
from annotator.selectors.recipes import recipe_of
from consensus.programme.repeating import FEWEST
from consensus.selectors.drawings import drawn_targets
from consensus.selectors.monitor_repeats import Alike, Consistency, OwnRepeats, measured_at, read_since
from consensus.views.agreement_tables import PIXEL_DIGITS, interval, number
from protocols.recipe import Recipe

OVER = "repeats"  # in the place where the file says which final labels a rate is over


def repeats_part(study: Study, repeats: Mapping[Membership, OwnRepeats]) -> dict[str, Any] | None:
    """None where nothing is shown again and nothing was; of graders only those who have read something twice."""
    recipe = recipe_of(study)
    known = {member: own for member, own in repeats.items() if own.cases}
    if not known and recipe.repeats.share <= 0:
        return None
    columns = _columns(recipe, list(known.values()))
    at = measured_at(list(known.values()))
    return {
        "columns": columns,
        "rows": [
            {"member": member, "cases": own.cases, "cells": _cells(columns, own)} for member, own in known.items()
        ],
        "has_labels": any(column["measure"] is Alike.SAME_LABEL for column in columns),
        "fewest": FEWEST,
        "measured_at": at,
        "since": read_since(at, [member.pk for member in known]) if at is not None else 0,
        "not_measured": bool(known) and at is None and bool(drawn_targets(recipe)),
    }


def _columns(recipe: Recipe, repeats: Sequence[OwnRepeats]) -> list[dict[str, Any]]:
    """For each target that somebody has answered twice, in the protocol's order; one more where there is a kappa."""
    names = target_names(recipe)
    measures = {one.target: one.measure for own in repeats for one in own.alike}
    with_kappa = {one.target for own in repeats for one in own.alike if math.isfinite(one.kappa)}
    found: list[dict[str, Any]] = []
    for target in recipe.targets:
        if target.key in measures:
            measure = measures[target.key]
            found.append({"key": target.key, "name": names[target.key], "measure": measure, "words": words_of(measure)})
            if target.key in with_kappa:
                found.append({"key": target.key, "name": names[target.key], "measure": None, "words": _kappa_words()})
    return found


def words_of(measure: Alike) -> str:
    return {
        Alike.SAME_LABEL: _("The same label"),
        Alike.DICE: _("Mean Dice of both"),
        Alike.DISTANCE_PX: _("Mean distance, px"),
    }[measure]


def _kappa_words() -> str:
    return _("Cohen's kappa")


def _cells(columns: Sequence[Mapping[str, Any]], own: OwnRepeats) -> list[dict[str, Any]]:
    return [
        _kappa(own.of(column["key"]))
        if column["measure"] is None
        else {**cell_of(own.of(column["key"])), "is_first": True}
        for column in columns
    ]


def _kappa(one: Consistency | None) -> dict[str, str]:
    return {"value": number(one.kappa if one else None, 2), "interval": "", "counts": ""}


def cell_of(one: Consistency | None) -> dict[str, str]:
    if one is None:
        return {"value": "–", "interval": "", "counts": ""}
    digits = {Alike.SAME_LABEL: 2, Alike.DICE: 3, Alike.DISTANCE_PX: PIXEL_DIGITS}[one.measure]
    known = math.isfinite(one.low) and math.isfinite(one.high)
    return {
        "value": number(one.value, digits),
        "interval": interval(one.low, one.high, digits) if known else "",
        "counts": _counts(one),
    }


def _counts(one: Consistency) -> str:
    if one.same is None:
        return _("%(count)s images") % {"count": f"{one.of:,}"}
    return _("%(right)s of %(of)s") % {"right": f"{one.same:,}", "of": f"{one.of:,}"}


def own_stats(recipe: Recipe, own: OwnRepeats) -> list[dict[str, str]]:
    """Of one grader: a number for each target, kappas behind the labels they belong to."""
    names, found = target_names(recipe), []
    for one in own.alike:
        cell = cell_of(one)
        note = ", ".join(part for part in (cell["interval"], cell["counts"]) if part)
        found.append({"label": f"{names[one.target]}: {words_of(one.measure)}", "value": cell["value"], "note": note})
        if math.isfinite(one.kappa):
            found.append({"label": f"{names[one.target]}: {_kappa_words()}", "value": number(one.kappa, 2), "note": ""})
    return found


def repeat_lines(member: Membership, own: OwnRepeats) -> list[list[Any]]:
    """For the monitor's file: grader, target, measure, over, right, of, value, low, high."""
    lines: list[list[Any]] = []
    for one in own.alike:
        counts = ["" if one.same is None else one.same, one.of]
        numbers = [_plain(value) for value in (one.value, one.low, one.high)]
        lines.append([member.code, one.target, one.measure.value, OVER, *counts, *numbers])
        if math.isfinite(one.kappa):
            lines.append([member.code, one.target, "cohen-kappa", OVER, "", one.of, one.kappa, "", ""])
    return lines


def _plain(value: float) -> float | str:
    return value if math.isfinite(value) else ""
