"""What a discussion leaves alone, and what it may rest on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from annotator.models import Assignment, Round, Study, User
from consensus.models import Reference
from consensus.selectors.taking_part import readings_twice
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.discussion_scene import Talk, about, asked
from tests.consensus.test_discussing import study as study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


def test_a_repeat_after_a_discussion_is_not_compared(study: Study, graders: list[User]) -> None:
    for number, expected in ((1, 0), (2, 2)):  # case 1 is discussed, case 2 is not
        first = next(one for one in scene.assignments_of(study, graders[0]) if one.case.number == number)
        again, _new = Round.objects.get_or_create(study=study, number=2, kind=Round.Kind.REPEAT)
        twin = Assignment.objects.create(
            grader=first.grader, case=first.case, round=again, repeat_of=first, position=number
        )
        scene.read(twin, answer("RG"))
        assert readings_twice().filter(assignment__case=first.case).count() == expected


def test_the_history_tells_every_word_by_letter_and_names_nobody(
    study: Study, graders: list[User], senior: User, browser_of: Browser
) -> None:
    talk = Talk(study, browser_of)
    first = asked(study, 1)
    second = next(one for one in graders[:2] if one != first)
    said = {graders[0]: "RG", graders[1]: "NRG"}
    talk.say(first, 1, said[first], "The rim is thin below.")
    talk.say(second, 1, said[first], "I see it now.")
    case = scene.case_of(study, 1)

    page = browser_of(senior).get(f"/studies/{study.public_id}/table/{case.public_id}/history/").content.decode()

    assert "Agreed by its graders in discussion, after 2 statements" in page
    assert page.count("The rim is thin below.") == page.count("I see it now.") == 1
    assert {letter for letter in "AB" if f"Grader {letter}</strong>" in page} == {"A", "B"}
    assert not any(one.name in page for one in graders)


def test_the_history_tells_every_word_also_where_nobody_came_round(
    study: Study, graders: list[User], senior: User, organiser: User, browser_of: Browser
) -> None:
    talk = Talk(study, browser_of)
    said = {graders[0]: "RG", graders[1]: "NRG"}
    for turn in range(4):  # two rounds of two
        user = asked(study, 1)
        talk.say(user, 1, said[user], f"Reason number {turn}.")
    case = scene.case_of(study, 1)
    address = f"/studies/{study.public_id}/table/{case.public_id}/history/"

    page = browser_of(senior).get(address).content.decode()

    assert "discussed this and did not agree" in page
    assert [page.count(f"Reason number {turn}.") for turn in range(4)] == [1, 1, 1, 1]
    assert not any(one.name in page for one in graders)
    assert address in browser_of(organiser).get(f"/studies/{study.public_id}/discussions/").content.decode()


def test_organisers_see_how_it_goes_and_graders_only_their_own(
    study: Study, graders: list[User], organiser: User, senior: User, browser_of: Browser
) -> None:
    address = f"/studies/{study.public_id}/discussions/"
    first = asked(study, 1)
    own, all_of_them = browser_of(first).get(address), browser_of(organiser).get(address)
    assert first.name in all_of_them.content.decode()
    assert "Pass on" in all_of_them.content.decode()
    other = next(one for one in graders[:2] if one != first)
    assert other.name not in own.content.decode()
    assert "Pass on" not in own.content.decode()
    assert browser_of(senior).get(address).status_code == 403
    assert "to discuss" in browser_of(first).get("/").content.decode()


def test_a_seat_is_only_for_who_gave_the_label(study: Study, graders: list[User]) -> None:
    discussion = about(study, 1)
    stranger = scene.assignments_of(study, graders[0])[1].readings.get().revisions.get()  # about another case
    seat = discussion.seats.first()
    assert seat is not None
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO consensus_seat (discussion_id, grader_id, revision_id, place) VALUES (%s, %s, %s, 7)",
            [discussion.pk, seat.grader_id + 1000, stranger.pk],
        )
    assert Reference.objects.filter(discussion=discussion).count() == 1
