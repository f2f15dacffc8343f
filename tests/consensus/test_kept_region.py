"""By STAPLE: where it looked and from which prior it began is kept with the run and the reference, and shown."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import User
from tests.consensus import scene

pytestmark = pytest.mark.django_db


def test_staple_s_region_and_prior_are_kept_with_run_and_reference_and_shown(
    organiser: User, senior: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    disc = "targets[0].consensus"
    changes = {f"{disc}.rule": "staple", f"{disc}.ties": None, f"{disc}.region_margin": 0.25}
    answers = [scene.refuge_answers(shift) for shift in (0.0, 0.5, 1.0)]
    study = scene.read_study(
        "refuge", organiser=organiser, senior=senior, graders=graders[:3], answers=answers, changes=changes
    )

    scene.fuse_all(study, actor=senior)

    reference = scene.latest(scene.case_of(study), "disc")
    assert reference.run.rules["disc"]["parameters"] == {
        "region": "box of all marks",
        "margin": 0.25,
        "prior": "mean vote",
    }
    numbers = reference.measures["numbers"]
    box = [int(numbers[f"region_{side}"]) for side in ("left", "top", "right", "bottom")]
    assert numbers["region_px"] == (box[2] - box[0]) * (box[3] - box[1])
    marked = [reference.measures["graders"][letter]["area_px"] for letter in reference.measures["graders"]]
    assert numbers["prior"] == pytest.approx(sum(marked) / 3 / numbers["region_px"])
    told = browser_of(senior).get(reverse("table_history", args=[study.public_id, reference.case.public_id]))
    assert f"columns {box[0]}–{box[2] - 1}, rows {box[1]}–{box[3] - 1}" in told.content.decode()
