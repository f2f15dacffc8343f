"""The monitor's pages, file and API: for organisers, with the numbers of a small AIROGS study; and closing an alert."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Membership, Study, User
from consensus.models import Alert
from consensus.programme.judging import Judged
from consensus.programme.monitoring import Final, Settled, looks
from consensus.views.monitor_charts import points_of, rate_panel
from protocols import PUBLISHED
from protocols.names import Performance
from tests import cast
from tests.consensus.adjudication_scene import Bench, disputed_study
from tests.remembering import remembered

pytestmark = pytest.mark.django_db
SAID = [("RG", "RG"), ("RG", "NRG"), ("NRG", "NRG"), ("U", "NRG")]
RECIPE = PUBLISHED["airogs"]
TARGET = RECIPE.target("referable_glaucoma")


@pytest.fixture
def study(
    request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User], adjudicator: User
) -> Study:
    make = partial(
        disputed_study, SAID, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator]
    )
    return remembered(request, [organiser, senior, adjudicator, *graders], make)


@pytest.fixture
def settled(study: Study, adjudicator: User, browser_of: Callable[[User], Client]) -> Study:
    bench = Bench(browser_of(adjudicator), study)
    bench.decide(2, "NRG")
    bench.decide(4, "RG")
    return study


def alert_about(member: Membership) -> Alert:
    numbers = {"limit": 0.8, "look": 30, "rate": 0.4, "of": 30, "bound": 0.55}
    return Alert.objects.create(grader=member, target=TARGET.key, measure="sensitivity", **numbers)


def grader(study: Study) -> Membership:
    return Membership.objects.get(study=study, code="G1")


def test_the_table_gives_rates_in_all_lately_and_with_the_own_vote_apart(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    answer = browser_of(organiser).get(reverse("monitor_table", args=[settled.public_id]))

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    found = {(row["grader"], row["measure"], row["over"]): (row["right"], row["of"]) for row in rows}
    assert found["G1", "sensitivity", "total"] == ("1", "2")
    assert found["G1", "specificity", "independent"] == ("0", "1")
    assert found["G2", "specificity", "window"] == ("2", "2")


def test_the_page_names_graders_and_says_that_agreed_labels_flatter(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    page = browser_of(organiser).get(reverse("monitor", args=[settled.public_id])).content.decode()

    assert "Gina Grader" in page
    assert "contain the grader&#x27;s own vote" in page or "contain the grader's own vote" in page
    assert "1 of 2" in page


def test_a_study_without_graders_says_so(organiser: User, browser_of: Callable[[User], Client]) -> None:
    study = cast.study_of("airogs", organiser=organiser)

    assert "Nobody reads yet" in browser_of(organiser).get(reverse("monitor", args=[study.public_id])).content.decode()


def test_a_hundred_graders_take_as_many_queries_as_two(
    settled: Study,
    organiser: User,
    browser_of: Callable[[User], Client],
    django_assert_max_num_queries: Callable[[int], object],
) -> None:
    cast.add_cast(settled, actor=organiser, graders=[cast.person(f"Extra {number}") for number in range(98)])
    browser = browser_of(organiser)
    with django_assert_max_num_queries(25):  # type: ignore[attr-defined]
        page = browser.get(reverse("monitor", args=[settled.public_id])).content.decode()

    assert "Extra 97" in page


def test_an_alert_is_shown_at_home_and_on_the_study_and_closed_with_a_note(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    alert, browser = alert_about(grader(settled)), browser_of(organiser)
    assert "1 alert about a grader" in browser.get("/").content.decode()
    assert "1 alert about a grader" in browser.get(reverse("study", args=[settled.public_id])).content.decode()

    address = reverse("alert_close", args=[settled.public_id, alert.public_id])
    assert browser.post(address, {"note": ""}).status_code == 400
    assert browser.post(address, {"note": "Trained again."}).status_code == 302

    page = browser.get(reverse("monitor", args=[settled.public_id])).content.decode()
    assert "Trained again." in page
    assert "alert about a grader" not in browser.get("/").content.decode()
    assert browser.post(address, {"note": "Once more."}).status_code == 409


def test_home_leads_to_the_chart_of_the_one_grader_that_alerts_are_about(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    one, browser = grader(settled), browser_of(organiser)
    monitor = reverse("monitor", args=[settled.public_id])
    chart = reverse("monitor_grader", args=[settled.public_id, one.public_id])
    alert_about(one)
    assert f'href="{chart}"' in browser.get("/").content.decode()

    alert_about(Membership.objects.get(study=settled, code="G2"))

    page = browser.get("/").content.decode()
    assert "2 alerts about graders" in page
    assert f'href="{monitor}"' in page
    assert chart not in page


def test_an_alert_of_another_study_cannot_be_closed_from_here(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    other = cast.study_of("airogs", organiser=organiser, name="Other")
    alert = alert_about(grader(settled))

    answer = browser_of(organiser).post(
        reverse("alert_close", args=[other.public_id, alert.public_id]), {"note": "Done."}
    )

    assert answer.status_code == 404
    assert not Alert.objects.filter(closed_at__isnull=False).exists()


def test_no_way_back_leads_out_of_the_house(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    alert = alert_about(grader(settled))
    address = reverse("alert_close", args=[settled.public_id, alert.public_id])

    answer = browser_of(organiser).post(address, {"note": "Done.", "next": "https://elsewhere.example/"})

    assert answer["Location"] == reverse("monitor", args=[settled.public_id])


@pytest.mark.parametrize("role", ["senior", "adjudicator", "grader"])
def test_nobody_but_organisers_is_told_of_alerts(
    settled: Study,
    senior: User,
    adjudicator: User,
    graders: list[User],
    browser_of: Callable[[User], Client],
    role: str,
) -> None:
    alert_about(grader(settled))
    browser = browser_of({"senior": senior, "adjudicator": adjudicator, "grader": graders[0]}[role])

    for page in (reverse("study", args=[settled.public_id]), "/"):
        told = browser.get(page).content.decode()
        assert "alert about" not in told
        assert reverse("monitor", args=[settled.public_id]) not in told
    for address in ("monitor", "monitor_table", "api_monitor"):
        assert browser.get(reverse(address, args=[settled.public_id])).status_code == 403


def test_a_graders_page_has_few_labels_in_words_and_all_looks_in_a_file(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    browser, which = browser_of(organiser), [settled.public_id, grader(settled).public_id]

    assert "too few for a chart" in browser.get(reverse("monitor_grader", args=which)).content.decode()
    rows = list(csv.DictReader(io.StringIO(browser.get(reverse("monitor_looks", args=which)).content.decode())))
    assert {row["final_labels"] for row in rows} == {"4"}


def test_programs_of_organisers_read_the_same(
    settled: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    alert_about(grader(settled))
    told = browser_of(organiser).get(reverse("api_monitor", args=[settled.public_id])).json()

    gina = next(row for row in told["graders"] if row["grader"] == "G1")
    assert (gina["readings"], gina["unseen"], gina["answers"]) == (4, 1, 4)
    rate = next(row for row in gina["rates"] if (row["measure"], row["over"]) == ("sensitivity", "all"))
    assert (rate["right"], rate["of"], rate["value"]) == (1, 2, 0.5)
    assert [(alert["grader"], alert["value"], alert["bound"]) for alert in told["alerts"]] == [("G1", 0.4, 0.55)]


def watched(*groups: tuple[int, str, str]) -> list[Final]:
    return [Final(Judged(truth, said), Settled.ADJUDICATED) for many, truth, said in groups for _each in range(many)]


def test_the_chart_draws_every_look_the_interval_and_the_limit() -> None:
    seen = list(looks(watched((20, "RG", "RG"), (20, "RG", "NRG")), TARGET, RECIPE.monitoring))
    panel = rate_panel(seen, Performance.SENSITIVITY, 0.8)

    assert panel is not None
    assert [mark.title for mark in panel.marks][-1] == "After 40 final labels: 0.50 (20 of 40)"
    assert len(panel.marks) == 4
    assert len(panel.bands[0].places) == 8  # there and back
    # Right first and wrong later: the line falls, and ends below the limit.
    heights = [mark.y for mark in panel.marks]
    assert heights == sorted(heights)
    assert panel.marks[-1].y > panel.lines[0].y1 > panel.marks[0].y
    assert panel.legend[-1] == ("bias", "The protocol's limit, 0.80")
    assert (panel.x_words, panel.whole_height - panel.height) == ("Final labels", 14.0)


def test_a_thousand_looks_are_thinned_out_and_the_last_stays() -> None:
    seen = list(looks(watched((10_005, "RG", "RG")), TARGET, RECIPE.monitoring))
    points = points_of(seen, Performance.SENSITIVITY)

    assert len(points) <= 60
    assert points[-1].finals == 10_005


def test_nothing_is_drawn_of_a_measure_without_cases() -> None:
    seen = list(looks(watched((30, "NRG", "NRG")), TARGET, RECIPE.monitoring))

    assert rate_panel(seen, Performance.SENSITIVITY, 0.8) is None
