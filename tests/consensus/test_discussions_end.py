"""When there is nothing left to discuss, nobody is asked; and what was never in dispute is not discussed at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client

from annotator.answers import Given
from annotator.errors import Conflict
from annotator.models import Study, User
from annotator.services.reopening import reopen_reading
from annotator.services.studies import changed_recipe, checked_recipe, create_study
from annotator.services.submission import withdraw_reading
from consensus.models import Discussion, Reference
from consensus.selectors.adjudication import open_cases
from consensus.selectors.discussions import awaiting, counts_of
from consensus.selectors.inputs import inputs_of
from consensus.selectors.readiness import standing_before_freeze
from consensus.services.discussing import Said, speak
from consensus.services.removing import remove_grader
from protocols.recipe_data import as_data
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, answer
from tests.consensus.discussion_scene import THREE_GRADERS, TWO_ROUNDS, Talk, about, asked, talking_study
from tests.consensus.removal_scene import finish_jobs, member
from tests.consensus.senior import Table, content
from tests.workbench.desk import add_eye

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User) -> Study:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "adjudicator": adjudicator}
    return talking_study([("RG", "NRG")], graders=graders[:2], **people)


def wanting_three(labels: Sequence[str], organiser: User, senior: User, graders: Sequence[User]) -> Study:
    """AIROGS that asks for three readings of every eye and discusses what differs; two of three are enough."""
    changes = THREE_GRADERS | {"readers.graders_per_case": len(labels)}
    data = json.loads(json.dumps(as_data(changed_recipe(protocol="airogs", changes=changes))))
    data["targets"][0]["consensus"]["min_readings"] = 3
    study = create_study(name="Three readings", recipe=checked_recipe(data), actor=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[: len(labels)], senior=senior)
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for grader, label in zip(graders, labels, strict=False):
        scene.read(scene.assignments_of(study, grader)[0], answer(label))
    scene.fuse_all(study, actor=senior)
    return study


def test_a_quorum_settles_it_although_fewer_agree_than_had_to_read(
    organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    said = dict(zip(graders, ("RG", "RG", "NRG"), strict=True))
    study = wanting_three(list(said.values()), organiser, senior, graders)
    talk = Talk(study, browser_of)
    for _turn in range(3):
        user = asked(study, 1)
        assert talk.say(user, 1, said[user]).status_code == 201
    found = scene.latest(scene.case_of(study), TARGET)
    assert (found.state, found.answer, found.label) == ("discussed", "present", "RG")


@pytest.mark.parametrize("labels", [("RG", "RG"), ("RG", "NRG")])
def test_too_few_readings_are_no_matter_for_a_discussion(
    labels: tuple[str, str], organiser: User, senior: User, graders: list[User]
) -> None:
    """Two who agree have nothing to discuss, and two who do not would still be one too few in the end."""
    study = wanting_three(labels, organiser, senior, graders)
    assert scene.latest(scene.case_of(study), TARGET).answer == "undecided"
    assert not Discussion.objects.exists()


def test_nobody_is_asked_while_a_reading_is_open_again(
    study: Study, organiser: User, graders: list[User], adjudicator: User, browser_of: Browser
) -> None:
    waiting = asked(study, 1)
    other = next(one for one in graders[:2] if one != waiting)
    reopen_reading(assignment=scene.assignments_of(study, other)[0], reason="Wrong key.", actor=organiser)

    assert Talk(study, browser_of).waiting_for(waiting) == []
    assert Talk(study, browser_of).say(waiting, 1, "RG").json()["code"] == "discussion_over"
    assert "to discuss" not in browser_of(waiting).get("/").content.decode()
    assert counts_of(study).going_on == 0
    assert list(open_cases(adjudicator, study)) == []  # it is being read again


def test_a_photograph_that_the_eye_needs_no_longer_is_not_discussed_any_further(
    organiser: User, senior: User, graders: list[User], adjudicator: User
) -> None:
    """Two cannot read the first photograph and differ on the second; then all agree that the first can be read."""
    study = cast.study_of("airogs", organiser=organiser, changes=THREE_GRADERS)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior, adjudicator=adjudicator)
    add_eye(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    said = [("U", "RG"), ("U", "NRG"), ("NRG",)]
    for grader, labels in zip(graders, said, strict=True):
        given = [Given(TARGET, position=place, label=label) for place, label in enumerate(labels, start=1)]
        scene.read(scene.assignments_of(study, grader)[0], given)
    scene.fuse_all(study, actor=senior)
    first, second = Discussion.objects.order_by("reference__image__order_in_eye")
    assert (first.seats.count(), second.seats.count()) == (3, 2)
    assert sum(awaiting(one, study).count() for one in graders) == 2

    while not first.outcome:
        assert first.awaits is not None
        number = first.statements.count() + 1
        first = speak(discussion=first, actor=first.awaits.user, said=Said(number, "NRG", (), "It can be read."))

    assert sum(awaiting(one, study).count() for one in graders) == 0
    assert (counts_of(study).agreed, counts_of(study).going_on, counts_of(study).overtaken) == (1, 0, 1)
    assert standing_before_freeze(study).readiness.references_undecided == 0


def test_an_adjudicator_cannot_hold_a_case_that_is_still_discussed(
    study: Study, adjudicator: User, browser_of: Browser
) -> None:
    bench = Bench(browser_of(adjudicator), study)
    answers = [bench.get(1), bench.post(1, "lease", take_over=False)]
    assert {one.status_code for one in answers} == {404}
    assert {one.status_code for one in (bench.decide(1, "RG"), bench.post(1, "undo"))} == {409}
    assert Reference.objects.count() == 1
    assert about(study, 1).outcome == ""


def test_whoever_has_seen_the_others_labels_cannot_take_the_reading_back(
    organiser: User, senior: User, graders: list[User], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """Runs that follow a removal hold nothing fast; a discussion that they open does."""
    study = cast.study_of("airogs", organiser=organiser, changes=TWO_ROUNDS)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for grader in graders[:2]:
        scene.read(scene.assignments_of(study, grader)[0], answer("RG"))
    scene.fuse_all(study, actor=senior)
    cast.add_cast(study, actor=organiser, graders=graders[2:])
    with django_capture_on_commit_callbacks(execute=True):
        remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
        [instead] = scene.assignments_of(study, graders[2])
        scene.read(instead, answer("NRG"))
    finish_jobs()
    assert {seat.grader.user for seat in about(study, 1).seats.all()} == {graders[1], graders[2]}

    with pytest.raises(Conflict):
        withdraw_reading(assignment=instead, actor=graders[2])


def test_a_word_that_comes_after_a_senior_s_decision_is_not_kept(
    study: Study, senior: User, graders: list[User], browser_of: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decided between the look and the word."""
    user, discussion = asked(study, 1), about(study, 1)
    own = {graders[0]: "RG", graders[1]: "NRG"}[user]

    def decided_meanwhile(*given: Any) -> Any:
        found = inputs_of(*given)
        table = Table(browser_of(senior), study)
        adjusted = {"content": content(label="RG")}
        answer = table.post("decide", decisions=[table.decision(TARGET, adjusted=adjusted)], comment="Plain.")
        assert answer.status_code == 200, answer.json()
        return found

    monkeypatch.setattr("consensus.services.discussing.inputs_of", decided_meanwhile)
    with pytest.raises(Conflict):
        speak(discussion=discussion, actor=user, said=Said(1, own, (), "Look at the rim."))
    assert not discussion.statements.exists()
