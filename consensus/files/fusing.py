"""Many readings in files become one reference per image."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.formats.grader_masks import ImageMasks
from annotator.formats.labels_csv import ADJUDICATOR, FusedLabel, GivenLabel
from annotator.formats.measures_csv import MeasuredNumber
from annotator.formats.points_csv import FusedPoint, MarkedPoint
from annotator.geometry.runs import Toggles, decode
from consensus.fusion import points
from consensus.fusion.areas import AREA_RULES
from consensus.fusion.dawid_skene import dawid_skene
from consensus.fusion.labels import LabelState, LabelVote, majority_label, two_plus_adjudicator
from consensus.fusion.registry import POINT_RULES
from consensus.fusion.votes import count_votes
from protocols.names import ConsensusRule, TieRule
from protocols.targets import Consensus

LABEL_RULES = (ConsensusRule.MAJORITY, ConsensusRule.DAWID_SKENE, ConsensusRule.TWO_PLUS_ADJUDICATOR)
RULES: Mapping[str, Sequence[ConsensusRule]] = {
    "masks": tuple(AREA_RULES),
    "points": tuple(POINT_RULES),
    "labels": LABEL_RULES,
}
Row = TypeVar("Row", MarkedPoint, GivenLabel, MeasuredNumber)


def by_image(rows: Iterable[Row]) -> dict[str, list[Row]]:
    images: dict[str, list[Row]] = {}
    for row in rows:
        images.setdefault(row.image, []).append(row)
    return images


def fuse_masks(image: ImageMasks, rule: ConsensusRule, ties: TieRule) -> Toggles:
    """Of those who read the image; empty when nobody marked anything, by every rule."""
    votes = count_votes([image.masks[grader] for grader in sorted(image.masks)], image.width, image.height)
    return AREA_RULES[rule](votes, Consensus(rule=rule, ties=ties)).mask


def fuse_points(image: str, readings: Sequence[MarkedPoint], rule: ConsensusRule) -> FusedPoint:
    seen = [reading.at for reading in readings if reading.at is not None]
    if not points.is_visible(len(seen), len(readings) - len(seen)):
        return FusedPoint(image, None, 0)
    x, y = POINT_RULES[rule](seen).tolist()
    return FusedPoint(image, (x, y), len(seen))


def fuse_labels(readings: Sequence[GivenLabel], rule: ConsensusRule) -> list[FusedLabel]:
    """ValueError names the image, or the rule, when it cannot be applied."""
    images = by_image(readings)
    if rule is ConsensusRule.DAWID_SKENE:
        return _by_dawid_skene(readings, images)
    fused = []
    for image, given in images.items():
        try:
            vote = _adjudicated(given) if rule is ConsensusRule.TWO_PLUS_ADJUDICATOR else _majority(given)
        except ValueError as fault:
            raise ValueError(f"{image}: {fault}") from None
        fused.append(FusedLabel(image, vote.label or "", vote.state))
    return fused


def _majority(given: Sequence[GivenLabel]) -> LabelVote:
    return majority_label([reading.label for reading in given])


def _adjudicated(given: Sequence[GivenLabel]) -> LabelVote:
    decisions = [reading.label for reading in given if reading.role == ADJUDICATOR]
    if len(decisions) > 1:
        raise ValueError("two adjudicators have decided it")
    labels = [reading.label for reading in given if reading.role != ADJUDICATOR]
    return two_plus_adjudicator(labels, decisions[0] if decisions else None)


def _by_dawid_skene(readings: Sequence[GivenLabel], images: Mapping[str, Sequence[GivenLabel]]) -> list[FusedLabel]:
    cases = {image: number for number, image in enumerate(images)}
    graders = {grader: number for number, grader in enumerate(sorted({reading.grader for reading in readings}))}
    labels = sorted({reading.label for reading in readings})
    ratings = [(cases[one.image], graders[one.grader], labels.index(one.label)) for one in readings]
    best = dawid_skene(ratings, len(cases), len(graders), len(labels)).labels
    return [
        FusedLabel(
            image,
            labels[int(best[cases[image]])],
            LabelState.AGREED
            if all(reading.label == labels[int(best[cases[image]])] for reading in given)
            else LabelState.MAJORITY,
        )
        for image, given in images.items()
    ]


def as_picture(toggles: Toggles, width: int, height: int) -> NDArray[np.uint8]:
    """255 where the structure is."""
    return np.where(decode(toggles, width, height), np.uint8(255), np.uint8(0))
