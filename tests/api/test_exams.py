"""An exam through the API: how candidates stand, who is admitted or let off, and what a candidate learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import Assignment, Membership, Role, Study, User
from annotator.selectors.own import own_assignments
from annotator.services.people import add_member
from consensus.models import Exam, ExamResult
from consensus.services.exams import set_up_exam
from tests import cast
from tests.consensus.adjudication_scene import TARGET
from tests.consensus.exam_scene import LIMITS, ONE_FALSE_ALARM, TRUTH, known, passed_by, sit

if TYPE_CHECKING:
    from tests.api.conftest import Api

pytestmark = pytest.mark.django_db
FULL = ("RG",) * len(TRUTH)  # accuracy 2/10, specificity 0/8


@pytest.fixture
def study(organiser: User) -> Study:
    return cast.study_of("airogs", organiser=organiser)


@pytest.fixture
def exam(study: Study, organiser: User) -> Exam:
    exam = set_up_exam(study=study, limits=LIMITS, shows_errors=False, actor=organiser, name="EODAT")
    cast.add_pictures(exam.held_in, len(TRUTH), actor=organiser)
    known(exam.held_in, TRUTH, actor=organiser)
    return exam


def own(exam: Exam, rest: str = "") -> str:
    return f"/api/v1/me/exams/{exam.held_in.public_id}/{rest}"


def test_the_exam_tells_limits_progress_marks_with_intervals_and_who_is_admitted(
    api: Api, at: Callable[[str], str], exam: Exam, organiser: User, graders: list[User]
) -> None:
    passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    add_member(study=exam.study, user=graders[1], role=Role.GRADER, actor=organiser)
    add_member(study=exam.held_in, user=graders[2], role=Role.GRADER, actor=organiser)

    told = api(organiser).get(at("exam/")).json()

    assert (told["held_in"], told["asked_for"], told["shows_errors"]) == (exam.held_in.public_id, True, False)
    assert (told["cases"], told["lacking"], told["stale"]) == (10, [], False)
    assert [(one["role"], one["measure"], one["bound"], one["limit"]) for one in told["limits"]] == [
        ("grader", "accuracy", "at-least", 0.85),
        ("grader", "specificity", "at-least", 0.85),
        ("adjudicator", "accuracy", "at-least", 0.95),
    ]
    found = {one["name"]: one for one in told["candidates"]}
    first, last = found[graders[0].name], found[graders[2].name]
    assert (first["given"], first["submitted"], first["passed_as"], first["admitted_as"]) == (10, 10, ["grader"], [])
    marks = [(one["role"], one["value"], one["images"], one["met"]) for one in first["marks"]]
    assert marks == [("grader", 0.9, 10, True), ("grader", 0.875, 8, True), ("adjudicator", 0.9, 10, False)]
    # Wilson: (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96
    bounds = [round(one[end], 4) for one in first["marks"][:2] for end in ("low", "high")]
    assert bounds == [0.5958, 0.9821, 0.5291, 0.9776]
    assert (last["given"], last["handed_in_at"], last["marks"], last["passed_as"]) == (0, None, [], [])
    assert [one["name"] for one in told["unqualified"]] == [graders[1].name]


def test_the_exam_asks_the_database_as_much_for_many_candidates_as_for_one(
    api: Api, at: Callable[[str], str], exam: Exam, organiser: User, graders: list[User]
) -> None:
    asked = []
    for grader in graders:
        passed_by(exam, grader, TRUTH, organiser=organiser)
        add_member(study=exam.study, user=cast.person(f"Of {grader.name}"), role=Role.GRADER, actor=organiser)
        with CaptureQueriesContext(connection) as queries:
            api(organiser).get(at("exam/"))
        asked.append(len(queries))
    assert len(set(asked)) == 1


def test_whoever_passed_is_admitted_in_that_role_alone(
    api: Api, at: Callable[[str], str], exam: Exam, organiser: User, graders: list[User]
) -> None:
    candidate = passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser).candidate
    address, client = at(f"exam/candidates/{candidate.public_id}/admit/"), api(organiser)

    refused = [client.post(address, {"role": role}) for role in ("adjudicator", "senior")]
    assert [(one.status_code, one.json()["code"]) for one in refused] == [(409, "not_passed"), (400, "invalid")]
    assert not Membership.objects.filter(study=exam.study, user=graders[0]).exists()

    answer = client.post(address, {"role": "grader"})
    member = Membership.objects.get(study=exam.study, user=graders[0])
    assert (answer.status_code, answer.json()["id"], answer.json()["role"]) == (200, member.public_id, "grader")
    assert "EODAT" in answer.json()["qualification"]
    assert client.get(at("exam/")).json()["candidates"][0]["admitted_as"] == ["grader"]
    assert client.post(address, {"role": "grader"}).status_code == 409  # has it already


def test_somebody_is_let_off_with_a_reason_and_once(
    api: Api, at: Callable[[str], str], exam: Exam, organiser: User, graders: list[User]
) -> None:
    member = add_member(study=exam.study, user=graders[0], role=Role.GRADER, actor=organiser)
    address, client = at(f"exam/people/{member.public_id}/waive/"), api(organiser)
    assert client.post(address, {"reason": " "}).status_code == 400
    member.refresh_from_db()
    assert member.qualified_at is None

    answer = client.post(address, {"reason": "Wrote the protocol."})
    assert (answer.status_code, answer.json()["qualification"]) == (200, "Wrote the protocol.")
    assert client.get(at("exam/")).json()["unqualified"] == []
    assert client.post(address, {"reason": "Again."}).json()["code"] == "qualified"


def test_exams_are_marked_again_after_an_answer_was_corrected(
    api: Api, at: Callable[[str], str], exam: Exam, organiser: User, graders: list[User]
) -> None:
    passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    passed_by(exam, graders[1], FULL, organiser=organiser)
    client = api(organiser)
    assert client.post(at("exam/mark-again/")).json()["changed"] == 0
    # What the first one said of the case called a false alarm is true after all; the second passes neither way.
    right = Assignment.objects.filter(grader__user=graders[0], readings__revisions__label="RG")
    positives = set(right.values_list("case__number", flat=True))
    known(exam.held_in, ["RG" if number in positives else "NRG" for number in range(1, 11)], actor=organiser)
    assert client.get(at("exam/")).json()["stale"] is True

    answer = client.post(at("exam/mark-again/")).json()

    assert (answer["changed"], answer["exam"]["stale"]) == (1, False)
    passed = {one["name"]: one["passed_as"] for one in answer["exam"]["candidates"]}
    assert passed == {graders[0].name: ["grader", "adjudicator"], graders[1].name: []}


def test_a_candidate_hands_in_and_learns_pass_or_fail_and_nothing_else(
    api: Api, exam: Exam, organiser: User, graders: list[User]
) -> None:
    sit(exam, graders[0], FULL, organiser=organiser)
    passed_by(exam, graders[1], TRUTH, organiser=organiser)
    client = api(graders[0])
    [before] = client.get(own(exam)).json()["exams"]
    assert (before["given"], before["submitted"], before["can_be_handed_in"]) == (10, 10, True)
    assert (before["passed"], before["wrong"], before["handed_in_at"]) == (None, None, None)

    [after] = client.post(own(exam, "hand-in/"), {"exam": exam.public_id}).json()["exams"]

    assert (after["passed"], after["wrong"], after["can_be_handed_in"]) == (False, None, False)
    assert set(after) == {"id", "given", "submitted", "can_be_handed_in", "handed_in_at", "passed", "wrong"}
    assert ExamResult.objects.filter(candidate__user=graders[0]).count() == 1
    client.post(own(exam, "hand-in/"), {"exam": exam.public_id})  # the first result stands
    assert ExamResult.objects.filter(candidate__user=graders[0]).count() == 1


def test_own_errors_are_told_where_the_exam_shows_them(
    api: Api, exam: Exam, organiser: User, graders: list[User]
) -> None:
    Exam.objects.filter(pk=exam.pk).update(shows_errors=True)
    passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    said: dict[str, Any] = {one.public_id: one for one in own_assignments(graders[0], study=exam.held_in.public_id)}
    [told] = api(graders[0]).get(own(exam)).json()["exams"]

    assert told["passed"] is True
    [error] = told["wrong"]
    assert (error["target"], error["said"], error["truth"]) == (TARGET, "RG", "NRG")
    assert error["case"] == 1 + list(said).index(error["assignment"])  # in the candidate's own order


def test_an_exam_is_handed_in_whole_by_its_candidate_and_by_its_own_name(
    api: Api, exam: Exam, organiser: User, graders: list[User], outsider: User
) -> None:
    add_member(study=exam.held_in, user=graders[0], role=Role.GRADER, actor=organiser)
    asked = {"exam": exam.public_id}
    answers = [
        api(graders[0]).post(own(exam, "hand-in/"), asked),
        api(graders[0]).post(own(exam, "hand-in/"), {"exam": "nosuchthingnosuc"}),
        api(organiser).post(own(exam, "hand-in/"), asked),
        api(outsider).post(own(exam, "hand-in/"), asked),
    ]
    assert [one.status_code for one in answers] == [409, 404, 403, 404]
    assert answers[0].json()["code"] == "not_all_given"
    assert not ExamResult.objects.exists()
