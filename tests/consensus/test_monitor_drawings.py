"""Drawings of a small REFUGE study beside the vote of the others: kept once, shown to organisers, alerts on limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.errors import Conflict
from annotator.models import Job, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.job_run import run_job
from annotator.services.reopening import reopen_reading
from consensus.models import Alert, DrawingReport
from consensus.selectors.drawings import drawings_digest, kept_drawings
from consensus.services import drawings
from consensus.services.drawings import compare_drawings, request_drawings, watch_drawings
from protocols.names import Performance
from protocols.reading import Limit
from tests import cast
from tests.consensus import scene

pytestmark = pytest.mark.django_db
SHIFTS = (0.0, 0.5, 6.0)


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    answers = [scene.refuge_answers(shift) for shift in SHIFTS]
    return scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=3)


def compare(study: Study, actor: User) -> DrawingReport:
    run_job(request_drawings(study=study, actor=actor).pk)
    return DrawingReport.objects.get(study=study)


def test_points_and_areas_of_each_grader_are_kept_beside_the_vote_of_the_others(study: Study, organiser: User) -> None:
    report = compare(study, organiser)

    fovea = kept_drawings(report, "fovea")
    # The others' mean lies at +0.25 for the third, at +3 for the second, and at +3.25 for the first.
    assert [fovea[code].values for code in ("G1", "G2", "G3")] == [[3.25] * 3, [2.5] * 3, [5.75] * 3]
    assert fovea["G1"].offsets == [(-3.25, 0.0)] * 3
    disc = kept_drawings(report, "disc")
    assert disc["G3"].mean.value < disc["G1"].mean.value
    assert disc["G1"].cases == [1, 2, 3]


def test_the_same_readings_are_compared_once_and_others_make_it_stale(study: Study, organiser: User) -> None:
    report = compare(study, organiser)
    again = compare_drawings(study=study, actor=organiser, tell=lambda _done, _total: None)
    assert again == report
    assert report.inputs_digest == drawings_digest(study)

    assignment = scene.assignments_of(study, User.objects.get(name="Gina Grader"))[0]
    reopen_reading(assignment=assignment, actor=organiser, reason="Wrong eye.")

    assert report.inputs_digest != drawings_digest(study)


def test_nobody_compares_before_anybody_has_drawn(organiser: User) -> None:
    with pytest.raises(Conflict):
        request_drawings(study=cast.study_of("refuge", organiser=organiser), actor=organiser)


def test_the_page_asks_for_the_comparison_and_then_shows_it(
    study: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    browser, address = browser_of(organiser), reverse("monitor", args=[study.public_id])
    assert "Compare the drawings" in browser.get(address).content.decode()

    browser.post(address)
    run_job(Job.objects.get(kind="compare_drawings").pk)

    page = browser.get(address).content.decode()
    assert "5.8" in page  # px, of the third grader
    assert "Compare the drawings" not in page
    grader = Membership.objects.get(study=study, code="G3")
    chart = browser.get(reverse("monitor_grader", args=[study.public_id, grader.public_id])).content.decode()
    assert chart.count("<svg viewBox") >= 3


def test_a_mean_that_lies_beyond_a_limit_raises_one_alert(
    study: Study, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = compare(study, organiser)
    recipe = recipe_of(study)
    limit = Limit("fovea", Performance.MEAN_DISTANCE_PX, 5.0)
    strict = replace(recipe.monitoring, limits=(limit,), min_positives=2, look_every=3)
    monkeypatch.setattr(drawings, "recipe_of", lambda _study: replace(recipe, monitoring=strict))

    assert len(watch_drawings(study=study, report=report)) == 1
    assert watch_drawings(study=study, report=report) == []
    alert = Alert.objects.get()
    assert (alert.grader.code, alert.measure, alert.rate, alert.of) == ("G3", "mean-distance-px", 5.75, 3)
