"""How disputes were settled: hand-worked numbers of a small AIROGS study, for organisers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Study, User
from tests.consensus.adjudication_scene import Bench, disputed_study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
SAID = [("RG", "RG"), ("RG", "NRG"), ("NRG", "NRG"), ("U", "NRG")]


@pytest.fixture
def bench(organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser) -> Bench:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior}
    study = disputed_study(SAID, graders=graders[:2], adjudicators=[adjudicator], **people)
    return Bench(browser_of(adjudicator), study)


def told(study: Study, browser: Client) -> Any:
    return browser.get(reverse("api_adjudication_statistics", args=[study.public_id])).json()["targets"][0]


def test_it_tells_the_share_who_was_followed_and_when_nobody_was(
    bench: Bench, organiser: User, browser_of: Browser
) -> None:
    bench.decide(2, "NRG")
    bench.decide(4, "RG")
    found = told(bench.study, browser_of(organiser))

    assert (found["adjudicated"]["some"], found["adjudicated"]["of"]) == (2, 4)
    assert (found["neither"]["some"], found["neither"]["of"]) == (1, 2)
    followed = {row["grader"]: (row["followed"]["some"], row["followed"]["of"]) for row in found["graders"]}
    assert followed == {"G1": (0, 2), "G2": (1, 2)}
    assert found["pairs"] == [
        {"said": ["NRG", "RG"], "final": "NRG", "count": 1},
        {"said": ["NRG", "U"], "final": "RG", "count": 1},
    ]
    assert [row["decisions"] for row in found["adjudicators"]] == [2]


def test_a_decision_that_was_taken_back_does_not_count(bench: Bench, organiser: User, browser_of: Browser) -> None:
    bench.decide(2, "NRG")
    assert bench.post(2, "undo").status_code == 200
    found = told(bench.study, browser_of(organiser))

    assert (found["adjudicated"]["some"], found["adjudicated"]["of"]) == (0, 2)
    assert found["graders"] == found["adjudicators"] == []


def test_nobody_but_organisers_is_told(
    bench: Bench, senior: User, adjudicator: User, graders: list[User], browser_of: Browser
) -> None:
    address = reverse("api_adjudication_statistics", args=[bench.study.public_id])

    assert {browser_of(one).get(address).status_code for one in (senior, adjudicator, graders[0])} == {403}
