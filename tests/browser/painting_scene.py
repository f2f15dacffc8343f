"""Painting with a real pointer, and the pixels that it should leave: computed here from its way, by other means."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page
from skimage.measure import points_in_poly

from annotator.geometry import runs
from annotator.models import Assignment, Draft
from tests.browser.reading_scene import BOX, HEIGHT, WIDTH, Reader, submitted

Pixels = NDArray[np.bool_]
Place = tuple[int, int]  # CSS pixels of the window
CENTRES = np.stack(np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5), axis=-1)


@dataclass(frozen=True)
class View:
    """Where the fitted picture lies in the window: from places of the window to places in the picture."""

    left: float
    top: float
    scale: float

    def image(self, place: Place) -> tuple[float, float]:
        return (place[0] - self.left) / self.scale, (place[1] - self.top) / self.scale

    def near(self, x: float, y: float) -> Place:
        """The whole pixel of the window next to a place in the picture."""
        return round(self.left + x * self.scale), round(self.top + y * self.scale)


def view_of(page: Page) -> View:
    left, top, width, height = page.locator(".wb-stage").evaluate(BOX)
    scale = min(width / WIDTH, height / HEIGHT)
    # The stage puts the picture on whole device pixels.
    return View(
        left + floor((width - WIDTH * scale) / 2 + 0.5), top + floor((height - HEIGHT * scale) / 2 + 0.5), scale
    )


@dataclass
class Hand:
    """Draws along places of the window and says which pixels of the picture lie under its way."""

    reader: Reader
    view: View

    def stroke(self, way: Sequence[Place], *, button: Any = "left") -> None:
        mouse = self.reader.page.mouse
        mouse.move(*way[0])
        mouse.down(button=button)
        for place in way[1:]:
            mouse.move(*place, steps=3)
        mouse.up(button=button)

    def click_all(self, places: Sequence[Place]) -> None:
        for place in places:
            self.reader.page.mouse.click(*place)

    def swept(self, way: Sequence[Place], radius: float) -> Pixels:
        """Pixels whose centre is within the radius of the way."""
        stops = [np.array(self.view.image(place)) for place in way]
        held = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
        for start, end in zip(stops, stops[1:] or stops, strict=False):
            step = end - start
            square = float(step @ step)
            along = np.clip((CENTRES - start) @ step / square, 0, 1) if square else np.zeros((HEIGHT, WIDTH))
            held |= np.hypot(*np.moveaxis(CENTRES - start - along[..., None] * step, -1, 0)) <= radius
        return held

    def tapered(self, start: Place, end: Place, radii: tuple[float, float]) -> Pixels:
        """Pixels whose centre is within a disc that moves from start to end while its radius changes evenly.

        distance(t) − radius(t) is convex in t, so its least value is where its slope is nought, or at an end.
        """
        first, last = (np.array(self.view.image(place)) for place in (start, end))
        length = float(np.hypot(*(last - first)))
        way = (last - first) / length
        along = (CENTRES - first) @ way
        aside = np.abs((CENTRES - first) @ np.array([-way[1], way[0]]))
        slope = (radii[1] - radii[0]) / length
        at = np.clip((along + aside * slope / np.sqrt(1 - slope**2)) / length, 0, 1)
        held: Pixels = np.hypot(along - at * length, aside) <= radii[0] + at * (radii[1] - radii[0])
        return held

    def within(self, corners: Sequence[Place]) -> Pixels:
        """Pixels whose centre lies in the polygon."""
        outline = [self.view.image(place) for place in corners]
        inside: Pixels = points_in_poly(CENTRES.reshape(-1, 2), outline).reshape(HEIGHT, WIDTH)
        return inside


def drafted(assignment: Assignment, target: str) -> Pixels:
    draft = Draft.objects.get(assignment=assignment, target__key=target)
    assert draft.runs is not None
    return runs.decode(runs.unpack(bytes(draft.runs), WIDTH, HEIGHT), WIDTH, HEIGHT)


def read(assignment: Assignment, target: str) -> Pixels:
    """Of the reading in force."""
    packed = submitted(assignment)[target].runs
    assert packed is not None
    return runs.decode(runs.unpack(bytes(packed), WIDTH, HEIGHT), WIDTH, HEIGHT)


def differs(one: Pixels, other: Pixels) -> int:
    return int((one != other).sum())
