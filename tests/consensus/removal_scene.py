"""A small AIROGS study in which the first of three graders calls everything referable."""

from annotator.models import Assignment, Job, Membership, Study, User
from annotator.services.job_run import run_job
from consensus.models import Reference
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

TRUTH = {1: "RG", 2: "NRG", 3: "NRG", 4: "NRG"}  # whoever has three of the five eyes has one that is not RG


def half_read(organiser: User, senior: User, graders: list[User]) -> Study:
    """Four eyes, two graders each out of three; the first calls everything RG, the others are right. Five assignments
    of one case are open: a fifth eye nobody has read."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    cast.add_pictures(study, 5, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for grader in graders:
        for assignment in scene.assignments_of(study, grader):
            number = assignment.case.number
            if number in TRUTH:
                label = "RG" if grader == graders[0] else TRUTH[number]
                scene.read(assignment, answer(label))
    scene.fuse_all(study, actor=senior)
    return study


def member(study: Study, user: User) -> Membership:
    return Membership.objects.get(study=study, user=user)


def labels(study: Study) -> dict[int, str]:
    rows = Reference.objects.filter(case__study=study, following=None)
    return {row.case.number: row.label or row.answer for row in rows.select_related("case")}


def read_by(study: Study, user: User) -> set[int]:
    return {one.case.number for one in scene.assignments_of(study, user)}


def finish_jobs() -> None:
    for job in Job.objects.filter(kind="follow_removal", finished_at=None):
        run_job(job.pk)


def read_again(study: Study, graders: list[User]) -> None:
    """Whoever has something open reads it, rightly."""
    for grader in graders:
        for assignment in Assignment.objects.filter(grader__user=grader, grader__study=study, state="waiting"):
            number = assignment.case.number
            if number in TRUTH:
                scene.read(assignment, answer(TRUTH[number]))
    finish_jobs()
