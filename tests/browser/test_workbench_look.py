"""How the picture can be made to look: local contrast, and 16-bit pictures through a window."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from annotator.models import Image, Reading, User
from protocols.names import COLOUR_ADJUSTMENTS, Adjustment
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, first_case, sit_down, study_with_cases
from tests.browser.visitor import Visitor
from tests.fixtures.grey16_cases import Samples, png_of
from tests.imaging.dicom_files import dicom
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
# The red sample that the stage shows at a place of the window; null before it is drawn at its present size.
SHOWN = """([x, y]) => {
    const canvas = document.querySelector(".wb-stage canvas"), box = canvas.getBoundingClientRect();
    if (canvas.width !== Math.round(box.width) || canvas.height !== Math.round(box.height)) return null;
    const copy = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    copy.drawImage(canvas, -Math.floor(x - box.x), -Math.floor(y - box.y));
    return copy.getImageData(0, 0, 1, 1).data[0];
}"""


def _grey(seed: int) -> Samples:
    """A slope from 1000 to about 7400 of 65536, in which every pixel of a row differs from the next by 10."""
    return (1000 + 10 * np.tile(np.arange(WIDTH), (HEIGHT, 1)) + seed).astype(np.uint16)


def _shown(reader: Reader, x: float, y: float) -> int | None:
    shown: int | None = reader.page.evaluate(SHOWN, reader.at(x, y))
    return shown


def test_local_contrast_is_shown_switched_off_by_one_key_and_recorded(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))
    place = reader.at(300.5, 200.5)
    until(lambda: _shown(reader, 300.5, 200.5) is None, False)
    before = _shown(reader, 300.5, 200.5)

    reader.press("l")
    reader.page.wait_for_function(f"([place, before]) => ({SHOWN})(place) !== before", arg=[place, before])
    reader.press("r")
    reader.page.wait_for_function(f"([place, before]) => ({SHOWN})(place) === before", arg=[place, before])
    reader.page.get_by_title("Adjust the display").click()
    reader.page.get_by_label("Local contrast (CLAHE)").fill("3.5")
    reader.page.wait_for_function(f"([place, before]) => ({SHOWN})(place) !== before", arg=[place, before])
    reader.visitor.look()
    reader.press("Escape", "2", "Enter")
    reader.says("All cases are read")

    assert Reading.objects.get().adjustments == {"clahe": 3.5}


def test_local_contrast_is_not_offered_where_the_protocol_does_not_allow_it(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("glas", organiser, graders[:1], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    reader.press("l")
    reader.page.get_by_title("Adjust the display").click()

    expect(reader.page.get_by_label("Gamma")).to_be_visible()
    expect(reader.page.get_by_label("Local contrast (CLAHE)")).to_have_count(0)
    expect(reader.page.get_by_role("button", name="Reset all adjustments")).to_be_disabled()


@pytest.mark.parametrize(
    "picture",
    [lambda seed: png_of(_grey(seed), interlaced=True), lambda seed: dicom(_grey(seed), PatientName="Doe^Jane")],
    ids=["PNG", "DICOM"],
)
def test_a_16_bit_picture_is_read_to_its_last_bit_and_shown_through_a_window(
    picture: Callable[[int], bytes], visit: Visit, organiser: User, graders: list[User]
) -> None:
    allowed: dict[str, Any] = {"viewer.adjustments": [*COLOUR_ADJUSTMENTS, Adjustment.WINDOW_LEVEL]}
    study = study_with_cases("airogs", organiser, graders[:2], 1, picture=picture, **allowed)
    image = Image.objects.get(study=study)
    samples = _grey(11)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    for x, y in [(0, 0), (1, 0), (321, 240), (WIDTH - 1, HEIGHT - 1)]:
        reader.page.mouse.move(*reader.at(x + 0.5, y + 0.5))
        expect(reader.page.locator(".wb-cursor")).to_have_text(re.compile(rf"x {x}  y {y}  value {samples[y, x]}$"))
    assert (image.bits, image.channels) == (16, 1)
    # From the 0.5th to the 99.5th percentile: black at the left, white at the right, mid-grey in the middle.
    until(lambda: (_shown(reader, 1, 240), _shown(reader, WIDTH - 1, 240)), (0, 255))
    until(lambda: _shown(reader, WIDTH / 2, 240), pytest.approx(127, abs=2))
    # The right button widens the window to the right and moves it up the scale downwards, which darkens.
    reader.page.mouse.move(*reader.at(300, 200))
    reader.page.mouse.down(button="right")
    reader.page.mouse.move(*reader.at(300, 300), steps=4)
    reader.page.mouse.up(button="right")
    until(lambda: (_shown(reader, WIDTH / 2, 240) or 255) < 100, True)
    reader.visitor.look()
    reader.press("2", "Enter")
    reader.says("All cases are read")

    low, high = Reading.objects.get().adjustments["window-level"]
    assert high - low == pytest.approx(samples.max() - samples.min(), rel=0.02)
    assert low > samples.min() + 500
