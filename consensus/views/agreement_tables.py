"""The tables of the agreement page, each also a CSV file."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.models import Study
from annotator.recipe_words import band_word, said, target_names, word
from annotator.selectors.recipes import recipe_of
from protocols.recipe import Recipe
from protocols.scoring_names import Statistic
from protocols.standard import Agreement, Yardstick
from protocols.yardsticks import GCI_BANDS, ICC_BANDS, KAPPA_BANDS

USUAL: dict[str, Yardstick] = {"gci": GCI_BANDS, "gci-pooled": GCI_BANDS, "icc": ICC_BANDS, "icc-euclidean": ICC_BANDS}
USUAL |= dict.fromkeys(("fleiss-kappa", "cohen-kappa", "krippendorff-alpha", "gwet-ac1", "gwet-ac2"), KAPPA_BANDS)
OF_AREA = "area-icc"  # of how much was marked, wherever it lies
USUAL[OF_AREA] = ICC_BANDS
HEAT_STEPS = 8
PIXEL_DIGITS = 1
SMALL, SMALL_DIGITS = 0.1, 5


@dataclass(frozen=True)
class FigureRow:
    name: str
    value: str
    interval: str
    called: str
    source: str
    bands: str  # in words: from where on it is called what
    published: str
    n: int
    left_out: int
    chosen: bool  # the protocol's own statistic


@dataclass(frozen=True)
class Cell:
    words: str
    heat: int | None  # 0 … 7, the darker the better; None on the diagonal


def figure_rows(study: Study, key: str, figures: Sequence[dict[str, Any]]) -> list[FigureRow]:
    """The protocol's own first."""
    stated = [entry for entry in recipe_of(study).agreement if key in entry.of]
    rows = [_figure_row(figure, stated) for figure in figures]
    return sorted(rows, key=lambda row: not row.chosen)


def _figure_row(figure: dict[str, Any], stated: Sequence[Agreement]) -> FigureRow:
    name, _space, form = figure["key"].partition(" ")
    entry = next((one for one in stated if one.statistic == name and (one.form or "") == form), None)
    yardstick = (entry.yardstick if entry else None) or USUAL.get(name)
    digits = PIXEL_DIGITS if name == Statistic.DISTANCE_TO_MEAN else 3
    return FigureRow(
        name=statistic_name(figure["key"]),
        value=number(figure["value"], digits),
        interval=interval(figure["low"], figure["high"], digits),
        called=band_word(yardstick, figure["value"]),
        source=yardstick.source if yardstick else "",
        bands=_band_words(yardstick) if yardstick else "",
        published=number(entry.published) if entry and entry.published is not None else "",
        n=figure["n"],
        left_out=figure["left_out"],
        chosen=entry is not None,
    )


def _band_words(yardstick: Yardstick) -> str:
    """The lowest has no limit where it begins at −1, which is as low as these statistics go."""
    return ", ".join(
        said(band.word) if band.low <= -1 else _("%(word)s from %(low)s") % {"word": said(band.word), "low": band.low}
        for band in yardstick.bands
    )


def yardsticks(rows: Sequence[FigureRow]) -> list[tuple[str, str]]:
    """Sources of what the figures are called, each once, with its bands."""
    return list(dict.fromkeys((row.source, row.bands) for row in rows if row.called))


def statistic_name(key: str) -> str:
    """A statistic, with the form of a correlation or the weights of labels on a scale behind a blank."""
    name, _space, form = key.partition(" ")
    called = _("Area") if name == OF_AREA else word(Statistic(name))
    if name == Statistic.COHEN_KAPPA:
        called = _("%(statistic)s, mean of the pairs") % {"statistic": called}
    return ", ".join([called, *([_form_words(form)] if form else [])])


def _form_words(form: str) -> str:
    weighted = {
        "linear": _("linear weights"),
        "quadratic": _("quadratic weights"),
        "ordinal": _("ordinal"),
        "interval": _("interval"),
    }
    return weighted.get(form, f"ICC({form})")


@dataclass(frozen=True)
class PairTable:
    title: str
    rows: list[tuple[str, list[Cell]]]  # by letter


def pair_tables(content: dict[str, Any], letters: Sequence[str]) -> list[PairTable]:
    """One; on a scale also those with weights."""
    tables = [*([content["pairs"]] if "pairs" in content else []), *content.get("weighted_pairs", [])]
    return [
        PairTable(_pair_title(table["statistic"]), list(zip(letters, _pair_rows(content, table["rows"]), strict=True)))
        for table in tables
    ]


def _pair_title(key: str) -> str:
    titles = {
        "pairwise-dice": _("Mean Dice of every two graders"),
        "distance": _("Mean distance of every two graders, px"),
        "cohen-kappa": _("Cohen's kappa of every two graders"),
        "cohen-kappa linear": _("Cohen's kappa of every two graders, linear weights"),
        "cohen-kappa quadratic": _("Cohen's kappa of every two graders, quadratic weights"),
    }
    return titles[key]


def _pair_rows(content: dict[str, Any], rows: Sequence[Sequence[float | None]]) -> list[list[Cell]]:
    known = [value for row in rows for value in row if value is not None]
    return [[_cell(value, known, is_distance=content["kind"] == "point") for value in row] for row in rows]


def _cell(value: float | None, known: Sequence[float], *, is_distance: bool) -> Cell:
    if value is None:
        return Cell("", None)
    low, high = min(known), max(known)
    share = (value - low) / (high - low) if high > low else 1.0
    if is_distance:
        share = 1 - share
    return Cell(number(value, PIXEL_DIGITS if is_distance else 3), min(HEAT_STEPS - 1, int(share * HEAT_STEPS)))


def tabs(recipe: Recipe, content: dict[str, Any]) -> list[tuple[str, str]]:
    """Targets and measures that there is something to say about, in the order of the protocol."""
    named = target_names(recipe)
    found = [(target.key, named[target.key]) for target in recipe.targets if target.key in content["targets"]]
    return found + [(one.key, said(one.name)) for one in recipe.measures if one.key in content["measures"]]


def number(value: float | None, digits: int = 3) -> str:
    """Three decimals for shares; pixels are given one."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{digits}f}".replace("-", "−")


def digits_for(values: Sequence[float | None]) -> int:
    """Of numbers that stand together."""
    known = [abs(value) for value in values if value is not None and math.isfinite(value)]
    return SMALL_DIGITS if known and max(known) < SMALL else 3


def measured(value: float | None) -> str:
    """Three decimals, more where they would not tell: a cup may cover less than a hundredth of the field of view."""
    small = value is not None and math.isfinite(value) and 0 < abs(value) < SMALL
    return number(value, SMALL_DIGITS if small else 3)


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    return f"{number(low, digits)} – {number(high, digits)}" if low is not None and high is not None else ""
