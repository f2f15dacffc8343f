"""Where the recipe says so, an adjudicator sees from the start what the graders said; nothing calls that blind, and
nothing calls it a breach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import AuditEvent, Study, User
from consensus.services.freezing import freeze_dataset
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, disputed_study
from tests.consensus.exported import made

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
SHOWN = {"review.adjudicator_sees_labels": True}


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User) -> Study:
    return disputed_study(
        [("RG", "NRG"), ("NRG", "NRG"), ("U", "RG")],
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        adjudicators=[adjudicator],
        changes=SHOWN,
    )


@pytest.fixture
def bench(study: Study, adjudicator: User, browser_of: Browser) -> Bench:
    return Bench(browser_of(adjudicator), study)


def test_the_labels_are_shown_from_the_start_by_letter_and_by_nothing_else(bench: Bench, graders: list[User]) -> None:
    answer = bench.get(1)
    told = answer.json()

    assert told["state"] == "started"
    assert sorted(one["content"]["label"] for one in told["said"]) == ["NRG", "RG"]
    assert {one["grader"] for one in told["said"]} == {"A", "B"}
    assert (told["labels_shown"], told["seen"]) == (True, False)
    page = bench.client.get(f"/studies/{bench.study.public_id}/adjudication/").content.decode()
    assert "shows you what they said" in page
    assert "without knowing what they said" not in page
    for text in (answer.content.decode(), page):
        assert not [word for one in graders[:2] for word in (one.name, one.email) if word in text]
        assert '"G1"' not in text
        assert '"G2"' not in text


def test_what_is_no_dispute_is_not_shown(bench: Bench) -> None:
    assert bench.get(2).status_code == 404


def test_by_default_nothing_is_shown(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior}
    study = disputed_study([("RG", "NRG")], graders=graders[:2], adjudicators=[adjudicator], **people)
    told = Bench(browser_of(adjudicator), study).get(1).json()
    assert (told["said"], told["labels_shown"]) == ([], False)


def test_the_decision_is_marked_as_the_recipe_says_and_not_as_a_breach(
    bench: Bench, senior: User, browser_of: Browser
) -> None:
    assert bench.decide(1, "NRG").status_code == 201

    row = scene.latest(scene.case_of(bench.study), TARGET)
    assert (row.state, row.label, row.measures.get("labels_shown")) == ("adjudicated", "NRG", True)
    assert "not_blind" not in row.measures
    event = AuditEvent.objects.get(study=bench.study, action="reference.decided")
    told = (event.after or {})["references"][0]
    assert (told.get("labels_shown"), told.get("not_blind")) == (True, None)
    case = scene.case_of(bench.study).public_id
    history = browser_of(senior).get(reverse("table_history", args=[bench.study.public_id, case])).content.decode()
    assert history.count("labels in view") == 1
    assert "not blind" not in history
    address = f"/api/v1/studies/{bench.study.public_id}/table/cases/{case}/history/"
    newest = browser_of(senior).get(address).json()["results"][0]
    assert (newest["labels_shown"], newest["not_blind"]) == (True, False)
    own = bench.client.get(f"/studies/{bench.study.public_id}/adjudication/").content.decode()
    assert "With the labels in view, as the protocol says" in own
    assert "not blind" not in own


def test_whoever_decides_again_breaks_no_rule_either(bench: Bench) -> None:
    bench.decide(1, "RG")
    again = bench.post(1, "undo").json()
    assert (again["seen"], len(again["said"])) == (False, 2)

    bench.decide(1, "NRG")

    measures = scene.latest(scene.case_of(bench.study), TARGET).measures
    assert (measures.get("labels_shown"), measures.get("not_blind")) == (True, None)


@pytest.mark.usefixtures("own_data_root")
def test_a_version_its_methods_and_its_tables_do_not_call_it_blind(
    bench: Bench, senior: User, organiser: User, browser_of: Browser
) -> None:
    bench.decide(1, "NRG")
    bench.decide(3, "U")
    version = freeze_dataset(study=bench.study, actor=senior, name="First")

    archive = made(version, organiser, formats=["tables"])
    methods = archive.read("METHODS.md").decode()
    assert "2 were adjudicated with the graders' labels in view, as the protocol of this study says." in methods
    assert "by somebody who had seen" not in methods
    assert {row["blind"] for row in archive.rows("decisions/adjudications.csv")} == {"0"}
    page = browser_of(organiser).get(reverse("dataset", args=[bench.study.public_id, version.public_id]))
    assert "2 adjudicated with the labels in view, as the protocol says" in page.content.decode()
    assert "not blind" not in page.content.decode()


def test_the_protocol_s_page_and_form_tell_it(organiser: User, browser_of: Browser) -> None:
    study = cast.study_of("airogs", organiser=organiser, changes=SHOWN)
    browser = browser_of(organiser)
    page = browser.get(reverse("study_protocol", args=[study.public_id])).content.decode()
    assert "Adjudicator sees the labels" in page
    assert "does not see the two labels" not in page
    form = browser.get(reverse("study_settings", args=[study.public_id])).content.decode()
    assert 'name="review.adjudicator_sees_labels"' in form
    assert 'name="targets[0].consensus.specialty"' in form
