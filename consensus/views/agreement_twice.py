"""The part of the agreement page about cases that a grader has read twice."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from consensus.agreement.content import ALL
from consensus.views.agreement_tables import PIXEL_DIGITS, digits_for, interval, number

HEAD = ("grader", "statistic", "value", "low", "high", "n", "left_out")


def twice_table(content: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any] | None:
    """A row for each grader, the last for all; None where nothing was read twice."""
    rows = content.get("twice", [])
    if not rows:
        return None
    digits = [_digits(content["kind"], rows, place) for place in range(len(rows[0]["figures"]))]
    return {
        "names": [_name(figure["key"], content["kind"]) for figure in rows[0]["figures"]],
        "rows": [
            {
                "letter": "" if row["grader"] == ALL else row["grader"],
                "name": names.get(row["grader"], ""),
                "images": row["images"],
                "figures": [
                    {
                        "value": number(figure["value"], shown),
                        "interval": interval(figure["low"], figure["high"], shown),
                    }
                    for figure, shown in zip(row["figures"], digits, strict=True)
                ],
            }
            for row in rows
        ],
    }


def _digits(kind: str, rows: list[dict[str, Any]], place: int) -> int:
    if kind == "point":
        return PIXEL_DIGITS
    return digits_for([row["figures"][place]["value"] for row in rows]) if kind == "measure" and place else 3


def _name(key: str, kind: str) -> str:
    pixels = kind == "point"
    return {
        "pairwise-dice": _("Mean Dice of both"),
        "percent-agreement": _("The same label"),
        "cohen-kappa": _("Cohen's kappa"),
        "apart": _("Mean distance, px"),
        "within": _("Within-subject SD, px") if pixels else _("Within-subject SD"),
        "icc 1": _("ICC(1)"),
        "repeatability": _("Repeatability coefficient"),
    }[key]


def twice_csv(content: Mapping[str, Any]) -> list[list[Any]]:
    lines = [
        [row["grader"], figure["key"], *(figure[name] for name in HEAD[2:])]
        for row in content.get("twice", [])
        for figure in row["figures"]
    ]
    return [list(HEAD), *lines]
