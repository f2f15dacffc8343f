"""Ways to pass an exam without knowing better: none of them leads through."""

from __future__ import annotations

import pytest

from annotator.errors import DomainError, Forbidden
from annotator.models import Role, Study, User
from annotator.services.people import add_member, deactivate_member
from annotator.services.reopening import reopen_reading
from consensus.models import Exam, ExamResult
from consensus.services.exams import hand_in, mark_again, set_up_exam
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.exam_scene import LIMITS, TRUTH, known, passed_by, sit
from tests.consensus.test_exams import exam as exam
from tests.consensus.test_exams import study as study

pytestmark = pytest.mark.django_db


def test_a_reading_given_back_afterwards_changes_no_result(exam: Exam, organiser: User, graders: list[User]) -> None:
    """Otherwise somebody who failed passes by answering again before the exam is marked again."""
    failed = passed_by(exam, graders[0], ["RG"] * len(TRUTH), organiser=organiser)
    for assignment, label in zip(scene.assignments_of(exam.held_in, graders[0]), TRUTH, strict=True):
        reopen_reading(assignment=assignment, actor=organiser, reason="By mistake")
        scene.read(assignment, answer(label))
    known(exam.held_in, (*TRUTH[:-1], "RG"), actor=organiser)

    assert mark_again(exam=exam, actor=organiser) == 0

    again = ExamResult.objects.get(candidate=failed.candidate, number=2)
    assert (again.images, again.passed_as_grader) == (len(TRUTH), False)
    assert [error["said"] for error in again.errors] == ["RG"] * 7


def test_a_reading_given_back_and_not_answered_yet_still_counts_as_it_was(
    exam: Exam, organiser: User, graders: list[User]
) -> None:
    passed = passed_by(exam, graders[0], TRUTH, organiser=organiser)
    reopen_reading(assignment=scene.assignments_of(exam.held_in, graders[0])[0], actor=organiser, reason="By mistake")
    known(exam.held_in, (*TRUTH[:-1], "RG"), actor=organiser)
    mark_again(exam=exam, actor=organiser)
    assert ExamResult.objects.get(candidate=passed.candidate, number=2).images == len(TRUTH)


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.SENIOR, Role.ADJUDICATOR, Role.OBSERVER])
def test_nobody_who_knows_the_answers_is_examined(role: Role, exam: Exam, organiser: User, graders: list[User]) -> None:
    """Not even somebody who has given the other role up meanwhile."""
    knows = add_member(study=exam.held_in, user=graders[0], role=role, actor=organiser)
    deactivate_member(membership=knows, actor=organiser)
    candidate = sit(exam, graders[0], TRUTH, organiser=organiser)
    with pytest.raises(Forbidden, match="knows the answers"):
        hand_in(exam=exam, candidate=candidate, actor=graders[0])
    assert not ExamResult.objects.exists()


def test_exams_do_not_lead_round_in_a_circle(exam: Exam, organiser: User) -> None:
    """Nobody could ever be given a case of either."""
    middle = set_up_exam(study=exam.held_in, limits=LIMITS, shows_errors=False, actor=organiser, name="Entrance")
    for last in (exam.held_in, middle.held_in):
        with pytest.raises(DomainError, match=r"circle|already"):
            set_up_exam(study=last, limits=LIMITS, shows_errors=False, actor=organiser, held_in=exam.study)
    assert Exam.objects.count() == 2


def test_a_study_for_an_exam_is_made_only_by_somebody_who_may_make_studies(study: Study, organiser: User) -> None:
    organiser.can_create_studies = False
    organiser.save()
    with pytest.raises(Forbidden):
        set_up_exam(study=study, limits=LIMITS, shows_errors=False, actor=organiser, name="EODAT")
    assert Study.objects.count() == 1
