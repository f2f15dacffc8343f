"""Groups of cases from a table `name,stratum`, and what a contest says about them."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.formats.bad_file import BadFile
from annotator.formats.case_table import read_case_table
from annotator.formats.fault import Fault
from evaluation.files.bad_submission import bad_submission
from evaluation.scoring.differences import RankSum
from evaluation.scoring.entries import Field
from evaluation.scoring.strata import strata_differ, values_by_stratum
from protocols import Recipe
from protocols.scoring_names import ColumnRole
from protocols.standard import Column

STRATUM = "stratum"
COLUMNS = (Column("name", ColumnRole.CASE), Column(STRATUM, ColumnRole.LABEL))


def read_strata(place: Path, recipe: Recipe, cases: Sequence[str]) -> list[str]:
    """The stratum of each case, or of its image where an image is several cases. Further lines are passed over."""
    try:
        lines = read_case_table(place.read_bytes(), COLUMNS, recipe.files[0].names)
        found = []
        for case in cases:
            image = case.rpartition(":")[0] if recipe.scoring.case_suffixes else case
            line = lines.get(case) or lines.get(image)
            if line is None:
                raise bad_submission("missing_case", name=case)
            found.append(line.text(STRATUM))
    except Fault as fault:
        raise BadFile(str(place), fault) from None
    return found


def strata_as_object(field: Field, names: Sequence[str]) -> dict[str, Any]:
    """Each stratum with its metrics by team, and by metric and team whether strata differ."""
    strata = values_by_stratum(field.questions, field.keys, names)
    differ: dict[str, dict[str, Any]] = {}
    for key in field.keys:
        for team, asked in zip(field.names, field.questions, strict=True):
            found = strata_differ(asked[key], names) if key in asked else None
            if found is not None:
                test = "rank-sum" if isinstance(found, RankSum) else "kruskal-wallis"
                differ.setdefault(key, {})[team] = {"test": test, "p": found.p, "effect": found.effect}
    return {
        "strata": {
            name: {
                "n_cases": one.cases,
                "metrics": {
                    key: dict(zip(field.names, values.tolist(), strict=True)) for key, values in one.values.items()
                },
            }
            for name, one in strata.items()
        },
        "strata_differ": differ,
    }


def strata_as_rows(answer: Mapping[str, Any]) -> list[list[str]]:
    """A line for each stratum and team, a column for each metric."""
    metrics = list(answer["metrics"])
    rows = [["stratum", "cases", "team", *metrics]]
    for name, one in answer["strata"].items():
        for entry in answer["entries"]:
            values = [one["metrics"][key][entry["team"]] for key in metrics]
            shown = ["–" if math.isnan(value) else f"{value:.4f}" for value in values]
            rows.append([name, str(one["n_cases"]), entry["team"], *shown])
    return rows
