"""The demo's questions to the organiser: asked once, by the grader whose reading they speak of."""

import pytest

from annotator.answers import Given
from annotator.demo.questions import ReadCase, ask_questions
from annotator.models import Assignment, Flag, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.flags import raise_flag
from tests import cast
from tests.workbench.desk import open_study

pytestmark = pytest.mark.django_db
WHOLE, CUT = (Given("disc"),), (Given("disc", answer="not-visible"),)


@pytest.fixture
def study(organiser: User, graders: list[User]) -> Study:
    study = cast.study_of("adam", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 2, actor=organiser)
    return open_study(study, organiser)


def read_cases(study: Study) -> list[ReadCase]:
    """Only the second grader finds no whole disc, in the second case."""
    first, second = study.cases.order_by("pk")
    return [ReadCase(first.pk, (WHOLE, WHOLE), False), ReadCase(second.pk, (WHOLE, CUT), False)]


def test_a_question_is_asked_about_the_case_it_speaks_of_and_answered(
    study: Study, organiser: User, graders: list[User]
) -> None:
    cases = read_cases(study)

    ask_questions(study, organiser, cases)

    flag = Flag.objects.get()
    assert (flag.assignment.grader.user, flag.assignment.case_id) == (graders[1], cases[1].case_id)
    assert flag.closed_by == organiser
    assert flag.answer
    assert flag.seen_at is None


def test_asking_again_adds_nothing_and_answers_what_was_left_open(
    study: Study, organiser: User, graders: list[User]
) -> None:
    cases = read_cases(study)
    ask_questions(study, organiser, cases)
    comment = Flag.objects.get().comment
    Flag.objects.all().delete()
    assignment = Assignment.objects.get(grader__user=graders[1], case=cases[1].case_id)
    raise_flag(assignment=assignment, actor=graders[1], comment=comment)

    for _time in range(2):
        ask_questions(study, organiser, cases)

    assert Flag.objects.get().closed_at is not None
    assert list(audit_faults()) == []
