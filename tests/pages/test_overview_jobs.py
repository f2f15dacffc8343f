"""Jobs: one's own and those of one's studies, their end in words, and the way to cancel."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.models import Job, Study, User

SignIn = Callable[[User], Client]


def job_of(owner: User, study: Study, **fields: Any) -> Job:
    """A job as its row says it; none of these is ever run."""
    ended = {"finished_at": timezone.now()} if fields.get("state") in {"done", "failed", "cancelled"} else {}
    return Job.objects.create(**{"kind": "assign_cases", "owner": owner, "study": study, **ended, **fields})


def test_an_organiser_sees_the_jobs_of_the_study(
    study: Study, organiser: User, outsider: User, browser_of: SignIn
) -> None:
    job_of(organiser, study)
    assert "Assignment of cases" in browser_of(organiser).get("/jobs/").content.decode()
    assert "No jobs" in browser_of(outsider).get("/jobs/").content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"state": "done", "result": {"assigned": 12}}, "12 readings were assigned."),
        ({"state": "failed", "error": "The archive is not whole."}, "The archive is not whole."),
        ({"state": "cancelled"}, "The job was cancelled."),
        (
            {
                "kind": "import_images",
                "state": "done",
                "result": {"added": 3, "duplicates": [], "rejected": [{"name": "a.png", "message": "Not a picture."}]},
            },
            "3 images were added. 1 file was rejected.",
        ),
    ],
)
def test_the_end_of_a_job_is_told_in_words(
    fields: dict[str, Any], words: str, study: Study, organiser: User, browser_of: SignIn
) -> None:
    job = job_of(organiser, study, **fields)
    page = browser_of(organiser).get(f"/jobs/{job.public_id}/").content.decode()
    assert words in page
    assert "/cancel/" not in page


def test_a_job_that_has_ended_leads_on(study: Study, organiser: User, browser_of: SignIn) -> None:
    done = job_of(organiser, study, state="done", result={"assigned": 12})
    going_on = job_of(organiser, study)
    pages = [browser_of(organiser).get(f"/jobs/{job.public_id}/").content.decode() for job in (done, going_on)]
    assert ["Go on in the study" in page for page in pages] == [True, False]


def test_rejected_files_stand_with_their_reason(study: Study, organiser: User, browser_of: SignIn) -> None:
    result = {"added": 0, "duplicates": [], "rejected": [{"name": "a.png", "message": "Not a picture."}]}
    job = job_of(organiser, study, kind="import_images", state="done", result=result)
    page = browser_of(organiser).get(f"/jobs/{job.public_id}/").content.decode()
    assert "a.png" in page
    assert "Not a picture." in page


def test_all_files_that_were_not_added_can_be_saved_as_a_table(
    study: Study, organiser: User, browser_of: SignIn
) -> None:
    rejected = [{"name": f"{number}.png", "message": "Not a picture."} for number in range(600)]
    known = [{"name": "=again.png", "same_as": "1.png"}]
    result = {"added": 1, "duplicates": known, "rejected": rejected}
    job = job_of(organiser, study, kind="import_images", state="done", result=result)

    lines = browser_of(organiser).get(f"/jobs/{job.public_id}/files.csv").content.decode().splitlines()

    assert lines[:2] == ["file,outcome,reason", "0.png,Rejected,Not a picture."]
    assert (len(lines), lines[-1]) == (602, "'=again.png,Already there,The same picture as 1.png.")


def test_a_waiting_job_watches_itself_and_can_be_cancelled(study: Study, organiser: User, browser_of: SignIn) -> None:
    job = job_of(organiser, study)
    browser = browser_of(organiser)
    page = browser.get(f"/jobs/{job.public_id}/").content.decode()
    assert f'data-job="/api/v1/jobs/{job.public_id}/"' in page
    answer = browser.post(f"/jobs/{job.public_id}/cancel/")
    job.refresh_from_db()
    assert answer.status_code == 302
    assert job.state == "cancelled"


@pytest.mark.parametrize("who", ["senior", "observer", "outsider"])
def test_others_can_neither_see_nor_cancel_a_job(
    who: str, study: Study, organiser: User, browser_of: SignIn, request: pytest.FixtureRequest
) -> None:
    job = job_of(organiser, study)
    browser = browser_of(request.getfixturevalue(who))
    assert browser.get(f"/jobs/{job.public_id}/").status_code == 404
    assert browser.post(f"/jobs/{job.public_id}/cancel/").status_code == 404
    job.refresh_from_db()
    assert job.state == "queued"


def test_a_job_that_has_ended_cannot_be_cancelled(study: Study, organiser: User, browser_of: SignIn) -> None:
    job = job_of(organiser, study, state="done")
    answer = browser_of(organiser).post(f"/jobs/{job.public_id}/cancel/")
    assert answer.status_code == 409
    assert "This job has already ended." in answer.content.decode()


def test_no_link_cancels_a_job(study: Study, organiser: User, browser_of: SignIn) -> None:
    job = job_of(organiser, study)
    assert browser_of(organiser).get(f"/jobs/{job.public_id}/cancel/").status_code == 405


@pytest.mark.parametrize("count", [5, 60])
def test_the_list_costs_the_same_for_5_and_60_jobs(
    count: int,
    study: Study,
    organiser: User,
    browser_of: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(count):
        job_of(organiser, study)
    browser = browser_of(organiser)
    with django_assert_max_num_queries(5):
        browser.get("/jobs/")
