"""One case of a submission: both outlines as they were drawn, the way from the worst to the best, and who sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotator.formats.protocol_files import reference_files
from annotator.formats.tree import FileTree
from annotator.geometry import mask_text, runs
from annotator.models import Study, Team, User
from evaluation.files.one_case import submitted
from evaluation.models import Phase, Submission
from evaluation.services.archives import archive_path
from protocols import PUBLISHED
from tests import cast
from tests.consensus.scene import HEIGHT, WIDTH, disc_of, majority_picture
from tests.evaluation.challenge_files import encoded
from tests.evaluation.challenge_scene import SHOWN, frozen_refuge, names_of, opened, risks, score_all, sent, team_of
from tests.formats.test_protocol_files import CASES, files_of

BOX = np.full((HEIGHT, WIDTH), 255, np.uint8)
BOX[4:10, 10:20] = 128
BOX[6:8, 12:15] = 0


@pytest.mark.parametrize("protocol", ["refuge", "adam", "glas", "age"])
def test_what_was_written_into_the_protocols_files_is_read_of_one_case(protocol: str) -> None:
    recipe, case = PUBLISHED[protocol], CASES[protocol][0]
    tree = FileTree(Path("submission"), reference_files(recipe, CASES[protocol], files_of(protocol)))
    found = submitted(recipe, tree, case.name.upper(), case.width, case.height)
    assert found.points == dict(case.points)
    assert found.masks.keys() == case.masks.keys()
    for target, masks in case.masks.items():
        assert [one.tolist() for one in found.masks[target]] == [one.tolist() for one in masks]


def test_a_case_that_the_files_do_not_hold_has_nothing() -> None:
    tree = FileTree(Path("submission"), reference_files(PUBLISHED["refuge"], CASES["refuge"], files_of("refuge")))
    found = submitted(PUBLISHED["refuge"], tree, "T9", 12, 10)
    assert (found.masks, found.points) == ({}, {})


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    return frozen_refuge(organiser=organiser, senior=senior, graders=graders)


@pytest.fixture
def member(db: None) -> User:
    return cast.person("Rita Rival")


@pytest.fixture
def team(study: Study, organiser: User, member: User) -> Team:
    return team_of(study, "Ours", member, organiser=organiser)


def sent_and_scored(phase: Phase, team: Team) -> Submission:
    """A box in every picture; foveas off by 1, 2, 3, 4 pixels in the order of the names."""
    names = list(names_of(phase))
    foveas = [f"{name}.jpg,{4 + off},10.5" for off, name in enumerate(names, start=1)]
    files: dict[str, str | bytes] = {
        **risks(phase),
        "fovea_location.csv": "\n".join(["ImageName,Fovea_X,Fovea_Y", *foveas]),
        **{f"segmentation/{name}.png": encoded(BOX) for name in names},
    }
    submission = sent(phase, team, files)
    score_all()
    return submission


def addresses(submission: Submission, name: str = "T0001") -> list[str]:
    place = [submission.phase.challenge.public_id, submission.public_id, name]
    return [reverse(one, args=place) for one in ("scored_case", "scored_case_image", "api_scored_case")]


def statuses(browser: Client, submission: Submission) -> list[int]:
    return [browser.get(address).status_code for address in addresses(submission)]


def test_both_sides_lie_where_they_were_drawn(
    study: Study, team: Team, organiser: User, member: User, browser_of: Callable[[User], Client]
) -> None:
    submission = sent_and_scored(opened(study, organiser=organiser, **SHOWN).phases.get(), team)
    page, image, api = addresses(submission)
    told = browser_of(member).get(api).json()
    disc = {side: next(one for one in told[side]["areas"] if one["target"] == "disc") for side in SIDES}
    pictures = {side: runs.decode(read_mask(area["masks"][0]), WIDTH, HEIGHT) for side, area in disc.items()}
    assert np.array_equal(pictures["reference"], majority_picture([disc_of(0.0)]))
    assert np.array_equal(pictures["submission"], BOX < 255)
    # 4.5, 11 by the reference; the file's 5, 10.5 names the middle of a pixel, half a pixel further.
    assert told["reference"]["points"] == [{"target": "fovea", "x": 4.5, "y": 11.0}]
    assert told["submission"]["points"] == [{"target": "fovea", "x": 5.5, "y": 11.0}]
    assert told["values"][0]["distance_fovea"] == pytest.approx(1.0)
    shown = browser_of(member).get(page).content.decode()
    assert f'data-image="{image}"' in shown
    assert "Glaucoma" in shown
    assert browser_of(member).get(image)["Content-Type"] == "image/png"


SIDES = ("reference", "submission")


def read_mask(text: str) -> runs.Toggles:
    packed, _digest = mask_text.read(text, WIDTH, HEIGHT)
    return runs.unpack(packed, WIDTH, HEIGHT)


def test_the_way_leads_from_the_worst_case_to_the_best_by_what_the_table_is_sorted_by(
    study: Study, team: Team, organiser: User, member: User, browser_of: Callable[[User], Client]
) -> None:
    submission = sent_and_scored(opened(study, organiser=organiser, **SHOWN).phases.get(), team)
    browser = browser_of(member)
    table = browser.get(reverse("submission", args=[submission.phase.challenge.public_id, submission.public_id]))
    assert addresses(submission)[0] + "?sort=" in table.content.decode()
    way, at = [], "T0004"  # whose fovea is farthest off
    while at:
        way.append(at)
        page = browser.get(addresses(submission, at)[0], {"sort": "distance_fovea"}).content.decode()
        found = re.search(r'rel="next" href="[^"]*/cases/(T\d+)/\?sort=distance_fovea"', page)
        at = found[1] if found else ""
    assert way == ["T0004", "T0003", "T0002", "T0001"]


@pytest.mark.parametrize("shown", [{}, {"shows_results": True}], ids=["hidden", "scores only"])
def test_where_the_phase_does_not_show_references_a_team_is_told_that_there_is_no_such_case(
    study: Study,
    team: Team,
    organiser: User,
    senior: User,
    member: User,
    browser_of: Callable[[User], Client],
    shown: dict[str, bool],
) -> None:
    submission = sent_and_scored(opened(study, organiser=organiser, **shown).phases.get(), team)
    assert statuses(browser_of(member), submission) == [404, 404, 404]
    for overseer in (organiser, senior):
        assert statuses(browser_of(overseer), submission) == [200, 200, 200]


def test_strangers_graders_and_other_teams_are_told_that_there_is_no_such_case(
    study: Study,
    team: Team,
    organiser: User,
    graders: Sequence[User],
    outsider: User,
    browser_of: Callable[[User], Client],
) -> None:
    submission = sent_and_scored(opened(study, organiser=organiser, **SHOWN).phases.get(), team)
    other = cast.person("Olaf Other")
    team_of(study, "Theirs", other, organiser=organiser)
    for person in (other, outsider, graders[0]):
        assert statuses(browser_of(person), submission) == [404, 404, 404]
    assert [Client().get(address).status_code for address in addresses(submission)] == [302, 302, 403]


def test_an_archive_that_is_gone_is_said_in_a_sentence(
    study: Study, team: Team, organiser: User, member: User, browser_of: Callable[[User], Client]
) -> None:
    submission = sent_and_scored(opened(study, organiser=organiser, **SHOWN).phases.get(), team)
    archive_path(submission.sha256).unlink()
    page, _image, api = addresses(submission)
    browser = browser_of(member)
    assert browser.get(page).status_code == 200
    answer = browser.get(api)
    assert (answer.status_code, answer.json()["code"]) == (400, "archive_missing")
