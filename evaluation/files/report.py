"""A scorecard as a report: one JSON object, a table of cases, and a summary to read."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.formats.cells import safe_cell
from annotator.formats.plain import plain
from evaluation.metrics.registry import METRICS
from evaluation.scoring.scorecard import Scorecard
from protocols import Recipe


def as_object(recipe: Recipe, card: Scorecard) -> dict[str, Any]:
    """With the keys that programs rely on."""
    answer: dict[str, Any] = {
        "protocol": recipe.key,
        "edition": card.edition.value,
        "n_cases": len(card.cases),
        "metrics": card.metrics,
    }
    if card.intervals:
        answer["ci"] = {key: [bounds.low, bounds.high] for key, bounds in card.intervals.items()}
    return answer | {"cases": card.cases, "notes": card.notes}


def as_summary(recipe: Recipe, card: Scorecard) -> str:
    """Markdown: each metric with its name, unit and interval, then the notes."""
    lines = [f"# {recipe.name}, edition {card.edition.value}, {len(card.cases)} cases", ""]
    head = ["metric", "value", *(["95 % interval"] if card.intervals else []), "better", "meaning"]
    rows = [head, ["---"] * len(head)]
    named = {metric.key: metric for track in recipe.scoring.tracks for metric in track.metrics}
    for key, value in card.metrics.items():
        row = [key, _shown(value)]
        if card.intervals:
            bounds = card.intervals[key]
            row.append(f"{_shown(bounds.low)} to {_shown(bounds.high)}")
        if key in named:
            unit = f" ({named[key].unit})" if named[key].unit else ""
            rows.append([*row, named[key].direction.value, named[key].name + unit])
        else:
            rows.append([*row, METRICS[key.partition(":")[0]].direction.value, "Not in the paper"])
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines += ["", "Notes", "", *(f"- {note}" for note in card.notes)]
    return "\n".join(lines) + "\n"


def as_case_table(cases: Sequence[Mapping[str, Any]]) -> str:
    """One line for each case; an undefined value is an empty cell."""
    out = io.StringIO(newline="")
    columns = list(dict.fromkeys(column for case in cases for column in case))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(case.get(column)) for column in columns] for case in cases)
    return out.getvalue()


def write_report(folder: Path, recipe: Recipe, card: Scorecard) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    answer = json.dumps(plain(as_object(recipe, card)), ensure_ascii=False, allow_nan=False, indent=1)
    (folder / "report.json").write_text(answer + "\n", encoding="utf-8")
    (folder / "cases.csv").write_text(as_case_table(card.cases), encoding="utf-8")
    (folder / "summary.md").write_text(as_summary(recipe, card), encoding="utf-8")


def _shown(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return safe_cell(value)
    if isinstance(value, bool):
        return int(value)
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value
