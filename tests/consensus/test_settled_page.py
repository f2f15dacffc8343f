"""The organiser's page of adjudication: numbers worked by hand, and the same in files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Study, User
from annotator.services.specialties import change_specialty
from consensus.programme.adjudication import Decided, settling
from consensus.programme.rates import Rate
from consensus.views import adjudication_statistics as views
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, disputed_study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
SAID = [("RG", "RG"), ("RG", "NRG"), ("NRG", "NRG"), ("U", "NRG"), ("RG", "U")]


@pytest.fixture
def other() -> User:
    return cast.person("Otis Adjudicator")


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User, other: User) -> Study:
    return disputed_study(
        SAID, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator, other]
    )


@pytest.fixture
def settled(study: Study, adjudicator: User, other: User, browser_of: Browser) -> Study:
    """Two of three disputes: the second grader's label, then nobody's."""
    Bench(browser_of(adjudicator), study).decide(2, "NRG")
    Bench(browser_of(other), study, "two").decide(4, "RG")
    return study


def page_of(study: Study, browser: Client) -> str:
    return browser.get(reverse("adjudication_statistics", args=[study.public_id])).content.decode()


def table(study: Study, browser: Client, name: str) -> list[dict[str, str]]:
    answer = browser.get(reverse("settled_table", args=[study.public_id, name]))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="adjudication-{name}.csv"'
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_page_tells_the_share_the_rest_and_whose_label_was_taken(
    settled: Study, organiser: User, adjudicator: User, graders: list[User], browser_of: Browser
) -> None:
    page = page_of(settled, browser_of(organiser))

    # Four labels are final, two of them by an adjudicator. Wilson for 2 of 4 with z² = 3.8415: 0.5 ± 0.34996.
    assert "50.0\u00a0%" in page
    assert "2 of 4 final labels (15.0–85.0\u00a0%)" in page
    # Neither label in 1 of 2 disputes: 0.5 ± 0.40547.
    assert "1 of 2 disputes (9.5–90.5\u00a0%)" in page
    # The first grader was never followed: 0 of 2 gives 0 … z²/2 / (1 + z²/2) = 0.6576.
    assert "0.0–65.8\u00a0%" in page
    assert all(name in page for name in (graders[0].name, graders[1].name, adjudicator.name, "Otis Adjudicator"))
    assert all(
        pair in page for pair in ("Referable glaucoma / No referable glaucoma", "No referable glaucoma / Ungradable")
    )
    assert page.count(">neither<") == 1


def test_the_oldest_that_is_left_open_tells_how_long_it_waits(
    settled: Study, organiser: User, browser_of: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = scene.latest(scene.case_of(settled, 5), TARGET)
    later = left.created_at + timedelta(days=3, hours=5)
    monkeypatch.setattr("consensus.views.adjudication_statistics.timezone.now", lambda: later)

    assert "The oldest waits: 3\u00a0days" in page_of(settled, browser_of(organiser))
    monkeypatch.undo()
    told = browser_of(organiser).get(reverse("api_adjudication_statistics", args=[settled.public_id])).json()
    assert told["targets"][0]["left_open"] == 1
    assert told["targets"][0]["open_since"][:19] == left.created_at.isoformat()[:19]


def test_every_table_is_a_file(settled: Study, organiser: User, adjudicator: User, browser_of: Browser) -> None:
    browser = browser_of(organiser)
    change_specialty(
        membership=settled.memberships.get(user=adjudicator), specialty="Glaucoma", actor=settled.created_by
    )

    share, neither = table(settled, browser, "summary")
    assert (share["what"], share["some"], share["of"], share["value"], share["left_open"]) == (
        *("adjudicated", "2", "4", "0.5", "1"),
    )
    assert (float(share["low"]), float(share["high"])) == pytest.approx((0.15004, 0.84996), abs=1e-5)
    assert (neither["what"], neither["some"], neither["of"]) == ("neither", "1", "2")
    assert [(row["said"], row["final"], row["count"]) for row in table(settled, browser, "labels")] == [
        ("NRG RG", "NRG", "1"),
        ("NRG U", "RG", "1"),
    ]
    followed = table(settled, browser, "graders")
    assert [(row["grader"], row["followed_some"], row["followed_of"]) for row in followed] == [
        ("G1", "0", "2"),
        ("G2", "1", "2"),
    ]
    people = {row["name"]: row for row in table(settled, browser, "adjudicators")}
    first = people[adjudicator.name]
    assert (first["adjudicator"], first["specialty"], first["decisions"]) == ("A1", "Glaucoma", "1")
    assert (first["not_blind"], first["labels_shown"], first["neither_some"]) == ("0", "0", "0")
    assert people["Otis Adjudicator"]["neither_some"] == "1"
    assert float(first["median_wait_seconds"]) >= 0


def test_there_is_no_other_table(settled: Study, organiser: User, browser_of: Browser) -> None:
    assert browser_of(organiser).get(reverse("settled_table", args=[settled.public_id, "people"])).status_code == 404


def test_waits_are_the_middle_of_those_that_are_known_in_all_and_by_adjudicator() -> None:
    said = {1: "RG", 2: "NRG"}
    rows = [
        Decided("RG", said, by=7, waited_seconds=10.0),
        Decided("RG", said, by=7, blind=False, waited_seconds=50.0),
        Decided("U", said, by=8, shown=True, waited_seconds=40.0),
        Decided("NRG", said, by=8),
    ]
    found = settling(10, rows)

    assert (found.share, found.neither) == (Rate(4, 10), Rate(1, 4))
    assert found.waited_seconds == 40.0  # of 10, 40 and 50
    assert {by: one.waited_seconds for by, one in found.adjudicators.items()} == {7: 30.0, 8: 40.0}
    assert {by: (one.not_blind, one.labels_shown) for by, one in found.adjudicators.items()} == {7: (1, 0), 8: (0, 1)}
    assert found.followed == {1: Rate(2, 4), 2: Rate(1, 4)}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "–"),
        (59.9, "< 1 min"),
        (60, "1 min"),
        (3599, "59 min"),
        (7199, "1 h"),
        (172_799, "1 day"),
        (172_800, "2 days"),
    ],
)
def test_a_wait_is_told_in_its_largest_unit(seconds: float | None, words: str) -> None:
    assert views.lasted(seconds).replace("\u00a0", " ") == words


def test_before_the_first_decision_only_what_waits_is_told(study: Study, organiser: User, browser_of: Browser) -> None:
    page = page_of(study, browser_of(organiser))
    assert "Nothing is settled yet" in page
    assert "Whose label was taken" not in page
    assert "The oldest waits: &lt;\u00a01\u00a0min" in page


def test_without_a_dispute_and_without_adjudication_the_page_says_so(organiser: User, browser_of: Browser) -> None:
    browser = browser_of(organiser)
    fresh = cast.study_of("airogs", organiser=organiser)
    assert "No dispute yet" in page_of(fresh, browser)
    drawn = cast.study_of("refuge", organiser=organiser)
    assert "Nothing is adjudicated here" in page_of(drawn, browser)


def test_organisers_find_it_where_adjudicators_have_their_queue(
    settled: Study, organiser: User, adjudicator: User, senior: User, browser_of: Browser
) -> None:
    home, statistics = f"/studies/{settled.public_id}/", reverse("adjudication_statistics", args=[settled.public_id])
    queue = f'href="{reverse("adjudication", args=[settled.public_id])}"'
    found: dict[str, Any] = {
        one.name: browser_of(one).get(home).content.decode() for one in (organiser, adjudicator, senior)
    }
    told = {name: (f'href="{statistics}"' in page, queue in page) for name, page in found.items()}
    assert told == {organiser.name: (True, False), adjudicator.name: (False, True), senior.name: (False, False)}
    monitor = browser_of(organiser).get(reverse("monitor", args=[settled.public_id])).content.decode()
    assert "How disputes were settled" in monitor


def test_nobody_but_organisers_sees_it(
    settled: Study, senior: User, adjudicator: User, graders: list[User], outsider: User, browser_of: Browser
) -> None:
    for address in (
        reverse("adjudication_statistics", args=[settled.public_id]),
        reverse("settled_table", args=[settled.public_id, "graders"]),
    ):
        told = [browser_of(one).get(address).status_code for one in (senior, adjudicator, graders[0], outsider)]
        assert told == [403, 403, 403, 404], address
