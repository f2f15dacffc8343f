"""Submitting: only the right person, only what the recipe and the picture allow, and never over an earlier reading."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from annotator.answers import Given, check_answer
from annotator.errors import DomainError
from annotator.geometry import runs
from annotator.models import Assignment, AuditEvent, Reading, Revision, Round, Study, User
from annotator.models.study import StudyState
from annotator.services.readings import submit_reading
from annotator.services.studies import change_state
from protocols import PUBLISHED
from tests import cast

DISC = {"cx": 16.0, "cy": 12.0, "a": 6.0, "b": 5.0, "theta_deg": 30.0}
CUP = {"cx": 16.0, "cy": 12.0, "a": 3.0, "b": 2.5, "theta_deg": 30.0}
WHOLE = (
    Given(target="disc", geometry=DISC),
    Given(target="cup", geometry=CUP),
    Given(target="fovea", geometry={"x": 4.5, "y": 11.0}),
)


def mask_bytes(*rows: str) -> bytes:
    return runs.pack(runs.encode(np.array([[character == "#" for character in row] for row in rows])))


BAD: list[tuple[str, Given, str]] = [
    ("refuge:disc", Given("disc", geometry={**DISC, "a": float("nan")}), "finite"),
    ("refuge:disc", Given("disc", geometry={**DISC, "a": -1.0}), "positive"),
    ("refuge:disc", Given("disc", geometry={**DISC, "cx": 1e9}), "cx|outside"),
    ("refuge:disc", Given("disc", geometry={**DISC, "a": 500.0}), "diagonal"),
    ("refuge:disc", Given("disc", geometry={"cx": 1.0}), "exactly"),
    ("refuge:disc", Given("disc", geometry={**DISC, "cx": True}), "finite"),
    ("refuge:disc", Given("disc", geometry=DISC, label="RG"), "label"),
    ("refuge:fovea", Given("fovea", geometry={"x": -0.1, "y": 3.0}), "outside"),
    ("refuge:fovea", Given("fovea", answer="lost"), "must not be"),
    ("adam:fovea", Given("fovea", answer="not-visible", geometry={"x": 1.0, "y": 1.0}), "nothing may be marked"),
    ("adam:drusen", Given("drusen", masks=()), "exactly one"),
    ("adam:drusen", Given("drusen", masks=(b"junk",)), "deflated"),
    ("adam:drusen", Given("drusen", masks=(runs.pack(np.array([9999], dtype=np.int32)),)), "past the end"),
    ("airogs:referable", Given("referable", label="maybe"), "label"),
    ("airogs:referable", Given("referable", label="NRG", signs=("large_cup",)), "signs"),
    ("airogs:referable", Given("referable", label="RG", signs=("green_hair",)), "signs"),
    ("glas:glands", Given("glands", masks=(mask_bytes("##", "##"), mask_bytes(".#", ".."))), "overlaps"),
    ("glas:glands", Given("glands", masks=(mask_bytes("..", ".."),)), "empty"),
    ("refuge:disc", Given("disc", geometry=DISC, confidence=1.5), "confidence"),
]


@pytest.mark.parametrize(("place", "given", "why"), BAD)
def test_what_does_not_fit_is_refused_with_the_reason(place: str, given: Given, why: str) -> None:
    protocol, key = place.split(":")
    kind = {target.kind.value: target for target in PUBLISHED[protocol].targets if target.source.value == "graded"}
    target = next((t for t in PUBLISHED[protocol].targets if t.key == key), None) or kind["label"]
    size = (2, 2) if protocol == "glas" else (32, 24)
    with pytest.raises(ValueError, match=why):
        check_answer(target, given, *size)


def test_objects_side_by_side_are_taken() -> None:
    target = next(t for t in PUBLISHED["glas"].targets if t.kind.value == "objects")
    checked = check_answer(target, Given(target.key, masks=(mask_bytes("#.", "#."), mask_bytes(".#", ".#"))), 2, 2)
    assert checked.geometry is not None
    assert [entry["id"] for entry in checked.geometry["objects"]] == [1, 2]


def test_the_same_answer_has_the_same_digest_and_another_size_another() -> None:
    target = PUBLISHED["refuge"].target("disc")
    once = check_answer(target, WHOLE[0], 32, 24)
    assert once.digest == check_answer(target, WHOLE[0], 32, 24).digest
    assert once.digest != check_answer(target, WHOLE[0], 32, 25).digest


pytestmark = [pytest.mark.django_db, pytest.mark.contract]


@pytest.fixture
def assignment(study: Study, organiser: User) -> Assignment:
    cast.add_pictures(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study.refresh_from_db()
    change_state(study=study, version=study.version, state=StudyState.READING, actor=organiser)
    return Assignment.objects.select_related("grader__user", "grader__study").order_by("pk")[0]


def submit(assignment: Assignment, answers: Sequence[Given] = WHOLE, **changes: Any) -> Reading:
    fields: dict[str, Any] = {"actor": assignment.grader.user, "opened_at": timezone.now(), "active_ms": 1000}
    return submit_reading(assignment=assignment, answers=answers, **(fields | changes))


def test_a_reading_is_frozen_and_logged(assignment: Assignment) -> None:
    reading = submit(assignment)
    assignment.refresh_from_db()
    event = AuditEvent.objects.filter(action="reading.submitted").get()
    assert assignment.state == "submitted"
    assert Revision.objects.filter(reading=reading).count() == 3
    assert event.after == {"number": 1, "digest": reading.digest, "answers": 3}


def test_what_is_stored_is_what_was_sent(assignment: Assignment) -> None:
    reading = submit(assignment)
    assert reading.revisions.get(target__key="disc").geometry == DISC


def test_a_second_submission_leaves_the_first_as_it_was(assignment: Assignment) -> None:
    first = submit(assignment)
    second = submit(assignment, (WHOLE[0], WHOLE[1], Given("fovea", geometry={"x": 9.0, "y": 9.0})))
    first.refresh_from_db()
    assert (first.number, second.number) == (1, 2)
    assert first.withdrawn_at is not None
    assert first.revisions.get(target__key="fovea").geometry == {"x": 4.5, "y": 11.0}


def test_another_persons_case_is_refused(assignment: Assignment, graders: list[User], organiser: User) -> None:
    for stranger in (organiser, next(g for g in graders if g != assignment.grader.user)):
        with pytest.raises(DomainError, match="not assigned to you"):
            submit(assignment, actor=stranger)


def test_a_closed_study_takes_no_reading(assignment: Assignment) -> None:
    Study.objects.update(state="closed")
    with pytest.raises(DomainError, match="not open"):
        submit(assignment)


def test_a_closed_round_takes_no_reading(assignment: Assignment) -> None:
    Round.objects.update(closes=timezone.now() - timedelta(seconds=1))
    with pytest.raises(DomainError, match="not open"):
        submit(assignment)


def test_an_assignment_that_was_taken_away_takes_no_reading(assignment: Assignment) -> None:
    Assignment.objects.update(state="withdrawn")
    with pytest.raises(DomainError, match="no longer"):
        submit(assignment)


def test_a_missing_answer_is_named_and_nothing_is_stored(assignment: Assignment) -> None:
    with pytest.raises(DomainError) as refusal:
        submit(assignment, WHOLE[:2])
    assert "ovea" in refusal.value.message
    assert Reading.objects.count() == 0


def test_a_bad_answer_names_its_place_and_nothing_is_stored(assignment: Assignment) -> None:
    with pytest.raises(DomainError) as refusal:
        submit(assignment, (*WHOLE[:2], Given("fovea", geometry={"x": 99.0, "y": 1.0})))
    assert refusal.value.field == "answers[2]"
    assert (Reading.objects.count(), Revision.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Given("macula", geometry={"x": 1.0, "y": 1.0}), "unknown_target"),
        (Given("glaucoma", label="1"), "unknown_target"),
        (Given("fovea", position=2, geometry={"x": 1.0, "y": 1.0}), "unknown_image"),
        (WHOLE[0], "answered_twice"),
    ],
)
def test_strangers_among_the_answers_are_refused(assignment: Assignment, given: Given, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        submit(assignment, (*WHOLE, given))
    assert refusal.value.code == code


def test_a_reading_opened_in_the_future_is_refused(assignment: Assignment) -> None:
    with pytest.raises(DomainError, match="times"):
        submit(assignment, opened_at=timezone.now() + timedelta(hours=1))
