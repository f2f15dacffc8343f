"""A grader asks about a case, the organiser answers, and the answer comes back to nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

from annotator.models import AuditEvent, Flag, Study, User
from annotator.selectors.workbench import author_of
from annotator.services.studies import change_state
from tests.workbench.desk import desk_of

if TYPE_CHECKING:
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def ask(desk: Desk, comment: str = "Wrong eye?", **more: Any) -> Any:
    return desk.client.post(desk.at("flags/"), {"author": author_of(desk.user), "comment": comment} | more)


def office(organiser: User) -> APIClient:
    client = APIClient()
    client.force_login(organiser)
    return client


def answer(organiser: User, text: str) -> Any:
    flag = Flag.objects.select_related("assignment__grader__study").latest("pk")
    study = flag.assignment.grader.study.public_id
    return office(organiser).post(f"/api/v1/studies/{study}/flags/{flag.public_id}/close/", {"answer": text})


def test_a_question_reaches_the_organiser_with_case_and_grader(desk: Desk, organiser: User, study: Study) -> None:
    assert ask(desk).status_code == 201

    (row,) = office(organiser).get(f"/api/v1/studies/{study.public_id}/flags/?state=open").json()["results"]

    assert (row["comment"], row["grader"], row["grader_name"]) == ("Wrong eye?", "G1", "Gina Grader")
    assert row["case"] == desk.assignment.case.number
    assert AuditEvent.objects.get(action="flag.raised").after == {"comment": "Wrong eye?"}


def test_the_answer_comes_back_and_is_new_until_it_is_seen(desk: Desk, organiser: User) -> None:
    ask(desk)
    assert answer(organiser, "It is the left eye; read it as such.").status_code == 200

    (flag,) = desk.read()["flags"]
    assert (flag["answer"], flag["seen"]) == ("It is the left eye; read it as such.", False)
    assert "Olga" not in str(flag)

    desk.client.post(desk.at("flags/seen/"))
    assert [flag["seen"] for flag in desk.read()["flags"]] == [True]
    assert AuditEvent.objects.get(action="flag.answered").before == {"comment": "Wrong eye?"}


def test_another_grader_of_the_same_case_sees_neither_question_nor_answer(
    desk: Desk, organiser: User, graders: list[User], study: Study
) -> None:
    ask(desk)
    answer(organiser, "Left.")
    other = desk_of(graders[1], study)
    other.assignment = graders[1].memberships.get(study=study).assignments.get(case=desk.assignment.case)

    assert other.read()["flags"] == []
    assert other.client.get(other.at("flags/")).json()["results"] == []
    assert other.client.get(desk.at("flags/")).status_code == 404


def test_a_case_has_one_open_question_and_may_be_asked_about_again(desk: Desk, organiser: User) -> None:
    ask(desk)
    again = ask(desk, "Upside down?")
    assert (again.status_code, again.json()["code"]) == (409, "already_flagged")

    answer(organiser, "")

    assert ask(desk, "Upside down?").status_code == 201
    assert [flag["comment"] for flag in desk.read()["flags"]] == ["Upside down?", "Wrong eye?"]
    assert AuditEvent.objects.filter(action="flag.closed").count() == 1


def test_a_question_is_closed_once(desk: Desk, organiser: User) -> None:
    ask(desk)
    answer(organiser, "Left.")
    second = answer(organiser, "Right.")
    assert (second.status_code, second.json()["code"]) == (409, "not_open")
    assert Flag.objects.get().answer == "Left."


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"comment": "   "}, 400, "invalid"),
        ({"comment": "x" * 2001}, 400, "invalid"),
        ({"comment": None}, 400, "invalid"),
        ({"comment": "a\x00b"}, 400, "invalid"),
        ({"author": "somebody-else"}, 409, "other_author"),
        ({"extra": 1}, 400, "invalid"),
    ],
)
def test_a_bad_question_is_refused_and_not_kept(desk: Desk, body: dict[str, Any], status: int, code: str) -> None:
    refused = ask(desk, **body)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert Flag.objects.count() == 0


def test_a_submitted_case_can_be_flagged_but_not_one_of_a_closed_study(
    desk: Desk, study: Study, organiser: User
) -> None:
    study.refresh_from_db()
    change_state(study=study, version=study.version, state=Study.State.CLOSED, actor=organiser)
    refused = ask(desk)
    assert (refused.status_code, refused.json()["code"]) == (409, "study_not_reading")
