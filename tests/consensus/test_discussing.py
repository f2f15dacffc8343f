"""Graders who differ on a label discuss it in turn, without names, before an adjudicator is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.models import AuditEvent, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.people import deactivate_member
from annotator.services.reopening import reopen_reading
from annotator.services.studies import change_state
from consensus.models import ConsensusRun, Discussion, Statement
from consensus.selectors.adjudication import open_cases
from consensus.selectors.discussions import counts_of
from consensus.selectors.monitoring import final_labels
from consensus.services.discussing import pass_on
from consensus.services.opening_discussions import open_discussions
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, answer
from tests.consensus.discussion_scene import THREE_GRADERS, Talk, about, asked, talking_study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
LABELS = (("RG", "NRG"), ("RG", "RG"), ("U", "NRG"))


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User) -> Study:
    return talking_study(LABELS, organiser=organiser, senior=senior, graders=graders[:2], adjudicator=adjudicator)


@pytest.fixture
def talk(study: Study, browser_of: Browser) -> Talk:
    return Talk(study, browser_of)


def other_than(user: User, graders: list[User]) -> User:
    return next(one for one in graders[:2] if one != user)


def label_of(study: Study, number: int) -> tuple[str, str, str]:
    row = scene.latest(scene.case_of(study, number), TARGET)
    return row.state, row.answer, row.label


def own_label(study: Study, number: int, user: User, graders: list[User]) -> str:
    return LABELS[number - 1][graders.index(user)]


def test_only_labels_on_which_graders_differ_are_discussed_and_the_adjudicator_is_not_asked_yet(
    study: Study, adjudicator: User
) -> None:
    assert {one.reference.case.number for one in Discussion.objects.all()} == {1, 3}
    assert list(open_cases(adjudicator, study)) == []


def test_without_rounds_in_the_recipe_nothing_is_discussed(
    organiser: User, senior: User, graders: list[User], adjudicator: User
) -> None:
    plain = {"review.discussion_rounds": 0}
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
    study = talking_study(LABELS, adjudicator=adjudicator, changes=plain, **people)
    assert not Discussion.objects.exists()
    assert [case.number for case in open_cases(adjudicator, study)] == [1, 3]


def test_it_is_the_turn_of_one_at_a_time(talk: Talk, study: Study, graders: list[User]) -> None:
    first = asked(study, 1)
    second = other_than(first, graders)
    assert about(study, 1).public_id in talk.waiting_for(first)
    assert about(study, 1).public_id not in talk.waiting_for(second)
    refused = talk.say(second, 1, "RG")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_your_turn")
    assert not Statement.objects.exists()


def test_who_comes_round_makes_it_the_final_label(talk: Talk, study: Study, graders: list[User]) -> None:
    first = asked(study, 1)
    others = own_label(study, 1, other_than(first, graders), graders)
    assert talk.say(first, 1, others).status_code == 201

    assert label_of(study, 1) == ("discussed", "present", others)
    found = about(study, 1)
    assert (found.outcome, found.awaits) == ("agreed", None)
    assert found.result == scene.latest(scene.case_of(study, 1), TARGET)
    assert found.result is not None
    assert found.result.measures["discussion"] == {"outcome": "agreed", "statements": 1, "graders": 2}


def test_nobody_is_named_as_the_one_who_decided(talk: Talk, study: Study, graders: list[User], senior: User) -> None:
    first = asked(study, 1)
    talk.say(first, 1, own_label(study, 1, other_than(first, graders), graders))
    reference = scene.latest(scene.case_of(study, 1), TARGET)
    assert (reference.decided_by, reference.decided) == (None, True)
    assert (reference.run.kind, reference.run.started_by) == (ConsensusRun.Kind.DISCUSSION, senior)


def test_readings_stay_as_they_are(talk: Talk, study: Study, graders: list[User]) -> None:
    """What a grader was persuaded of is not what he or she saw: the monitor goes on judging the reading."""
    first = asked(study, 1)
    before = own_label(study, 1, first, graders)
    talk.say(first, 1, own_label(study, 1, other_than(first, graders), graders))
    reading = next(one for one in scene.assignments_of(study, first) if one.case.number == 1).readings.get()
    assert reading.revisions.get().label == before
    assert reading.withdrawn_at is None


def test_after_the_last_round_the_adjudicator_is_asked(
    talk: Talk, study: Study, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    for turn in range(4):
        user = asked(study, 1)
        assert list(open_cases(adjudicator, study)) == [], turn
        assert talk.say(user, 1, own_label(study, 1, user, graders)).status_code == 201
    assert about(study, 1).outcome == "passed_on"
    assert [case.number for case in open_cases(adjudicator, study)] == [1]

    bench = Bench(browser_of(adjudicator), study)
    assert bench.get(1).json()["said"] == []  # still blind
    assert bench.decide(1, "RG").status_code == 201
    assert label_of(study, 1) == ("adjudicated", "present", "RG")
    said = bench.get(1).json()["said"]  # two readings, then four words
    assert [one["reason"] for one in said] == ["", "", *["Look at the rim."] * 4]


def test_a_decision_that_is_taken_back_is_not_discussed_again(
    talk: Talk, study: Study, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    for _turn in range(4):
        user = asked(study, 1)
        talk.say(user, 1, own_label(study, 1, user, graders))
    bench = Bench(browser_of(adjudicator), study)
    bench.decide(1, "RG")
    assert bench.post(1, "undo").status_code == 200
    assert open_discussions(study=study) == 0
    assert [case.number for case in open_cases(adjudicator, study)] == [1]


def test_three_graders_end_by_a_quorum_once_all_were_heard(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders, "adjudicator": adjudicator}
    said = dict(zip(graders, ("RG", "RG", "NRG"), strict=True))
    study = talking_study([tuple(said.values())], changes=THREE_GRADERS, **people)
    talk = Talk(study, browser_of)
    for turn in range(3):
        assert about(study, 1).outcome == "", turn
        user = asked(study, 1)
        assert talk.say(user, 1, said[user]).status_code == 201
    assert about(study, 1).outcome == "quorum"
    assert label_of(study, 1) == ("discussed", "present", "RG")


def test_signs_are_those_of_whoever_gives_the_agreed_label(talk: Talk, study: Study, graders: list[User]) -> None:
    """G1 came with RG and ticked a large cup; one of the two who now say RG is not more than half, two are."""
    first = asked(study, 1)
    said = own_label(study, 1, other_than(first, graders), graders)
    signs = ["large_cup", "laminar_dots"] if said == "RG" else []
    assert talk.say(first, 1, said, signs=signs).status_code == 201
    expected = ["large_cup"] if said == "RG" else []
    assert scene.latest(scene.case_of(study, 1), TARGET).signs == expected


def test_the_thread_names_nobody(talk: Talk, study: Study, graders: list[User]) -> None:
    first = asked(study, 1)
    second = other_than(first, graders)
    talk.say(first, 1, own_label(study, 1, first, graders), "The rim is thin below.")
    shown = talk.get(second, 1).json()

    assert [(one["who"], one["round"]) for one in shown["voices"]] in (
        [("1", 0), ("you", 0), ("1", 1)],
        [("you", 0), ("1", 0), ("1", 1)],
    )
    assert shown["voices"][-1]["reason"] == "The rim is thin below."
    text = json.dumps(shown)
    for hidden in (*(name for one in graders for name in (one.name, one.email)), "G1", "G2"):
        assert hidden not in text
    members = Membership.objects.filter(study=study).values_list("public_id", flat=True)
    assert not any(member in text for member in members)
    assert talk.browser_of(second).get(shown["images"][0]["url"]).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reason": "  "}, "reason"),
        ({"reason": "\u200b\u200b"}, "reason"),
        ({"label": "XX"}, "label"),
        ({"signs": ["nonsense"]}, "label"),
        ({"number": 7}, ""),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(
    talk: Talk, study: Study, body: dict[str, Any], field: str
) -> None:
    first = asked(study, 1)
    refused = talk.say(first, 1, **{"label": "RG", "reason": "Thin.", **body})
    assert refused.status_code in (400, 409), refused.json()
    assert not Statement.objects.exists()
    if field:
        assert field in json.dumps(refused.json())


def test_the_same_word_sent_twice_is_said_once(talk: Talk, study: Study, graders: list[User]) -> None:
    first = asked(study, 1)
    sent: dict[str, Any] = {"label": own_label(study, 1, first, graders), "reason": "Thin.", "number": 1}
    assert talk.say(first, 1, **sent).status_code == 201
    assert talk.say(first, 1, **sent).status_code == 409
    assert Statement.objects.count() == 1


def test_strangers_cannot_tell_a_discussion_from_nothing(
    talk: Talk, study: Study, graders: list[User], senior: User, adjudicator: User, outsider: User
) -> None:
    assert talk.get(graders[2], 1).status_code == 404  # not a member of this study
    assert talk.get(outsider, 1).status_code == 404
    assert {talk.get(one, 1).status_code for one in (senior, adjudicator)} == {403}


def test_it_ends_when_somebody_leaves(talk: Talk, study: Study, organiser: User, adjudicator: User) -> None:
    first = asked(study, 1)
    member = Membership.objects.get(study=study, user=first, role="grader")
    deactivate_member(membership=member, actor=organiser)
    assert [case.number for case in open_cases(adjudicator, study)] == [1, 3]
    assert talk.say(first, 1, "RG").status_code == 404


def test_it_ends_when_the_study_is_closed(study: Study, organiser: User, adjudicator: User, talk: Talk) -> None:
    first = asked(study, 1)
    study = Study.objects.get(pk=study.pk)
    change_state(study=study, version=study.version, state=Study.State.CLOSED, actor=organiser)
    assert [case.number for case in open_cases(adjudicator, study)] == [1, 3]
    assert talk.say(first, 1, "RG").status_code == 409


def test_new_readings_end_it_and_are_discussed_anew(
    talk: Talk, study: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    first = about(study, 1)
    mine = next(one for one in scene.assignments_of(study, graders[0]) if one.case.number == 1)
    reopen_reading(assignment=mine, reason="Wrong key.", actor=organiser)
    scene.read(mine, answer("U"))
    assert talk.say(asked(study, 1), 1, "RG").json()["code"] == "discussion_over"
    scene.fuse_all(study, actor=senior)
    again = Discussion.objects.filter(reference__case__number=1).latest("pk")
    assert again != first
    assert counts_of(study).overtaken == 1


def test_an_organiser_passes_it_on_with_a_reason(
    study: Study, organiser: User, adjudicator: User, browser_of: Browser
) -> None:
    address = f"/studies/{study.public_id}/discussions/{about(study, 1).public_id}/pass-on/"
    browser = browser_of(organiser)
    browser.post(address, {"reason": " "})
    assert about(study, 1).outcome == ""
    browser.post(address, {"reason": "Away until May."})
    found = about(study, 1)
    assert (found.outcome, found.reason, found.passed_on_by) == ("passed_on", "Away until May.", organiser)
    assert [case.number for case in open_cases(adjudicator, study)] == [1]


def test_what_was_agreed_still_counts_as_the_grader_s_own_vote(talk: Talk, study: Study, graders: list[User]) -> None:
    """The estimate without the own vote must not rest on a label that the grader talked others into."""
    first = asked(study, 1)
    talk.say(first, 1, own_label(study, 1, other_than(first, graders), graders))
    target = recipe_of(study).target(TARGET)
    found = [one for rows in final_labels(study, target).values() for one in rows]
    assert {one.final.settled.value for one in found if one.case == 1} == {"agreed"}


def test_counts_tell_how_discussions_went(talk: Talk, study: Study, graders: list[User], organiser: User) -> None:
    first = asked(study, 1)
    talk.say(first, 1, own_label(study, 1, other_than(first, graders), graders))
    pass_on(discussion=about(study, 3), actor=organiser, reason="Urgent.")
    found = counts_of(study)
    assert (found.going_on, found.agreed, found.quorum, found.passed_on, found.overtaken) == (0, 1, 0, 1, 0)
    assert found.statements == 1


def test_every_word_stands_in_the_log(talk: Talk, study: Study, graders: list[User]) -> None:
    first = asked(study, 1)
    talk.say(first, 1, own_label(study, 1, other_than(first, graders), graders))
    events = AuditEvent.objects.filter(study=study, action__startswith="discussion.").order_by("pk")
    assert [event.action for event in events] == ["discussion.opened", "discussion.opened", "discussion.said"]
    assert events[2].actor == first
