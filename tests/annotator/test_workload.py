"""What is left, at which pace, and when it will be done."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Round, Study, User
from annotator.selectors.workload import Load, days_left, workload
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("left", "per_day", "days"), [(0, 0.0, 0), (10, 0.0, None), (10, 4.0, 3), (8, 4.0, 2), (1, 9.0, 1)]
)
def test_days_left_are_whole_days_at_the_present_pace(left: int, per_day: float, days: int | None) -> None:
    assert days_left(left, per_day) == days


@pytest.fixture
def reading(organiser: User, graders: list[User]) -> Study:
    """Ten cases for each of three; the first has read four of them."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders)
    cast.add_pictures(study, 10, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for assignment in scene.assignments_of(study, graders[0])[:4]:
        scene.read(assignment, answer("NRG"))
    return study


def at(study: Study, later: timedelta, monkeypatch: pytest.MonkeyPatch) -> dict[str, Load]:
    moment = timezone.now() + later
    monkeypatch.setattr("annotator.selectors.workload.timezone.now", lambda: moment)
    return {load.member.user.name: load for load in workload(study)}


def test_a_grader_is_judged_by_the_days_since_the_first_reading(
    reading: Study, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = at(reading, timedelta(days=2), monkeypatch)[graders[0].name]
    assert (load.left, load.read, load.recent) == (6, 4, 4)
    assert load.per_day == pytest.approx(2, abs=0.01)  # four in two days
    assert load.days_left in {3, 4}  # six at a hair under two a day


def test_the_first_day_counts_as_a_whole_one(
    reading: Study, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = at(reading, timedelta(minutes=5), monkeypatch)[graders[0].name]
    assert (load.per_day, load.days_left) == (4, 2)


def test_whoever_has_not_read_for_two_weeks_will_never_be_done_and_stands_first(
    reading: Study, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = list(at(reading, timedelta(days=20), monkeypatch).values())
    assert [load.days_left for load in loads] == [None, None, None]
    assert [load.last_read is None for load in loads] == [False, True, True]


def test_the_page_tells_who_will_be_late(reading: Study, organiser: User, browser_of: Callable[[User], Client]) -> None:
    Round.objects.update(closes=timezone.now() + timedelta(hours=1))
    page = browser_of(organiser).get(reverse("study_assign", args=[reading.public_id]))
    assert [(row["load"].left, row["late"]) for row in page.context["loads"]] == [(10, True), (10, True), (6, True)]
    assert "too late" in page.content.decode()


def test_the_page_asks_the_same_however_many_graders_there_are(
    reading: Study, organiser: User, django_assert_num_queries: Callable[[int], object]
) -> None:
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        workload(reading)
    cast.add_cast(reading, actor=organiser, graders=[cast.person(f"More {number}") for number in range(5)])
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        workload(reading)
