"""A challenge: an organiser opens it, a team sends in, watches, reads the scorecard, its cases and the leaderboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.models import Study, User
from evaluation.models import Phase
from tests import cast
from tests.browser.visitor import Visitor
from tests.evaluation.challenge_files import encoded
from tests.evaluation.challenge_scene import frozen_refuge, names_of, risks, score_all, team_of, zipped
from tests.evaluation.test_one_case import BOX

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def results(phase: Phase) -> bytes:
    """Right risks, and a box in every picture."""
    pictures = {f"segmentation/{name}.png": encoded(BOX) for name in names_of(phase)}
    return zipped({**risks(phase), **pictures})


def test_an_organiser_opens_a_challenge_and_a_team_sends_in_and_reads_its_scorecard(
    visit: Visit, organiser: User, senior: User, graders: list[User]
) -> None:
    study = frozen_refuge(organiser=organiser, senior=senior, graders=graders)
    phase = open_by_hand(visit(organiser), study)
    member = cast.person("Rita Rival")
    team_of(study, "Retina Ranks", member, organiser=organiser)

    rival = visit(member)
    page = rival.go("/")
    rival.press("Open the challenge")
    rival.look()
    archive = {"name": "results.zip", "mimeType": "application/zip", "buffer": results(phase)}
    page.locator("input[type=file]").set_input_files([archive])
    rival.press("Submit")
    expect(page.get_by_text("was checked and taken")).to_be_visible()
    score_all()
    expect(page.get_by_role("heading", name="Metrics")).to_be_visible()  # the page has watched
    rival.look()

    first = page.locator("tbody a[href*='/cases/T']").first
    first.click()
    expect(page.locator("[data-scored-case][data-ready=true]")).to_be_visible()
    rival.look()
    before = page.url
    page.keyboard.press(".")
    expect(page).not_to_have_url(before)
    expect(page.locator("[data-scored-case][data-ready=true]")).to_be_visible()
    expect(page.get_by_text("2 of 4")).to_be_visible()

    rival.go(f"/challenges/{phase.challenge.public_id}/")
    rival.press("Leaderboard")
    expect(page.get_by_role("cell", name=re.compile("Retina Ranks"))).to_be_visible()
    rival.look()
    assert rival.faults == []


def open_by_hand(visitor: Visitor, study: Study) -> Phase:
    page = visitor.go(f"/studies/{study.public_id}/challenges/new/")
    visitor.look()
    page.locator("#id_name").fill("Disc and cup challenge")
    page.locator("[name=onsite-wanted]").uncheck()
    page.locator("[name=offline-shown]").select_option("references")
    visitor.press("Open the challenge")
    expect(page.get_by_text("The challenge “Disc and cup challenge” is open.")).to_be_visible()
    visitor.look()
    assert visitor.faults == []
    return Phase.objects.select_related("challenge__study", "version").get()
