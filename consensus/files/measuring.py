"""How far numbers in files agree: between graders, and of one grader with itself."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.formats.measures_csv import MeasuredNumber
from consensus.agreement.alpha import interval_alpha
from consensus.agreement.bland_altman import bland_altman, repeatability
from consensus.agreement.icc import icc, mean_squares
from consensus.agreement.measure_report import iccs
from consensus.files.fusing import by_image


def measure_agreement(readings: Sequence[MeasuredNumber]) -> dict[str, Any]:
    graders = sorted({reading.grader for reading in readings})
    images = by_image(readings)
    table = np.full((len(images), len(graders)), np.nan)
    for row, measured in enumerate(images.values()):
        for reading in measured:
            table[row, graders.index(reading.grader)] = reading.value
    complete = np.isfinite(table).all(axis=1)
    return {
        "n_images": len(images),
        "n_complete": int(complete.sum()),
        "graders": graders,
        "icc": {
            figure.key.removeprefix("icc "): {"value": figure.value, "low": figure.low, "high": figure.high}
            for figure in iccs(table)
        },
        "krippendorff_interval": interval_alpha(table),
        "bland_altman": {
            f"{graders[a]}|{graders[b]}": _differences(table[:, a], table[:, b])
            for a, b in combinations(range(len(graders)), 2)
        },
        "repeatability": {grader: _repeated([one for one in readings if one.grader == grader]) for grader in graders},
    }


def _differences(first: NDArray[np.float64], second: NDArray[np.float64]) -> dict[str, Any] | None:
    """None where fewer than two images were measured by both."""
    both = np.isfinite(first) & np.isfinite(second)
    if both.sum() < 2:
        return None
    found = bland_altman(first[both], second[both])
    return {"n": found.count, "bias": found.bias, "spread": found.spread, "low": found.low, "high": found.high}


def _repeated(readings: Sequence[MeasuredNumber]) -> dict[str, Any] | None:
    """None where nothing was measured twice."""
    pairs = [(one.value, one.again) for one in readings if one.again is not None]
    if not pairs:
        return None
    first, second = zip(*pairs, strict=True)
    found = repeatability(first, second)
    alike = icc(mean_squares(np.array(pairs)))["1"] if len(pairs) > 1 else math.nan
    return {"n": found.count, "within": found.within, "coefficient": found.coefficient, "icc": alike}
