"""The senior's table of an AGE study: cornea and iris are traced, corrected, measured and accepted."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import pytest
from playwright.sync_api import Locator, expect

from annotator.answers import Given
from annotator.imaging.synthetic.asoct import AsOctPicture, draw_asoct
from annotator.imaging.tracing.angle import trace_angle
from annotator.models import Image
from tests.browser.reading_scene import HEIGHT, WIDTH
from tests.browser.table_scene import Table, read_by, seniors_of, sit_down
from tests.browser.visitor import Visitor
from tests.consensus.scene import latest

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Visitor]
SHIFTS = (-3.0, 0.0, 0.0, 3.0)


def scan() -> AsOctPicture:
    return draw_asoct(3, width=WIDTH, height=HEIGHT)


def png(picture: AsOctPicture) -> bytes:
    return cv2.imencode(".png", picture.image)[1].tobytes()


def sat_down(visit: Visit, picture: AsOctPicture) -> Table:
    truth = picture.truth
    answers = [
        tuple(
            Given(f"spur_{angle.side}", geometry={"x": angle.spur[0] + way * shift, "y": angle.spur[1] - shift})
            for angle, way in ((truth.left, 1), (truth.right, -1))
        )
        for shift in SHIFTS
    ]
    study = read_by("age", answers, changes={"picture": lambda _seed: png(picture)})
    Image.objects.filter(study=study).update(um_per_px_x=truth.um_per_px, um_per_px_y=truth.um_per_px)
    return sit_down(visit, seniors_of(study)[0], study)


def opening(table: Table) -> Locator:
    return table.number("aod500_left")


def mm(shown: Locator) -> float:
    return float((shown.text_content() or "").removesuffix(" mm"))


def test_the_surfaces_are_traced_corrected_measured_and_accepted_as_they_were_drawn(visit: Visit) -> None:
    picture = scan()
    truth = picture.truth
    pixel_mm = truth.um_per_px / 1000
    table = sat_down(visit, picture)
    expect(opening(table)).to_have_text("–")

    table.press("t")
    table.says("Cornea and iris are traced.")
    expect(opening(table)).to_contain_text(" mm")
    assert mm(opening(table)) == pytest.approx(truth.left.aod500_um / 1000, abs=2 * pixel_mm)
    rows = table.page.locator("[data-reading] [data-number=opening]")
    expect(rows).to_have_count(len(SHIFTS))
    values = sorted(mm(row) for row in rows.all())
    assert values[0] < mm(opening(table)) < values[-1]  # further from the angle it is wider

    spur = latest(table.case, "spur_left").geometry
    assert spur is not None
    traced = trace_angle(picture.image, (spur["x"], spur["y"]), towards_x=WIDTH / 2)
    measured_at = (truth.left.spur[0] + 500 / truth.um_per_px, truth.left.spur[1])
    index, vertex = min(enumerate(traced.iris), key=lambda one: math.dist(one[1], measured_at))
    table.target("iris_left")
    table.press("d")
    table.whole()
    before = opening(table).text_content() or ""
    with table.dragging(vertex, (vertex[0], vertex[1] + 16)):
        expect(opening(table)).not_to_have_text(before)  # while the button is down
    expect(table.page.locator("[data-moved]")).to_have_text("traced, then corrected")
    assert mm(opening(table)) > float(before.removesuffix(" mm")) + 4 * pixel_mm
    table.press("Escape")
    table.accept()

    assert latest(table.case, "cornea_left").geometry == {"points": [list(point) for point in traced.cornea]}
    cornea, iris = latest(table.case, "cornea_left"), latest(table.case, "iris_left")
    assert cornea.displacement is not None
    assert iris.displacement is not None
    assert iris.geometry is not None
    assert cornea.displacement["off_tracing_px"] == 0
    drawn = [tuple(point) for point in iris.geometry["points"]]
    assert [point for point in drawn if point != drawn[index]] == [p for i, p in enumerate(traced.iris) if i != index]
    # The pointer goes by whole pixels of the window.
    assert drawn[index] == pytest.approx((vertex[0], vertex[1] + 16), abs=1.5)
    assert iris.displacement["traced_vertices"] == len(traced.iris) - 1


def test_where_nothing_can_be_traced_the_senior_is_told_and_draws(visit: Visit) -> None:
    picture = scan()
    table = sat_down(visit, picture)
    table.press("d")
    table.whole()
    table.drag(picture.truth.left.spur, (40, 30))
    expect(table.page.locator("[data-moved]")).to_contain_text("moved by")
    table.press("Escape", "t")
    table.says("Draw the lines by hand.")
    expect(opening(table)).to_have_text("–")
