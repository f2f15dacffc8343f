"""The demo: the same for the same seed, made once, read by everybody but the visitor, through the services."""

from dataclasses import replace

import pytest
from django.test import Client

from annotator.answers import check_answer
from annotator.demo import people, studies
from annotator.demo.cases import DRAW, draw_case, team
from annotator.demo.real import real_colon, real_retina
from annotator.imaging.intake import take_in
from annotator.models import Assignment, AuditEvent, Image, Reading, Revision, Study, TargetExample, User
from annotator.selectors.audit import audit_faults
from protocols import PUBLISHED


def test_the_same_seed_gives_the_same_case() -> None:
    assert draw_case("glas", 1, 7) == draw_case("glas", 1, 7)


def test_another_seed_gives_another_picture() -> None:
    assert draw_case("glas", 1, 7).pictures[0].data != draw_case("glas", 1, 8).pictures[0].data


def test_the_scripts_are_those_of_the_papers_in_small() -> None:
    sizes = {
        script.protocol: (script.drawn_cases + (script.real is not None), len(script.graders), script.graders_per_case)
        for script in studies.SCRIPTS
    }
    assert sizes == {
        "refuge": (24, 7, None),
        "adam": (24, 7, None),
        "age": (24, 4, None),
        "glas": (12, 3, None),
        "airogs": (60, 5, 2),
    }


@pytest.mark.parametrize("protocol", DRAW)
def test_every_team_has_one_bad_apple_and_it_is_not_the_visitor(protocol: str) -> None:
    profiles = team(protocol, 2018)
    assert [profile.bad_apple for profile in profiles].count(True) == 1
    assert not profiles[0].bad_apple


@pytest.mark.parametrize("real", [real_retina, real_colon])
def test_real_pictures_are_read_like_the_others(real) -> None:  # type: ignore[no-untyped-def]
    drawn = real(2018)
    intake = take_in(drawn.pictures[0].data)
    recipe = PUBLISHED["refuge" if real is real_retina else "glas"]
    for reading in drawn.readings:
        for given in reading:
            check_answer(recipe.target(given.target), given, intake.width, intake.height)


@pytest.fixture
def small_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [
        replace(script, drawn_cases=2, real=None, left_for_visitor=1)
        for script in studies.SCRIPTS
        if script.protocol in ("glas", "airogs")
    ]
    monkeypatch.setattr(studies, "SCRIPTS", tuple(small))


@pytest.mark.django_db
def test_the_demo_is_made_once_and_read_by_all_but_the_visitor(small_demo: None, client: Client) -> None:
    studies.make_demo(seed=2018, report=lambda done, total: None)

    given = Assignment.objects.filter(grader__study__name__in=[script.name for script in studies.SCRIPTS])
    unread = given.exclude(state=Assignment.State.SUBMITTED)
    assert given.count() == 2 * 3 + 2 * 2
    assert {row.grader.user.email for row in unread} == {people.address("grader")}
    table = people.sign_in_table()
    assert all(people.address(login[0]) in table for login in (people.ORGANISER, people.SENIOR, people.ADMINISTRATOR))
    assert client.login(email=people.address("grader"), password=people.password())

    tables = (Study, Image, Assignment, Reading, Revision, AuditEvent, User, TargetExample)
    before = [rows.objects.count() for rows in tables]
    assert studies.make_demo(seed=2018, report=lambda done, total: None) == []
    assert [rows.objects.count() for rows in tables] == before
    assert list(audit_faults()) == []
