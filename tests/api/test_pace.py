"""Workload, reminders, hidden repeats, corrected eyes and alerts through the API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from annotator.models import Assignment, Case, Eye, Image, Membership, Round, Study, Subject, User
from annotator.services.flags import raise_flag
from annotator.services.laterality import side_of
from consensus.models import Alert
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.consensus.handmade import alerts_by_hand

if TYPE_CHECKING:
    from tests.api.conftest import Api

pytestmark = pytest.mark.django_db
WISH = {"repeats.share": 0.25, "repeats.gap_cases": 3, "repeats.gap_days": 0}


@pytest.fixture
def study(organiser: User, graders: list[User]) -> Study:
    """Sixteen eyes, two graders; the first has read twelve today."""
    study = cast.study_of("airogs", organiser=organiser, changes=WISH)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 16, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for assignment in scene.assignments_of(study, graders[0])[:12]:
        scene.read(assignment, answer("NRG"))
    return study


def person(study: Study, user: User) -> str:
    return Membership.objects.get(study=study, user=user).public_id


def test_the_workload_forecasts_and_tells_who_will_be_late(
    api: Api, at: Callable[[str], str], study: Study, organiser: User, graders: list[User]
) -> None:
    Round.objects.update(closes=timezone.now() + timedelta(days=7))
    today = timezone.localdate()
    told = api(organiser).get(at("workload/")).json()

    assert told["to_be_read_by"] == (today + timedelta(days=7)).isoformat()
    slow, fast = told["graders"]
    assert (slow["name"], slow["left"], slow["read"], slow["per_day"]) == (graders[1].name, 16, 0, 0.0)
    assert (slow["days_left"], slow["done_on"], slow["late"], slow["last_read"]) == (None, None, True, None)
    # Twelve on the first day, which counts as a whole one: the four that are left take one day more.
    assert (fast["name"], fast["left"], fast["read"], fast["per_day"]) == (graders[0].name, 4, 12, 12.0)
    assert (fast["days_left"], fast["done_on"], fast["late"]) == (1, (today + timedelta(days=1)).isoformat(), False)


def test_a_grader_is_reminded_and_not_again_within_days(
    api: Api, at: Callable[[str], str], study: Study, organiser: User, graders: list[User]
) -> None:
    client, address = api(organiser), at(f"people/{person(study, graders[0])}/remind/")
    assert client.post(address).json()["reminded_at"] is not None
    assert client.post(address).json()["code"] == "reminded_lately"
    nothing = client.post(at(f"people/{person(study, organiser)}/remind/"))
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothing_left")


def test_repeats_that_are_due_are_drawn_and_counted_by_grader(
    api: Api, at: Callable[[str], str], study: Study, organiser: User, graders: list[User]
) -> None:
    client = api(organiser)
    drawn = client.post(at("repeats/")).json()["drawn"]
    assert drawn in {3, 4}  # a quarter of twelve, rounded by lot
    assert client.post(at("repeats/")).json()["drawn"] == 0
    again = Assignment.objects.filter(grader__study=study).exclude(repeat_of=None)
    scene.read(again.select_related("case", "grader__user", "grader__study", "round")[0], answer("RG"))

    told = client.get(at("repeats/")).json()

    assert (told["share"], told["gap_cases"], told["gap_days"], told["mirrored"]) == (0.25, 3, 0, False)
    [one] = told["graders"]
    assert (one["name"], one["read"], one["shown"], one["read_again"]) == (graders[0].name, 12, drawn, 1)


def test_a_wrong_eye_is_corrected_from_its_flag_as_it_was_seen(
    api: Api, at: Callable[[str], str], study: Study, organiser: User, graders: list[User]
) -> None:
    """Cases 1 and 2 are the right and the left eye of one subject and were mixed up."""
    one = Subject.objects.create(study=study, pseudonym="P1")
    cases = list(Case.objects.filter(study=study).order_by("number")[:2])
    for case, side in zip(cases, "RL", strict=True):
        eye = Eye.objects.create(subject=one, side=side)
        Image.objects.filter(case_images__case=case).update(subject=one, eye=eye)
    assigned = Assignment.objects.select_related("grader__study").get(case=cases[0], grader__user=graders[1])
    flag = raise_flag(assignment=assigned, actor=graders[1], comment="Wrong eye?")
    client, address = api(organiser), at(f"flags/{flag.public_id}/fix/")
    assert [row["eye"] for row in client.get(at("flags/")).json()["results"]] == ["R"]

    refused = [client.post(address, {"side": side, "seen": seen}) for side, seen in (("R", "L"), ("U", "R"))]
    assert [one.status_code for one in refused] == [409, 400]
    assert [side_of(case) for case in cases] == ["R", "L"]

    told = client.post(address, {"side": "L", "seen": "R", "answer": "Thank you."}).json()

    assert (told["before"], told["after"], told["swapped"]) == ("R", "L", [2])
    assert (told["flag"]["eye"], told["flag"]["answer"]) == ("L", "Thank you.")
    assert [side_of(case) for case in cases] == ["L", "R"]


def test_an_alert_is_closed_once_with_a_note(
    api: Api, at: Callable[[str], str], study: Study, organiser: User, graders: list[User]
) -> None:
    alerts_by_hand(graders[0], organiser)
    Alert.objects.filter(closed_at=None).update(target=TARGET, measure="sensitivity")
    client = api(organiser)
    [alert] = [one for one in client.get(at("monitor/")).json()["alerts"] if one["closed_at"] is None]
    address = at(f"monitor/alerts/{alert['id']}/close/")
    assert client.post(address, {"note": " "}).status_code == 400

    told = client.post(address, {"note": "Trained again."}).json()

    assert (told["note"], told["value"], told["bound"]) == ("Trained again.", 0.7, 0.75)
    assert told["closed_at"] is not None
    assert client.post(address, {"note": "Twice."}).json()["code"] == "closed_already"
    assert client.post(at("monitor/alerts/nosuchthingnosuc/close/"), {"note": "None."}).status_code == 404
