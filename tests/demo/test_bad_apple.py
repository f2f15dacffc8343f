"""In every demo study the careless grader is the one whom the agreement page calls furthest from the others.

The photographs are not painted here, only read: what graders make of them depends on the truth alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator import plan
from annotator.answers import PRESENT, Given
from annotator.demo import cases
from annotator.demo.cases import DrawnCase, draw_case, team
from annotator.demo.studies import SCRIPTS, Script
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import Toggles, decode, encode, unpack
from annotator.imaging.synthetic import asoct, eye, fundus, glands
from consensus.agreement import figures
from consensus.agreement.collection import Origin, Sheet
from consensus.agreement.content import area_content, label_content, measure_content, point_content
from consensus.fusion.standing import ratios
from consensus.views.agreement import _grader_rows
from protocols import PUBLISHED
from protocols.names import Kind
from protocols.targets import Target

SEED = 2018
LOTS = (SEED, 1, 2, 3)  # who of AIROGS's five reads which eye; the first is the demo's
BY_PROTOCOL = {script.protocol: script for script in SCRIPTS}


@dataclass(frozen=True)
class Photograph:
    """What its readers answered, by their numbers."""

    case: int
    size: tuple[int, int]
    given: dict[int, Given]


@pytest.fixture(autouse=True)
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a photograph's bytes only its size is asked here."""

    def developed(_picture: object, view: Any, *_rest: object) -> NDArray[np.uint8]:
        return np.broadcast_to(np.uint8(0), (view.height, view.width, 3))

    for name in ("paint_ground", "paint_disc", "paint_lesions", "paint_vessels", "vessel_maps"):
        monkeypatch.setattr(fundus, name, lambda *_arguments, **_options: None)
    monkeypatch.setattr(eye, "_draw_vessels", lambda *_arguments: ())  # they have lots of their own
    monkeypatch.setattr(fundus, "develop", developed)
    monkeypatch.setattr(asoct, "paint_asoct", lambda truth, *_rest: np.broadcast_to(0, (truth.height, truth.width)))
    monkeypatch.setattr(glands, "paint_section", lambda labels, *_rest, **_options: labels)
    monkeypatch.setattr(figures, "RESAMPLES", 2)  # intervals are not asked for
    monkeypatch.setattr(cases, "jpeg", lambda image: f"{image.shape[1]} {image.shape[0]}".encode())


def drawn_cases(script: Script) -> list[DrawnCase]:
    return [draw_case(script.protocol, number, SEED) for number in range(script.drawn_cases)]


def photographs(drawn: Sequence[DrawnCase], target: str, readers: Sequence[set[int]] | None) -> Iterator[Photograph]:
    for number, case in enumerate(drawn):
        for position, picture in enumerate(case.pictures, start=1):
            width, height = (int(side) for side in picture.data.split())
            given = {
                reader: answer
                for reader, answers in enumerate(case.readings)
                if readers is None or reader in readers[number]
                for answer in answers
                if (answer.target, answer.position) == (target, position)
            }
            yield Photograph(number, (width, height), given)


def area_of(given: Given, width: int, height: int) -> Toggles:
    if given.answer != PRESENT:
        return np.zeros(0, dtype=np.int32)
    if given.masks:
        return encode(np.logical_or.reduce([decode(unpack(one, width, height), width, height) for one in given.masks]))
    assert given.geometry is not None
    return encode(rasterise_ellipse(Ellipse(**given.geometry), width, height))


def point_of(given: Given) -> tuple[float, float] | None:
    return (given.geometry["x"], given.geometry["y"]) if given.geometry else None


def sheet_of(target: Target, drawn: Sequence[DrawnCase], readers: Sequence[set[int]] | None = None) -> Sheet:
    sheet = Sheet([str(number) for number in range(len(drawn[0].readings))])
    for photograph in photographs(drawn, target.key, readers):
        number, given = photograph.case, photograph.given
        origin = Origin(number, str(number), 1, number)
        if target.kind is Kind.POINT:
            sheet.add_points(origin, {str(one): point_of(answer) for one, answer in given.items()})
        elif target.kind is Kind.LABEL:
            order = [option.key for option in target.options]
            sheet.add_numbers(origin, {str(one): float(order.index(answer.label)) for one, answer in given.items()})
        else:
            areas = {str(one): area_of(answer, *photograph.size) for one, answer in given.items()}
            sheet.add_areas(origin, areas, *photograph.size)
    return sheet


def ratio_sheet(drawn: Sequence[DrawnCase]) -> Sheet:
    measure = next(one for one in PUBLISHED["refuge"].measures if one.key == "vcdr")
    sheet = Sheet([str(number) for number in range(len(drawn[0].readings))])
    for discs, cups in zip(photographs(drawn, "disc", None), photographs(drawn, "cup", None), strict=True):
        areas = {
            key: {str(one): area_of(answer, *discs.size) for one, answer in photograph.given.items()}
            for key, photograph in (("disc", discs), ("cup", cups))
        }
        origin = Origin(discs.case, str(discs.case), 1, discs.case)
        sheet.add_numbers(origin, ratios(measure, areas, *discs.size) or {})
    return sheet


def furthest(content: dict[str, Any], graders: Sequence[str]) -> int:
    (row,) = [row for row in _grader_rows(content, graders, {}) if row["furthest"]]
    return int(row["letter"])


def bad_apple(protocol: str) -> int:
    return next(number for number, grader in enumerate(team(protocol, SEED)) if grader.bad_apple)


@pytest.mark.parametrize("protocol", ["refuge", "adam", "age", "glas"])
def test_the_bad_apple_is_furthest_on_every_target_that_all_read(protocol: str) -> None:
    drawn = drawn_cases(BY_PROTOCOL[protocol])
    asked = [target for target in PUBLISHED[protocol].targets if target.kind is not Kind.POLYLINE]
    read = [target for target in asked if any(one.target == target.key for one in drawn[0].readings[0])]
    assert read
    found = {}
    for target in read:
        sheet = sheet_of(target, drawn)
        labels = [option.key for option in target.options]
        by_kind: dict[Kind, Callable[[Sheet], dict[str, Any]]] = {
            Kind.POINT: point_content,
            Kind.LABEL: partial(label_content, labels=labels),
        }
        found[target.key] = furthest(by_kind.get(target.kind, area_content)(sheet), sheet.graders)
    if protocol == "refuge":
        sheet = ratio_sheet(drawn)
        found["vcdr"] = furthest(measure_content(sheet), sheet.graders)

    assert found == dict.fromkeys(found, bad_apple(protocol))


def drifted(case: DrawnCase, worst: int) -> DrawnCase:
    said = (*case.readings[:worst], case.later[worst], *case.readings[worst + 1 :])
    return replace(case, readings=said)


def test_the_bad_apple_of_airogs_is_furthest_whoever_reads_which_eye() -> None:
    """Although this one reads the first eyes of the own list as carefully as the others."""
    script = BY_PROTOCOL["airogs"]
    drawn = drawn_cases(script)
    target = PUBLISHED["airogs"].targets[0]
    labels = [option.key for option in target.options]
    found = []
    for lot in LOTS:
        eyes = plan.k_per_case(range(len(drawn)), range(len(script.graders)), 2, {}, {}, {}, lot)
        readers = [{grader for grader, held in eyes.items() if number in held} for number in range(len(drawn))]
        worst = bad_apple("airogs")
        late = set(plan.own_order(eyes[worst], worst, lot, 0, {})[script.steady :])
        sheet = sheet_of(target, [drifted(case, worst) if n in late else case for n, case in enumerate(drawn)], readers)
        found.append(furthest(label_content(sheet, labels), sheet.graders))

    assert found == [bad_apple("airogs")] * len(LOTS)
