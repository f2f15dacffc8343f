"""The best of a team's entries, and a ranking over phases: worked out by hand by REFUGE's Eq. 3 and 0.3 · 0.7."""

from evaluation.scoring.leading import best_entry, final_standing
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey

REFUGE = PUBLISHED["refuge"]
PAPER = EditionKey.PAPER


def entry(auc: float | None, disc: float = 0.9, cup: float = 0.8, error: float = 0.1) -> dict[str, float | None]:
    return {"auc": auc, "dice_disc": disc, "dice_cup": cup, "mae_vcdr": error}


def test_the_best_entry_is_the_one_ranked_first() -> None:
    # By AUC 2, 1; by segmentation 1, 2: 0.4·2 + 0.6·1 = 1.4 against 0.4·1 + 0.6·2 = 1.6.
    assert best_entry(REFUGE, PAPER, [entry(0.8, disc=0.95), entry(0.9)]) == 0


def test_of_equal_entries_the_last_is_best() -> None:
    assert best_entry(REFUGE, PAPER, [entry(0.9), entry(0.9), entry(0.8)]) == 1


def test_where_nothing_is_ranked_the_last_entry_counts() -> None:
    assert best_entry(REFUGE, PAPER, [{"mean_distance_fovea": 1.0}, {"mean_distance_fovea": 2.0}]) == 1


def test_phases_are_ranked_alone_and_their_ranks_weighed() -> None:
    phases = {"offline": [{"auc": 0.9}, {"auc": 0.8}, {"auc": 0.7}], "onsite": [{"auc": 0.6}, {"auc": 0.8}, {}]}
    found = final_standing(REFUGE, PAPER, phases, {"offline": 0.3, "onsite": 0.7})
    assert found is not None
    board = found.boards[found.final]
    # 0.3·1 + 0.7·2 = 1.7 and 0.3·2 + 0.7·1 = 1.3; the third took no part on-site.
    assert (board.units[:2] / board.denominator).tolist() == [1.7, 1.3]
    assert board.ranks.tolist() == [2, 1, 0]


def test_a_protocol_without_weights_has_no_final_over_phases() -> None:
    row = dict.fromkeys(("pauc_90_100", "sensitivity_at_95_specificity", "kappa_ungradable", "auc_ungradable"), 0.9)
    assert final_standing(PUBLISHED["airogs"], PAPER, {"final": [row]}, {"final": 1.0}) is None
