"""How the picture is shown and measured: crosshair, scale bar, ruler."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from annotator.models import Image, User
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, drafts, first_case, sit_down, study_with_cases
from tests.browser.visitor import Visitor
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def _scale(reader: Reader) -> float:
    """CSS pixels per image pixel of the fitted picture."""
    (left, _top), (right, _bottom) = reader.at(0, 0), reader.at(WIDTH, HEIGHT)
    return (right - left) / WIDTH


def test_the_crosshair_names_the_pixel_under_the_pointer(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    reader.press("k")
    reader.page.mouse.move(*reader.at(123.5, 45.5))

    expect(reader.page.locator(".crosshair text")).to_have_text(["123", "45"])
    expect(reader.page.locator(".wb-cursor")).to_have_text("x 123  y 45")
    reader.page.get_by_role("button", name="Crosshair").click()
    expect(reader.page.locator(".crosshair")).to_be_hidden()


def test_the_scale_bar_is_true_along_each_axis(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    Image.objects.filter(study=study).update(um_per_px_x=4, um_per_px_y=9)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    bar = reader.page.locator(".scale-bar")
    expect(bar.locator("text")).to_have_count(2)

    until(lambda: _um_per_px(bar), pytest.approx((4 / _scale(reader), 9 / _scale(reader)), rel=2e-4))


def _um_per_px(bar: Locator) -> tuple[float, float]:
    """What the bar's words and its length on the screen say, across and down."""
    across, down = (_in_um(text) for text in bar.locator("text").all_text_contents())
    path = bar.locator("path").first.get_attribute("d") or ""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    # M left top V bottom H right V top M tick top H left V bottom
    left, _top, bottom, right, _tick, _inner, highest, *_rest = numbers
    return across / (right - left), down / (bottom - highest)


def _in_um(words: str) -> float:
    number, unit = words.split()
    return float(number) * {"µm": 1, "mm": 1000}[unit]


def test_the_ruler_measures_in_pixels_true_length_and_disc_diameters_and_is_not_saved(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    Image.objects.filter(study=study).update(um_per_px_x=5, um_per_px_y=5)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.drag((400, 200), (500, 300))
    reader.is_saved()

    reader.press("m")
    expect(reader.page.locator(".wb-measure")).to_contain_text("Drag a line")
    reader.drag((100, 100), (300, 100))
    # 200 px of 5 µm; the disc is a circle of 100 px.
    expect(reader.page.locator(".wb-measure")).to_have_text("200 px · 1 mm · 2 disc diameters")
    expect(reader.page.locator(".ruler text")).to_contain_text("2 disc diameters")
    reader.press("ArrowLeft", "Shift+ArrowLeft")
    expect(reader.page.locator(".wb-measure")).to_contain_text("1.89 disc diameters")
    reader.visitor.look()
    reader.press("Escape")
    expect(reader.page.locator(".wb-measure")).to_have_count(0)

    assert set(drafts(case)) == {"disc"}
    expect(reader.page.get_by_role("button", name="Undo: Draw the ellipse")).to_be_visible()
