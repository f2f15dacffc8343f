"""A challenge on AIROGS: models' curves and graders' points in one chart, for those who see readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Study, User
from annotator.services.job_run import run_job
from consensus.services.freezing import freeze_dataset
from evaluation.models import Phase, Submission
from evaluation.services.grader_scores import request_scores
from tests import cast
from tests.consensus import adjudication_scene
from tests.evaluation.challenge_scene import SHOWN, names_of, opened, score_all, sent, team_of

pytestmark = pytest.mark.django_db
LABELS = ("RG", "RG", "NRG", "NRG", "U", "U")


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    """Both graders say the same, so each sees every case as the reference does."""
    labels = [(label, label) for label in LABELS]
    study = adjudication_scene.disputed_study(
        labels, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[]
    )
    freeze_dataset(study=study, actor=senior, name="First")
    run_job(request_scores(study=study, actor=organiser).pk)
    return study


@pytest.fixture
def member(db: None) -> User:
    return cast.person("Rita Rival")


@pytest.fixture
def submission(study: Study, organiser: User, member: User) -> Submission:
    phase = opened(study, organiser=organiser, key="final", **SHOWN).phases.get()
    submission = sent(phase, team_of(study, "Ours", member, organiser=organiser), likelihoods(phase))
    score_all()
    return submission


def likelihoods(phase: Phase) -> dict[str, str]:
    rows = [
        f"{name},{0.9 if LABELS[case.number - 1] == 'RG' else 0.1},0,{case.number},0"
        for name, case in names_of(phase).items()
    ]
    head = "challenge_id,rg_likelihood,rg_binary,ungradability_score,ungradability_binary"
    return {"submission.csv": "\n".join([head, *rows]) + "\n"}


def panels_at(browser: Client, address: str) -> list[tuple[list[str], list[str]]]:
    """By chart: which entries have a curve, and which graders a point."""
    found = browser.get(address).context["panels"]
    return [
        (
            [words for kind, words in panel.legend if kind != "zero"],
            sorted(" ".join(mark.label for mark in panel.marks).split()),
        )
        for panel in found
        if panel.curves
    ]


def test_an_overseer_sees_the_curve_and_the_graders_points_and_a_team_its_curve_alone(
    submission: Submission, organiser: User, senior: User, member: User, browser_of: Callable[[User], Client]
) -> None:
    place = [submission.phase.challenge.public_id, submission.public_id]
    address = reverse("submission", args=place)
    for overseer in (organiser, senior):
        assert panels_at(browser_of(overseer), address)[0] == (["Ours"], ["A", "B"])
    assert panels_at(browser_of(member), address)[0] == (["Ours"], [])
    board = reverse("leaderboard", args=[submission.phase.challenge.public_id, submission.phase.public_id])
    assert panels_at(browser_of(organiser), board)[0] == (["Ours"], ["A", "B"])
    assert browser_of(member).get(board).context["panels"] == []


def test_the_page_of_graders_has_the_curves_beside_their_points(
    study: Study, submission: Submission, senior: User, browser_of: Callable[[User], Client]
) -> None:
    page = browser_of(senior).get(reverse("grader_scores", args=[study.public_id]), {"against": "reference"})
    panel = next(track.panel for track in page.context["tracks"] if track.panel)
    assert [words for _kind, words in panel.legend][:1] == ["Ours"]
    (mark,) = panel.marks  # both reach the same
    assert mark.label == "A B"
    assert "The challenge" in page.content.decode()
