"""The list of studies: found, filtered, sorted, paged; the same few queries at any length."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotator.models import Study, User
from tests import cast
from tests.pages.test_overview_home import opened

SignIn = Callable[[User], Client]


def names_on(page: bytes) -> list[str]:
    return re.findall(r'class="study-name"[^>]*>([^<]*)<', page.decode())


def test_only_ones_own_studies_are_listed(study: Study, outsider: User, browser_of: SignIn) -> None:
    cast.study_of("glas", organiser=outsider, name="Not hers")
    assert names_on(browser_of(outsider).get("/studies/").content) == ["Not hers"]


def test_a_search_finds_part_of_a_name(organiser: User, browser_of: SignIn) -> None:
    for name in ("Basel glaucoma", "Bern macula"):
        cast.study_of("refuge", organiser=organiser, name=name)
    assert names_on(browser_of(organiser).get("/studies/?q=GLAU").content) == ["Basel glaucoma"]


def test_filters_narrow_by_state_and_protocol(organiser: User, browser_of: SignIn) -> None:
    for protocol, name in (("refuge", "One"), ("age", "Two"), ("age", "Three")):
        cast.study_of(protocol, organiser=organiser, name=name)
    two = Study.objects.get(name="Two")
    cast.add_pictures(two, 1, actor=organiser)
    opened(two, organiser)
    browser = browser_of(organiser)
    assert names_on(browser.get("/studies/?protocol=age&state=reading").content) == ["Two"]
    assert names_on(browser.get("/studies/?protocol=age&state=setup").content) == ["Three"]


def test_a_grader_cannot_learn_the_protocol_from_a_filter(
    study: Study, graders: list[User], browser_of: SignIn
) -> None:
    browser = browser_of(graders[0])
    assert names_on(browser.get("/studies/").content) == [study.name]
    assert names_on(browser.get("/studies/?protocol=refuge").content) == []


def test_sorting_goes_both_ways_and_ignores_case(organiser: User, browser_of: SignIn) -> None:
    for name in ("b", "A", "c"):
        cast.study_of("age", organiser=organiser, name=name)
    browser = browser_of(organiser)
    assert names_on(browser.get("/studies/?sort=name").content) == ["A", "b", "c"]
    assert names_on(browser.get("/studies/?sort=-name").content) == ["c", "b", "A"]


def test_nonsense_in_the_address_shows_the_list(study: Study, organiser: User, browser_of: SignIn) -> None:
    answer = browser_of(organiser).get("/studies/?sort=evil&state=x&protocol=y&page=zz")
    assert answer.status_code == 200
    assert names_on(answer.content) == [study.name]


def test_no_match_offers_the_way_back(study: Study, organiser: User, browser_of: SignIn) -> None:
    page = browser_of(organiser).get("/studies/?q=nothing-like-this").content.decode()
    assert "No study fits" in page


def test_the_second_page_goes_on_where_the_first_ended(organiser: User, browser_of: SignIn) -> None:
    for number in range(27):
        cast.study_of("age", organiser=organiser, name=f"Study {number:02d}")
    assert names_on(browser_of(organiser).get("/studies/?page=2").content) == ["Study 25", "Study 26"]


@pytest.mark.parametrize("count", [5, 60])
def test_the_list_costs_the_same_for_5_and_60_studies(
    count: int, organiser: User, browser_of: SignIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        cast.study_of("age", organiser=organiser, name=f"Study {number}")
    browser = browser_of(organiser)
    with django_assert_max_num_queries(8):
        browser.get("/studies/")
