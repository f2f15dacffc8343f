"""A study's first page, role by role: what must stand there and what must not."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotator.models import Case, Role, Study, User
from annotator.services.people import add_member
from annotator.services.studies import describe_study
from tests import cast
from tests.pages.test_overview_home import opened

SignIn = Callable[[User], Client]
NAMES = ("Gus Grader", "Greta Grader", "Sven Senior", "Ada Adjudicator", "Oscar Observer", "Olga Organiser")


@pytest.fixture
def reading(study: Study, organiser: User) -> Study:
    """Three graders, three cases of which one has glaucoma, open for reading."""
    cast.add_pictures(study, 3, actor=organiser)
    Case.objects.filter(study=study, number=1).update(strata={"glaucoma": "RG-GLAUCOMATOUS"})
    cast.assign_all(study, actor=organiser)
    return opened(study, organiser)


def page_of(browser: Client, study: Study) -> str:
    answer = browser.get(f"/studies/{study.public_id}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_grader_sees_the_own_share_and_a_start_button(
    reading: Study, graders: list[User], browser_of: SignIn
) -> None:
    page = page_of(browser_of(graders[0]), reading)
    assert "0 of 3" in page
    assert "Start reading" in page
    assert f"/studies/{reading.public_id}/instructions/" in page


def test_a_grader_learns_nothing_of_others_images_or_prevalence(
    reading: Study, graders: list[User], browser_of: SignIn
) -> None:
    page = page_of(browser_of(graders[0]), reading)
    for secret in (*NAMES, "picture-", "RG-GLAUCOMATOUS", "P0001", "REFUGE", "of 9", "Progress by grader", "1,200"):
        assert secret not in page
    for place in ("images", "people", "assign", "protocol", "log", "settings"):
        assert f"/studies/{reading.public_id}/{place}/" not in page


@pytest.mark.parametrize("who", ["senior", "adjudicator", "observer"])
def test_onlookers_see_progress_in_total_and_no_grader_s_code_or_name(
    who: str, reading: Study, browser_of: SignIn, request: pytest.FixtureRequest
) -> None:
    onlooker: User = request.getfixturevalue(who)
    page = page_of(browser_of(onlooker), reading)
    assert "0 of 9" in page
    assert "Progress by grader" not in page
    assert not re.search(r"\bG\d\b", page)  # a count beside a code would give away whose letter it is at the table
    assert "REFUGE" in page
    for name in (*NAMES, "Gina Grader"):
        if name != onlooker.name:
            assert name not in page
    assert "Recent activity" not in page
    assert "picture-" not in page


def test_an_organiser_sees_names_progress_and_activity(reading: Study, organiser: User, browser_of: SignIn) -> None:
    page = page_of(browser_of(organiser), reading)
    for words in ("Gina Grader", "Sven Senior", "of 9 assigned", "Recent activity", "assigned 9 readings"):
        assert words in page


def test_an_outsider_is_told_the_same_as_for_a_study_that_does_not_exist(
    reading: Study, outsider: User, browser_of: SignIn
) -> None:
    browser = browser_of(outsider)
    hidden, absent = browser.get(f"/studies/{reading.public_id}/"), browser.get("/studies/nosuchstudyatall/")
    assert hidden.status_code == absent.status_code == 404
    assert reading.name not in hidden.content.decode()
    assert "There is no such study" in hidden.content.decode()
    assert "There is no such study" in absent.content.decode()


def test_the_checklist_offers_one_next_step(study: Study, organiser: User, browser_of: SignIn) -> None:
    page = page_of(browser_of(organiser), study)
    assert page.count("step-next") == 1
    assert f'href="/studies/{study.public_id}/upload/"' in page
    assert "Add images" in page


def test_with_everything_assigned_the_next_step_is_to_open(study: Study, organiser: User, browser_of: SignIn) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    page = page_of(browser_of(organiser), study)
    assert page.count("step-done") == 3
    assert 'data-dialog="open-study"' in page


def test_differences_from_the_paper_are_shown(organiser: User, browser_of: SignIn) -> None:
    study = cast.study_of("refuge", organiser=organiser, changes={"readers.graders_per_case": 5})
    page = page_of(browser_of(organiser), study)
    assert "1 difference from the paper" in page
    assert "Graders per case" in page
    assert '<span class="muted">7</span>' in page
    assert "<strong>5</strong>" in page


def test_a_reason_for_standing_on_both_sides_is_shown_to_onlookers(
    study: Study, organiser: User, observer: User, browser_of: SignIn
) -> None:
    reason = "The only specialist for miles."
    add_member(study=study, user=organiser, role=Role.GRADER, actor=organiser, both_sides_reason=reason)
    assert reason in page_of(browser_of(observer), study)


def test_a_leaver_no_longer_sees_the_study(reading: Study, graders: list[User], browser_of: SignIn) -> None:
    membership = reading.memberships.get(user=graders[0])
    membership.active, membership.left_at = False, reading.created_at
    membership.save()
    assert browser_of(graders[0]).get(f"/studies/{reading.public_id}/").status_code == 404


def test_markup_in_names_is_shown_as_text(study: Study, organiser: User, browser_of: SignIn) -> None:
    version = Study.objects.get(pk=study.pk).version
    describe_study(study=study, version=version, name="<script>x</script>", description="<b>y", actor=organiser)
    page = page_of(browser_of(organiser), study)
    assert "<script>x" not in page
    assert "<b>y" not in page


def test_the_page_costs_the_same_with_few_and_many_graders(
    study: Study, organiser: User, browser_of: SignIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(40):
        add_member(study=study, user=cast.person(f"Reader {number}"), role=Role.GRADER, actor=organiser)
    browser = browser_of(organiser)
    with django_assert_max_num_queries(18):
        page_of(browser, study)
