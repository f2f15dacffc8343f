"""The fixture files that the browser's tests read too: one rule, proved on both sides."""

import base64
import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from skimage.draw import disk
from skimage.draw import ellipse as skimage_ellipse

from annotator.geometry import measure, runs
from annotator.geometry.ellipse import Ellipse, Mask, rasterise_ellipse
from annotator.geometry.polygon import rasterise_polygon
from tests.fixtures.witnesses import Capsule, brush, fitzgibbon, opencv_direct

FOLDER = Path(__file__).parent.parent / "fixtures"


def _cases(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return cases


RASTER = _cases("raster.json")
FIT = _cases("fit.json")
MASKS = _cases("masks.json")
VCDR = _cases("vcdr.json")


def _name(case: dict[str, Any]) -> str:
    return " ".join(f"{value:g}" for value in case["ellipse"].values())


@pytest.mark.parametrize("case", RASTER, ids=_name)
def test_the_rule_gives_the_mask_of_the_fixture(case: dict[str, Any]) -> None:
    _assert_is_stored(rasterise_ellipse(Ellipse(**case["ellipse"]), case["width"], case["height"]), case)


def _assert_is_stored(mask: Mask, case: dict[str, Any]) -> None:
    toggles = runs.encode(mask)
    assert int(mask.sum()) == case["area"]
    assert runs.digest(toggles, case["width"], case["height"]) == case["digest"]
    assert zlib.decompress(runs.pack(toggles)) == base64.b64decode(case["varints"])
    assert np.array_equal(runs.unpack(base64.b64decode(case["packed"]), case["width"], case["height"]), toggles)


@pytest.mark.parametrize("case", MASKS, ids=lambda case: case["name"])
def test_polygons_and_brush_strokes_are_those_of_the_fixture(case: dict[str, Any]) -> None:
    width, height = case["width"], case["height"]
    if "polygon" in case:
        mask = rasterise_polygon(case["polygon"], width, height)
    else:
        mask = brush(Capsule(**case["capsule"]), width, height)
    _assert_is_stored(mask, case)


def test_the_brush_of_the_fixture_is_the_union_of_its_discs_along_the_way() -> None:
    # Drawn as 2,001 discs by scikit-image, which leaves out centres on the boundary: none lie on this one.
    case = next(case for case in MASKS if case["name"] == "brush: random 0")
    width, height = case["width"], case["height"]
    stroke = Capsule(**case["capsule"])
    witness = np.zeros((height, width), dtype=np.bool_)
    for t in np.linspace(0, 1, 2001):
        x, y = stroke.x0 + t * (stroke.x1 - stroke.x0), stroke.y0 + t * (stroke.y1 - stroke.y0)
        witness[disk((y - 0.5, x - 0.5), stroke.r0 + t * (stroke.r1 - stroke.r0), shape=(height, width))] = True
    assert np.array_equal(
        runs.decode(runs.unpack(base64.b64decode(case["packed"]), width, height), width, height), witness
    )


@pytest.mark.parametrize("case", RASTER, ids=_name)
def test_the_fixture_agrees_with_scikit_image_but_for_centres_on_the_boundary(case: dict[str, Any]) -> None:
    width, height = case["width"], case["height"]
    toggles = runs.unpack(base64.b64decode(case["packed"]), width, height)
    ellipse = Ellipse(**case["ellipse"])
    witness = np.zeros((height, width), dtype=np.bool_)
    tilt = -math.radians(ellipse.theta_deg)
    witness[skimage_ellipse(ellipse.cy - 0.5, ellipse.cx - 0.5, ellipse.b, ellipse.a, (height, width), tilt)] = True
    rows, columns = np.nonzero(runs.decode(toggles, width, height) != witness)
    dx, dy = columns + 0.5 - ellipse.cx, rows + 0.5 - ellipse.cy
    p = dx * math.cos(tilt) - dy * math.sin(tilt)
    q = dy * math.cos(tilt) + dx * math.sin(tilt)
    assert np.allclose((p / ellipse.a) ** 2 + (q / ellipse.b) ** 2, 1, rtol=0, atol=1e-9)


def test_the_fixture_holds_quarter_turns_and_centres_on_the_boundary() -> None:
    quarter_turns = [case for case in RASTER if case["ellipse"]["theta_deg"] % 90 == 0]
    circle = next(case for case in RASTER if case["ellipse"]["a"] == case["ellipse"]["b"] == 5)
    assert len(quarter_turns) >= 10
    # Lattice points with x² + y² ≤ 25, counted by Gauss: 81, of which 12 lie on the circle.
    assert circle["area"] == 81


@pytest.mark.parametrize("case", FIT, ids=lambda case: f"{len(case['points'])} clicks")
def test_the_fits_of_the_fixture_are_those_of_lapack_and_opencv(case: dict[str, Any]) -> None:
    points = np.array(case["points"])
    by_lapack, by_opencv = fitzgibbon(points), opencv_direct(points)
    for name in ("cx", "cy", "a", "b"):
        assert getattr(by_lapack, name) == pytest.approx(case["fitzgibbon"][name], abs=1e-6)
        assert getattr(by_opencv, name) == pytest.approx(case["fitzgibbon"][name], abs=0.05)


@pytest.mark.parametrize("case", VCDR, ids=lambda case: case["name"])
def test_a_painted_disc_and_cup_are_as_high_as_in_the_fixture(case: dict[str, Any]) -> None:
    size = case["width"], case["height"]
    disc, cup = (np.array(case[name], dtype=np.int32) for name in ("disc", "cup"))
    assert measure.vertical_extent(disc, *size) == case["disc_height"]
    assert measure.vertical_extent(cup, *size) == case["cup_height"]
    assert measure.vcdr_extent(cup, disc, *size) == (0 if case["ratio"] is None else case["ratio"])
