"""Lines, as the cornea and the iris of AGE, drawn with a real pointer and keyboard where graders are given them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from annotator.models import Assignment, User
from tests.browser.reading_scene import HEIGHT, WIDTH, Reader, drafts, first_case, sit_down, study_with_cases, submitted
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
Places = Sequence[tuple[float, float]]

LINES = (2, 3, 4, 5)  # places of AGE's lines among its targets
CORNEA: Places = [(40, 100), (120, 130), (200, 180), (280, 240)]
IRIS: Places = [(60, 380), (150, 360), (260, 330)]


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    to_graders: dict[str, Any] = {f"targets[{place}].source": "graded" for place in LINES}
    return first_case(study_with_cases("age", organiser, graders[:1], 1, **to_graders), graders[0])


@pytest.fixture
def reader(case: Assignment, visit: Visit, graders: list[User]) -> Reader:
    return sit_down(visit(graders[0]), case)


def test_cornea_and_iris_are_drawn_by_clicks_and_submitted(reader: Reader, case: Assignment) -> None:
    reader.visitor.look()
    reader.click(300, 260)
    _take(reader, "Scleral spur, right angle")
    reader.click(350, 260)
    _take(reader, "Posterior corneal surface, left angle")
    _clicks(reader, CORNEA)
    reader.press("Enter")
    _take(reader, "Anterior iris surface, left angle")
    _clicks(reader, IRIS)
    reader.page.mouse.dblclick(*reader.at(290, 300))
    reader.press("Control+Enter")
    expect(reader.page.get_by_text("Case 1 submitted.")).to_be_visible()

    stored = submitted(case)
    assert _points(stored["cornea_left"].geometry) == pytest.approx(_flat(CORNEA), abs=1)
    assert _points(stored["iris_left"].geometry) == pytest.approx(_flat([*IRIS, (290, 300)]), abs=1)


def test_a_vertex_is_dragged_put_in_nudged_and_taken_out(reader: Reader, case: Assignment) -> None:
    _take(reader, "Posterior corneal surface, left angle")
    _clicks(reader, CORNEA)
    reader.press("Enter")

    reader.drag(CORNEA[1], (130, 160))
    reader.click(165, 170)  # half-way along the edge to the third vertex
    reader.press("Shift+ArrowDown", "ArrowLeft")
    reader.click(*CORNEA[3])
    reader.press("Delete")
    reader.is_saved()

    expected = [(40, 100), (130, 160), (164, 180), (200, 180)]
    assert _drafted(case, "cornea_left") == pytest.approx(_flat(expected), abs=1.5)


def test_every_vertex_can_be_undone_and_escape_gives_up_what_was_added(reader: Reader, case: Assignment) -> None:
    _take(reader, "Posterior corneal surface, left angle")
    _clicks(reader, CORNEA)
    reader.press("Enter")
    reader.click(300, 300)
    reader.press("Escape")
    reader.is_saved()
    assert _drafted(case, "cornea_left") == pytest.approx(_flat(CORNEA), abs=1)

    for _ in range(5):  # the step that gave up, the one it gave up, and three vertices
        reader.press("Control+z")
    expect(reader.page.get_by_role("button", name="Undo", exact=False).first).to_be_disabled()
    reader.is_saved()
    assert "cornea_left" not in drafts(case)

    for _ in range(3):
        reader.press("Control+Shift+z")
    reader.is_saved()
    assert _drafted(case, "cornea_left") == pytest.approx(_flat(CORNEA), abs=1)


def test_a_line_is_made_and_changed_by_numbers_and_keys_alone(reader: Reader, case: Assignment) -> None:
    page = reader.page
    reader.press("3")
    page.get_by_role("button", name="Place by numbers instead").press("Enter")
    page.locator(".wb-vertices > summary").press("Enter")
    for name, value in (
        ("x of vertex 1", "40"),
        ("y of vertex 1", "50"),
        ("x of vertex 2", "90"),
        ("y of vertex 2", "80"),
    ):
        page.get_by_label(f"{name} in pixels").fill(value)
        page.get_by_label(f"{name} in pixels").press("Tab")
    page.get_by_role("button", name="Add a vertex at the end").press("Enter")
    page.locator(".wb-stage").focus()

    reader.press("q", "ArrowRight")
    reader.is_saved()

    assert _drafted(case, "cornea_left") == pytest.approx(_flat([(40, 50), (90, 80), (141, 110)]), abs=1e-9)
    reader.visitor.look()


def test_a_vertex_beyond_the_middle_line_is_refused(reader: Reader, case: Assignment) -> None:
    _take(reader, "Posterior corneal surface, left angle")
    _clicks(reader, CORNEA[:2])

    reader.click(WIDTH * 0.75, HEIGHT / 2)

    reader.says("lies in the left half of the picture")
    reader.is_saved()
    assert _drafted(case, "cornea_left") == pytest.approx(_flat(CORNEA[:2]), abs=1)


def _take(reader: Reader, target: str) -> None:
    reader.page.get_by_role("button", name=target).click()
    expect(reader.page.get_by_role("heading", name=target)).to_be_visible()


def _clicks(reader: Reader, places: Places) -> None:
    for place in places:
        reader.click(*place)


def _drafted(case: Assignment, target: str) -> list[float]:
    return _points(dict(drafts(case)[target]["geometry"]))


def _points(geometry: dict[str, Places] | None) -> list[float]:
    return _flat((geometry or {})["points"])


def _flat(points: Places) -> list[float]:
    return [value for point in points for value in point]
