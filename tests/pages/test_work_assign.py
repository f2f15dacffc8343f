"""Assignment: previewed without a trace, then confirmed."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Assignment, Job, Study, User
from tests import cast

Browsers = Callable[[User], Client]


def assign_page(study: Study, **query: str) -> str:
    return reverse("study_assign", args=[study.public_id], query=query)


@pytest.mark.parametrize(
    ("role", "status"), [("organiser", 200), ("senior", 403), ("observer", 403), ("outsider", 404)]
)
def test_assignment_is_for_organisers(
    role: str, status: int, study: Study, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    assert browser_of(request.getfixturevalue(role)).get(assign_page(study)).status_code == status


def test_without_images_the_page_leads_to_the_upload(study: Study, organiser: User, browser_of: Browsers) -> None:
    page = browser_of(organiser).get(assign_page(study)).content.decode()

    assert "There are no images yet" in page


@pytest.mark.parametrize(("protocol", "rule"), [("refuge", "every"), ("airogs", "per_case")])
def test_the_protocols_rule_is_chosen_already(
    protocol: str, rule: str, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    study = cast.study_of(protocol, organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders)
    cast.add_pictures(study, 1, actor=organiser)

    page = browser_of(organiser).get(assign_page(study))

    assert page.context["form"]["rule"].value() == rule


def test_the_preview_counts_and_writes_nothing(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 6, actor=organiser)

    page = browser_of(organiser).get(assign_page(study, rule="per_case", graders_per_case="2"))

    shares = page.context["shares"]
    assert [(share.has, share.gets, share.total) for share in shares] == [(0, 4, 4)] * 3  # 6 cases × 2 ÷ 3 graders
    assert page.context["plan"].count == 12
    assert Assignment.objects.count() == 0


@pytest.mark.parametrize("count", ["0", "4", "x", ""])
def test_a_number_of_graders_that_cannot_be_is_refused(
    count: str, study: Study, organiser: User, browser_of: Browsers
) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    browser, wish = browser_of(organiser), {"rule": "per_case", "graders_per_case": count}

    preview = browser.get(assign_page(study, **wish)).content.decode()
    confirmed = browser.post(assign_page(study), wish)

    assert "id_graders_per_case_error" in preview
    assert confirmed.status_code in {400, 409}
    assert Job.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_confirming_starts_a_job_that_assigns(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 2, actor=organiser)

    answer = browser_of(organiser).post(assign_page(study), {"rule": "every"})

    job = Job.objects.get()
    assert answer["Location"] == reverse("job", args=[job.public_id])
    assert Assignment.objects.count() == 6  # 2 cases × 3 graders


def test_a_later_preview_shows_only_what_is_new(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    cast.add_pictures(study, 1, actor=organiser, first_seed=3)

    page = browser_of(organiser).get(assign_page(study, rule="every"))

    assert [(share.has, share.gets, share.total) for share in page.context["shares"]] == [(2, 1, 3)] * 3


def test_the_wish_goes_from_the_preview_into_the_job(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 4, actor=organiser)
    wish = {"rule": "per_case", "graders_per_case": "2", "subjects_apart": "on", "first": "4, 1-2"}
    browser = browser_of(organiser)

    page = browser.get(assign_page(study, **wish)).content.decode()
    browser.post(assign_page(study), wish)

    assert 'name="subjects_apart" value="on"' in page
    assert Job.objects.get().arguments == {"graders_per_case": 2, "subjects_apart": True, "first": [1, 2, 4]}


@pytest.mark.parametrize("first", ["x", "3-1", "1-2-3", "0-99999", "77", "٣"])
def test_numbers_that_are_no_cases_are_refused_at_their_field(
    first: str, study: Study, organiser: User, browser_of: Browsers
) -> None:
    cast.add_pictures(study, 3, actor=organiser)

    page = browser_of(organiser).get(assign_page(study, rule="every", first=first))

    assert page.context["form"].errors["first"]
    assert page.context["plan"] is None


def test_a_round_is_begun_and_dated(study: Study, organiser: User, browser_of: Browsers) -> None:
    cast.add_pictures(study, 2, actor=organiser)
    browser, begin = browser_of(organiser), reverse("round_begin", args=[study.public_id])

    too_early = browser.post(begin, {})
    cast.assign_all(study, actor=organiser)
    begun = browser.post(begin, {"closes": "2099-01-01T12:00"})
    second = study.rounds.get(number=2)
    dated = browser.post(
        reverse("round_dates", args=[study.public_id, second.public_id]), {"closes": "2000-01-01T12:00"}
    )

    assert (too_early.status_code, begun["Location"]) == (409, assign_page(study))
    assert (dated.status_code, dated.context["form"].errors["closes"]) == (
        409,
        ["It must close after it opens, and not in the past."],
    )
    assert study.rounds.get(number=2).closes == second.closes
    assert "Main reading 2" in browser.get(assign_page(study)).content.decode()
