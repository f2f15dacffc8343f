"""Flood fill, fill holes and smooth with a real pointer; SciPy says which pixels they should leave."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import expect
from scipy import ndimage

from annotator.models import Assignment, User
from tests.browser.painting_scene import Hand, Pixels, differs, drafted, view_of
from tests.browser.reading_scene import HEIGHT, WIDTH, first_case, sit_down, study_with_cases
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
Colours = NDArray[np.uint8]


def blob() -> Colours:
    """A grainy bright patch of uneven outline on a dark ground."""
    grain = np.random.default_rng(7).integers(-14, 15, (HEIGHT, WIDTH, 3))
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    inside = np.hypot(x - 300, y - 240) < 90 + 25 * np.sin(np.arctan2(y - 240, x - 300) * 5)
    colours = np.where(inside[..., None], (210, 160, 90), (120, 50, 30)) + grain
    return colours.astype(np.uint8)


def like(colours: Colours, seed: tuple[float, float], tolerance: int) -> Pixels:
    """Joined to the seed by sides, no channel further from the seed's than the tolerance."""
    column, row = int(seed[0]), int(seed[1])
    apart = np.abs(colours.astype(int) - colours[row, column].astype(int)).max(axis=2)
    parts, _count = ndimage.label(apart <= tolerance)
    region: Pixels = parts == parts[row, column]
    return region


def smoothed(mask: Pixels, radius: int) -> Pixels:
    """What more than half of the picture's pixels within the radius are."""
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    disc = (x * x + y * y <= radius * radius).astype(int)
    held = ndimage.convolve(mask.astype(int), disc, mode="constant")
    there = ndimage.convolve(np.ones_like(mask, dtype=int), disc, mode="constant")
    majority: Pixels = 2 * held > there
    return majority


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    file = io.BytesIO()
    Image.fromarray(blob()).save(file, "PNG")
    study = study_with_cases("adam", organiser, graders[:1], 1, picture=lambda _seed: file.getvalue())
    return first_case(study, graders[0])


@pytest.fixture
def hand(case: Assignment, visit: Visit, graders: list[User]) -> Hand:
    reader = sit_down(visit(graders[0]), case)
    return Hand(reader, view_of(reader.page))


def test_flood_fill_takes_what_is_like_the_seed(hand: Hand, case: Assignment) -> None:
    seed = hand.view.near(300, 240)

    hand.reader.press("w")
    hand.reader.page.mouse.click(*seed)
    hand.reader.is_saved()

    assert differs(drafted(case, "disc"), like(blob(), hand.view.image(seed), 16)) == 0


def test_dragging_changes_the_tolerance_before_the_area_is_kept(hand: Hand, case: Assignment) -> None:
    seed = hand.view.near(300, 240)

    hand.reader.press("w")
    hand.stroke([seed, (seed[0] + 36, seed[1])])  # nine levels more
    hand.reader.is_saved()

    expect(hand.reader.page.get_by_role("slider", name="Tolerance")).to_have_value("25")
    assert differs(drafted(case, "disc"), like(blob(), hand.view.image(seed), 25)) == 0


def test_holes_are_filled_and_the_outline_is_smoothed(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    seed = near(300, 240)
    loop = [near(60, 60), near(140, 60), near(140, 130), near(60, 130), near(60, 60)]
    painted = like(blob(), hand.view.image(seed), 22) | hand.swept(loop, 12)

    reader.press("w")
    hand.stroke([seed, (seed[0] + 24, seed[1])])
    reader.press("d")
    hand.stroke(loop)
    reader.press("o")
    reader.is_saved()
    filled = ndimage.binary_fill_holes(painted)
    assert filled.sum() > painted.sum()
    assert differs(drafted(case, "disc"), filled) == 0

    reader.press("s")
    expect(reader.page.get_by_role("button", name="Undo: Smooth the outline")).to_be_visible()
    reader.is_saved()
    assert differs(drafted(case, "disc"), smoothed(filled, 3)) == 0
