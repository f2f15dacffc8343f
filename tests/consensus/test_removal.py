"""A grader who reads at random is removed: previewed, given to others blind, followed up, reported, taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, AuditEvent, Reading, Role, Round, Study, User
from annotator.services.assignments import Rule, assign_cases, plan_assignments
from annotator.services.people import add_member
from consensus.models import Reference, Removal
from consensus.selectors.adjudication import open_cases
from consensus.selectors.adjudication_statistics import settling_of
from consensus.selectors.removals import changes_since
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.removing import preview_removal, remove_grader, take_back_removal
from consensus.services.undoing import undo_decision
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET
from tests.consensus.removal_scene import TRUTH, finish_jobs, half_read, labels, member, read_again, read_by

if TYPE_CHECKING:
    from collections.abc import Callable


pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    return half_read(organiser, senior, graders)


def test_the_preview_tells_what_would_happen_and_changes_nothing(study: Study, graders: list[User]) -> None:
    bad = member(study, graders[0])
    before = (list(Reading.objects.values_list("pk", "set_aside_at")), Assignment.objects.count())
    preview = preview_removal(study=study, grader=bad)

    read = read_by(study, graders[0]) & TRUTH.keys()
    assert preview.readings == len(read)
    assert preview.cases == len(read_by(study, graders[0]))
    assert preview.references == len(read)
    assert preview.regrading.count == preview.cases
    assert preview.regrading.unread == []
    # Every label that rests on two readings falls open with one of them gone.
    assert {change.case.number for change in preview.labels} == {
        number for number in read if labels(study)[number] != "undecided"
    }
    assert (list(Reading.objects.values_list("pk", "set_aside_at")), Assignment.objects.count()) == before


def test_a_removal_sets_aside_takes_away_and_gives_to_others(
    study: Study, organiser: User, graders: list[User], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    bad = member(study, graders[0])
    had = read_by(study, graders[0])
    removal = remove_grader(study=study, grader=bad, reason="Reads at random.", actor=organiser)

    bad.refresh_from_db()
    assert not bad.active
    own = Reading.objects.filter(assignment__grader=bad)
    assert set(own.values_list("set_aside_reason", flat=True)) == {"Reads at random."}
    assert not readings_taking_part().filter(assignment__grader=bad).exists()
    assert not Assignment.objects.filter(grader=bad, state="waiting").exists()
    again = Assignment.objects.filter(round=removal.round).select_related("case", "grader")
    assert {one.case.number for one in again} == had
    assert {one.round.kind for one in again} == {Round.Kind.REGRADE}
    for one in again:  # nobody gets a case twice, and the removed one none
        holders = Assignment.objects.filter(case=one.case).exclude(state="withdrawn")
        mine = holders.filter(readings__set_aside_at=None) | holders.filter(readings=None)
        assert list(mine.values_list("grader", flat=True)).count(one.grader_id) == 1
        assert one.grader_id != bad.pk
    assert (AuditEvent.objects.get(action="grader.removed").after or {})["readings"] == own.count()


def test_references_are_made_anew_when_the_new_readings_arrive_and_are_reported(
    study: Study, organiser: User, graders: list[User], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    before = labels(study)
    wrong = {number for number, label in before.items() if label != TRUTH[number]}
    assert wrong  # cases that the bad one disputed
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    assert labels(study) == before  # until somebody has read them
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        read_again(study, graders[1:])
    finish_jobs()

    assert labels(study) == TRUTH
    assert {change.case.number for change in changes_since(removal)} == wrong


def test_one_action_takes_it_back(
    study: Study, organiser: User, graders: list[User], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    before, taking_part = labels(study), set(readings_taking_part().values_list("pk", flat=True))
    states = dict(Assignment.objects.values_list("pk", "state"))
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        read_again(study, graders[1:])
    finish_jobs()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        take_back_removal(removal=removal, actor=organiser)
    finish_jobs()

    assert set(readings_taking_part().values_list("pk", flat=True)) == taking_part
    assert {pk: state for pk, state in Assignment.objects.values_list("pk", "state") if pk in states} == states
    assert member(study, graders[0]).active
    assert labels(study) == before
    with pytest.raises(Conflict, match="taken back already"):
        take_back_removal(removal=removal, actor=organiser)


def test_taking_it_back_brings_the_adjudicators_decisions_again(
    study: Study,
    organiser: User,
    adjudicator: User,
    graders: list[User],
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    """They were about the very readings that count again, so nobody has to settle them twice."""
    add_member(study=study, user=adjudicator, role=Role.ADJUDICATOR, actor=organiser)
    disputes = list(open_cases(adjudicator, study))
    assert disputes
    for case in disputes:
        content: dict[str, object] = {
            "answer": "present",
            "geometry": None,
            "label": TRUTH[case.number],
            "signs": [],
            "confidence": None,
        }
        adjudicate(case=case, actor=adjudicator, tab="one", verdicts=[Verdict(1, TARGET, content)])
    before = labels(study)
    statistics = settling_of(study)
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        read_again(study, graders[1:])
    finish_jobs()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        take_back_removal(removal=removal, actor=organiser)
    finish_jobs()

    assert labels(study) == before
    assert not open_cases(adjudicator, study).exists()
    settled = Reference.objects.filter(case__in=disputes, following=None)
    assert {(row.state, row.decided_by) for row in settled} == {("adjudicated", adjudicator)}
    assert changes_since(removal) == []
    assert settling_of(study) == statistics


def test_of_two_decisions_about_the_same_readings_the_later_one_comes_back(
    study: Study,
    organiser: User,
    adjudicator: User,
    graders: list[User],
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    """The grader is removed and taken back twice; in between the adjudicator changes a decision."""
    add_member(study=study, user=adjudicator, role=Role.ADJUDICATOR, actor=organiser)
    case = open_cases(adjudicator, study)[0]
    for label in ("RG", "NRG"):
        if label == "NRG":
            undo_decision(case=case, actor=adjudicator, tab="one", reason="Looked again.")
        content: dict[str, object] = {"answer": "present", "geometry": None, "label": label, "signs": []}
        adjudicate(
            case=case, actor=adjudicator, tab="one", verdicts=[Verdict(1, TARGET, {**content, "confidence": None})]
        )
        removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
            read_again(study, graders[1:])
        finish_jobs()
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
            take_back_removal(removal=removal, actor=organiser)
        finish_jobs()
        assert labels(study)[case.number] == label


def test_who_read_in_place_of_a_removed_grader_can_be_removed_too(
    study: Study, organiser: User, graders: list[User], outsider: User
) -> None:
    """What the first one read is set aside, so that it stands in for nobody."""
    add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)
    first = remove_grader(study=study, grader=member(study, graders[0]), reason="Reads at random.", actor=organiser)
    read_again(study, [*graders[1:], outsider])
    in_place = Assignment.objects.filter(round=first.round, grader=member(study, outsider))
    cases = {one.case.number for one in in_place.select_related("case")}
    assert cases

    second = remove_grader(study=study, grader=member(study, outsider), reason="So does this one.", actor=organiser)

    again = Assignment.objects.filter(round=second.round).select_related("case")
    assert cases <= {one.case.number for one in again}


def test_removals_that_rest_on_one_another_are_taken_back_in_turn(
    study: Study, organiser: User, graders: list[User], outsider: User
) -> None:
    """Otherwise a case would have the removed one's reading and the one made in place of its replacement."""
    taking_part = set(readings_taking_part().values_list("pk", flat=True))
    add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)
    first = remove_grader(study=study, grader=member(study, graders[0]), reason="Reads at random.", actor=organiser)
    read_again(study, [*graders[1:], outsider])
    second = remove_grader(study=study, grader=member(study, outsider), reason="So does this one.", actor=organiser)
    read_again(study, graders[1:])

    with pytest.raises(Conflict, match=outsider.name):
        take_back_removal(removal=first, actor=organiser)
    take_back_removal(removal=second, actor=organiser)
    take_back_removal(removal=first, actor=organiser)

    assert set(readings_taking_part().values_list("pk", flat=True)) == taking_part


def test_assigning_again_after_a_removal_gives_no_case_to_more_than_the_plan_wants(
    study: Study, organiser: User, graders: list[User], outsider: User
) -> None:
    """What was given to others instead lies in another round, and counts. Nobody has read the fifth case."""
    unread = Assignment.objects.filter(case__study=study, case__number=5).select_related("grader").earliest("pk")
    remove_grader(study=study, grader=unread.grader, reason="Reads at random.", actor=organiser)
    add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)
    assert plan_assignments(study=study, rule=Rule(2)).count == 0


def test_somebody_who_comes_later_is_given_what_nobody_could_read_instead(
    study: Study, organiser: User, graders: list[User], outsider: User
) -> None:
    for user in graders[:2]:
        remove_grader(study=study, grader=member(study, user), reason="Reads at random.", actor=organiser)
    late = add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)
    plan = plan_assignments(study=study, rule=Rule(2))
    assert (len(plan.new[late.pk]), plan.count) == (5, 5)
    assert assign_cases(study=study, rule=Rule(2), actor=organiser) == 5


def test_a_removal_needs_a_reason_and_happens_once(study: Study, organiser: User, graders: list[User]) -> None:
    bad = member(study, graders[0])
    with pytest.raises(DomainError, match="Give a reason"):
        remove_grader(study=study, grader=bad, reason="  ", actor=organiser)
    assert not Removal.objects.exists()
    remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)
    with pytest.raises(Conflict, match="removed already"):
        remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)


def test_where_everybody_reads_everything_the_rest_decides(
    organiser: User, senior: User, graders: list[User], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    study = scene.read_study(
        "refuge",
        organiser=organiser,
        senior=senior,
        graders=graders,
        answers=[scene.refuge_answers(shift) for shift in (0.0, 0.0, 6.0)],
    )
    scene.fuse_all(study, actor=senior)
    bad = member(study, graders[2])
    assert preview_removal(study=study, grader=bad).regrading.count == 0
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        removal = remove_grader(study=study, grader=bad, reason="Marks something else.", actor=organiser)
    finish_jobs()

    assert "fovea" in {change.target.lower() for change in changes_since(removal)}
    point = Reference.objects.get(case__study=study, target__key="fovea", following=None)
    assert point.geometry == {"x": 4.5, "y": 11.0}  # the mean of the two who agree
