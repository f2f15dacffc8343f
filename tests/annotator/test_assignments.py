"""Assignment: balanced, blind to order, only ever added to."""

import threading
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotator import plan
from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, AuditEvent, Case, Eye, Image, Membership, Role, Round, Study, User
from annotator.services.assignments import Rule, assign_cases, plan_assignments, rule_of
from annotator.services.rounds import begin_round, date_round
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


@given(
    subjects=st.lists(st.integers(0, 5), min_size=1, max_size=14),
    last=st.none() | st.integers(0, 5),
    seed=st.integers(0, 2**31 - 1),
)
def test_cases_of_one_subject_are_apart_as_far_as_they_can_be(subjects: list[int], last: int | None, seed: int) -> None:
    of = dict(enumerate(subjects))
    order = plan.own_order(list(of), grader=1, seed=seed, begun=0, priority={}, subjects=of, last_subject=last)
    assert sorted(order) == list(of)
    row = [of[case] for case in order] if last is None else [last, *(of[case] for case in order)]
    # A subject fits into the gaps between the others; one gap fewer when the list before ends with it.
    counts = Counter(subjects)
    too_many = max(many - (len(of) - many + (subject != last)) for subject, many in counts.items())
    assert sum(left == right for left, right in pairwise(row)) == max(0, too_many)


def test_urgent_cases_stay_first_when_subjects_are_kept_apart() -> None:
    subjects = {1: 7, 2: 7, 3: 7, 4: 8}
    order = plan.own_order([1, 2, 3, 4], grader=1, seed=7, begun=0, priority={1: 1, 2: 1}, subjects=subjects)
    assert set(order[:2]) == {1, 2}
    assert order[2] == 4


def test_urgent_cases_come_first() -> None:
    assert plan.own_order([1, 2, 3, 4], grader=1, seed=7, begun=0, priority={3: 5})[0] == 3


@pytest.fixture
def ready(study: Study, organiser: User) -> Study:
    cast.add_pictures(study, 6, actor=organiser)
    return study


pytestmark = [pytest.mark.django_db, pytest.mark.contract]


def test_a_preview_writes_nothing(ready: Study) -> None:
    made = plan_assignments(study=ready, rule=Rule(None))
    assert made.count == 18
    assert Assignment.objects.count() == 0


def test_every_grader_reads_every_case(ready: Study, organiser: User) -> None:
    assert assign_cases(study=ready, rule=Rule(None), actor=organiser) == 18
    assert set(Counter(Assignment.objects.values_list("case", flat=True)).values()) == {3}


def test_two_per_case_are_balanced(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(2), actor=organiser)
    assert sorted(Counter(Assignment.objects.values_list("grader", flat=True)).values()) == [4, 4, 4]


def test_running_it_again_adds_nothing(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(2), actor=organiser)
    assert assign_cases(study=ready, rule=Rule(2), actor=organiser) == 0


def test_later_images_extend_the_plan_behind_what_has_begun(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    before = dict(Assignment.objects.values_list("pk", "position"))
    cast.add_pictures(ready, 2, actor=organiser, first_seed=100)
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    assert {pk: Assignment.objects.get(pk=pk).position for pk in before} == before
    new = Assignment.objects.exclude(pk__in=before).values_list("position", flat=True)
    assert sorted(new) == [7, 7, 7, 8, 8, 8]


def test_a_grader_from_whom_a_case_was_taken_does_not_get_it_back(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(2), actor=organiser)
    taken = Assignment.objects.order_by("pk")[0]
    Assignment.objects.filter(pk=taken.pk).update(state=Assignment.State.WITHDRAWN)
    assign_cases(study=ready, rule=Rule(2), actor=organiser)
    holders = Assignment.objects.filter(case=taken.case).exclude(state="withdrawn").values_list("grader", flat=True)
    assert len(holders) == 2
    assert taken.grader_id not in holders


def test_leavers_get_nothing(ready: Study, organiser: User) -> None:
    from annotator.services.people import deactivate_member

    leaver = Membership.objects.filter(study=ready, role=Role.GRADER).order_by("pk")[0]
    deactivate_member(membership=leaver, actor=organiser)
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    assert not Assignment.objects.filter(grader=leaver).exists()


def test_more_graders_per_case_than_there_are_is_refused(ready: Study) -> None:
    with pytest.raises(DomainError, match="from 1 to 3"):
        plan_assignments(study=ready, rule=Rule(4))


def test_a_study_without_images_cannot_be_assigned(study: Study) -> None:
    with pytest.raises(Conflict, match="images"):
        plan_assignments(study=study, rule=Rule(None))


def test_urgent_cases_stand_first_in_every_worklist(ready: Study, organiser: User) -> None:
    urgent = Case.objects.get(study=ready, number=4)
    Case.objects.filter(pk=urgent.pk).update(priority=9)
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    firsts = Assignment.objects.filter(position=1).values_list("case", flat=True)
    assert set(firsts) == {urgent.pk}


def test_cases_named_first_are_urgent_and_stay_so_for_graders_who_join_later(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(None), first=[5, 2], actor=organiser)
    heads = Assignment.objects.filter(position__lte=2).values_list("case__number", flat=True)
    assert set(heads) == {2, 5}
    cast.add_cast(ready, actor=organiser, graders=[cast.person("Late Grader")])
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    late = Assignment.objects.filter(grader__user__name="Late Grader", position__lte=2)
    assert set(late.values_list("case__number", flat=True)) == {2, 5}
    assert AuditEvent.objects.get(action="cases.urgent").after == {"cases": [2, 5]}


def test_a_case_that_does_not_exist_cannot_be_read_first(ready: Study) -> None:
    with pytest.raises(DomainError, match="no case 77"):
        plan_assignments(study=ready, rule=Rule(None), first=[1, 77])


def test_two_eyes_of_one_subject_never_follow_one_another(ready: Study, organiser: User) -> None:
    for number, image in enumerate(
        Image.objects.select_related("eye").order_by("pk")
    ):  # three of one, three of another
        eye = Eye.objects.get(subject__pseudonym=f"P{1 + number % 2:04d}")
        Image.objects.filter(pk=image.pk).update(subject=eye.subject, eye=eye, order_in_eye=1 + number)
    assign_cases(study=ready, rule=Rule(None, subjects_apart=True), actor=organiser)
    rows = Assignment.objects.order_by("grader", "position")
    subjects = list(rows.values_list("grader", "case__case_images__image__subject"))
    assert all(left != right for left, right in pairwise(subjects))


def test_the_round_keeps_the_rule_for_its_extensions(ready: Study, organiser: User) -> None:
    assert rule_of(ready) == Rule(None)
    assign_cases(study=ready, rule=Rule(2, subjects_apart=True), actor=organiser)
    assert rule_of(ready) == Rule(2, subjects_apart=True)


def test_a_further_round_takes_only_what_no_earlier_one_has(ready: Study, organiser: User) -> None:
    assign_cases(study=ready, rule=Rule(None), actor=organiser)
    before = list(Assignment.objects.order_by("pk").values_list("pk", "round", "position"))
    begun = begin_round(study=ready, opens=None, closes=None, actor=organiser)
    cast.add_pictures(ready, 2, actor=organiser, first_seed=100)
    assert plan_assignments(study=ready, rule=Rule(1)).elsewhere == 6
    assert assign_cases(study=ready, rule=Rule(1), actor=organiser) == 2
    assert list(Assignment.objects.exclude(round=begun).order_by("pk").values_list("pk", "round", "position")) == before
    assert set(Assignment.objects.filter(round=begun).values_list("case__number", flat=True)) == {7, 8}
    assert begun.seed != Round.objects.exclude(pk=begun.pk).get().seed


def test_no_round_is_begun_behind_an_empty_one(ready: Study, organiser: User) -> None:
    with pytest.raises(Conflict, match="no assignments yet"):
        begin_round(study=ready, opens=None, closes=None, actor=organiser)


def test_a_round_closes_after_it_opens_and_its_beginning_stays(ready: Study, organiser: User) -> None:
    now, round = timezone.now(), Round.objects.get(study=ready)
    with pytest.raises(DomainError, match="close after it opens"):
        date_round(round=round, opens=now + timedelta(days=2), closes=now + timedelta(days=1), actor=organiser)
    Round.objects.update(opens=now - timedelta(days=1))
    with pytest.raises(DomainError, match="has begun"):
        date_round(round=round, opens=now, closes=None, actor=organiser)


@pytest.mark.django_db(transaction=True)
def test_two_who_assign_at_once_never_give_a_case_to_more_than_k(ready: Study, organiser: User) -> None:
    together = threading.Barrier(2)

    def assign() -> None:
        try:
            together.wait()
            assign_cases(study=ready, rule=Rule(2), actor=organiser)
        finally:
            connection.close()

    Round.objects.update(seed=3)
    workers = [threading.Thread(target=assign) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(Counter(Assignment.objects.values_list("case", flat=True)).values()) == {2}
