"""A study whose graders have read: through the services that people's clicks call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from annotator.answers import Given
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.models import Assignment, Case, Job, Membership, Reading, Study, User
from annotator.services.job_run import run_job
from annotator.services.readings import submit_reading
from annotator.services.studies import change_state
from consensus.models import Reference
from consensus.services.runs import request_run
from tests import cast

WIDTH, HEIGHT = 32, 24  # of the cast's tiny pictures


def disc_of(shift: float) -> dict[str, float]:
    return {"cx": 16.0 + shift, "cy": 12.0, "a": 6.0, "b": 5.0, "theta_deg": 0.0}


def cup_of(shift: float, height: float = 2.5) -> dict[str, float]:
    return {"cx": 16.0 + shift, "cy": 12.0, "a": 3.0, "b": height, "theta_deg": 0.0}


def refuge_answers(shift: float = 0.0) -> tuple[Given, ...]:
    """Disc, cup and fovea, all moved to the right by so many pixels."""
    return (
        Given("disc", geometry=disc_of(shift)),
        Given("cup", geometry=cup_of(shift)),
        Given("fovea", geometry={"x": 4.5 + shift, "y": 11.0}),
    )


def open_study(study: Study, *, actor: User) -> Study:
    study = Study.objects.get(pk=study.pk)
    return change_state(study=study, version=study.version, state=Study.State.READING, actor=actor)


def read(assignment: Assignment, answers: Sequence[Given]) -> Reading:
    fresh = Assignment.objects.select_related("grader__user", "grader__study", "round").get(pk=assignment.pk)
    return submit_reading(
        assignment=fresh, actor=fresh.grader.user, answers=answers, opened_at=timezone.now(), active_ms=1000
    )


def read_study(
    protocol: str,
    *,
    organiser: User,
    senior: User,
    graders: Sequence[User],
    answers: Sequence[Sequence[Given]],
    cases: int = 1,
    changes: Mapping[str, Any] | None = None,
) -> Study:
    """Every grader reads every case; `answers` by grader, the same in all cases."""
    study = cast.study_of(protocol, organiser=organiser, changes=changes)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    cast.add_pictures(study, cases, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = open_study(study, actor=organiser)
    for user, given in zip(graders, answers, strict=True):
        for assignment in assignments_of(study, user):
            read(assignment, given)
    return study


def assignments_of(study: Study, grader: User) -> list[Assignment]:
    member = Membership.objects.get(study=study, user=grader, role="grader")
    return list(Assignment.objects.filter(grader=member).order_by("case__number", "pk"))


def fuse_all(study: Study, *, actor: User, reason: str = "") -> Job:
    """The whole study, as the worker does it."""
    job = request_run(study=study, actor=actor, reason=reason)
    run_job(job.pk)
    job.refresh_from_db()
    return job


def case_of(study: Study, number: int = 1) -> Case:
    return Case.objects.get(study=study, number=number)


def latest(case: Case, target: str) -> Reference:
    return Reference.objects.get(case=case, target__key=target, following__isnull=True)


def majority_picture(ellipses: Sequence[Mapping[str, float]]) -> NDArray[np.bool_]:
    """Pixel by pixel, without the kernels."""
    pictures = [rasterise_ellipse(Ellipse(**ellipse), WIDTH, HEIGHT) for ellipse in ellipses]
    majority: NDArray[np.bool_] = np.sum(pictures, axis=0) * 2 > len(pictures)
    return majority
