"""Where an organiser who sets an exam up goes next, told on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from annotator.models import Role, User
from annotator.services.people import add_member
from consensus.models import Exam
from tests import cast
from tests.consensus import scene
from tests.consensus.exam_scene import TRUTH, sit
from tests.consensus.test_exams import exam as exam
from tests.consensus.test_exams import study as study

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_study_of_an_exam_says_so_and_leads_to_the_results(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    sit(exam, graders[0], TRUTH, organiser=organiser)
    page = reverse("study", args=[exam.held_in.public_id])
    results = reverse("study_exam", args=[exam.study.public_id])

    shown = browser_of(organiser).get(page).content.decode()

    assert f"This study is the entrance exam of “{exam.study.name}”." in shown
    assert results in shown
    assert "nobody who can adjudicate has it" not in shown  # nothing is disputed here
    assert exam.study.name not in browser_of(graders[0]).get(page).content.decode()


def test_the_organiser_is_told_that_candidates_cannot_begin_yet(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    add_member(study=exam.held_in, user=graders[0], role=Role.GRADER, actor=organiser)
    page, words = reverse("study_exam", args=[exam.study.public_id]), "Candidates cannot begin yet"
    assert words not in browser_of(organiser).get(page).content.decode()  # the exam has to be given first
    cast.assign_all(exam.held_in, actor=organiser)
    assert words in browser_of(organiser).get(page).content.decode()
    scene.open_study(exam.held_in, actor=organiser)
    assert words not in browser_of(organiser).get(page).content.decode()
