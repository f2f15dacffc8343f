"""Rank stability and DeLong's areas, beside plain loops over the same cases.

    python -m tests.benchmarks.bench_ranking [--rounds 5]

Must reach: ranks of 14 entries × 400 cases in 1,000 resamples, with rank intervals and Kendall's τ, in at most 0.5 s;
the ranks are those of the loop. A protocol's own rule (AIROGS, four columns) over as many resampled tables, and the
covariance of 14 areas of 11,290 cases, are shown beside their loops.
"""

import argparse
import sys
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from consensus.agreement.intervals import draws
from evaluation.scoring.delong import areas_under_curves
from evaluation.scoring.drawing import plan_draws
from evaluation.scoring.ranking import rank_entries
from evaluation.scoring.stability import stability_of_means
from protocols import PUBLISHED

ENTRIES, CASES, RESAMPLES, SEED = 14, 400, 1000, 7
MOST_SECONDS = 0.5
SCREENED, REFERABLE = 11_290, 1_602


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The quickest of several rounds."""
    return min(timeit.repeat(work, number=1, repeat=rounds))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args(arguments).rounds
    reached = _stability(rounds)
    _protocol(rounds)
    _areas(rounds)
    return 0 if reached else 1


def _stability(rounds: int) -> bool:
    rng = np.random.default_rng(SEED)
    values = np.clip(rng.normal(0.85, 0.05, (ENTRIES, CASES)) + np.linspace(0, 0.01, ENTRIES)[:, None], 0, 1)
    design = plan_draws(CASES)

    def ours() -> Any:
        return stability_of_means(values, higher=True, design=design, resamples=RESAMPLES, seed=SEED)

    def loop() -> tuple[Any, Any]:
        full = stats.rankdata(-values.mean(axis=1), method="min")
        ranks = [
            stats.rankdata(-values[:, drawn].mean(axis=1), method="min") for drawn in draws(CASES, RESAMPLES, SEED)
        ]
        return np.array(ranks), np.array([stats.kendalltau(full, one).statistic for one in ranks])

    found, (ranks, taus) = ours(), loop()
    shares = np.stack([(ranks == place + 1).mean(axis=0) for place in range(ENTRIES)], axis=1)
    if np.abs(found.shares - shares).max() > 0 or np.abs(found.taus - taus).max() > 1e-12:
        raise RuntimeError("the ranks in resamples are not those of the loop")
    mine, theirs = seconds(ours, rounds), seconds(loop, 1)
    verdict = "reached" if mine <= MOST_SECONDS else "MISSED"
    print(f"rank stability, {ENTRIES} entries × {CASES} cases × {RESAMPLES} resamples: {1000 * mine:.0f} ms", end="")
    print(f" (at most {1000 * MOST_SECONDS:.0f}: {verdict}), loop {1000 * theirs:.0f} ms: {theirs / mine:.0f} ×")
    return mine <= MOST_SECONDS


def _protocol(rounds: int) -> None:
    ranking = PUBLISHED["airogs"].scoring.rankings[0]
    rng = np.random.default_rng(SEED)
    tables = {column: rng.integers(0, 50, (RESAMPLES, ENTRIES)) / 50 for column in ranking.columns}

    def ours() -> Any:
        return rank_entries(ranking, tables, ranking.columns)

    def loop() -> Any:
        return [
            rank_entries(ranking, {column: table[one] for column, table in tables.items()}, ranking.columns)
            for one in range(RESAMPLES)
        ]

    mine, theirs = seconds(ours, rounds), seconds(loop, 1)
    print(f"AIROGS' rule over {RESAMPLES} tables at once {1000 * mine:.0f} ms", end="")
    print(f", one after another {1000 * theirs:.0f} ms: {theirs / mine:.0f} ×")


def _areas(rounds: int) -> None:
    rng = np.random.default_rng(SEED)
    positive = np.arange(SCREENED) < REFERABLE
    scores = np.round(rng.normal(size=(ENTRIES, SCREENED)) + 1.5 * positive.astype(np.float64), 3)

    def every_pair(own: Any) -> tuple[Any, Any]:
        pairs = np.sign(own[positive][:, None] - own[~positive][None, :]) / 2 + 0.5
        return pairs.mean(axis=1), pairs.mean(axis=0)

    of_positive, of_negative = every_pair(scores[0])
    variance = of_positive.var(ddof=1) / REFERABLE + of_negative.var(ddof=1) / (SCREENED - REFERABLE)
    found = areas_under_curves(positive, scores)
    if abs(found.covariance[0, 0] - variance) > 1e-12:
        raise RuntimeError("DeLong's variance is not that of every pair of cases")
    mine = seconds(lambda: areas_under_curves(positive, scores), rounds)
    theirs = seconds(lambda: every_pair(scores[0]), 1) * ENTRIES
    print(f"DeLong, {ENTRIES} entries × {SCREENED} cases with all covariances: {1000 * mine:.0f} ms", end="")
    print(f", every pair of cases {1000 * theirs:.0f} ms: {theirs / mine:.0f} ×")


if __name__ == "__main__":
    sys.exit(main())
