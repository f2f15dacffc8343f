"""Removals among other events: whoever comes back, a case has as many readers as its plan wants."""

from __future__ import annotations

from collections import Counter

import pytest

from annotator.errors import Conflict
from annotator.models import Assignment, Reading, Role, Study, User
from annotator.services.assignments import Plan, Rule, assign_cases
from annotator.services.people import add_member, deactivate_member
from annotator.services.reopening import reopen_reading
from annotator.services.rounds import begin_round
from annotator.services.submission import withdraw_reading
from consensus.selectors.standing import READY, standing_of_case
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.removing import remove_grader, take_back_removal
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.removal_scene import member

pytestmark = pytest.mark.django_db
CASES = (1, 2, 3)


def shared_out(organiser: User, graders: list[User], k: int) -> Study:
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders)
    cast.add_pictures(study, len(CASES), actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=k)
    study = scene.open_study(study, actor=organiser)
    everybody_reads(study)
    return study


def everybody_reads(study: Study) -> None:
    for one in Assignment.objects.filter(grader__study=study, grader__active=True, state="waiting"):
        scene.read(one, answer("RG"))


def readers(study: Study) -> dict[int, int]:
    rows = readings_taking_part().filter(assignment__case__study=study)
    return dict(Counter(rows.values_list("assignment__case__number", flat=True)))


def test_who_was_given_the_place_later_makes_room_when_its_grader_comes_back(
    organiser: User, graders: list[User]
) -> None:
    """At the removal nobody was left to read instead; somebody who joined was given the cases with the main plan."""
    study = shared_out(organiser, graders[:2], 2)
    before = set(readings_taking_part().values_list("pk", flat=True))
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    add_member(study=study, user=graders[2], role=Role.GRADER, actor=organiser)
    assert assign_cases(study=study, rule=Rule(2), actor=organiser) == 3
    everybody_reads(study)

    take_back_removal(removal=removal, actor=organiser)

    assert set(readings_taking_part().values_list("pk", flat=True)) == before
    assert Reading.objects.filter(set_aside_at__isnull=False, assignment__grader__user=graders[2]).count() == 3


def test_two_who_stand_in_for_two_make_room_one_by_one(organiser: User, graders: list[User], outsider: User) -> None:
    """For the first nobody was left; when the second went, two who had joined took both places."""
    study = shared_out(organiser, graders[:2], 2)
    before = set(readings_taking_part().values_list("pk", flat=True))
    first = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    for user in (graders[2], outsider):
        add_member(study=study, user=user, role=Role.GRADER, actor=organiser)
    second = remove_grader(study=study, grader=member(study, graders[1]), reason="Drifts too.", actor=organiser)
    everybody_reads(study)
    assert readers(study) == dict.fromkeys(CASES, 2)

    take_back_removal(removal=first, actor=organiser)
    assert readers(study) == dict.fromkeys(CASES, 2)
    take_back_removal(removal=second, actor=organiser)
    assert set(readings_taking_part().values_list("pk", flat=True)) == before


def test_a_case_is_given_to_as_many_as_its_own_round_wants(
    organiser: User, graders: list[User], outsider: User
) -> None:
    """A later round with three graders for each case changes nothing about the first, which has one."""
    study = shared_out(organiser, graders[:2], 1)
    for user in (graders[2], outsider):
        add_member(study=study, user=user, role=Role.GRADER, actor=organiser)
    begin_round(study=study, opens=None, closes=None, actor=organiser)
    cast.add_pictures(study, 1, actor=organiser, first_seed=9)
    assign_cases(study=study, rule=Rule(3), actor=organiser)
    everybody_reads(study)

    remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    everybody_reads(study)

    assert readers(study) == {1: 1, 2: 1, 3: 1, 4: 3}


def test_who_had_left_before_does_not_come_back_with_the_readings(organiser: User, graders: list[User]) -> None:
    study = shared_out(organiser, graders[:2], 2)
    leaver = member(study, graders[0])
    deactivate_member(membership=leaver, actor=organiser)
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifted.", actor=organiser)
    take_back_removal(removal=removal, actor=organiser)
    assert not member(study, graders[0]).active
    assert readers(study) == dict.fromkeys(CASES, 2)


def test_what_was_set_aside_is_not_reopened_and_holds_nothing_up(organiser: User, graders: list[User]) -> None:
    """Its grader may take it back like any other, which must tell nothing; the case does not wait for it."""
    study = shared_out(organiser, graders, 2)
    bad = member(study, graders[0])
    removal = remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)
    everybody_reads(study)
    theirs = Assignment.objects.filter(grader=bad, readings__set_aside_at__isnull=False).earliest("pk")
    with pytest.raises(Conflict, match="set aside"):
        reopen_reading(assignment=theirs, reason="Wrong key.", actor=organiser)
    take_back_removal(removal=removal, actor=organiser)

    instead = Assignment.objects.filter(round=removal.round).select_related("grader__user", "case").earliest("pk")
    withdraw_reading(assignment=instead, actor=instead.grader.user)
    instead.case.study = study
    assert standing_of_case(instead.case) == READY
    scene.read(instead, answer("NRG"))
    assert readers(study) == dict.fromkeys(CASES, 2)


def test_whoever_leaves_while_cases_are_shared_out_is_given_none(
    organiser: User, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotator.services import assignments

    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 3, actor=organiser)
    plan = assignments.plan_assignments

    def planned(**asked: object) -> Plan:
        made = plan(**asked)  # type: ignore[arg-type]
        deactivate_member(membership=member(study, graders[0]), actor=organiser)
        return made

    monkeypatch.setattr(assignments, "plan_assignments", planned)
    assert assign_cases(study=study, rule=Rule(2), actor=organiser) == 3
    assert not Assignment.objects.filter(grader__user=graders[0]).exists()
