"""What our own functions say of the tables that outside programs have judged: tests/fixtures/agreement_oracles.py."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from annotator.geometry.runs import encode
from consensus.agreement import kappa
from consensus.agreement.alpha import Scale, krippendorff_alpha
from consensus.agreement.bland_altman import bland_altman
from consensus.agreement.icc import icc, mean_squares
from consensus.agreement.intervals import wilson
from consensus.agreement.overlap import pair_overlaps, shared_by
from consensus.splitting.balance import label_balance

WAYS: tuple[kappa.Weights, ...] = ("plain", "linear", "quadratic")
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval")


def ours(table: Mapping[str, Any]) -> dict[str, float]:
    """By the names under which the outside programs' values stand."""
    if "given" in table:
        return _labels(np.array(table["given"]), table["steps"])
    if "numbers" in table:
        return _numbers(np.array(table["numbers"]))
    if "masks" in table:
        first, second = (np.array(mask) for mask in table["masks"])
        (pair,) = pair_overlaps(shared_by([encode(first), encode(second)], first.shape[1], first.shape[0]))
        return {"dice": pair.dice, "jaccard": pair.jaccard}
    if "counts" in table:
        return _parts(table["counts"])
    limits = [wilson(good, total) for good, total in table["shares"]]
    return {
        f"wilson {place} {end}": side
        for place, limit in enumerate(limits)
        for end, side in enumerate((limit.low, limit.high))
    }


def _labels(given: Any, steps: int) -> dict[str, float]:
    counts = np.stack([(given == step).sum(axis=1) for step in range(steps)], axis=1)
    found: dict[str, float] = {scale: krippendorff_alpha(counts, scale) for scale in SCALES}
    if (given >= 0).all():
        pair = np.zeros((steps, steps))
        np.add.at(pair, (given[:, 0], given[:, 1]), 1)
        found |= {f"cohen {way}": kappa.cohen_kappa(pair, way) for way in WAYS}
        found["fleiss"] = kappa.fleiss_kappa(counts)
    return found


def _numbers(values: Any) -> dict[str, float]:
    squares, differences = mean_squares(values), bland_altman(values[:, 0], values[:, 1])
    told = {"rows": squares.rows, "columns": squares.columns, "error": squares.error}
    bias = {"bias low": differences.bias_interval.low, "bias high": differences.bias_interval.high}
    return {**icc(squares), **told, **bias}


def _parts(counts: list[list[int]]) -> dict[str, float]:
    """Cases with a label each, by part."""
    cases = [
        (f"{part} {label} {number}", str(label))
        for part, row in enumerate(counts)
        for label, many in enumerate(row)
        for number in range(many)
    ]
    parts = [[name for name, _label in cases if name.startswith(f"{part} ")] for part in range(len(counts))]
    test = label_balance(dict(cases), parts).chi_square
    assert test.statistic is not None
    assert test.p is not None
    return {"chi-square": test.statistic, "p": test.p}
