"""The senior's table: glands and lines are adjusted with the pointer, and stored as they were drawn."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from playwright.sync_api import expect

from annotator.answers import Given, masks_of
from annotator.geometry import runs
from annotator.models import Case
from tests.browser.painting_scene import Hand, Pixels, differs, view_of
from tests.browser.reading_scene import HEIGHT, WIDTH
from tests.browser.table_scene import read_by, seniors_of, sit_down
from tests.browser.visitor import Visitor
from tests.consensus.scene import latest

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Visitor]
Places = Sequence[tuple[float, float]]

SEVERAL = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 3}
ADJUSTED = {"review.steps": ("check", "fine-adjustment")}
CORNEA: Places = [(40, 100), (120, 130), (200, 180), (280, 240)]


def block(left: int, top: int, right: int, bottom: int) -> Pixels:
    pixels = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
    pixels[top:bottom, left:right] = True
    return pixels


def glands_read_by_three(*readings: Sequence[Pixels]) -> list[list[Given]]:
    packed = [[runs.pack(runs.encode(gland)) for gland in glands] for glands in readings]
    return [[Given("glands", masks=masks), Given("grade", label="benign")] for masks in packed]


def stored_glands(case: Case) -> list[Pixels]:
    reference = latest(case, "glands")
    masks = masks_of("objects", reference.geometry, bytes(reference.runs or b""))
    return [runs.decode(runs.unpack(mask, WIDTH, HEIGHT), WIDTH, HEIGHT) for mask in masks]


def test_a_gland_is_taken_out_another_extended_and_a_third_is_new(visit: Visit) -> None:
    left, right, small = block(60, 80, 160, 200), block(300, 80, 420, 220), block(500, 400, 530, 430)
    said = glands_read_by_three([left, right, small], [left, right, small], [left, right])
    study = read_by("glas", said, changes=SEVERAL | ADJUSTED)
    table = sit_down(visit, seniors_of(study)[0], study)
    expect(table.number("objects")).to_have_text("3")
    table.press("d")
    table.whole()
    hand = Hand(table, view_of(table.page))
    near = hand.view.near
    new = [near(80, 300), near(220, 310), near(200, 430)]
    longer = [near(400, 150), near(480, 180)]

    hand.click_all(new)
    table.press("Enter")
    table.page.get_by_role("button", name="Brush").click()
    radius = table.brush_radius()
    hand.stroke(longer)
    table.page.locator("[data-object='3']").click()
    table.press("Delete")
    expect(table.page.locator("[data-object='3']")).to_have_count(0)
    table.press("Escape")
    table.accept()

    expected = [left, right | hand.swept(longer, radius), hand.within(new)]
    assert [differs(*pair) for pair in zip(stored_glands(table.case), expected, strict=True)] == [0, 0, 0]
    moved = latest(table.case, "glands").displacement
    assert moved is not None
    before, after = left | right | small, np.any(expected, axis=0)
    assert (moved["added_px"], moved["removed_px"]) == (int((after & ~before).sum()), int(small.sum()))
    assert latest(table.case, "grade").state == "accepted"


def test_a_line_that_nobody_read_is_drawn_bent_and_decided_with_the_points(visit: Visit) -> None:
    spurs = [
        (Given("spur_left", geometry={"x": x, "y": 260.0}), Given("spur_right", geometry={"x": 500.0, "y": 200.0}))
        for x in (300.0, 304.0)
    ]
    study = read_by("age", spurs)
    table = sit_down(visit, seniors_of(study)[0], study)
    table.target("cornea_left")
    table.whole()
    table.press("d")

    for place in CORNEA:
        table.click(*place)
    table.press("Enter")
    table.drag(CORNEA[1], (130, 160))
    table.press("Escape")
    expect(table.page.locator("[data-target=cornea_left]")).to_contain_text("drawn by hand")
    table.accept()

    line, spur = latest(table.case, "cornea_left"), latest(table.case, "spur_left")
    bent = [CORNEA[0], (130, 160), *CORNEA[2:]]
    assert np.ravel((line.geometry or {})["points"]) == pytest.approx(np.ravel(bent), abs=1.5)
    assert (line.state, line.version, spur.state) == ("adjusted", 1, "accepted")
    assert (spur.geometry or {})["x"] == 302
    table.says("Every case is decided.")


def test_a_point_is_moved_by_keys_and_told_in_numbers(visit: Visit) -> None:
    spurs = [
        (Given("spur_left", geometry={"x": x, "y": 200.0}), Given("spur_right", geometry={"x": 500.0, "y": 200.0}))
        for x in (100.0, 104.0)
    ]
    study = read_by("age", spurs)
    table = sit_down(visit, seniors_of(study)[0], study)

    table.press("d", "Shift+ArrowRight", "ArrowDown")
    expect(table.page.locator("[data-moved]")).to_contain_text("moved by")
    table.press("Escape")
    table.accept()

    spur = latest(table.case, "spur_left")
    assert spur.geometry == {"x": 112.0, "y": 201.0}
    assert spur.displacement is not None
    assert spur.displacement["distance_px"] == pytest.approx(np.hypot(10, 1))
