"""Removing a grader through the API: looked at, done, followed up and taken back. The first of three graders calls
every eye referable; see tests/consensus/removal_scene.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from annotator.models import Study, User
from consensus.models import GraderLetter, Removal
from tests.consensus.removal_scene import TRUTH, finish_jobs, half_read, labels, member, read_again, read_by

if TYPE_CHECKING:
    from tests.api.conftest import Api

pytestmark = pytest.mark.django_db
REASON = {"reason": "Reads at random."}
WORDS = {"RG": "Referable glaucoma", "NRG": "No referable glaucoma", "undecided": "Undecided"}


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    return half_read(organiser, senior, graders)


@pytest.fixture
def removal(study: Study, at: Callable[[str], str], graders: list[User]) -> str:
    """Where the first grader is looked at and removed."""
    return at(f"people/{member(study, graders[0]).public_id}/removal/")


def test_a_preview_tells_what_would_happen_and_writes_nothing(
    api: Api, study: Study, removal: str, organiser: User, graders: list[User], stored: Callable[[], dict[str, int]]
) -> None:
    GraderLetter.objects.all().delete()
    before = stored()
    told = api(organiser).get(removal).json()

    had = read_by(study, graders[0])
    read = had & TRUTH.keys()
    assert (told["readings"], told["cases"], told["open_assignments"]) == (len(read), len(had), len(had - read))
    assert (told["references"], told["nobody"]) == (len(read), 0)
    assert sum(one["cases"] for one in told["instead"]) == len(had)
    assert {one["name"] for one in told["instead"]} <= {graders[1].name, graders[2].name}
    # With one of two voices gone every label that both had agreed on falls open.
    agreed = {number for number in read if labels(study)[number] != "undecided"}
    assert {one["case"] for one in told["labels"]} == agreed
    assert told["labels_changed"] == len(agreed)
    assert (stored(), GraderLetter.objects.count(), Removal.objects.count()) == (before, 0, 0)


def test_a_grader_is_removed_once_and_with_a_reason(
    api: Api, at: Callable[[str], str], study: Study, removal: str, organiser: User, graders: list[User]
) -> None:
    client, had = api(organiser), read_by(study, graders[0])
    read = had & TRUTH.keys()
    assert client.post(removal, {"reason": " "}).status_code == 400
    assert member(study, graders[0]).active

    answer = client.post(removal, REASON)

    told = answer.json()
    assert (answer.status_code, told["reason"], told["removed_by"]) == (201, REASON["reason"], organiser.name)
    assert (told["readings_aside"], told["taken_away"]) == (len(read), len(had - read))
    assert (told["given"], told["read_again"], told["changed"], told["taken_back_at"]) == (len(had), 0, 0, None)
    assert not member(study, graders[0]).active
    assert [one["id"] for one in client.get(at("removals/")).json()["results"]] == [told["id"]]
    again = [client.post(removal, REASON), client.get(removal)]
    assert [(one.status_code, one.json()["code"]) for one in again] == [(409, "removed")] * 2


def test_every_reference_that_changed_is_listed_in_pages(
    api: Api,
    at: Callable[[str], str],
    study: Study,
    removal: str,
    organiser: User,
    graders: list[User],
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    before = labels(study)
    wrong = sorted(number for number, label in before.items() if label != TRUTH[number])
    client = api(organiser)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        one = at(f"removals/{client.post(removal, REASON).json()['id']}/")
        read_again(study, graders[1:])
    finish_jobs()

    told = client.get(one).json()
    assert (told["changed"], told["out_of_date"]) == (len(wrong), 0)
    assert told["read_again"] == len(read_by(study, graders[0]) & TRUTH.keys())
    listed = client.get(one + "changes/", {"page_size": 1}).json()
    assert (listed["count"], len(listed["results"])) == (len(wrong), 1)
    changes = client.get(one + "changes/").json()["results"]
    assert [(row["case"], row["before"], row["after"]) for row in changes] == [
        (number, WORDS[before[number]], WORDS[TRUTH[number]]) for number in wrong
    ]


def test_a_removal_is_taken_back_once(
    api: Api, at: Callable[[str], str], study: Study, removal: str, organiser: User, graders: list[User]
) -> None:
    client = api(organiser)
    back = at(f"removals/{client.post(removal, REASON).json()['id']}/take-back/")

    told = client.post(back)

    assert (told.status_code, told.json()["taken_back_at"] is None) == (200, False)
    assert member(study, graders[0]).active
    assert client.post(back).json()["code"] == "taken_back"
    assert client.get(removal).status_code == 200  # could be removed once more
