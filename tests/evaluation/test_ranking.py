"""Ranks and leaderboards: by hand, and what must hold for every table."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from evaluation.scoring.ranking import Standing, choose_ranking, over_phases, rank_entries
from evaluation.scoring.ranks import competition_ranks, ranks_with_tie_break
from protocols import PUBLISHED
from protocols.scoring import BOTH_EDITIONS, Board, PhaseWeight, Ranking, Term

RANKINGS = {key: recipe.scoring.rankings[0] for key, recipe in PUBLISHED.items()}
Table = tuple[Ranking, NDArray[np.float64]]
VALUES = st.sampled_from([0.1, 0.2, 0.25, 0.5])  # few of them, so that ties are usual


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A protocol's ranking and a value for each of its columns and of a few entries."""
    ranking = RANKINGS[draw(st.sampled_from(sorted(RANKINGS)))]
    entries = draw(st.integers(1, 6))
    line = st.lists(VALUES, min_size=entries, max_size=entries)
    return ranking, np.array([draw(line) for _column in ranking.columns])


def standing(ranking: Ranking, values: ArrayLike, higher: Sequence[str] = ()) -> Standing:
    return rank_entries(ranking, dict(zip(ranking.columns, np.asarray(values, float), strict=True)), higher)


def final_ranks(ranking: Ranking, values: ArrayLike, higher: Sequence[str] = ()) -> list[int]:
    made = standing(ranking, values, higher)
    return [int(rank) for rank in made.boards[made.final].ranks]


def test_equal_values_share_a_rank_and_the_next_one_is_skipped() -> None:
    # 0.8 0.7 0.7 0.6, more is better
    assert competition_ranks(-np.array([0.8, 0.7, 0.7, 0.6])).tolist() == [1, 2, 2, 4]


def test_who_is_not_ranked_counts_for_nobody() -> None:
    values = np.array([3.0, 1.0, np.nan, 2.0])

    assert competition_ranks(values, np.array([True, False, False, True])).tolist() == [2, 0, 0, 1]


def test_many_tables_are_ranked_at_once() -> None:
    assert competition_ranks(np.array([[[5, 4, 4]], [[1, 1, 1]]])).tolist() == [[[3, 1, 1]], [[1, 1, 1]]]


def test_a_tie_is_broken_by_the_better_other_rank_and_an_unknown_one_is_last() -> None:
    ranks, other = np.array([1, 1, 1, 4, 0]), np.array([2, 0, 1, 3, 4])

    assert ranks_with_tie_break(ranks, other).tolist() == [2, 3, 1, 4, 0]


def test_scores_made_of_ranks_are_compared_exactly() -> None:
    # In floating point 0.4·1 + 0.6·3 is 2.1999999999999997 and 0.4·4 + 0.6·1 is 2.2; both are 2.2 here.
    board = Board("overall", "Overall", (Term("auc", 0.4), Term("kappa", 0.6)))
    ranking = Ranking("overall", BOTH_EDITIONS, (board,), "overall")

    made = standing(ranking, [[1, 4, 2, 3], [3, 1, 4, 2]]).boards["overall"]

    assert (made.units / made.denominator).tolist() == [2.2, 2.2, 3.2, 2.4]
    assert made.ranks.tolist() == [1, 1, 4, 3]


def test_phases_whose_weights_make_equal_scores_share_a_rank() -> None:
    # AGE Table 3, edition published: 0.2·4 + 0.8·2 = 0.2·8 + 0.8·1 = 2.4
    board = Board("overall", "Overall", (Term("auc"),))
    weights = (PhaseWeight("online", 0.2), PhaseWeight("onsite", 0.8))
    ranking = Ranking("overall", BOTH_EDITIONS, (board,), "overall", weights)
    online, onsite = [[4, 8, 1, 2, 3, 5, 6, 7]], [[2, 1, 3, 4, 5, 6, 7, 8]]

    made = over_phases(ranking, {"online": standing(ranking, online), "onsite": standing(ranking, onsite)})

    assert made.boards["overall"].ranks.tolist()[:3] == [1, 1, 3]
    assert made.positions["online"].tolist() == online[0]


def test_a_tie_over_two_phases_is_broken_by_the_board_over_both_phases() -> None:
    # Places 8 and 1 against 1 and 4 are both 0.3·8 + 0.7·1 = 0.3·1 + 0.7·4 = 3.1; the second leads by AUC in both.
    boards = (
        Board("amd", "AMD", (Term("auc"),)),
        Board("lesion", "Lesions", (Term("dice"),)),
        Board("overall", "Overall", (Term("amd", 0.001), Term("lesion", 0.999)), tie_break="amd"),
    )
    weights = (PhaseWeight("online", 0.3), PhaseWeight("onsite", 0.7))
    ranking = Ranking("overall", BOTH_EDITIONS, boards, "overall", weights)
    auc = [2, 1, 3, 4, 5, 6, 7, 8]
    phases = {
        "online": standing(ranking, [auc, [8, 1, 2, 3, 4, 5, 6, 7]]),
        "onsite": standing(ranking, [auc, [1, 4, 2, 3, 5, 6, 7, 8]]),
    }

    made = over_phases(ranking, phases).boards["overall"]

    assert made.units[0] == made.units[1]
    assert made.ranks[0] == made.ranks[1] + 1


def test_a_value_that_is_missing_takes_the_entry_out_of_the_track_and_of_nobody_elses_way() -> None:
    values = {
        "auc": np.array([0.9, 0.8, 0.7]),
        "dice_disc": np.array([0.99, 0.8, 0.7]),
        "dice_cup": np.array([np.nan, 0.8, 0.7]),
        "mae_vcdr": np.array([0.01, 0.02, 0.03]),
    }

    made = rank_entries(RANKINGS["refuge"], values, ("auc", "dice_disc", "dice_cup"))

    assert made.positions["auc"].tolist() == [1, 2, 3]
    assert made.positions["dice_disc"].tolist() == made.boards["segmentation"].ranks.tolist() == [0, 1, 2]
    assert made.boards["overall"].ranks.tolist() == [0, 1, 2]


def test_a_track_that_the_table_lacks_is_left_out_and_weights_stay() -> None:
    values = {"auc": np.array([0.9, 0.8]), "mean_distance_fovea": np.array([20.0, 10.0])}

    final = rank_entries(RANKINGS["adam"], values, ("auc",)).boards["overall"]

    # 0.3·1 + 0.1·2 and 0.3·2 + 0.1·1
    assert (final.units / final.denominator).tolist() == [0.5, 0.7]


def test_with_one_track_only_its_own_score_decides() -> None:
    values = {
        "f1_drusen": np.array([0.5, 0.4]),
        "dice_drusen": np.array([0.5, 0.6]),
        "f1_scar": np.array([0.5, 0.4]),
        "dice_scar": np.array([0.5, 0.4]),
    }

    made = rank_entries(RANKINGS["adam"], values, tuple(values))

    # 0.4·1 + 0.6·2 + 1 and 0.4·2 + 0.6·1 + 2: the sum over the lesions that are there
    final = made.boards[made.final]
    assert (made.final, (final.units / final.denominator).tolist()) == ("lesion", [2.6, 3.4])


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        (("object_dice_b", "f1_a"), "parts"),
        (("f1", "object_dice", "object_hausdorff"), "merged"),
        (("object_hausdorff", "ari", "f1"), "merged_ari"),
    ],
)
def test_the_columns_say_which_ranking_is_meant(columns: tuple[str, ...], key: str) -> None:
    assert choose_ranking(PUBLISHED["glas"].scoring.rankings, columns).key == key


@pytest.mark.parametrize(
    ("protocol", "columns", "said"),
    [
        ("glas", ("f1", "f1_a"), "the columns f1, f1_a are not ranked together"),
        ("glas", ("f1", "object_dice", "ari", "object_hausdorff"), "are not ranked together"),
        ("glas", ("f1", "object_dice"), "the column “object_hausdorff” is missing beside f1, object_dice"),
        ("refuge", ("auc", "dice_disc", "mae_vcdr"), "the column “dice_cup” is missing"),
        ("adam", ("f1_drusen",), "the column “dice_drusen” is missing"),
        ("age", ("mean_distance_spur", "auc", "sensitivity", "specificity"), "the column “delta_aod” is missing"),
        ("airogs", (), "no column of a metric is there"),
    ],
)
def test_columns_that_make_no_ranking_are_refused(protocol: str, columns: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        choose_ranking(PUBLISHED[protocol].scoring.rankings, columns)


def test_weights_too_fine_for_whole_numbers_are_refused() -> None:
    boards = (
        Board("inner", "Inner", (Term("auc", 0.123456789), Term("kappa", 0.876543211))),
        Board("overall", "Overall", (Term("inner", 0.123456789), Term("dice", 0.876543211)), takes_scores=True),
    )
    with pytest.raises(ValueError, match="too many decimals"):
        standing(Ranking("overall", BOTH_EDITIONS, boards, "overall"), np.ones((3, 4)))


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(table: Table, chance: Random) -> None:
    ranking, values = table
    order = list(range(values.shape[1]))
    chance.shuffle(order)

    assert final_ranks(ranking, values[:, order]) == [final_ranks(ranking, values)[place] for place in order]


@given(tables())
def test_equal_entries_share_a_rank(table: Table) -> None:
    ranking, values = table
    ranks = final_ranks(ranking, np.column_stack([values, values[:, 0]]))

    assert ranks[0] == ranks[-1]


@given(tables())
def test_an_entry_that_is_better_everywhere_never_ranks_worse(table: Table) -> None:
    ranking, values = table
    for better, other in [(i, j) for i in range(values.shape[1]) for j in range(values.shape[1])]:
        if (values[:, better] < values[:, other]).all():
            ranks = final_ranks(ranking, values)
            assert ranks[better] < ranks[other]


@given(tables())
def test_ranks_count_those_who_are_strictly_better(table: Table) -> None:
    _, values = table

    assert competition_ranks(values).tolist() == [[1 + sum(row < own) for own in row] for row in values]


@given(tables())
def test_a_stack_of_tables_is_ranked_as_each_one_alone(table: Table) -> None:
    ranking, values = table
    both = rank_entries(ranking, {c: np.stack([v, v[::-1]]) for c, v in zip(ranking.columns, values, strict=True)}, ())

    assert both.boards[both.final].ranks.tolist() == [
        final_ranks(ranking, values),
        final_ranks(ranking, values[:, ::-1]),
    ]
