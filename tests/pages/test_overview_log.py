"""The log: sentences for organisers, newest first, filtered and paged at constant cost."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.apps import apps as django_apps
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotator.event_words import EVENT_WORDS
from annotator.models import AuditEvent, AuditHead, Study, User
from annotator.services.audit import record
from annotator.views.log_words import ACTION_WORDS
from tests import cast

SignIn = Callable[[User], Client]


def numbers_on(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'<td class="num muted">(\d+)</td>', page)]


def page_of(browser: Client, study: Study, query: str = "") -> str:
    answer = browser.get(f"/studies/{study.public_id}/log/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_events_stand_newest_first_as_sentences(study: Study, organiser: User, browser_of: SignIn) -> None:
    page = page_of(browser_of(organiser), study)
    numbers = numbers_on(page)
    assert numbers == sorted(numbers, reverse=True)
    assert "created the study" in page
    assert "added Gina Grader (G1) as Grader" in page
    assert study.public_id not in re.sub(r'(href|action|value)="[^"]*"', "", page)


def test_deeds_of_the_grader_programme_are_sentences_too(study: Study, organiser: User, browser_of: SignIn) -> None:
    deeds = {
        "member.reminded": "reminded Gina Grader (G1)",
        "member.qualified": "let Gina Grader (G1) be given cases",
        "round.dated": "changed the dates of a round",
        "round.begun": "began a round",
        "cases.shown_again": "let cases come back to a grader",
        "case.eye_corrected": "corrected the eye of a case",
        "cases.urgent": "named cases to be read first",
        "study.qualification": "changed whether an exam is asked for",
    }
    with transaction.atomic():
        for action in deeds:
            record(action=action, actor=organiser, study=study, subject="G1")
    page = page_of(browser_of(organiser), study)
    assert [words for words in deeds.values() if words not in page] == []


def test_the_head_of_the_chain_is_shown(study: Study, organiser: User, browser_of: SignIn) -> None:
    head = AuditHead.objects.get(chain=study.public_id)
    page = page_of(browser_of(organiser), study)
    assert f"{head.count} events" in page
    assert head.digest[:12] in page


def test_a_filter_keeps_one_kind_of_event(study: Study, organiser: User, browser_of: SignIn) -> None:
    page = page_of(browser_of(organiser), study, "?action=study.created")
    assert len(numbers_on(page)) == 1


def test_a_filter_keeps_one_persons_events(
    study: Study, organiser: User, graders: list[User], browser_of: SignIn
) -> None:
    with transaction.atomic():
        record(action="reading.submitted", actor=graders[1], study=study)
    page = page_of(browser_of(organiser), study, "?person=G2")
    assert len(numbers_on(page)) == 1
    assert "submitted a reading" in page


def test_another_studys_events_are_not_shown(study: Study, outsider: User, browser_of: SignIn) -> None:
    own = cast.study_of("age", organiser=outsider, name="Elsewhere")
    page = page_of(browser_of(outsider), own)
    assert "Gina Grader" not in page
    assert len(numbers_on(page)) == AuditEvent.objects.filter(study=own).count()


def test_everything_that_is_recorded_of_a_study_has_words() -> None:
    apps = [Path(django_apps.get_app_config(name).path) for name in ("annotator", "consensus", "evaluation")]
    source = "".join(path.read_text() for app in apps for path in sorted((app / "services").rglob("*.py")))
    recorded = set(re.findall(r'action="([a-z]+\.[a-z_]+)"', source))
    of_no_study = {action for action in recorded if action.startswith("person.")}
    assert recorded - of_no_study - {*ACTION_WORDS, *EVENT_WORDS} == set()
    assert len(recorded) > 20


def test_an_action_unknown_here_is_still_shown(study: Study, organiser: User, browser_of: SignIn) -> None:
    with transaction.atomic():
        record(action="future.thing_done", actor=None, study=study, after={"x": "<i>"})
    page = page_of(browser_of(organiser), study)
    assert "future: thing done" in page
    assert "<i>" not in page


@pytest.mark.parametrize("count", [5, 60])
def test_the_log_costs_the_same_for_5_and_60_events(
    count: int,
    study: Study,
    organiser: User,
    browser_of: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    with transaction.atomic():
        for _ in range(count):
            record(action="study.described", actor=organiser, study=study, subject=study.public_id)
    browser = browser_of(organiser)
    with django_assert_max_num_queries(14):
        page_of(browser, study)
