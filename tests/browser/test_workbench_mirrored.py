"""A mirrored case on the page: what is marked where it is seen is stored where it lies in the original."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image as Picture

from annotator.geometry.ellipse import Ellipse
from annotator.models import Assignment, User
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, geometry, sit_down, study_with_cases, submitted
from tests.browser.visitor import Visitor
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
RED, BLUE = (460, 220), (200, 240)  # middles in the original, as disc and fovea of a right eye
DISC_RADIUS, SPOT_RADIUS = 60, 8


def two_spots(seed: int) -> bytes:
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    pixels = np.zeros((HEIGHT, WIDTH, 3), dtype=np.uint8)
    pixels[np.hypot(x - RED[0], y - RED[1]) < DISC_RADIUS] = (255, 0, 0)
    pixels[np.hypot(x - BLUE[0], y - BLUE[1]) < SPOT_RADIUS] = (0, 0, 255)
    pixels[0, 0] = seed  # no two pictures are the same file
    file = io.BytesIO()
    Picture.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def seen(reader: Reader, colour: tuple[int, int, int]) -> tuple[float, float]:
    """The middle of what has this colour on the screen, in pixels of the picture as it is shown."""
    stage = reader.page.locator(".wb-stage")
    screen = np.asarray(Picture.open(io.BytesIO(stage.screenshot())).convert("RGB")).astype(int)
    rows, columns = np.nonzero(np.abs(screen - colour).sum(axis=2) < 60)
    assert len(rows) > 20
    box = stage.bounding_box()
    (left, top), (right, bottom) = reader.at(0, 0), reader.at(WIDTH, HEIGHT)
    assert box is not None
    x, y = box["x"] + columns.mean() + 0.5, box["y"] + rows.mean() + 0.5
    return (x - left) / (right - left) * WIDTH, (y - top) / (bottom - top) * HEIGHT


def test_what_is_marked_where_it_is_seen_is_stored_where_it_lies_in_the_original(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 2, picture=two_spots)
    first = own_cases(study, graders[0])[0]
    Assignment.objects.filter(pk=first.pk).update(mirrored=True)
    reader = sit_down(visit(graders[0]), first)
    (x, y), fovea = seen(reader, (255, 0, 0)), seen(reader, (0, 0, 255))
    assert (x, y, *fovea) == pytest.approx((WIDTH - RED[0], RED[1], WIDTH - BLUE[0], BLUE[1]), abs=2)

    reader.drag((x - 60, y - 60), (x + 60, y + 60))
    reader.press("Enter")
    for place in Ellipse(x, y, 36, 18, 30).outline(8):
        reader.click(*place)
    reader.press("Enter", "Enter")
    reader.click(*fovea)
    reader.is_saved()
    drawn = dict(geometry(first, "cup"))
    reader.press("Control+Enter")
    reader.is_at_case(2)

    stored = {key: revision.geometry or {} for key, revision in submitted(first).items()}
    assert stored["disc"] == pytest.approx({"cx": RED[0], "cy": RED[1], "a": 60, "b": 60, "theta_deg": 0}, abs=2)
    assert stored["fovea"] == pytest.approx({"x": BLUE[0], "y": BLUE[1]}, abs=2)
    assert drawn["theta_deg"] == pytest.approx(30, abs=4)
    assert stored["cup"] == pytest.approx(drawn | {"cx": WIDTH - drawn["cx"], "theta_deg": 180 - drawn["theta_deg"]})

    reader.page.get_by_role("button", name="Undo", exact=True).click()
    reader.is_at_case(1)
    assert geometry(first, "cup") == pytest.approx(drawn)
    assert geometry(first, "disc")["cx"] == pytest.approx(WIDTH - RED[0], abs=2)
