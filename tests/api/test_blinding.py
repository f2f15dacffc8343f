"""What a grader can read by the API holds nothing of others, of the truth, or of the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from rest_framework.test import APIClient

from annotator.models import Assignment, Case, Image, Round, Scope, Study, User
from annotator.services.studies import change_state
from annotator.services.tokens import make_token
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

PAGES = [
    "/api/v1/me/",
    "/api/v1/me/worklists/",
    "/api/v1/me/assignments/",
    "/api/v1/me/assignments/{case}/",
    "/api/v1/me/assignments/{case}/workbench/",
    "/api/v1/me/assignments/{case}/flags/",
    "/api/v1/me/practice/{study}/1/workbench/",
    "/api/v1/me/practice/{study}/1/truth/",
    "/api/v1/protocols/",
    "/api/v1/studies/",
    "/api/v1/studies/{study}/",
    "/api/v1/studies/{study}/targets/",
    "/api/v1/jobs/",
]


@pytest.fixture
def reading(study: Study, organiser: User) -> Study:
    """Two cases, of which every grader has to read both; the clinic's truth stands in the strata."""
    cast.add_pictures(study, 2, actor=organiser)
    Case.objects.update(strata={"diagnosis": "secret-glaucoma"})
    Image.objects.update(device="secret-camera")
    cast.assign_all(study, actor=organiser)
    return change_state(study=study, version=study.version, state=Study.State.READING, actor=organiser)


@pytest.mark.parametrize("page", PAGES)
def test_a_grader_reads_no_secret(api: Api, reading: Study, graders: list[User], page: str) -> None:
    mine = Assignment.objects.filter(grader__user=graders[0])
    others = Assignment.objects.exclude(grader__user=graders[0])
    image = Image.objects.first()
    assert image is not None
    secrets = {"secret-glaucoma", "secret-camera", "picture-1.png", "P0001", image.public_id, image.sha256}
    secrets |= {name for grader in graders[1:] for name in (grader.name, grader.email)}
    secrets |= set(others.values_list("public_id", flat=True)) | {"Olga", "strata", "prevalence", "sha256"}

    text = api(graders[0]).get(page.format(study=reading.public_id, case=mine[0].public_id)).content.decode()

    assert [secret for secret in secrets if secret in text] == []


def test_a_grader_s_token_reads_exactly_what_the_grader_reads(api: Api, reading: Study, graders: list[User]) -> None:
    _token, secret = make_token(person=graders[0], name="Script", scopes=Scope.values)
    by_token = APIClient(HTTP_AUTHORIZATION=f"Bearer {secret}")
    own = Assignment.objects.filter(grader__user=graders[0])[0].public_id
    for page in PAGES:
        address = page.format(study=reading.public_id, case=own)
        assert (page, by_token.get(address).content) == (page, api(graders[0]).get(address).content)


def test_no_answer_holds_a_database_id(api: Api, reading: Study, organiser: User) -> None:
    client = api(organiser)
    pages = [f"/api/v1/studies/{reading.public_id}/{part}/" for part in ("images", "people", "audit", "targets")]
    texts = [client.get(page).content.decode() for page in pages]
    assert [text for text in texts if re.search(r'"(pk|id|person|user)":\s*\d', text)] == []


def test_a_hidden_repeat_looks_like_any_other_case(api: Api, reading: Study, graders: list[User]) -> None:
    first = Assignment.objects.filter(grader__user=graders[0]).earliest("position")
    again = Round.objects.create(study=reading, number=2, kind=Round.Kind.REPEAT)
    Assignment.objects.create(
        grader=first.grader, case=first.case, round=again, repeat_of=first, mirrored=True, position=1
    )

    cases = api(graders[0]).get("/api/v1/me/assignments/").json()["results"]

    assert [case["position"] for case in cases] == [1, 2, 3]
    assert len({frozenset(case) for case in cases}) == 1  # the same fields in each
    assert not {"round", "kind", "mirrored", "repeat_of"} & set(cases[0])


def test_a_grader_learns_neither_the_protocol_nor_how_far_the_others_are(
    api: Api, reading: Study, graders: list[User]
) -> None:
    shown = api(graders[0]).get(f"/api/v1/studies/{reading.public_id}/").json()
    assert (shown["protocol"], shown["counts"]) == (None, None)
    assert shown["own_progress"] == {"done": 0, "total": 2, "percent": 0}


def test_only_organisers_read_original_names(api: Api, reading: Study, organiser: User, senior: User) -> None:
    page = f"/api/v1/studies/{reading.public_id}/images/"
    assert api(organiser).get(page).json()["results"][0]["original_name"] == "picture-1.png"
    assert "picture-" not in api(senior).get(page).content.decode()


def test_a_senior_cannot_find_an_image_by_its_original_name(api: Api, reading: Study, senior: User) -> None:
    page = f"/api/v1/studies/{reading.public_id}/images/?search=picture-1"
    assert api(senior).get(page).json()["count"] == 0


def test_only_organisers_read_graders_names_beside_their_progress(
    api: Api, reading: Study, organiser: User, observer: User
) -> None:
    page = f"/api/v1/studies/{reading.public_id}/progress/"
    assert api(organiser).get(page).json()["graders"][0]["name"] == "Gina Grader"
    assert api(observer).get(page).json()["graders"] == []  # a count beside a code would give a letter away


def test_cases_of_a_study_that_is_not_open_are_not_listed(
    api: Api, study: Study, organiser: User, graders: list[User]
) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    assert api(graders[0]).get("/api/v1/me/assignments/").json()["count"] == 0
