"""Where two graders differ an adjudicator decides, without knowing what they said."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import AuditEvent, Role, Study, User
from annotator.services.people import add_member
from annotator.services.reopening import reopen_reading
from consensus.models import Reference
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, answer, disputed_study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
LABELS = (("RG", "NRG"), ("RG", "RG"), ("U", "NRG"), ("NRG", "RG"))


@pytest.fixture
def other() -> User:
    return cast.person("Otis Adjudicator")


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User, other: User) -> Study:
    return disputed_study(
        LABELS, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator, other]
    )


@pytest.fixture
def bench(study: Study, adjudicator: User, browser_of: Browser) -> Bench:
    return Bench(browser_of(adjudicator), study)


def label_of(study: Study, number: int) -> tuple[str, str, str]:
    row = scene.latest(scene.case_of(study, number), TARGET)
    return row.state, row.answer, row.label


def test_only_cases_on_which_the_graders_differ_are_in_the_queue(bench: Bench) -> None:
    assert bench.queue() == [1, 3, 4]
    assert bench.get(2).status_code == 404


def test_the_adjudicator_s_label_is_final(bench: Bench) -> None:
    answer = bench.decide(1, "NRG")

    assert answer.status_code == 201, answer.json()
    assert answer.json()["next_unread"] == scene.case_of(bench.study, 3).public_id
    assert label_of(bench.study, 1) == ("adjudicated", "present", "NRG")
    assert bench.queue() == [3, 4]
    assert AuditEvent.objects.filter(study=bench.study, action="reference.decided").count() == 1


def test_before_the_decision_no_byte_tells_what_the_graders_said(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    """Two studies that differ in the graders' answers alone look alike to the adjudicator."""
    seen = []
    people: dict[str, Any] = {
        "organiser": organiser,
        "senior": senior,
        "graders": graders[:2],
        "adjudicators": [adjudicator],
    }
    for number, said in enumerate((("RG", "NRG"), ("U", "RG"), ("NRG", "U"))):
        study = disputed_study([said], name=f"Eyes {number}", **people)
        bench, case = Bench(browser_of(adjudicator), study), scene.case_of(study)
        image = case.images.get()
        page = f"/studies/{study.public_id}/adjudication/"
        answers = [bench.get(1), *(bench.client.get(one) for one in (bench.address, page, f"{page}{case.public_id}/"))]
        text = TOKEN.sub("", "\n".join(one.content.decode() for one in answers))
        names = (study.name, study.public_id, case.public_id, image.public_id)
        for place, name in enumerate(names):
            text = text.replace(name, f"name {place}")
        seen.append(text)
    assert seen[0] == seen[1] == seen[2]


def test_after_the_decision_both_readings_are_shown_by_letter(bench: Bench) -> None:
    assert bench.get(1).json()["said"] == []

    bench.decide(1, "RG")

    told = bench.get(1).json()
    assert told["state"] == "submitted"
    assert sorted(one["content"]["label"] for one in told["said"]) == ["NRG", "RG"]
    assert {one["grader"] for one in told["said"]} == {"A", "B"}
    assert [draft["content"]["label"] for draft in told["drafts"]] == ["RG"]


def test_another_adjudicator_does_not_see_what_was_decided(bench: Bench, other: User, browser_of: Browser) -> None:
    bench.decide(1, "RG")
    second = Bench(browser_of(other), bench.study, "two")
    assert second.get(1).status_code == 404
    assert second.decide(1, "NRG").json()["code"] == "already_settled"
    assert label_of(bench.study, 1) == ("adjudicated", "present", "RG")


def test_two_adjudicators_do_not_decide_the_same_case(bench: Bench, other: User, browser_of: Browser) -> None:
    second = Bench(browser_of(other), bench.study, "two")
    assert bench.post(1, "lease", take_over=False).json()["mine"] is True

    assert second.post(1, "lease", take_over=False).json()["code"] == "held_elsewhere"
    assert second.decide(1, "NRG").json()["code"] == "held_elsewhere"
    assert second.decide(3, "U").json()["next_unread"] == scene.case_of(bench.study, 4).public_id
    assert label_of(bench.study, 1)[1] == "undecided"


def test_who_has_read_a_case_does_not_adjudicate_it(
    study: Study, organiser: User, graders: list[User], browser_of: Browser
) -> None:
    add_member(
        study=study, user=graders[0], role=Role.ADJUDICATOR, actor=organiser, both_sides_reason="Nobody else is there."
    )
    bench = Bench(browser_of(graders[0]), study)
    assert bench.queue() == []
    assert bench.get(1).status_code == 404
    assert bench.decide(1, "RG").status_code == 404


def test_a_decision_is_taken_back_by_a_new_version(bench: Bench) -> None:
    bench.decide(1, "RG")

    told = bench.post(1, "undo")

    assert told.status_code == 200, told.json()
    assert (told.json()["state"], told.json()["said"]) == ("started", [])
    assert label_of(bench.study, 1) == ("automatic", "undecided", "")
    assert bench.queue() == [1, 3, 4]
    assert Reference.objects.filter(case=scene.case_of(bench.study), target__key=TARGET).count() == 3
    assert bench.post(1, "undo").json()["code"] == "nothing_to_undo"


def test_whoever_decides_again_is_no_longer_blind_and_every_place_says_so(
    bench: Bench, senior: User, browser_of: Browser
) -> None:
    bench.decide(1, "RG")
    assert bench.post(1, "undo").json()["seen"] is True
    bench.decide(1, "NRG")
    bench.decide(3, "U")

    versions = Reference.objects.filter(case=scene.case_of(bench.study), target__key=TARGET).order_by("version")
    assert [row.measures.get("not_blind", False) for row in versions] == [False, False, False, True]
    log = AuditEvent.objects.filter(action="reference.decided").order_by("pk")
    assert [(event.after or {})["references"][0].get("not_blind", False) for event in log] == [False, True, False]
    page = bench.client.get(f"/studies/{bench.study.public_id}/adjudication/").content.decode()
    assert "1 not blind" in page
    seen = browser_of(senior)
    case = scene.case_of(bench.study).public_id
    history = seen.get(reverse("table_history", args=[bench.study.public_id, case])).content.decode()
    assert history.count("not blind") == 1
    assert "version 1 stands again" in history
    told = seen.get(f"/api/v1/studies/{bench.study.public_id}/table/cases/{case}/history/").json()["results"]
    assert [row["not_blind"] for row in told] == [True, False, False, False]
    assert [row["restores"] for row in told] == [None, 1, None, None]


def test_another_who_decides_after_a_taking_back_is_blind(bench: Bench, other: User, browser_of: Browser) -> None:
    bench.decide(1, "RG")
    bench.post(1, "undo")
    second = Bench(browser_of(other), bench.study, tab="two")

    assert second.get(1).json()["seen"] is False
    second.decide(1, "NRG")

    row = scene.latest(scene.case_of(bench.study), TARGET)
    assert (row.state, row.decided_by, "not_blind" in row.measures) == ("adjudicated", other, False)


def test_who_sees_the_readings_in_another_role_is_not_blind(bench: Bench, other: User, browser_of: Browser) -> None:
    cast.add_cast(bench.study, actor=bench.study.created_by, observer=other)
    second = Bench(browser_of(other), bench.study, tab="two")

    assert second.get(1).json()["seen"] is True
    second.decide(1, "NRG")

    assert scene.latest(scene.case_of(bench.study), TARGET).measures["not_blind"] is True


def test_an_answer_that_the_protocol_does_not_know_is_refused(bench: Bench) -> None:
    assert bench.decide(1, "perhaps").json()["code"] == "bad_answer"
    assert bench.post(1, "decide", verdicts=[]).json()["code"] == "not_answered"
    assert label_of(bench.study, 1)[1] == "undecided"


def test_a_case_that_is_read_again_leaves_the_queue_until_it_is_fused(
    bench: Bench, organiser: User, senior: User, graders: list[User]
) -> None:
    again = scene.assignments_of(bench.study, graders[1])[0]
    reopen_reading(assignment=again, actor=organiser, reason="The wrong eye was open.")

    assert bench.queue() == [3, 4]

    scene.read(again, answer("RG"))
    scene.fuse_all(bench.study, actor=senior)
    assert bench.queue() == [3, 4]  # they agree now


def test_home_and_the_study_say_how_many_wait(bench: Bench) -> None:
    for page in ("/", f"/studies/{bench.study.public_id}/"):
        assert "3 cases to settle" in bench.client.get(page).content.decode(), page


def test_the_page_says_when_nothing_is_left(bench: Bench) -> None:
    address = f"/studies/{bench.study.public_id}/adjudication/"
    assert "3 cases wait for you" in bench.client.get(address).content.decode()
    for number, label in ((1, "RG"), (3, "U"), (4, "NRG")):
        bench.decide(number, label)
    page = bench.client.get(address).content.decode()
    assert "Nothing to settle" in page
    assert "Your latest decisions" in page


def test_a_protocol_without_adjudication_says_so(organiser: User, adjudicator: User, browser_of: Browser) -> None:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, adjudicator=adjudicator)
    page = browser_of(adjudicator).get(f"/studies/{study.public_id}/adjudication/").content.decode()
    assert "Nothing is adjudicated here" in page
