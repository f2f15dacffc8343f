"""How stable rankings are: against loops over the same draws, SciPy and small cases by hand."""

import numpy as np
import pytest
from scipy import stats

from consensus.agreement.intervals import draws
from evaluation.metrics.evidence import Numbers
from evaluation.scoring.delong import areas_under_curves
from evaluation.scoring.drawing import plan_draws
from evaluation.scoring.ranking import rank_entries
from evaluation.scoring.schemes import rank_three_ways
from evaluation.scoring.significance import (
    corrected,
    superior_by_area,
    superior_by_cases,
    superior_by_resampling,
)
from evaluation.scoring.stability import kendall_tau, rank_stability, stability_of_means
from protocols import PUBLISHED


def invented(entries: int, cases: int, seed: int = 0) -> Numbers:
    """Per-case values of entries that differ a little, each case harder or easier for all."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=cases) + rng.normal(size=(entries, cases)) + np.linspace(0, 0.5, entries)[:, None]


@pytest.mark.parametrize("higher", [True, False])
def test_ranks_in_resamples_are_those_of_a_loop(higher: bool) -> None:
    values = invented(5, 30)

    found = stability_of_means(values, higher=higher, design=plan_draws(30), resamples=80, seed=4)

    turned = -values if higher else values
    full = stats.rankdata(turned.mean(axis=1), method="min")
    loop = np.array([stats.rankdata(turned[:, cases].mean(axis=1), method="min") for cases in draws(30, 80, 4)])
    assert found.ranks.tolist() == full.tolist()
    assert found.taus == pytest.approx(np.array([stats.kendalltau(full, one).statistic for one in loop]))
    assert found.shares == pytest.approx(np.array([[(own == place).mean() for place in range(1, 6)] for own in loop.T]))
    assert found.low.tolist() == [sorted(own)[1] for own in loop.T]  # the second of eighty is the 2.5th percentile
    assert found.high.tolist() == [sorted(own)[77] for own in loop.T]


def test_equal_entries_share_a_rank_in_every_resample() -> None:
    values = np.tile(np.random.default_rng(0).uniform(size=401), (7, 1))

    found = stability_of_means(values, higher=True, design=plan_draws(401), resamples=200, seed=1)

    assert found.low.tolist() == found.high.tolist() == [1] * 7
    assert np.isnan(found.taus).all()


def test_an_entry_that_is_best_on_every_case_is_first_in_every_resample() -> None:
    values = np.vstack([invented(3, 40), np.full(40, 99.0)])

    found = stability_of_means(values, higher=True, design=plan_draws(40, subjects=list(range(20)) * 2), seed=1)

    assert (found.low[3], found.high[3], found.shares[3, 0]) == (1, 1, 1)


def test_a_protocols_ranking_has_rank_intervals_too() -> None:
    # Of three resamples ben leads in two; who has no value in a resample has no rank there.
    ranking = PUBLISHED["airogs"].scoring.rankings[0]
    columns = ranking.columns
    values = dict.fromkeys(columns, np.array([0.9, 0.8]))
    drawn = dict.fromkeys(columns, np.array([[0.9, 0.8], [0.7, 0.8], [0.7, 0.9], [np.nan, 0.9]]))

    whole, parts = rank_entries(ranking, values, columns), rank_entries(ranking, drawn, columns)
    found = rank_stability(whole.boards["overall"].ranks, parts.boards["overall"].ranks)

    assert found.ranks.tolist() == [1, 2]
    assert found.shares.tolist() == [[0.25, 0.5], [0.75, 0.25]]
    assert found.taus.tolist() == pytest.approx([1, -1, -1, np.nan], nan_ok=True)


def test_kendalls_tau_b_of_scipys_manual() -> None:
    # [12, 2, 1, 12, 2] against [1, 4, 7, 1, 0]; 0 stands for no rank here, so the latter are raised by one
    assert kendall_tau(np.array([12, 2, 1, 12, 2]), np.array([2, 5, 8, 2, 1])) == pytest.approx(-0.4714, abs=5e-5)


def test_who_was_never_ranked_has_no_interval() -> None:
    found = rank_stability(np.array([1, 0]), np.array([[1, 0], [1, 0]]))

    assert (found.low.tolist(), found.high.tolist()) == ([1, 0], [1, 0])


def test_values_that_are_missing_are_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        stability_of_means(np.array([[1.0, np.nan]]), higher=True, design=plan_draws(2))
    with pytest.raises(ValueError, match="expected entries × 3 cases"):
        stability_of_means(np.ones((1, 2)), higher=True, design=plan_draws(3))


def test_superiority_over_cases_is_the_one_sided_test_of_every_pair() -> None:
    values = invented(3, 25)

    p = superior_by_cases(values, higher=False)

    assert p[0, 2] == pytest.approx(stats.wilcoxon(values[2] - values[0], alternative="greater").pvalue)
    assert np.isnan(np.diag(p)).all()


def test_superiority_by_area_and_by_resampling_agree() -> None:
    rng = np.random.default_rng(5)
    positive = np.arange(300) < 100
    scores = rng.normal(size=(2, 300)) + positive * np.array([[1.3], [1.0]])
    drawn = []
    for cases in draws(300, 2000, 0):
        drawn.append(areas_under_curves(positive[cases], scores[:, cases]).values)

    by_area = superior_by_area(areas_under_curves(positive, scores))[0, 1]

    assert 0.001 < by_area < 0.2
    assert superior_by_resampling(np.array(drawn), higher=True)[0, 1] == pytest.approx(by_area, abs=0.02)


def test_holm_takes_all_pairs_as_one_family() -> None:
    p = np.array([[np.nan, 0.001, 0.02], [0.9, np.nan, 0.004], [0.9, 0.9, np.nan]])

    found = corrected(p)

    # 6 · 0.001, 5 · 0.004, 4 · 0.02
    assert found.p[0, 1:].tolist() == pytest.approx([0.006, 0.08])
    assert found.p[1, 2] == pytest.approx(0.02)
    assert found.wins.tolist() == [1, 1, 0]
    assert found.ranks_by_wins().tolist() == [1, 1, 3]


def apart(entries: int, *pairs: tuple[int, int]) -> Numbers:
    p = np.ones((entries, entries))
    for better, worse in pairs:
        p[better, worse] = 0.0001
    return p


def test_bands_hold_neighbours_that_cannot_be_told_apart() -> None:
    # 0 is told from 2 and 3, 1 only from 3: {0, 1}, {1, 2}, {2, 3}
    found = corrected(apart(4, (0, 2), (0, 3), (1, 3)))

    assert found.bands(np.array([1, 2, 3, 4])) == [(0, 1), (1, 2), (2, 3)]


def test_a_band_follows_the_ranking_and_leaves_out_who_has_no_rank() -> None:
    found = corrected(apart(4, (2, 0), (1, 0)))

    assert found.bands(np.array([3, 2, 1, 0])) == [(2, 1), (0,)]
    assert corrected(apart(3)).bands(np.array([1, 1, 3])) == [(0, 1, 2)]


def test_three_ways_to_rank_may_disagree() -> None:
    # The first is better on two cases of three and fails on the third.
    values = np.array([[1.0, 1.0, 0.0], [0.9, 0.9, 0.9]])

    found = rank_three_ways(values, higher=True)

    assert found.means.tolist() == pytest.approx([2 / 3, 0.9])
    assert found.mean_ranks.tolist() == pytest.approx([4 / 3, 5 / 3])
    assert found.aggregate_then_rank.tolist() == [2, 1]
    assert found.rank_then_aggregate.tolist() == [1, 2]
    assert found.test_then_rank.tolist() == [1, 1]  # three cases prove nothing


def test_three_ways_agree_where_the_order_is_clear() -> None:
    values = np.arange(30) + np.array([[0.0], [1.0], [2.0]])

    for higher, expected in ((True, [3, 2, 1]), (False, [1, 2, 3])):
        found = rank_three_ways(values, higher=higher)
        assert found.aggregate_then_rank.tolist() == expected
        assert found.rank_then_aggregate.tolist() == expected
        assert found.test_then_rank.tolist() == expected
