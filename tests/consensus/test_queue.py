"""The queue: in order of disagreement, narrowed, and at the same cost however long it is."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotator.models import Case, Study, User
from consensus.models import CaseReview
from tests import cast
from tests.consensus import scene
from tests.consensus.senior import Table
from tests.remembering import remembered

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


@pytest.fixture
def study(request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User]) -> Study:
    """Three cases; from one to the next the third grader is farther from the others."""

    def make() -> Study:
        answers = [scene.refuge_answers(shift) for shift in (0.0, 1.0)]
        study = scene.read_study(
            "refuge", organiser=organiser, senior=senior, graders=graders[:2], answers=answers, cases=3
        )
        cast.add_cast(study, actor=organiser, graders=[graders[2]])
        cast.assign_all(study, actor=organiser)
        for number, assignment in enumerate(scene.assignments_of(study, graders[2])):
            scene.read(assignment, scene.refuge_answers(3.0 * number))
        scene.fuse_all(study, actor=senior)
        return study

    return remembered(request, [organiser, senior, *graders], make)


def numbers(client: Client, study: Study, query: str = "") -> list[int]:
    rows = client.get(f"/api/v1/studies/{study.public_id}/table/{query}").json()["results"]
    return [row["case"] for row in rows]


def test_the_case_with_the_most_disagreement_comes_first(study: Study, senior: User, browser_of: Browser) -> None:
    client = browser_of(senior)
    assert numbers(client, study) == [3, 2, 1]
    assert numbers(client, study, "?order=gci") == [3, 2, 1]
    assert numbers(client, study, "?order=number") == [1, 2, 3]


def test_the_queue_is_narrowed_by_state_grader_and_stratum(study: Study, senior: User, browser_of: Browser) -> None:
    client = browser_of(senior)
    case = scene.case_of(study, 2)
    case.strata = {"camera": "new"}
    case.save()
    assert numbers(client, study, "?stratum=camera:new") == [2]
    assert numbers(client, study, "?state=decided") == []
    assert numbers(client, study, "?grader=A") == [3, 2, 1]
    assert numbers(client, study, "?grader=Q") == []
    assert client.get(f"/api/v1/studies/{study.public_id}/table/?order=luck").status_code == 400


@pytest.mark.parametrize("name", ["a.b", 'a"b', "-1", "0", "a:b", "\\", "$", "片"])
def test_a_stratum_may_have_any_name(study: Study, senior: User, browser_of: Browser, name: str) -> None:
    case = scene.case_of(study, 2)
    case.strata = {name: "new"}
    case.save()
    assert numbers(browser_of(senior), study, f"?{urlencode({'stratum': f'{name}:new'})}") == [2]
    assert numbers(browser_of(senior), study, f"?{urlencode({'stratum': f'{name}:old'})}") == []


def test_next_and_previous_follow_the_queue(study: Study, senior: User, browser_of: Browser) -> None:
    ids = {number: scene.case_of(study, number).public_id for number in (1, 2, 3)}
    told = browser_of(senior).get(f"/api/v1/studies/{study.public_id}/table/cases/{ids[2]}/").json()
    assert (told["previous"], told["next"]) == (ids[3], ids[1])
    assert (told["place"], told["total"], told["left"]) == (2, 3, 3)


@pytest.mark.parametrize(("at", "left"), [(3, 1), (2, 3), (1, 3)])
def test_the_next_case_that_is_left_is_not_a_decided_one_and_may_lie_before(
    study: Study, senior: User, browser_of: Browser, at: int, left: int
) -> None:
    """The queue by disagreement is 3, 2, 1; the second is decided, and so comes last."""
    client = browser_of(senior)
    ids = {number: scene.case_of(study, number).public_id for number in (1, 2, 3)}
    table = Table(client, study)
    table.case_address = f"{table.address}cases/{ids[2]}/"
    assert table.accept_all().status_code == 200

    told = client.get(f"{table.address}cases/{ids[at]}/").json()

    assert told["next_left"] == ids[left]


def test_the_page_costs_the_same_for_one_case_and_for_many(study: Study, senior: User, browser_of: Browser) -> None:
    client, counts = browser_of(senior), []
    address = f"/studies/{study.public_id}/table/"
    for query in ("?state=open&stratum=nothing:here", "?state=open"):
        client.get(address + query)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address + query).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_home_tells_the_senior_how_many_cases_wait(
    study: Study, senior: User, organiser: User, browser_of: Browser
) -> None:
    assert b"3 cases to decide" in browser_of(senior).get("/").content
    assert b"cases to decide" not in browser_of(organiser).get("/").content


def test_the_pages_show_every_case_and_its_history(study: Study, senior: User, browser_of: Browser) -> None:
    client, case = browser_of(senior), scene.case_of(study, 3)
    page = client.get(f"/studies/{study.public_id}/table/").content.decode()
    assert f"/table/{case.public_id}/" in page
    history = client.get(f"/studies/{study.public_id}/table/{case.public_id}/history/").content.decode()
    assert history.count("history-after") == 3
    assert "Run of the whole study, begun by Sven Senior" in history


def test_a_senior_goes_on_with_the_next_case_to_decide_and_others_look(
    study: Study, senior: User, organiser: User, browser_of: Browser
) -> None:
    address = f"/studies/{study.public_id}/table/"
    Case.objects.filter(study=study).update(strata={"glaucoma": "no-glaucoma", "camera": "new"})
    hardest = f"{address}{scene.case_of(study, 3).public_id}/"

    page = browser_of(senior).get(address)

    assert page.context["next_url"] == hardest
    assert "Decide the next case" in page.content.decode()
    assert "Decide the next case" not in browser_of(organiser).get(address).content.decode()
    told = next(one for one in page.context["filters"] if one["name"] == "stratum")["options"]
    assert ("glaucoma:no-glaucoma", "Glaucoma: No glaucoma") in told
    assert ("camera:new", "camera: new") in told


@pytest.mark.parametrize(
    ("protocol", "orders"),
    [
        ("refuge", ["disagreement", "gci", "distance", "vcdr", "number"]),
        ("airogs", ["disagreement", "split", "number"]),
        ("glas", ["disagreement", "gci", "split", "number"]),
    ],
)
def test_a_queue_is_ordered_by_what_its_protocol_asks(
    organiser: User, browser_of: Browser, protocol: str, orders: list[str]
) -> None:
    study = cast.study_of(protocol, organiser=organiser)
    page = browser_of(organiser).get(f"/studies/{study.public_id}/table/", {"order": "vcdr"})
    assert page.context["orders"] == orders


def test_cases_are_accepted_together_from_their_page(study: Study, senior: User, browser_of: Browser) -> None:
    client, address = browser_of(senior), f"/studies/{study.public_id}/table/accept/"
    assert client.get(address, {"above": "0.5"}).status_code == 200
    ids = [scene.case_of(study, number).public_id for number in (1, 2, 3)]
    client.post(address, {"above": "0.5", "case": ids})
    agreed = {review.case.number for review in CaseReview.objects.filter(disagreement__lte=0.5)}
    accepted = {review.case.number for review in CaseReview.objects.filter(references_open=0)}
    assert accepted == agreed != set()


def test_a_run_is_asked_for_from_the_page(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    study = scene.read_study(
        "refuge", organiser=organiser, senior=senior, graders=graders, answers=[scene.refuge_answers()] * 3
    )
    client = browser_of(senior)
    assert b"1 case can be fused" in client.get(f"/studies/{study.public_id}/table/").content
    client.post(f"/studies/{study.public_id}/table/run/")
    assert b"data-job" in client.get(f"/studies/{study.public_id}/table/").content
