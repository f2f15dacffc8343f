"""The panel on a desk and on a tablet: what a case needs is in sight, whichever protocol is read."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from annotator.models import User
from tests.browser.painting_scene import Hand, drafted, view_of
from tests.browser.reading_scene import first_case, sit_down, study_with_cases
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
DESK, TABLET = {"width": 1440, "height": 900}, {"width": 820, "height": 1180}
# Whether the middle and the edges of a node are where they can be pressed, and not under or outside something else.
IN_SIGHT = """node => {
    const box = node.getBoundingClientRect(), x = box.x + box.width / 2;
    return [box.y + 2, box.y + box.height / 2, box.bottom - 2].every((y) => {
        const top = document.elementFromPoint(x, y);
        return node === top || node.contains(top);
    });
}"""


def in_sight(node: Locator) -> bool:
    """Now, or as soon as the panel has been drawn and scrolled."""
    deadline = time.monotonic() + 5
    while not (seen := bool(node.evaluate(IN_SIGHT))) and time.monotonic() < deadline:
        node.page.wait_for_timeout(20)
    return seen


def shows_everything(page: Page) -> None:
    """Comment and submission always; the row of the target in hand whichever it is, and its choices."""
    rows = page.locator(".wb-target")
    for number in range(1, rows.count() + 1):
        rows.nth(number - 1).click()
        expect(rows.nth(number - 1)).to_have_attribute("aria-current", "true")
        assert in_sight(rows.nth(number - 1)), number
        assert in_sight(page.locator("#target-in-hand")), number
        assert all(in_sight(choice) for choice in page.locator(".wb-choice").all()), number
    assert in_sight(page.locator("#comment"))
    assert in_sight(page.get_by_role("button", name="Submit"))


@pytest.mark.parametrize("protocol", ["refuge", "adam", "age", "glas", "airogs"])
def test_what_a_case_needs_is_in_sight(visit: Visit, organiser: User, graders: list[User], protocol: str) -> None:
    case = first_case(study_with_cases(protocol, organiser, graders[:1], 1), graders[0])
    reader = sit_down(visit(graders[0]), case)
    for size in (DESK, TABLET):
        reader.visitor.resize(size)
        shows_everything(reader.page)


def test_a_target_taken_by_its_key_comes_into_sight_and_leaves_its_answer_there(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    reader = sit_down(visit(graders[0]), first_case(study_with_cases("adam", organiser, graders[:1], 1), graders[0]))
    reader.visitor.resize(TABLET)

    reader.press("7")

    last = reader.page.locator(".wb-target").nth(6)
    expect(last).to_have_attribute("aria-current", "true")
    assert in_sight(last)
    assert in_sight(reader.page.get_by_role("heading", name="Other lesions"))


def test_on_a_label_the_digits_are_the_labels_alone(visit: Visit, organiser: User, graders: list[User]) -> None:
    reader = sit_down(visit(graders[0]), first_case(study_with_cases("glas", organiser, graders[:1], 1), graders[0]))
    caps = reader.page.locator(".wb-target kbd")
    expect(caps).to_have_text(["1", "2"])

    reader.press("n")

    expect(reader.page.locator(".wb-label kbd")).to_have_text(["1", "2"])
    expect(caps).to_have_count(0)


@pytest.mark.parametrize("allowed", [True, False])
def test_the_cup_to_disc_ratio_is_shown_only_where_the_protocol_says_so(
    visit: Visit, organiser: User, graders: list[User], allowed: bool
) -> None:
    changes: dict[str, Any] = {"viewer.live_vcdr": True} if allowed else {}
    study = study_with_cases("refuge", organiser, graders[:1], 1, **changes)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))
    reader.drag((400, 150), (520, 290))
    reader.press("2")
    reader.drag((430, 185), (490, 255))
    reader.is_saved()

    ratio = reader.page.get_by_text("Vertical cup-to-disc ratio")

    expect(ratio).to_have_count(int(allowed))
    if allowed:
        expect(ratio.locator("output")).to_have_text("0.50")


def test_the_ratio_of_a_painted_cup_and_disc_is_that_of_the_rows_they_take(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    painted = {"kind": "mask", "tools": ["brush", "eraser"]}
    changes: dict[str, Any] = {f"targets[{n}].{name}": value for n in (0, 1) for name, value in painted.items()}
    study = study_with_cases("refuge", organiser, graders[:1], 1, **{"viewer.live_vcdr": True, **changes})
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    hand = Hand(reader, view_of(reader.page))
    ratio = reader.page.get_by_text("Vertical cup-to-disc ratio").locator("output")

    hand.stroke([hand.view.near(300, 120), hand.view.near(320, 290)])
    expect(ratio).to_have_text("–")
    reader.press("2")
    hand.stroke([hand.view.near(305, 180), hand.view.near(312, 230)])
    reader.is_saved()

    disc, cup = (np.flatnonzero(drafted(case, target).any(axis=1)) for target in ("disc", "cup"))
    wanted = f"{(cup[-1] - cup[0] + 1) / (disc[-1] - disc[0] + 1):.2f}"
    expect(ratio).to_have_text(wanted)
    row = reader.page.locator(".wb-target").nth(1)
    before = row.inner_text()
    hand.stroke([hand.view.near(500, 30)])  # a slip elsewhere is not the cup
    expect(row).not_to_have_text(before, use_inner_text=True)
    expect(ratio).to_have_text(wanted)
