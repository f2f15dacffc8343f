"""How far many readings in files agree."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.formats.grader_masks import ImageMasks
from annotator.formats.labels_csv import GivenLabel
from annotator.formats.points_csv import MarkedPoint
from consensus.agreement import kappa
from consensus.agreement.alpha import krippendorff_alpha
from consensus.agreement.gwet import gwet_ac1, gwet_ac2
from consensus.agreement.icc import FORMS, icc, mean_squares
from consensus.agreement.overlap import Conformity, conformity_of, pair_overlaps, pooled, shared_by
from consensus.files.fusing import by_image


def mask_agreement(images: Mapping[str, ImageMasks]) -> dict[str, Any]:
    graders = sorted({grader for image in images.values() for grader in image.masks})
    per_image: list[dict[str, Any]] = []
    parts: list[Conformity] = []
    dice: dict[str, list[float]] = {_pair(a, b): [] for a, b in combinations(graders, 2)}
    jaccard: dict[str, list[float]] = {pair: [] for pair in dice}
    empty = 0
    for image in images.values():
        readers = sorted(image.masks)
        shared = shared_by([image.masks[grader] for grader in readers], image.width, image.height)
        parts.append(conformity_of(shared))
        per_image.append({"image": image.name, "gci": parts[-1].gci})
        empty += not shared.any()
        for overlap in pair_overlaps(shared):
            pair = _pair(readers[overlap.first], readers[overlap.second])
            if not math.isnan(overlap.dice):
                dice[pair].append(overlap.dice)
                jaccard[pair].append(overlap.jaccard)
    return {
        "n_images": len(images),
        "n_empty": empty,
        "graders": graders,
        "gci": _mean(part.gci for part in parts if part.unions),
        "gci_pooled": pooled(parts).gci,
        "per_image": per_image,
        "pairwise_dice": {pair: _mean(values) for pair, values in dice.items()},
        "pairwise_jaccard": {pair: _mean(values) for pair, values in jaccard.items()},
    }


def point_agreement(readings: Sequence[MarkedPoint]) -> dict[str, Any]:
    graders = sorted({reading.grader for reading in readings})
    images = by_image(readings)
    complete = [
        [point for _grader, point in sorted((reading.grader, reading.at) for reading in given)]
        for given in images.values()
        if len(given) == len(graders) and all(reading.at is not None for reading in given)
    ]
    table = np.array(complete, dtype=np.float64).reshape(len(complete), len(graders), 2)
    distances = np.linalg.norm(table - table.mean(axis=1, keepdims=True), axis=2)
    return {
        "n_images": len(images),
        "n_not_visible": sum(any(reading.at is None for reading in given) for given in images.values()),
        "graders": graders,
        "icc_euclidean": _icc(table),
        "icc_x": _icc(table[:, :, :1]),
        "icc_y": _icc(table[:, :, 1:]),
        "mean_distance_to_mean": {grader: _mean(distances[:, place].tolist()) for place, grader in enumerate(graders)},
    }


def label_agreement(readings: Sequence[GivenLabel], order: Sequence[str] = ()) -> dict[str, Any]:
    """`order`: the labels from one end of their scale to the other, where they are steps of one; ValueError when a
    reading has another."""
    graders = sorted({reading.grader for reading in readings})
    labels = list(order) or sorted({reading.label for reading in readings})
    if unknown := sorted({reading.label for reading in readings} - set(labels)):
        raise ValueError(f"labels without a place in the order: {', '.join(unknown)}")
    images = by_image(readings)
    counts = np.zeros((len(images), len(labels)))
    given = np.full((len(images), len(graders)), -1)
    for row, ratings in enumerate(images.values()):
        for rating in ratings:
            counts[row, labels.index(rating.label)] += 1
            given[row, graders.index(rating.grader)] = labels.index(rating.label)
    complete = (given >= 0).all(axis=1)
    return {
        "n_images": len(images),
        "n_complete": int(complete.sum()),
        "graders": graders,
        "fleiss_kappa": kappa.fleiss_kappa(counts[complete]),
        "krippendorff_alpha": krippendorff_alpha(counts),
        "gwet_ac1": gwet_ac1(counts),
        "percent_agreement": kappa.percent_agreement(counts),
        "cohen_kappa": {
            _pair(graders[a], graders[b]): _cohen(given[:, a], given[:, b], len(labels))
            for a, b in combinations(range(len(graders)), 2)
        },
        **(_on_a_scale(counts, given, graders) if order else {}),
    }


def _on_a_scale(counts: NDArray[np.float64], given: NDArray[Any], graders: Sequence[str]) -> dict[str, Any]:
    """What takes a label for nearer the fewer steps it is away."""
    weights: tuple[kappa.Weights, ...] = ("linear", "quadratic")
    return {
        "krippendorff_ordinal": krippendorff_alpha(counts, "ordinal"),
        "krippendorff_interval": krippendorff_alpha(counts, "interval"),
        **{f"gwet_ac2_{way}": gwet_ac2(counts, way) for way in weights},
        **{
            f"cohen_kappa_{way}": {
                _pair(graders[a], graders[b]): _cohen(given[:, a], given[:, b], counts.shape[1], way)
                for a, b in combinations(range(len(graders)), 2)
            }
            for way in weights
        },
    }


def _cohen(first: NDArray[Any], second: NDArray[Any], labels: int, weights: kappa.Weights = "plain") -> float:
    both = (first >= 0) & (second >= 0)
    table = np.zeros((labels, labels))
    np.add.at(table, (first[both], second[both]), 1)
    return kappa.cohen_kappa(table, weights)


def _icc(table: NDArray[Any]) -> dict[str, float]:
    if table.shape[0] < 2 or table.shape[1] < 2:
        return dict.fromkeys(FORMS, math.nan)
    return icc(mean_squares(table))


def _pair(first: str, second: str) -> str:
    return f"{first}|{second}"


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known) if known else math.nan
