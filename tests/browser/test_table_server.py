"""The senior's table and the server: what is computed there, what it does not take, and the case that comes next."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from annotator.models import Case, CaseImage
from tests.browser.table_scene import (
    ellipse,
    pixels_of,
    read_refuge,
    seniors_of,
    sit_down,
    stored,
)
from tests.browser.visitor import Visitor
from tests.consensus.scene import latest

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Visitor]

DISCS = [ellipse(200 + shift, 240, 60, 70) for shift in (-4, 0, 4)]


def held_back(page: Page, address: str) -> list[Route]:
    """Requests that wait until they are let go; the list fills as they come."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))
    return held


def let_go(page: Page, held: list[Route], address: str) -> None:
    for route in held:
        route.continue_()
    page.unroute(address)


def image_of(case: Case) -> str:
    return f"/{CaseImage.objects.get(case=case).image.public_id}/"


def test_a_vote_that_only_the_server_computes_is_waited_for_and_then_accepted(visit: Visit) -> None:
    """Two who drew the same disc leave the estimate no choice."""
    disc, astray = ellipse(200, 240, 60, 70), ellipse(420, 100, 55, 40)
    study = read_refuge([disc, disc, astray], changes={"targets[0].consensus.rule": "staple"})
    table = sit_down(visit, seniors_of(study)[0], study)
    expect(table.page.get_by_text("This rule is computed on the server.")).to_be_visible()
    held = held_back(table.page, "**/preview/")

    table.press(table.key_of(table.astray()), "1")
    table.press("Enter")
    table.says("is still being computed.")
    expect(table.number("area")).to_have_text("–")
    assert latest(table.case, "disc").version == 1
    let_go(table.page, held, "**/preview/")
    expect(table.number("area")).to_have_text(f"{int(pixels_of(disc).sum()):,} px")
    table.accept()

    assert np.array_equal(stored(table.case, "disc"), pixels_of(disc))


def test_a_vote_that_the_server_does_not_share_is_refused_and_read_anew(visit: Visit) -> None:
    study = read_refuge(DISCS)
    table = sit_down(visit, seniors_of(study)[0], study)

    def falsified(route: Route) -> None:
        body: dict[str, Any] = json.loads(route.request.post_data or "{}")
        body["decisions"][0]["digest"] = "0" * 64
        route.continue_(post_data=json.dumps(body))

    table.page.route("**/decide/**", falsified)
    table.press("Enter")
    table.says("The page and the server do not count the same.")
    assert latest(table.case, "disc").version == 1
    table.page.unroute("**/decide/**")
    table.page.get_by_role("button", name="Read the case anew").click()
    expect(table.page.get_by_text("The page and the server do not count the same.")).to_have_count(0)
    table.accept()

    assert {latest(table.case, target).version for target in ("disc", "cup", "fovea")} == {2}
    table.visitor.faults = [fault for fault in table.visitor.faults if "409" not in fault]


def test_the_next_case_and_its_picture_are_there_before_they_are_asked_for(visit: Visit) -> None:
    study = read_refuge(DISCS, cases=2)
    senior = seniors_of(study)[0]
    second = Case.objects.get(study=study, number=2)
    picture = image_of(second)
    visitor = visit(senior)
    with visitor.page.expect_request_finished(lambda asked: picture in asked.url):
        table = sit_down(lambda _user: visitor, senior, study)
    renewed = held_back(table.page, f"**/cases/{second.public_id}/?*")
    held_back(table.page, f"**{picture}**")

    table.press(".")
    expect(table.page.locator(".wb-count")).to_have_text("Case 2")
    table.is_open()
    expect(table.page.locator("[data-case-state=open]")).to_be_visible()

    let_go(table.page, renewed, f"**/cases/{second.public_id}/?*")


def test_after_a_decision_comes_the_next_case_that_is_left_and_decided_ones_are_passed_over(visit: Visit) -> None:
    study = read_refuge(DISCS, cases=3)
    senior = seniors_of(study)[0]
    table = sit_down(visit, senior, study, number=2)
    table.accept()
    expect(table.page.locator(".wb-count")).to_have_text("Case 3")
    expect(table.page.get_by_text("2 cases left")).to_be_visible()
    table.press(",")
    expect(table.page.locator(".wb-count")).to_have_text("Case 1")

    table.press("Enter")
    expect(table.page.get_by_text("Case 1 accepted.")).to_be_visible()

    expect(table.page.locator(".wb-count")).to_have_text("Case 3")
    expect(table.page.get_by_text("1 case left")).to_be_visible()
