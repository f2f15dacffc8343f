"""A senior at the table of a small study whose graders have read, with pictures large enough to draw on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, expect

from annotator.answers import Given
from annotator.geometry import runs
from annotator.models import Case, Membership, Study, User
from annotator.models.people import Role
from annotator.services.people import add_member
from tests import cast
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, study_with_cases
from tests.browser.visitor import Visitor
from tests.consensus.scene import assignments_of, fuse_all, latest, read

Pixels = NDArray[np.bool_]
Ellipse = Mapping[str, float]


def ellipse(cx: float, cy: float, a: float, b: float) -> Ellipse:
    return {"cx": cx, "cy": cy, "a": a, "b": b, "theta_deg": 0.0}


def pixels_of(shape: Ellipse) -> Pixels:
    """An upright ellipse, pixel centre by pixel centre."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    across, down = (columns + 0.5 - shape["cx"]) / shape["a"], (rows + 0.5 - shape["cy"]) / shape["b"]
    held: Pixels = across**2 + down**2 <= 1
    return held


def more_than_half(shapes: Sequence[Ellipse]) -> Pixels:
    voted: Pixels = 2 * np.sum([pixels_of(shape) for shape in shapes], axis=0) > len(shapes)
    return voted


def read_refuge(discs: Sequence[Ellipse], *, cases: int = 1, changes: Mapping[str, Any] | None = None) -> Study:
    """Each grader's disc; the cup lies in its middle, the fovea beside it."""
    return read_by(
        "refuge",
        [
            (
                Given("disc", geometry=dict(disc)),
                Given("cup", geometry=dict(ellipse(disc["cx"], disc["cy"], disc["a"] / 2, disc["b"] / 2))),
                Given("fovea", geometry={"x": disc["cx"] + 150, "y": disc["cy"]}),
            )
            for disc in discs
        ],
        cases=cases,
        changes=changes,
    )


def read_by(
    protocol: str, answers: Sequence[Sequence[Given]], *, cases: int = 1, changes: Mapping[str, Any] | None = None
) -> Study:
    """Every grader reads every case; what they say is fused."""
    organiser = cast.person("Olga Organiser", can_create_studies=True)
    graders = [cast.person(f"Grader {number}") for number in range(1, len(answers) + 1)]
    study = study_with_cases(protocol, organiser, graders, cases, **(changes or {}))
    for name in ("Selma Senior", "Sanjay Senior"):
        add_member(study=study, user=cast.person(name), role=Role.SENIOR, actor=organiser)
    for grader, given in zip(graders, answers, strict=True):
        for assignment in assignments_of(study, grader):
            read(assignment, given)
    fuse_all(study, actor=organiser)
    return study


def seniors_of(study: Study) -> list[User]:
    members = Membership.objects.filter(study=study, role=Role.SENIOR).select_related("user").order_by("pk")
    return [member.user for member in members]


def stored(case: Case, target: str) -> Pixels:
    packed = latest(case, target).runs
    assert packed is not None
    return runs.decode(runs.unpack(bytes(packed), WIDTH, HEIGHT), WIDTH, HEIGHT)


@dataclass
class Table(Reader):
    """One window of one senior."""

    case: Case

    def number(self, name: str) -> Locator:
        """A number of the vote."""
        return self.page.locator(f"[data-vote] [data-number={name}]")

    def row(self, code: str) -> Locator:
        return self.page.locator(f"[data-reading={code}]")

    def astray(self) -> str:
        """The letter of the reading that has nothing in common with the vote; letters are drawn by lot."""
        row = self.page.locator('[data-reading]:has([data-number="dice"]:text-is("0.000"))')
        expect(row).to_have_count(1)
        return row.get_attribute("data-reading") or ""

    def key_of(self, code: str) -> str:
        """The number key that switches a reading: rows stand in the order of their letters."""
        return str(ord(code) - ord("A") + 1)

    def target(self, key: str) -> None:
        self.page.locator(f"[data-target={key}]").click()
        expect(self.page.locator(f"[data-target={key}]")).to_have_attribute("aria-current", "true")

    def is_open(self) -> None:
        """The case is there, and in this window's hands or known to be in another's."""
        expect(self.page.locator("[data-ready=true]")).to_be_visible()
        expect(self.page.locator("[data-target]").first).to_be_visible()

    def whole(self) -> None:
        """The whole picture, as `at` reckons with."""
        self.page.keyboard.press("f")

    def brush_radius(self) -> float:
        words = self.page.get_by_role("slider", name="Brush radius").get_attribute("aria-valuetext") or ""
        return float(words.split()[0])

    def accept(self) -> None:
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text(f"Case {self.case.number} accepted.")).to_be_visible()


def sit_down(visit: Callable[..., Visitor], user: User, study: Study, number: int = 1) -> Table:
    case = Case.objects.get(study=study, number=number)
    visitor = visit(user)
    page: Page = visitor.go(f"/studies/{study.public_id}/table/{case.public_id}/")
    table = Table(visitor, page, case)
    table.is_open()
    return table
