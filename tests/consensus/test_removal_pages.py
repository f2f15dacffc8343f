"""Pages of a removal: previewed, done, reported with a file, found again from elsewhere, taken back."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from annotator.answers import Given
from consensus.selectors.removals import changes_since
from consensus.services.removing import preview_removal, remove_grader
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET
from tests.consensus.removal_scene import TRUTH, finish_jobs, half_read, member, read_again, read_by
from tests.workbench.desk import add_eye

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from annotator.models import Study, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    return half_read(organiser, senior, graders)


def test_the_organiser_previews_removes_and_takes_back_on_pages(
    study: Study, organiser: User, senior: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    browser, bad = browser_of(organiser), member(study, graders[0])
    page = reverse("grader_remove", args=[study.public_id, bad.public_id])
    assert page in browser.get(reverse("study_people", args=[study.public_id])).content.decode()
    assert "Nothing has been changed yet." in browser.get(page).content.decode()
    assert browser.post(page, {"reason": " "}).status_code == 400
    report = browser.post(page, {"reason": "Drifts."})["Location"]
    assert browser.get(page)["Location"] == report
    assert "Drifts." in browser.get(report).content.decode()
    for other in (senior, graders[0], graders[1]):
        for address in (page, report):
            assert browser_of(other).get(address).status_code in {403, 404}
            assert browser_of(other).post(address, {"reason": "No."}).status_code in {403, 404}
    assert browser.post(report)["Location"] == report
    assert "took this removal back" in browser.get(report).content.decode()


def test_every_reference_that_changed_is_in_a_file_and_asking_takes_few_queries(
    study: Study,
    organiser: User,
    senior: User,
    graders: list[User],
    browser_of: Callable[[User], Client],
    django_assert_max_num_queries: Callable[[int], object],
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        read_again(study, graders[1:])
    finish_jobs()
    with django_assert_max_num_queries(2):  # type: ignore[attr-defined]
        changes = changes_since(removal)
    address = reverse("removal_table", args=[study.public_id, removal.public_id])

    rows = list(csv.DictReader(io.StringIO(browser_of(organiser).get(address).content.decode())))

    # What the first said of eyes that are not RG stood against a right answer, so that it was undecided.
    spoilt = [number for number in sorted(read_by(study, graders[0]) & TRUTH.keys()) if TRUTH[number] != "RG"]
    assert [int(row["case"]) for row in rows] == spoilt == [one.case.number for one in changes]
    assert {(row["before"], row["after"]) for row in rows} == {("Undecided", "No referable glaucoma")}
    for other in (senior, graders[1]):
        assert browser_of(other).get(address).status_code == 403


def test_people_and_the_graders_page_lead_to_the_removal(
    study: Study, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    bad, browser = member(study, graders[0]), browser_of(organiser)
    pages = [
        reverse("study_people", args=[study.public_id]),
        reverse("monitor_grader", args=[study.public_id, bad.public_id]),
    ]
    assert all("Removed" not in browser.get(page).content.decode() for page in pages)

    remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)

    people, own = (browser.get(page).content.decode() for page in pages)
    assert "Removed" in people
    assert "See the removal" in own


def test_photographs_are_told_apart_where_an_eye_has_several(
    organiser: User, senior: User, graders: list[User]
) -> None:
    """Two of three cannot read the first photograph and call the second referable; one of them is removed, and who
    reads instead calls it healthy."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    add_eye(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for grader in graders[:2]:
        both = [Given(TARGET, label="U"), Given(TARGET, position=2, label="RG")]
        scene.read(scene.assignments_of(study, grader)[0], both)
    scene.fuse_all(study, actor=senior)
    cast.add_cast(study, actor=organiser, graders=graders[2:])
    bad = member(study, graders[0])

    preview = preview_removal(study=study, grader=bad)
    assert [change.target for change in preview.labels] == [
        "Referable glaucoma, photograph 1",
        "Referable glaucoma, photograph 2",
    ]
    removal = remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)
    [again] = scene.assignments_of(study, graders[2])
    scene.read(again, [Given(TARGET, label="U"), Given(TARGET, position=2, label="NRG")])
    scene.fuse_all(study, actor=senior)
    assert [(one.target, one.before) for one in changes_since(removal)] == [
        ("Referable glaucoma, photograph 2", "Referable glaucoma")
    ]
