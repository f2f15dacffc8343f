"""Leaderboards: which submission counts, the ranking, and that it follows withdrawals and new versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Job, Study, Team, User
from annotator.services.job_run import run_job
from consensus.services.freezing import freeze_dataset
from consensus.services.truth import Table, import_truth
from evaluation.models import Leaderboard, Phase, Scorecard
from evaluation.scoring import kept
from evaluation.selectors.standings import board_of, counted_of
from evaluation.services.phases import change_phase
from evaluation.services.ranking import KIND
from evaluation.services.reference_files import yardstick_of
from evaluation.services.submitting import withdraw
from tests.evaluation.challenge_files import encoded
from tests.evaluation.challenge_scene import frozen_refuge, opened, risks, score_all, sent, team_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    return frozen_refuge(organiser=organiser, senior=senior, graders=graders)


@pytest.fixture
def phase(study: Study, organiser: User) -> Phase:
    return opened(study, organiser=organiser, shows_results=True).phases.get()


@pytest.fixture
def teams(study: Study, organiser: User) -> list[Team]:
    return [team_of(study, name, organiser=organiser) for name in ("Right", "Wrong")]


def ranks_of(phase: Phase) -> dict[str, int]:
    board = board_of(phase)
    assert board is not None
    assert board.is_present
    return {entry["team"]: entry["rank"] for entry in board.content["entries"]}


def test_the_last_submission_counts_and_a_withdrawn_one_does_not(phase: Phase, teams: list[Team]) -> None:
    right, wrong = teams
    sent(phase, right, risks(phase))
    sent(phase, wrong, risks(phase, right=False))
    score_all()
    assert ranks_of(phase) == {"Right": 1, "Wrong": 2}
    worse = sent(phase, right, risks(phase, right=False))
    score_all()
    assert ranks_of(phase) == {"Right": 1, "Wrong": 1}
    withdraw(submission=worse, actor=right.members.get())
    run_job(Job.objects.get(kind=KIND).pk)
    assert ranks_of(phase) == {"Right": 1, "Wrong": 2}


def test_where_the_best_counts_a_worse_one_changes_nothing(study: Study, organiser: User, teams: list[Team]) -> None:
    phase = opened(study, organiser=organiser, counts="best").phases.get()
    sent(phase, teams[0], risks(phase))
    sent(phase, teams[0], risks(phase, right=False))
    score_all()
    (counted,) = counted_of(phase)
    assert counted.submission.number == 1


def test_what_a_scorecard_keeps_gives_its_metrics_again(phase: Phase, teams: list[Team]) -> None:
    sent(phase, teams[0], risks(phase))
    score_all()
    findings = kept.unpack(bytes(Scorecard.objects.get().evidence))
    (track,) = findings.tracks
    (scored,) = track.evidence.values()
    assert track.track == "classification"
    assert sorted(zip(scored.score.tolist(), scored.positive.tolist(), strict=True)) == [  # type: ignore[attr-defined]
        (0.1, False),
        (0.1, False),
        (0.9, True),
        (0.9, True),
    ]


def test_with_a_new_version_everything_is_scored_again_and_old_scorecards_stay(
    study: Study, phase: Phase, teams: list[Team], organiser: User, senior: User
) -> None:
    sent(phase, teams[0], risks(phase))
    score_all()
    truth = study.cases.get(number=1)
    table = Table("correction.csv", f"case,glaucoma\n{truth.number},glaucoma\n".encode())
    import_truth(study=study, actor=organiser, table=table, source="Second look", reason="Wrong eye.")
    second = freeze_dataset(study=study, actor=senior, name="Second")
    phase.refresh_from_db()
    change_phase(phase=phase, row_version=phase.row_version, actor=organiser, version=second, changes={})
    score_all()
    cards = list(Scorecard.objects.order_by("pk"))
    # One of three positives now has 0.1, as the one negative has: (2 · 1 + ½) / 3.
    assert [card.metrics["auc"] for card in cards] == [1.0, pytest.approx(2.5 / 3)]
    assert [card.version.number for card in cards] == [1, 2]
    assert Leaderboard.objects.filter(phase=phase).count() == 2


def test_each_track_has_a_rank_of_its_own(study: Study, phase: Phase, teams: list[Team], organiser: User) -> None:
    """Right is best in the risks, Wrong in the outlines: it sends the reference's, Right none that fit."""
    ours = yardstick_of(phase).reference()
    drawn = {name: ours.read(name) for name in ours.names if name.startswith("segmentation/")}
    empty = {name: encoded(np.full((24, 32), 255, np.uint8)) for name in drawn}
    sent(phase, teams[0], {**risks(phase), **empty})
    sent(phase, teams[1], {**risks(phase, right=False), **drawn})
    score_all()
    board = board_of(phase)
    assert board is not None
    tracks = {entry["team"]: entry["tracks"] for entry in board.content["entries"]}
    assert {team: ranks["segmentation"] for team, ranks in tracks.items()} == {"Right": 2, "Wrong": 1}
    assert {team: ranks["classification"] for team, ranks in tracks.items()} == {"Right": 1, "Wrong": 2}


def test_a_phase_by_itself_has_no_weight_whatever_the_paper_gives_it(study: Study, organiser: User) -> None:
    assert opened(study, organiser=organiser, weight=0.3).phases.get().weight == 0.0


def test_the_page_the_table_and_the_comparison_say_the_same(
    phase: Phase, teams: list[Team], browser_of: Callable[[User], Client]
) -> None:
    sent(phase, teams[0], risks(phase))
    sent(phase, teams[1], risks(phase, right=False))
    score_all()
    browser = browser_of(teams[0].members.get())
    place = [phase.challenge.public_id, phase.public_id]
    page = browser.get(reverse("leaderboard", args=place)).content.decode()
    assert page.index("Right") < page.index("Wrong")
    rows = browser.get(reverse("leaderboard_table", args=place)).content.decode().splitlines()
    assert rows[0].startswith("rank,rank_low,rank_high,team,score,auc,auc_low,auc_high,auc_rank")
    assert rows[1].split(",")[0:1] + rows[1].split(",")[3:6] == ["1", "Right", "1.0", "1.0"]
    compared = browser.get(reverse("compare_entries", args=place), {"first": "Wrong", "second": "Right"})
    assert "−1.0000" in compared.content.decode()  # an AUC of 0 less one of 1
    told = browser.get(reverse("api_leaderboard", args=place)).json()
    assert [(entry["team"], entry["rank"]) for entry in told["entries"]] == [("Right", 1), ("Wrong", 2)]
