"""A candidate follows every link and tries every address of the exam and of the study behind it, and learns neither the
answers nor how anybody else did."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotator.models import Assignment, Image, Job, Membership, Role, Study, User
from consensus.models import ConsensusRun, Exam, Reference
from consensus.services.exams import admit, hand_in, set_up_exam
from tests import cast
from tests.consensus.exam_scene import LIMITS, TRUTH, known, passed_by, sit
from tests.consensus.test_exams import study as study
from tests.crawl import Found, crawl, known_addresses

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam(study: Study, organiser: User) -> Exam:
    exam = set_up_exam(study=study, limits=LIMITS, shows_errors=True, actor=organiser, name="Entrance")
    cast.add_pictures(exam.held_in, len(TRUTH), actor=organiser)
    known(exam.held_in, TRUTH, actor=organiser)
    return exam


def ids(exam: Exam, candidate: User) -> dict[str, list[str]]:
    own = Assignment.objects.filter(grader__user=candidate).values_list("public_id", flat=True)
    others = Assignment.objects.exclude(grader__user=candidate).values_list("public_id", flat=True)
    return {
        "study_id": [exam.study.public_id, exam.held_in.public_id],
        "assignment_id": [*own[:2], *others[:2]],
        "image_id": [*Image.objects.values_list("public_id", flat=True)[:1]],
        "case_id": [exam.held_in.cases.all()[0].public_id],
        "member_id": [*Membership.objects.exclude(user=candidate).values_list("public_id", flat=True)],
        "person_id": [*Membership.objects.exclude(user=candidate).values_list("public_id", flat=True)],
        "job_id": [*Job.objects.values_list("public_id", flat=True)[:2]],
        "run_id": [*ConsensusRun.objects.values_list("public_id", flat=True)[:1]],
        "position": ["1"],
        "number": ["1"],
        "key": ["glaucoma", "airogs"],
        "target_key": ["glaucoma"],
    }


def told(found: Found, secrets: set[str]) -> list[str]:
    text = (found.headers + found.body.decode("utf-8", "replace")).replace(found.address, "")
    return sorted(secret for secret in secrets if secret in text and secret not in found.address)


def test_a_candidate_learns_nothing_of_answers_and_of_others(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    first = passed_by(exam, graders[0], TRUTH, organiser=organiser)
    passed_by(exam, graders[1], ["RG"] * len(TRUTH), organiser=organiser)
    admit(exam=exam, candidate=first.candidate, role=Role.GRADER, actor=organiser)
    candidate = sit(exam, graders[2], (*TRUTH[:-1], "RG"), organiser=organiser)
    secrets = {name for other in (*graders[:2], organiser) for name in (other.name, other.email)}
    secrets |= {
        "EODAT",
        "You passed",
        "did not pass",
        "prevalence",
        "It is</th>",
        exam.study.name,
    }
    secrets |= set(Reference.objects.values_list("digest", flat=True))
    secrets |= set(Image.objects.values_list("sha256", flat=True))

    answers = list(crawl(browser_of(graders[2]), ["/", *known_addresses(ids(exam, graders[2]))]))

    assert [(found.address, told(found, secrets)) for found in answers if told(found, secrets)] == []
    assert [found.address for found in answers if found.status >= 500] == []
    hand_in(exam=exam, candidate=candidate, actor=graders[2])
    shown = browser_of(graders[2]).get(f"/studies/{exam.held_in.public_id}/exam/mine/").content.decode()
    assert [words in shown for words in ("You passed", "It is</th>")] == [True, True]  # the crawl would have found it
