"""A challenge on GlaS: a part by itself is ranked by its three metrics, both parts together by six, as in the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from numpy.typing import NDArray

from annotator.answers import Given
from annotator.geometry import runs
from annotator.models import Study, User
from consensus.services.freezing import freeze_dataset
from evaluation.models import Phase
from evaluation.scoring.leading import standing_over_parts
from evaluation.selectors.standings import board_of
from evaluation.services.opening import open_challenge
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey
from tests.consensus import scene
from tests.evaluation.challenge_files import encoded
from tests.evaluation.challenge_scene import names_of, plan_of, score_all, sent, team_of
from tests.evaluation.published_tables import GLAS_2, GLAS_2_PRINTED

pytestmark = pytest.mark.django_db


def glands(*corners: tuple[int, int]) -> NDArray[np.uint8]:
    """Squares of six pixels, numbered from 1."""
    labels = np.zeros((scene.HEIGHT, scene.WIDTH), np.uint8)
    for number, (left, top) in enumerate(corners, start=1):
        labels[top : top + 6, left : left + 6] = number
    return labels


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    """Two cases with two glands each."""
    drawn = glands((2, 2), (20, 12))
    masks = [runs.pack(runs.encode(drawn == number)) for number in (1, 2)]
    answers = [(Given("glands", masks=masks), Given("grade", label="benign"))] * len(graders)
    changes = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": len(graders)}
    study = scene.read_study(
        "glas", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=2, changes=changes
    )
    scene.fuse_all(study, actor=senior)
    freeze_dataset(study=study, actor=senior, name="First")
    return study


def answered(phase: Phase, labels: NDArray[np.uint8]) -> dict[str, str | bytes]:
    return {f"{name}_anno.png": encoded(labels) for name in names_of(phase)}


def test_a_part_that_stands_alone_is_ranked_by_the_sum_of_its_three_ranks(study: Study, organiser: User) -> None:
    plans = [plan_of(study, key="test_a", shows_results=True)]
    challenge = open_challenge(study=study, actor=organiser, name="Glands", edition="paper", plans=plans)
    phase = challenge.phases.get()
    for name, labels in (("Exact", glands((2, 2), (20, 12))), ("Half", glands((2, 2)))):
        sent(phase, team_of(study, name, organiser=organiser), answered(phase, labels))
    score_all()
    board = board_of(phase)
    assert board is not None
    # First in F1, object Dice and object Hausdorff against second in all three.
    assert [(one["team"], one["rank"], one["score"]) for one in board.content["entries"]] == [
        ("Exact", 1, 3.0),
        ("Half", 2, 6.0),
    ]


def test_both_parts_are_ranked_together(study: Study, organiser: User, browser_of: Callable[[User], Client]) -> None:
    """Exact is first in all columns of part A, and shares the first place of part B with Half: 6 against 9."""
    plans = [plan_of(study, key=key, name=key, shows_results=True) for key in ("test_a", "test_b")]
    challenge = open_challenge(study=study, actor=organiser, name="Glands", edition="paper", plans=plans)
    first, second = challenge.phases.order_by("position")
    whole, half = glands((2, 2), (20, 12)), glands((2, 2))
    exact, other = (team_of(study, name, organiser=organiser) for name in ("Exact", "Half"))
    for phase, team, labels in (
        (first, exact, whole),
        (first, other, half),
        (second, exact, whole),
        (second, other, whole),
    ):
        sent(phase, team, answered(phase, labels))
    score_all()
    page = browser_of(organiser).get(reverse("challenge", args=[challenge.public_id]))
    rows = [(row.team, row.rank, row.score, row.phases) for row in page.context["final"].rows]
    assert rows == [("Exact", 1, 6.0, [1, 1]), ("Half", 2, 9.0, [2, 1])]


def test_two_parts_give_the_rank_sums_of_the_papers_table() -> None:
    """Table 2; the tie that rounding made there is parted as it was printed."""
    head, *lines = [line.split(",") for line in GLAS_2.replace("0.882,0.786", "0.882,0.7861").splitlines()]
    table = [dict(zip(head[1:], map(float, line[1:]), strict=True)) for line in lines]
    parts = {
        f"test_{end}": [{key[:-2]: value for key, value in row.items() if key.endswith(f"_{end}")} for row in table]
        for end in ("a", "b")
    }
    found = standing_over_parts(PUBLISHED["glas"], EditionKey.PAPER, parts)
    assert found is not None
    board = found.boards[found.final]
    sums = {line[0]: int(units) for line, units in zip(lines, board.units, strict=True)}
    assert board.denominator == 1
    assert sums == {team: ranks[-1] for team, ranks in GLAS_2_PRINTED.items()}
