"""Home: each person sees what waits for that person, and nobody else's work."""

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotator.models import Assignment, Study, User
from annotator.services.studies import change_state
from tests import cast

SignIn = Callable[[User], Client]


def opened(study: Study, organiser: User) -> Study:
    version = Study.objects.get(pk=study.pk).version
    return change_state(study=study, version=version, state=Study.State.READING, actor=organiser)


@pytest.fixture
def reading(study: Study, organiser: User) -> Study:
    """Three graders, two cases, open for reading."""
    cast.add_pictures(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    return opened(study, organiser)


def test_home_asks_strangers_to_sign_in(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/account/login/")


def test_a_graders_home_leads_to_the_next_case(reading: Study, graders: list[User], browser_of: SignIn) -> None:
    first = Assignment.objects.filter(grader__user=graders[0]).order_by("position")[0]
    page = browser_of(graders[0]).get("/").content.decode()
    assert "My worklists" in page
    assert "0 of 2" in page
    assert f'href="/read/{first.public_id}/"' in page
    assert "Studies you oversee" not in page


def test_a_graders_home_names_nobody_else(reading: Study, graders: list[User], browser_of: SignIn) -> None:
    page = browser_of(graders[0]).get("/").content.decode()
    for other in ("Gus Grader", "Greta Grader", "Olga Organiser", "Sven Senior", "picture-1", "REFUGE"):
        assert other not in page


def test_a_grader_of_a_study_being_set_up_is_told_to_wait(
    study: Study, graders: list[User], browser_of: SignIn
) -> None:
    page = browser_of(graders[0]).get("/").content.decode()
    assert "still being set up" in page


def test_an_organisers_home_says_what_a_study_needs(study: Study, organiser: User, browser_of: SignIn) -> None:
    page = browser_of(organiser).get("/").content.decode()
    assert "Studies you oversee" in page
    assert "No images yet" in page
    assert "My worklists" not in page


def test_a_senior_sees_progress_but_no_button_of_organisers(reading: Study, senior: User, browser_of: SignIn) -> None:
    page = browser_of(senior).get("/").content.decode()
    assert "0 of 6" in page
    assert "New study" not in page


def test_somebody_without_a_study_is_told_how_to_get_into_one(browser_of: SignIn, db: None) -> None:
    page = browser_of(cast.person("Nina Nobody")).get("/").content.decode()
    assert "You are not part of a study yet" in page


def test_somebody_who_may_create_studies_is_led_to_the_first(outsider: User, browser_of: SignIn) -> None:
    page = browser_of(outsider).get("/").content.decode()
    assert "Make your first study" in page
    assert 'href="/studies/new/"' in page


@pytest.mark.parametrize("count", [2, 12])
def test_home_costs_the_same_for_few_and_for_many_studies(
    count: int, organiser: User, browser_of: SignIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        cast.study_of("age", organiser=organiser, name=f"Study {number}")
    browser = browser_of(organiser)
    with django_assert_max_num_queries(10):
        browser.get("/")
