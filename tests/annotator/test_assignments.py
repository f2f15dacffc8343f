"""Assignment: balanced, blind to order, only ever added to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator import plan
from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Case, Membership, Role, Study, User
from annotator.services.assignments import assign_cases, plan_assignments
from tests import cast


@given(cases=st.integers(1, 60), graders=st.integers(1, 9), k=st.integers(1, 9), seed=st.integers(0, 2**31 - 1))
def test_every_case_gets_k_graders_and_loads_differ_by_at_most_one(cases: int, graders: int, k: int, seed: int) -> None:
    k = min(k, graders)
    made = plan.k_per_case(range(cases), range(graders), k, {}, {}, {}, seed)
    per_case = Counter(case for mine in made.values() for case in mine)
    loads = [len(mine) for mine in made.values()]
    assert set(per_case.values()) == {k}
    assert max(loads) - min(loads) <= 1
    assert all(len(set(mine)) == len(mine) for mine in made.values())


@given(cases=st.integers(1, 40), k=st.integers(1, 4), seed=st.integers(0, 1000))
def test_an_extension_completes_cases_and_never_doubles_a_grader(cases: int, k: int, seed: int) -> None:
    held = {case: {case % 5} for case in range(cases)}
    made = plan.k_per_case(range(cases), range(5), k, held, {}, {}, seed)
    for case in range(cases):
        new = {grader for grader, mine in made.items() if case in mine}
        assert not new & held[case]
        assert len(new) == k - 1


def test_the_order_can_be_made_again_from_the_seed_and_differs_between_graders() -> None:
    cases = list(range(50))
    first = plan.own_order(cases, grader=1, seed=7, begun=0, priority={})
    assert first == plan.own_order(cases, grader=1, seed=7, begun=0, priority={})
    assert first != plan.own_order(cases, grader=2, seed=7, begun=0, priority={})
    assert sorted(first) == cases


def test_urgent_cases_come_first() -> None:
    assert plan.own_order([1, 2, 3, 4], grader=1, seed=7, begun=0, priority={3: 5})[0] == 3


@pytest.fixture
def ready(study: Study, organiser: User) -> Study:
    cast.add_pictures(study, 6, actor=organiser)
    return study


pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def test_a_preview_writes_nothing(ready: Study) -> None:
    made = plan_assignments(study=ready, graders_per_case=None)
    assert made.count == 18
    assert Assignment.objects.count() == 0


def test_every_grader_reads_every_case(ready: Study, organiser: User) -> None:
    assert assign_cases(study=ready, graders_per_case=None, actor=organiser) == 18
    assert set(Counter(Assignment.objects.values_list("case", flat=True)).values()) == {3}


def test_two_per_case_are_balanced(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, graders_per_case=2, actor=organiser)
    assert sorted(Counter(Assignment.objects.values_list("grader", flat=True)).values()) == [4, 4, 4]


def test_running_it_again_adds_nothing(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, graders_per_case=2, actor=organiser)
    assert assign_cases(study=ready, graders_per_case=2, actor=organiser) == 0


def test_later_images_extend_the_plan_behind_what_has_begun(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, graders_per_case=None, actor=organiser)
    before = dict(Assignment.objects.values_list("pk", "position"))
    cast.add_pictures(ready, 2, actor=organiser, first_seed=100)
    assign_cases(study=ready, graders_per_case=None, actor=organiser)
    assert {pk: Assignment.objects.get(pk=pk).position for pk in before} == before
    new = Assignment.objects.exclude(pk__in=before).values_list("position", flat=True)
    assert sorted(new) == [7, 7, 7, 8, 8, 8]


def test_a_grader_from_whom_a_case_was_taken_does_not_get_it_back(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, graders_per_case=2, actor=organiser)
    taken = Assignment.objects.order_by("pk")[0]
    Assignment.objects.filter(pk=taken.pk).update(state=Assignment.State.WITHDRAWN)
    assign_cases(study=ready, graders_per_case=2, actor=organiser)
    holders = Assignment.objects.filter(case=taken.case).exclude(state="withdrawn").values_list("grader", flat=True)
    assert len(holders) == 2
    assert taken.grader_id not in holders


def test_leavers_get_nothing(ready: Study, organiser: User) -> None:
    from annotator.services.people import deactivate_member

    leaver = Membership.objects.filter(study=ready, role=Role.GRADER).order_by("pk")[0]
    deactivate_member(membership=leaver, actor=organiser)
    assign_cases(study=ready, graders_per_case=None, actor=organiser)
    assert not Assignment.objects.filter(grader=leaver).exists()


def test_more_graders_per_case_than_there_are_is_refused(ready: Study) -> None:
    with pytest.raises(DomainError, match="from 1 to 3"):
        plan_assignments(study=ready, graders_per_case=4)


def test_a_study_without_images_cannot_be_assigned(study: Study) -> None:
    with pytest.raises(Conflict, match="images"):
        plan_assignments(study=study, graders_per_case=None)


def test_urgent_cases_stand_first_in_every_worklist(ready: Study, organiser: User) -> None:
    urgent = Case.objects.get(study=ready, number=4)
    Case.objects.filter(pk=urgent.pk).update(priority=9)
    assign_cases(study=ready, graders_per_case=None, actor=organiser)
    firsts = Assignment.objects.filter(position=1).values_list("case", flat=True)
    assert set(firsts) == {urgent.pk}
