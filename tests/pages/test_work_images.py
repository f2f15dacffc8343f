"""The image list and one image: for people who see all work, names for organisers only, the same cost at any size."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Assignment, Eye, Image, Study, User
from tests import cast
from tests.pages.work_scene import in_full_swing

Browsers = Callable[[User], Client]


def images_page(study: Study, **query: str) -> str:
    return reverse("study_images", args=[study.public_id], query=query)


def image_page(image: Image) -> str:
    return reverse("image", args=[image.study.public_id, image.public_id])


@pytest.mark.parametrize(
    ("role", "status"),
    [("organiser", 200), ("senior", 200), ("adjudicator", 200), ("observer", 200), ("outsider", 404)],
)
def test_the_image_list_is_for_people_who_see_all_work(
    role: str, status: int, study: Study, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    user = request.getfixturevalue(role)

    answer = browser_of(user).get(images_page(study))

    assert answer.status_code == status


def test_a_grader_cannot_open_the_image_list(study: Study, graders: list[User], browser_of: Browsers) -> None:
    assert browser_of(graders[0]).get(images_page(study)).status_code == 403


def test_a_stranger_is_sent_to_sign_in(study: Study, client: Client) -> None:
    assert client.get(images_page(study)).status_code == 302


def test_an_empty_list_leads_the_organiser_to_the_upload(study: Study, organiser: User, browser_of: Browsers) -> None:
    page = browser_of(organiser).get(images_page(study)).content.decode()

    assert "No images yet" in page
    assert page.count(reverse("study_upload", args=[study.public_id])) == 2  # in the head and in the empty list


@pytest.mark.parametrize("view", ["grid", "list"])
def test_original_names_are_shown_to_organisers_only(
    view: str, study: Study, organiser: User, senior: User, browser_of: Browsers
) -> None:
    cast.add_pictures(study, 1, actor=organiser)

    organisers = browser_of(organiser).get(images_page(study, view=view)).content.decode()
    seniors = browser_of(senior).get(images_page(study, view=view)).content.decode()

    assert ("picture-1.png" in organisers) == (view == "list")
    assert "picture-1.png" not in seniors
    assert "P0001" in seniors


def test_original_names_are_searched_for_organisers_only(
    study: Study, organiser: User, senior: User, browser_of: Browsers
) -> None:
    cast.add_pictures(study, 2, actor=organiser)

    organisers = browser_of(organiser).get(images_page(study, q="picture-2")).content.decode()
    seniors = browser_of(senior).get(images_page(study, q="picture-2")).content.decode()

    assert "P0002" in organisers
    assert "P0001" not in organisers
    assert "Nothing fits" in seniors


def test_the_list_can_be_narrowed_to_one_eye(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 1, actor=organiser, first_seed=1, side="R")
    cast.add_pictures(study, 1, actor=organiser, first_seed=2, side="L")

    page = browser_of(organiser).get(images_page(study, eye=Eye.Side.LEFT)).content.decode()

    assert "P0002" in page
    assert "P0001" not in page


def test_the_list_can_be_narrowed_to_what_nobody_reads(study: Study, organiser: User, browser_of: Browsers) -> None:
    in_full_swing(study, organiser, pictures=1)
    cast.add_pictures(study, 1, actor=organiser, first_seed=2)

    page = browser_of(organiser).get(images_page(study, state="unassigned")).content.decode()

    assert "P0002" in page
    assert "P0001" not in page


def test_what_was_taken_away_from_all_its_graders_counts_as_not_assigned(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    Assignment.objects.update(state=Assignment.State.WITHDRAWN)

    assert "P0001" in browser_of(organiser).get(images_page(study, state="unassigned")).content.decode()
    assert "P0001" not in browser_of(organiser).get(images_page(study, state="assigned")).content.decode()


@pytest.mark.parametrize("query", [{"page": "-7"}, {"page": "x"}, {"eye": "zz"}, {"q": "%' OR 1"}])
def test_nonsense_in_the_address_does_no_harm(
    query: dict[str, str], study: Study, organiser: User, browser_of: Browsers
) -> None:
    cast.add_pictures(study, 1, actor=organiser)

    assert browser_of(organiser).get(images_page(study, **query)).status_code == 200


def test_fifty_images_stand_on_a_page(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 51, actor=organiser)

    first = browser_of(organiser).get(images_page(study)).content.decode()
    second = browser_of(organiser).get(images_page(study, page="2")).content.decode()

    assert (first.count("/thumbnail"), second.count("/thumbnail")) == (50, 1)


@pytest.mark.parametrize("view", ["grid", "list"])
def test_the_list_asks_the_database_as_often_for_one_image_as_for_many(
    view: str, study: Study, organiser: User, browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    browser = browser_of(organiser)
    with CaptureQueriesContext(connection) as for_one:
        browser.get(images_page(study, view=view))
    cast.add_pictures(study, 30, actor=organiser, first_seed=2)
    cast.assign_all(study, actor=organiser)

    with CaptureQueriesContext(connection) as for_many:
        browser.get(images_page(study, view=view))

    assert len(for_many) == len(for_one)


def test_the_image_page_tells_organisers_name_and_digest(
    study: Study, organiser: User, senior: User, browser_of: Browsers
) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)

    organisers = browser_of(organiser).get(image_page(image)).content.decode()
    seniors = browser_of(senior).get(image_page(image)).content.decode()

    assert "picture-1.png" in organisers
    assert image.sha256 in organisers
    assert "picture-1.png" not in seniors
    assert image.sha256 not in seniors


def test_the_image_page_leads_to_its_neighbours(study: Study, organiser: User, browser_of: Browsers) -> None:
    first, second, third = cast.add_pictures(study, 3, actor=organiser)

    page = browser_of(organiser).get(image_page(second)).content.decode()

    assert f'rel="prev" href="{image_page(first)}"' in page
    assert f'rel="next" href="{image_page(third)}"' in page


def test_an_image_is_not_shown_under_another_study(study: Study, organiser: User, browser_of: Browsers) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)
    other = cast.study_of("refuge", organiser=organiser, name="Another")

    answer = browser_of(organiser).get(reverse("image", args=[other.public_id, image.public_id]))

    assert answer.status_code == 404
