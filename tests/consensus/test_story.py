"""AIROGS from its candidates to its final labels, by services; every count is worked out again from what was true and
what everybody said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotator.models import Assignment, Job, Membership, Role, Study, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.job_run import run_job
from annotator.services.people import add_member
from annotator.services.qualifying import qualify
from consensus.models import Alert, Reference
from consensus.selectors.adjudication import open_cases
from consensus.selectors.exams import candidates_of
from consensus.selectors.removals import changes_since
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.exams import admit, set_up_exam
from consensus.services.removing import preview_removal, remove_grader, take_back_removal
from consensus.services.watching import watch_graders
from tests import cast
from tests.consensus import exam_scene, scene
from tests.consensus.adjudication_scene import TARGET, answer

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

EYES = 30
TRUTH = {number: "RG" if number % 5 == 0 else "NRG" for number in range(1, EYES + 1)}
FEW = {"monitoring.min_negatives": 8, "monitoring.min_positives": 30, "monitoring.look_every": 2}
STEADY, CARELESS = exam_scene.TRUTH, ("RG",) * len(exam_scene.TRUTH)
Said = dict[str, dict[int, str]]
"""By grader and eye."""


def drifted(number: int) -> str:
    """Right on the first ten eyes; from then on everything is referable."""
    return TRUTH[number] if number <= 10 else "RG"


def label_of(verdict: str) -> dict[str, object]:
    return {"answer": "present", "geometry": None, "label": verdict, "signs": [], "confidence": None}


def labels(study: Study) -> dict[int, str]:
    rows = Reference.objects.filter(case__study=study, following=None)
    return {row.case.number: row.label for row in rows.select_related("case")}


def read_what_waits(study: Study, drifter: User) -> Said:
    said: Said = {}
    for one in Assignment.objects.filter(grader__study=study, state="waiting").select_related("case", "grader__user"):
        label = drifted(one.case.number) if one.grader.user == drifter else TRUTH[one.case.number]
        scene.read(one, answer(label))
        said.setdefault(one.grader.user.name, {})[one.case.number] = label
    return said


def settle(study: Study, adjudicator: User) -> set[int]:
    """Every dispute, as the eye is."""
    settled = set()
    for case in list(open_cases(adjudicator, study)):
        verdicts = [Verdict(1, TARGET, label_of(TRUTH[case.number]))]
        adjudicate(case=case, actor=adjudicator, tab="story", verdicts=verdicts)
        settled.add(case.number)
    return settled


def finish_jobs() -> None:
    for job in Job.objects.filter(kind="follow_removal", finished_at=None):
        run_job(job.pk)


def test_from_candidates_to_final_labels(
    organiser: User,
    senior: User,
    adjudicator: User,
    graders: list[User],
    outsider: User,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    study = cast.study_of("airogs", organiser=organiser, changes=FEW)
    cast.add_cast(study, actor=organiser, senior=senior, adjudicator=adjudicator)
    cast.add_pictures(study, EYES, actor=organiser)

    # Three pass and one calls everything referable.
    exam = set_up_exam(study=study, limits=exam_scene.LIMITS, shows_errors=False, actor=organiser, name="Exam")
    cast.add_pictures(exam.held_in, len(STEADY), actor=organiser, first_seed=500)
    exam_scene.known(exam.held_in, STEADY, actor=organiser)
    for user, said_there in zip([*graders, outsider], [STEADY] * 3 + [CARELESS], strict=True):
        exam_scene.passed_by(exam, user, said_there, organiser=organiser)
    standing = candidates_of(exam)
    assert {one.membership.user for one in standing if Role.GRADER in one.admissible} == set(graders)
    add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)
    for one in standing:
        if Role.GRADER in one.admissible:
            admit(exam=exam, candidate=one.membership, role=Role.GRADER, actor=organiser)

    specialist = Membership.objects.get(study=study, user=adjudicator)
    qualify(membership=specialist, words="A glaucoma specialist", actor=organiser)

    # Who failed is a member and still gets nothing.
    study = Study.objects.get(pk=study.pk)
    assert assign_cases(study=study, rule=Rule(2), actor=organiser) == 2 * EYES
    assert not Assignment.objects.filter(grader__study=study, grader__user=outsider).exists()
    study = scene.open_study(study, actor=organiser)

    drifter = graders[0]
    said = read_what_waits(study, drifter)
    assert sum(len(own) for own in said.values()) == 2 * EYES
    scene.fuse_all(study, actor=senior)
    own = said[drifter.name]
    wrong = {number for number, label in own.items() if label != TRUTH[number]}
    assert wrong  # else there is no story
    assert labels(study) == {number: "" if number in wrong else TRUTH[number] for number in TRUTH}
    assert settle(study, adjudicator) == wrong
    assert labels(study) == TRUTH

    watch_graders(study=study)
    alert = Alert.objects.get()
    assert (alert.grader.user, alert.measure, alert.closed_at) == (drifter, "specificity", None)
    negatives = [number for number in own if TRUTH[number] == "NRG"]
    assert FEW["monitoring.min_negatives"] <= alert.of <= len(negatives)
    assert alert.bound < alert.limit == 0.95

    bad = Membership.objects.get(study=study, user=drifter, role=Role.GRADER)
    preview = preview_removal(study=study, grader=bad)
    assert (preview.readings, preview.cases, preview.references) == (len(own), len(own), len(own))
    assert (preview.regrading.count, preview.regrading.unread) == (len(own), [])

    before = {row.case.number: row.state for row in Reference.objects.filter(case__study=study, following=None)}
    assert {number for number, state in before.items() if state == "adjudicated"} == wrong
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        removal = remove_grader(study=study, grader=bad, reason="Calls everything referable.", actor=organiser)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        again = read_what_waits(study, drifter)
    finish_jobs()
    assert drifter.name not in again
    assert sum(len(one) for one in again.values()) == len(own)
    assert {number for one in again.values() for number in one} == set(own)
    assert labels(study) == TRUTH
    assert list(changes_since(removal)) == []  # the adjudicator had been right

    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        take_back_removal(removal=removal, actor=organiser)
    finish_jobs()
    bad.refresh_from_db()
    assert bad.active
