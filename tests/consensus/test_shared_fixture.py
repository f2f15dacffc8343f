"""The fixture file that the browser's tests read too: votes are the same on both sides of the senior's table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from annotator.geometry.runs import Toggles
from consensus.agreement.overlap import conformity
from consensus.fusion import digests, masks, points
from consensus.fusion.objects import fuse_objects
from consensus.fusion.votes import count_votes
from protocols.names import TieRule

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "consensus.json").read_text(encoding="utf-8")
)


def _of(kind: str) -> list[dict[str, Any]]:
    return [case for case in CASES if case["kind"] == kind]


def _toggles(places: list[int]) -> Toggles:
    return np.array(places, dtype=np.int32)


def _name(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", _of("votes"), ids=_name)
def test_votes_are_those_of_the_pixels(case: dict[str, Any]) -> None:
    for vote in case["votes"]:
        readings = [_toggles(case["readings"][voter]) for voter in vote["voters"]]

        votes = count_votes(readings, case["width"], case["height"])

        assert masks.majority(votes).tolist() == vote["majority"]
        assert masks.majority(votes, TieRule.FOREGROUND).tolist() == vote["majority_or_tie"]
        assert masks.tied(votes).tolist() == vote["tied"]
        assert masks.majority(votes, TieRule.BACKGROUND, 2 / 3).tolist() == vote["more_than_two_thirds"]
        assert masks.union(votes).tolist() == vote["union"]
        assert masks.intersection(votes).tolist() == vote["intersection"]
        assert conformity(votes).gci == pytest.approx(vote["gci"] if vote["gci"] is not None else np.nan, nan_ok=True)


@pytest.mark.parametrize("case", _of("points"), ids=_name)
def test_points_are_fused_as_by_another_library(case: dict[str, Any]) -> None:
    rows: NDArray[np.float64] = np.array(case["points"])

    assert points.mean_point(rows).tolist() == pytest.approx(case["mean"], abs=1e-9)
    assert points.median_point(rows).tolist() == pytest.approx(case["median"], abs=1e-9)
    assert points.geometric_median(rows).tolist() == pytest.approx(case["geometric"], abs=1e-4)
    assert points.outliers(rows).tolist() == case["outliers"]


@pytest.mark.parametrize("case", _of("objects"), ids=_name)
def test_objects_are_fused_as_on_pixels(case: dict[str, Any]) -> None:
    readings = [[_toggles(places) for places in objects] for objects in case["readings"]]

    fused = fuse_objects(readings, case["width"], case["height"])

    assert [one.tolist() for one in fused.objects] == case["objects"]
    assert [[list(part) for part in match] for match in fused.matches] == case["matches"]
    assert [list(left.part) for left in fused.left_out] == case["left_out"]


@pytest.mark.parametrize("case", _of("digest"), ids=_name)
def test_digests_are_those_of_bytes_put_together_by_hand(case: dict[str, Any]) -> None:
    assert _digest(case) == case["digest"]


def _digest(case: dict[str, Any]) -> str:
    width, height = case["width"], case["height"]
    if "mask" in case:
        return digests.area_digest(_toggles(case["mask"]), width, height)
    if "objects" in case:
        return digests.objects_digest([_toggles(places) for places in case["objects"]], width, height)
    if "point" in case or "line" in case:
        return digests.points_digest(case["line"] if "line" in case else [case["point"]])
    return digests.word_digest(case["label"] if "label" in case else case["answer"])
