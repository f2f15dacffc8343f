"""What a discussion leaves alone, and what it may rest on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotator.models import Assignment, Membership, Round, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.reopening import reopen_reading
from consensus.models import Discussion, GraderLetter, Reference, Seat
from consensus.selectors.monitoring import final_labels, readings_judged
from consensus.selectors.taking_part import readings_twice
from consensus.services.freezing import freeze_dataset
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.consensus.discussion_scene import Talk, about, asked, talking_study
from tests.consensus.exported import made
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


def test_an_export_tells_what_was_said_by_letter_and_keeps_the_words(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    """One keeps the label, the other comes round."""
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
    study = talking_study([("RG", "NRG"), ("RG", "RG")], adjudicator=adjudicator, **people)
    talk, first = Talk(study, browser_of), asked(study, 1)
    second = next(one for one in graders[:2] if one != first)
    kept = {graders[0]: "RG", graders[1]: "NRG"}[first]
    for user in (first, second):
        talk.say(user, 1, kept, "Secretstatement")
    version = freeze_dataset(study=study, actor=senior, name="First")

    archive = made(version, organiser, formats=["tables"])

    letters = {row.grader.user: row.letter for row in GraderLetter.objects.filter(study=study)}
    rows = archive.rows("decisions/discussions.csv")
    assert [(row["image"], row["statement"], row["grader"], row["said"]) for row in rows] == [
        ("c0001-1", "1", letters[first], kept),
        ("c0001-1", "2", letters[second], kept),
    ]
    states = {row["image"]: row["state"] for row in archive.rows("decisions/references.csv")}
    assert states == {"c0001-1": "discussed", "c0002-1": "automatic"}
    assert "Agreed in discussion 1" in archive.read("METHODS.md").decode()
    assert not any(b"Secretstatement" in archive.read(name) for name in archive.names)


def test_pages_ask_the_same_number_of_questions_however_many_discussions_there_are(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    asked_for: dict[str, list[int]] = {}
    for count in (3, 9):
        people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
        study = talking_study([("RG", "NRG")] * count, adjudicator=adjudicator, name=f"{count} eyes", **people)
        for turn, seat in enumerate(Seat.objects.filter(discussion__reference__case__study=study, place=0)):
            own = Membership.objects.get(study=study, user=graders[turn % 2])  # by turns, not by lot
            Discussion.objects.filter(pk=seat.discussion_id).update(awaits=own)
        for user in (organiser, graders[0]):
            browser, address = browser_of(user), f"/studies/{study.public_id}/discussions/"
            browser.get(address)
            with CaptureQueriesContext(connection) as queries:
                browser.get(address)
            asked_for.setdefault(user.name, []).append(len(queries))
    assert {len(set(counts)) for counts in asked_for.values()} == {1}, asked_for


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


def test_what_is_read_anew_after_a_discussion_judges_nobody(
    study: Study, graders: list[User], organiser: User, senior: User
) -> None:
    """Case 1 is discussed, case 2 is not; both are reopened and read anew."""
    for number in (1, 2):
        mine = next(one for one in scene.assignments_of(study, graders[0]) if one.case.number == number)
        reopen_reading(assignment=mine, reason="Wrong key.", actor=organiser)
        scene.read(mine, answer("NRG" if number == 1 else "RG"))  # as the other has it
    scene.fuse_all(study, actor=senior)
    grader = Membership.objects.get(study=study, user=graders[0]).pk
    found = final_labels(study, recipe_of(study).target(TARGET))
    assert [one.case for one in found[grader]] == [2]
    assert readings_judged().filter(assignment__grader=grader, assignment__case__number=1).count() == 0
