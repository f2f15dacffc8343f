"""A grader at the reading page of a small study, with pictures large enough to draw on."""

import contextlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from annotator.models import Assignment, Draft, Revision, Study, User
from annotator.services.intake_desk import Facts
from annotator.services.uploads import take_upload
from tests import cast
from tests.browser.visitor import Visitor
from tests.pages.work_scene import open_for_reading, own_cases

WIDTH, HEIGHT = 640, 480
BOX = "node => { const box = node.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; }"


def study_with_cases(
    protocol: str,
    organiser: User,
    graders: list[User],
    cases: int,
    *,
    photographs: int = 1,
    picture: Callable[[int], bytes] | None = None,
    **changes: Any,
) -> Study:
    study = cast.study_of(protocol, organiser=organiser, changes=changes)
    cast.add_cast(study, actor=organiser, graders=graders)
    for number in range(1, cases + 1):
        for order in range(1, photographs + 1):
            seed = 10 * number + order
            drawn = cast.tiny_png(seed, width=WIDTH, height=HEIGHT) if picture is None else picture(seed)
            add_photograph(study, organiser, drawn, subject=f"P{number}", order=order, seed=seed)
    cast.assign_all(study, actor=organiser, graders_per_case=len(graders))
    open_for_reading(study, organiser)
    return study


def add_photograph(
    study: Study, organiser: User, picture: bytes, *, subject: str, seed: int, order: int = 1, side: str = "R"
) -> None:
    facts = Facts(subject=subject, side=side, order=order)
    name = f"{seed}.png" if picture.startswith(b"\x89PNG") else f"{seed}"
    take_upload(study=study, name=name, content=lambda: io.BytesIO(picture), facts=facts, actor=organiser)


@dataclass
class Reader:
    """One window of one grader; places are given in pixels of the picture, fitted to the stage."""

    visitor: Visitor
    page: Page

    def at(self, x: float, y: float) -> tuple[float, float]:
        left, top, width, height = self.page.locator(".wb-stage").evaluate(BOX)
        scale = min(width / WIDTH, height / HEIGHT)
        return left + (width - WIDTH * scale) / 2 + x * scale, top + (height - HEIGHT * scale) / 2 + y * scale

    def click(self, x: float, y: float) -> None:
        self.page.mouse.click(*self.at(x, y))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        with self.dragging(start, end):
            pass

    @contextlib.contextmanager
    def dragging(self, start: tuple[float, float], end: tuple[float, float]) -> Iterator[None]:
        """What is done inside happens half-way, with the button down."""
        half = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*half), steps=3)
        yield
        self.page.mouse.move(*self.at(*end), steps=3)
        self.page.mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def is_at_case(self, number: int) -> None:
        expect(self.page.locator(".wb-count")).to_have_text(re.compile(rf"^Case {number} of "))
        expect(self.page.locator("[data-ready=true]")).to_be_visible()

    def is_saved(self) -> None:
        expect(self.page.locator("[data-save=ok]")).to_contain_text("Saved at")

    def says(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()


def sit_down(visitor: Visitor, assignment: Assignment) -> Reader:
    page = visitor.go(f"/read/{assignment.public_id}/")
    expect(page.locator("[data-ready=true]")).to_be_visible()
    return Reader(visitor, page)


def first_case(study: Study, grader: User) -> Assignment:
    return own_cases(study, grader)[0]


def drafts(assignment: Assignment) -> dict[str, Mapping[str, Any]]:
    rows = Draft.objects.filter(assignment=assignment, content__isnull=False).select_related("target")
    return {row.target.key: row.content or {} for row in rows}


def geometry(assignment: Assignment, target: str) -> Mapping[str, float]:
    """Of the draft."""
    return dict(drafts(assignment)[target]["geometry"])


def submitted(assignment: Assignment) -> dict[str, Revision]:
    rows = Revision.objects.filter(reading__assignment=assignment, reading__withdrawn_at=None).select_related("target")
    return {row.target.key: row for row in rows}
