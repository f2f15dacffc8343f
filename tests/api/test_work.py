"""Assignment, jobs, the log, and a person's own cases by the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Assignment, AuditEvent, Job, Membership, Study, User
from annotator.services.job_run import run_job
from annotator.services.studies import change_state
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

At = Callable[[str], str]
Stored = Callable[[], dict[str, int]]


@pytest.fixture
def filled(study: Study, organiser: User) -> Study:
    """Four cases for three graders."""
    cast.add_pictures(study, 4, actor=organiser)
    return study


def test_a_preview_says_who_would_get_how_many_and_writes_nothing(
    api: Api, filled: Study, organiser: User, at: At, stored: Stored
) -> None:
    before = stored()
    response = api(organiser).post(at("assignments/preview/"), {"graders_per_case": 2})
    shares = [grader["new"] for grader in response.json()["graders"]]
    assert response.json()["count"] == 8  # 4 cases × 2 graders
    assert sorted(shares) == [2, 3, 3]  # shared as evenly as 8 among 3 can be
    assert stored() == before


def test_assigning_is_a_job_that_its_owner_can_watch(api: Api, filled: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    asked = client.post(at("assignments/"), {"graders_per_case": None})
    run_job(Job.objects.get().pk)
    job = client.get(f"/api/v1/jobs/{asked.json()['id']}/").json()
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")
    assert (job["state"], job["steps_done"], job["steps_total"]) == ("done", 12, 12)
    assert Assignment.objects.count() == 12  # 4 cases × 3 graders


@pytest.mark.parametrize("count", [0, 4, -1, "two", 1.5])
def test_an_impossible_number_of_graders_is_refused(
    api: Api, filled: Study, organiser: User, at: At, stored: Stored, count: Any
) -> None:
    before = stored()
    response = api(organiser).post(at("assignments/"), {"graders_per_case": count})
    assert (response.status_code, response.json()["field"]) == (400, "graders_per_case")
    assert stored() == before


def test_assigning_without_graders_is_a_conflict(api: Api, filled: Study, organiser: User, at: At) -> None:
    Membership.objects.filter(role="grader").update(active=False, left_at=filled.created_at)
    response = api(organiser).post(at("assignments/"), {"graders_per_case": None})
    assert (response.status_code, response.json()["code"]) == (409, "no_graders")


def test_a_waiting_job_is_cancelled_once(api: Api, filled: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    job = client.post(at("assignments/"), {"graders_per_case": None}).json()
    first = client.post(f"/api/v1/jobs/{job['id']}/cancel/")
    second = client.post(f"/api/v1/jobs/{job['id']}/cancel/")
    assert (first.status_code, first.json()["state"]) == (200, "cancelled")
    assert (second.status_code, second.json()["code"]) == (409, "job_finished")


def test_jobs_are_found_by_state(api: Api, filled: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    client.post(at("assignments/"), {"graders_per_case": None})
    counts = [client.get(f"/api/v1/jobs/?state={state}").json()["count"] for state in ("queued", "done")]
    assert counts == [1, 0]


def test_the_log_tells_what_was_done_newest_first(api: Api, study: Study, organiser: User, at: At) -> None:
    client = api(organiser)
    client.patch(at(""), {"version": study.version, "name": "Newer"})
    event = client.get(at("audit/")).json()["results"][0]
    assert (event["action"], event["actor"]) == ("study.described", "Olga Organiser")
    assert (event["before"]["name"], event["after"]["name"]) == (study.name, "Newer")


def test_the_log_of_one_study_has_no_event_of_another(
    api: Api, study: Study, organiser: User, outsider: User, at: At
) -> None:
    cast.study_of("age", organiser=outsider)
    assert api(organiser).get(at("audit/")).json()["count"] == AuditEvent.objects.filter(study=study).count()


def test_a_grader_reads_the_own_worklist_in_reading_order(
    api: Api, filled: Study, organiser: User, graders: list[User]
) -> None:
    cast.assign_all(filled, actor=organiser)
    change_state(study=filled, version=filled.version, state=Study.State.READING, actor=organiser)
    own = Assignment.objects.filter(grader__user=graders[0]).order_by("position")
    client = api(graders[0])

    (worklist,) = client.get("/api/v1/me/worklists/").json()["results"]
    cases = client.get(f"/api/v1/me/assignments/?study={filled.public_id}&state=waiting").json()["results"]

    assert worklist["progress"] == {"done": 0, "total": 4, "percent": 0}
    assert worklist["next"] == own[0].public_id
    assert [case["id"] for case in cases] == list(own.values_list("public_id", flat=True))
    assert cases[0]["images"][0]["url"] == f"/read/{own[0].public_id}/1/image"


def test_another_grader_s_case_does_not_exist(api: Api, filled: Study, organiser: User, graders: list[User]) -> None:
    cast.assign_all(filled, actor=organiser)
    change_state(study=filled, version=filled.version, state=Study.State.READING, actor=organiser)
    other = Assignment.objects.filter(grader__user=graders[1])[0].public_id
    client = api(graders[0])
    refused = client.get(f"/api/v1/me/assignments/{other}/")
    missing = client.get("/api/v1/me/assignments/nosuchcasenosuch/")
    assert (refused.status_code, refused.json()) == (404, missing.json())


def test_i_am_told_who_i_am_and_what_i_may_do(api: Api, study: Study, organiser: User) -> None:
    me = api(organiser).get("/api/v1/me/").json()
    assert (me["name"], me["may_create_studies"]) == ("Olga Organiser", True)
    assert me["roles"] == [{"study": {"id": study.public_id, "name": study.name}, "role": "organiser"}]
