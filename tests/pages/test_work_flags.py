"""The pages about flags: a grader's own, and the organiser's list."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Assignment, Flag, Study, User
from annotator.services.flags import close_flag, raise_flag
from tests.pages.work_scene import in_full_swing, own_cases

Browsers = Callable[[User], Client]


@pytest.fixture
def cases(study: Study, organiser: User, graders: list[User]) -> list[Assignment]:
    in_full_swing(study, organiser)
    return own_cases(study, graders[0])


def flagged(assignment: Assignment, grader: User, comment: str = "Wrong eye?") -> Flag:
    return raise_flag(assignment=assignment, actor=grader, comment=comment)


def test_a_case_is_flagged_from_its_own_page(
    study: Study, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    browser, address = browser_of(graders[0]), reverse("case_flag", args=[cases[1].public_id])

    page = browser.post(address, {"comment": "Upside down?\r\nI think so."}, follow=True)

    assert page.redirect_chain[-1][0] == reverse("worklist", args=[study.public_id])
    assert Flag.objects.get().comment == "Upside down?\nI think so."
    assert browser.post(address, {"comment": "Again"}).status_code == 409
    assert browser.post(address, {"comment": " "}).status_code == 400


def test_the_answer_is_shown_on_the_worklist_until_its_page_was_opened(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    close_flag(flag=flagged(cases[1], graders[0]), actor=organiser, answer="It is the left one.")
    browser, worklist = browser_of(graders[0]), reverse("worklist", args=[study.public_id])
    assert [(answer["number"], answer["flag"].answer) for answer in browser.get(worklist).context["answers"]] == [
        (2, "It is the left one.")
    ]

    page = browser.get(reverse("case_flag", args=[cases[1].public_id])).content.decode()

    assert "It is the left one." in page
    assert "Olga" not in page
    assert browser.get(worklist).context["answers"] == []


def test_the_worklist_can_be_narrowed_to_flagged_and_skipped_cases(
    study: Study, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    flagged(cases[2], graders[0])
    browser = browser_of(graders[0])
    browser.post(reverse("case_skip", args=[cases[1].public_id]), {"skip": "yes"})

    def shown(**query: str) -> list[int]:
        page = browser.get(reverse("worklist", args=[study.public_id], query=query))
        return [tile.number for tile in page.context["tiles"]]

    assert shown(state="flagged") == [3]
    assert shown(state="skipped") == [2]
    assert shown(q="3") == [3]
    assert [shown(q=nonsense) for nonsense in ("0", "4", "x", "-1", "٣" * 12, "9" * 40)] == [[]] * 6


def test_an_answer_needs_words_and_closing_needs_none(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    flag, browser = flagged(cases[0], graders[0]), browser_of(organiser)
    address = reverse("flag_close", args=[study.public_id, flag.public_id])

    assert browser.post(address, {"how": "answer", "answer": " "}).status_code == 400
    assert browser.post(address, {"how": "close", "answer": "not sent"}).status_code == 302
    assert browser.post(address, {"how": "close"}).status_code == 409

    flag.refresh_from_db()
    assert (flag.answer, flag.closed_by) == ("", organiser)


def test_a_flag_of_another_study_is_not_found(
    study: Study, graders: list[User], cases: list[Assignment], outsider: User, browser_of: Browsers
) -> None:
    from tests import cast

    other = cast.study_of("age", organiser=outsider)
    flag = flagged(cases[0], graders[0])
    address = reverse("flag_close", args=[other.public_id, flag.public_id])
    assert browser_of(outsider).post(address, {"how": "close"}).status_code == 404
    assert Flag.objects.get().closed_at is None


def test_open_flags_are_listed_by_age_and_counted_on_the_study_page(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    for case, comment in zip(cases, ("first", "second", "third"), strict=True):
        flagged(case, graders[0], comment)
    close_flag(flag=Flag.objects.get(comment="second"), actor=organiser, answer="Fine.")
    browser = browser_of(organiser)

    page = browser.get(reverse("study_flags", args=[study.public_id]))

    assert [row.flag.comment for row in page.context["rows"]] == ["first", "third"]
    assert "2 flags wait for an answer" in browser.get(reverse("study", args=[study.public_id])).content.decode()
    closed = browser.get(reverse("study_flags", args=[study.public_id], query={"state": "closed"}))
    assert [row.flag.comment for row in closed.context["rows"]] == ["second"]


def test_the_list_of_flags_costs_the_same_at_any_length(
    study: Study, organiser: User, graders: list[User], cases: list[Assignment], browser_of: Browsers
) -> None:
    browser, address = browser_of(organiser), reverse("study_flags", args=[study.public_id])

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(address).status_code == 200
        return len(queries)

    flagged(cases[0], graders[0])
    few = cost()
    for case in cases[1:]:
        flagged(case, graders[0])
    assert cost() == few


def test_an_empty_list_says_what_it_is_for(study: Study, organiser: User, browser_of: Browsers) -> None:
    page = browser_of(organiser).get(reverse("study_flags", args=[study.public_id])).content.decode()
    assert "No flag waits for an answer" in page
