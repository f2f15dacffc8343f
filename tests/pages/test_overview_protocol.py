"""Protocols to read: complete, in words, with the differences marked, and not for graders."""

from collections.abc import Callable
from enum import StrEnum

import pytest
from django.test import Client

from annotator.models import Study, User
from annotator.recipe_words import WORDS
from protocols import PUBLISHED
from tests import cast

SignIn = Callable[[User], Client]


@pytest.mark.parametrize("names", list(WORDS), ids=lambda names: names.__name__)
def test_every_name_of_a_shown_list_has_its_word(names: type[StrEnum]) -> None:
    assert {name.value for name in names} == set(WORDS[names])


@pytest.mark.parametrize("key", sorted(PUBLISHED))
def test_a_published_protocol_shows_targets_metrics_and_paper(key: str, organiser: User, browser_of: SignIn) -> None:
    recipe = PUBLISHED[key]
    page = browser_of(organiser).get(f"/protocols/{key}/").content.decode()
    for target in recipe.targets:
        assert target.name in page
    for track in recipe.scoring.tracks:
        for metric in track.metrics:
            assert metric.name in page
    assert recipe.citation.doi in page
    assert "fact-differs" not in page


def test_refuge_is_told_in_the_words_of_the_clinic(organiser: User, browser_of: SignIn) -> None:
    page = browser_of(organiser).get("/protocols/refuge/").content.decode()
    for words in ("Tilted ellipse", "Majority vote", "Every grader reads every case", "Eq. 3 and Table 6"):
        assert words in page
    for raw in ("ellipse-box", "every-grader-every-case", "remove-and-revote"):
        assert raw not in page


def test_an_unknown_protocol_does_not_exist(organiser: User, browser_of: SignIn) -> None:
    assert browser_of(organiser).get("/protocols/nope/").status_code == 404


def test_a_grader_does_not_see_the_papers_numbers(study: Study, graders: list[User], browser_of: SignIn) -> None:
    assert browser_of(graders[0]).get("/protocols/refuge/").status_code == 403


def test_a_senior_sees_the_protocol_of_the_study(study: Study, senior: User, browser_of: SignIn) -> None:
    page = browser_of(senior).get(f"/studies/{study.public_id}/protocol/").content.decode()
    assert "This study follows REFUGE as published." in page
    assert "fact-differs" not in page


def test_what_a_study_does_otherwise_is_marked(organiser: User, browser_of: SignIn) -> None:
    changes = {"readers.graders_per_case": 5, "viewer.adjustments": []}
    study = cast.study_of("refuge", organiser=organiser, changes=changes)
    page = browser_of(organiser).get(f"/studies/{study.public_id}/protocol/").content.decode()
    assert "2 differences from the paper" in page
    assert page.count('class="fact-differs"') == 2


def test_what_a_study_leaves_out_is_said_and_not_passed_over(organiser: User, browser_of: SignIn) -> None:
    study = cast.study_of("refuge", organiser=organiser, changes={"viewer.adjustments": []})
    page = browser_of(organiser).get(f"/studies/{study.public_id}/protocol/").content.decode()
    assert "<dt>Image adjustments</dt><dd>None" in page
    assert "<dt>Hidden repeats</dt><dd>None" in page
