"""The balance of a split in words and numbers, as its page and its preview show it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from consensus.splitting.asked import Asked
from consensus.views.agreement_tables import measured
from consensus.views.words import value_name, variable_name
from protocols.recipe import Recipe

FEW_EXPECTED = 5.0


def balance_shown(recipe: Recipe, asked: Asked, report: Mapping[str, Any]) -> dict[str, Any]:
    parts = [part.name for part in asked.parts]
    total = sum(row["cases"] for row in report["parts"])
    return {
        "parts": [
            {**row, "name": name, "percent": round(100 * row["cases"] / total) if total else 0}
            for name, row in zip(parts, report["parts"], strict=True)
        ],
        "part_names": parts,
        "left_out": report["left_out"],
        "torn": report["subjects_in_two_parts"],
        "labels": [_label_table(recipe, asked, key, table) for key, table in report["labels"].items()],
        "measures": [_measure_row(recipe, key, row) for key, row in report["measures"].items()],
    }


def _label_table(recipe: Recipe, asked: Asked, key: str, table: Mapping[str, Any]) -> dict[str, Any]:
    totals = [sum(row) for row in table["counts"]]
    return {
        "name": variable_name(recipe, key),
        "balanced": key in asked.stratify_by,
        "rows": [
            {
                "value": value_name(recipe, key, value),
                "cells": [
                    {"count": row[at], "percent": f"{100 * row[at] / total:.1f}" if total else ""}
                    for row, total in zip(table["counts"], totals, strict=True)
                ],
            }
            for at, value in enumerate(table["values"])
        ],
        "test": _test("χ²", table["chi_square"]),
        "few": table["smallest_expected"] is not None and table["smallest_expected"] < FEW_EXPECTED,
    }


def _measure_row(recipe: Recipe, key: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": _measure_name(recipe, key, _(row["name"])),
        "cells": [_spread(spread) for spread in row["spreads"]],
        "missing": row["missing"],
        "test": _test("H", row["kruskal_wallis"]),
    }


def _measure_name(recipe: Recipe, key: str, name: str) -> str:
    if key.startswith("area:"):
        return _("Area of %(target)s, %% of the picture") % {"target": name}
    unit = next((_(one.unit) for one in recipe.measures if one.key == key and one.unit), "")
    return f"{name} ({unit})" if unit else name


def _spread(spread: Mapping[str, Any]) -> dict[str, str]:
    if not spread["count"]:
        return {"median": "–", "quartiles": ""}
    quartiles = f"{measured(spread['low'])} … {measured(spread['high'])}"
    return {"median": measured(spread["median"]), "quartiles": quartiles}


def _test(sign: str, test: Mapping[str, Any]) -> dict[str, str] | None:
    if test["p"] is None:
        return None
    small = test["p"] < 0.001
    return {
        "statistic": f"{sign}({test['freedom']}) = {test['statistic']:.2f}",
        "p": "p < 0.001" if small else f"p = {test['p']:.3f}",
    }


def plan_rows(asked: Asked, recipe: Recipe) -> Sequence[tuple[str, str]]:
    """What was asked for, line by line."""
    strata = ", ".join(variable_name(recipe, key) for key in asked.stratify_by) or "–"
    lines = [(_("Balanced by"), strata), (_("Seed"), str(asked.seed))]
    for part in asked.parts:
        said = []
        if part.device:
            said.append(_("only %(device)s") % {"device": part.device})
        said += [_("without %(value)s") % {"value": value_name(recipe, key, value)} for key, value in part.leaves_out]
        said += [
            _("about %(count)s × %(value)s") % {"count": f"{about:,}", "value": value_name(recipe, key, value)}
            for key, value, about in part.wanted
        ]
        if said:
            lines.append((part.name, ", ".join(said)))
    return lines
