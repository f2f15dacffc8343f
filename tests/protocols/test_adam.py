"""ADAM against the paper (Fang et al. 2022)."""

import pytest

from protocols import PUBLISHED
from protocols.names import Answer, ConsensusRule, Kind
from protocols.scoring_names import Combine, IccForm, MissingFile, Statistic

ADAM = PUBLISHED["adam"]
LESIONS = ["drusen", "exudate", "hemorrhage", "scar", "other"]
BOARDS = {board.key: board for board in ADAM.scoring.rankings[0].boards}


def test_images_are_those_of_two_cameras() -> None:
    # Section 2.1: 824 of 2124×2056 and 376 of 1444×1444
    sizes = [(size.width_px, size.height_px, size.images) for size in ADAM.images.sizes]
    assert sizes == [(2124, 2056, 824), (1444, 1444, 376)]


def test_seven_graders_mark_disc_fovea_and_five_lesions() -> None:
    # Section 2.1
    assert ADAM.readers.graders_per_case == 7
    assert [target.key for target in ADAM.targets] == ["disc", "fovea", *LESIONS, "amd", "amd_stage"]


def test_painted_areas_have_colours_of_their_own_that_a_fundus_has_not() -> None:
    # In four fundus photographs a tenth of the pixels lay within CIE76 6 … 22 of the palette's vermilion (5) and within
    # 23 … 48 of its orange (0); within 46 and more of its other colours.
    painted = [ADAM.target(key).colour for key in ("disc", *LESIONS)]
    assert len({*painted, ADAM.target("fovea").colour}) == 7
    assert not {0, 5} & {*painted}


@pytest.mark.parametrize("lesion", LESIONS)
def test_each_lesion_is_a_mask_that_may_be_absent(lesion: str) -> None:
    target = ADAM.target(lesion)
    assert (target.kind, target.answers) == (Kind.MASK, (Answer.ABSENT,))
    assert target.consensus.rule is ConsensusRule.MAJORITY


def test_disc_and_fovea_may_be_out_of_view() -> None:
    assert Answer.NOT_VISIBLE in ADAM.target("disc").answers
    assert Answer.NOT_VISIBLE in ADAM.target("fovea").answers


def test_published_agreement_is_kept_beside_its_yardstick() -> None:
    # Section 2.1: GCI 0.715, ICC 0.87993
    published = {entry.statistic: entry.published for entry in ADAM.agreement}
    assert published == {Statistic.GCI: 0.715, Statistic.ICC_EUCLIDEAN: 0.87993}
    assert ADAM.agreement[1].form is IccForm.AGREEMENT_SINGLE


def test_stages_of_each_part_are_those_of_table_1() -> None:
    stages = [part.labels[1].images for part in ADAM.split.parts]
    assert stages == [(28, 7, 4, 50), (18, 7, 3, 61), (24, 9, 3, 53)]
    assert [sum(counts) for counts in stages] == [89, 89, 89]


def test_a_missing_lesion_file_means_absent_and_a_missing_disc_is_an_error() -> None:
    missing = {file.key: file.missing_case for file in ADAM.files}
    assert {missing[lesion] for lesion in LESIONS} == {MissingFile.ABSENT}
    assert missing["disc"] is MissingFile.ERROR


def test_detection_weighs_less_than_segmentation() -> None:
    # Eq. 3
    assert [(term.key, term.weight) for term in BOARDS["disc"].terms] == [("f1_disc", 0.4), ("dice_disc", 0.6)]


def test_lesion_score_is_the_sum_of_the_five_scores() -> None:
    # Eq. 4
    lesion = BOARDS["lesion"]
    assert (lesion.combine, lesion.takes_scores) == (Combine.SUM, True)
    assert [term.key for term in lesion.terms] == LESIONS


def test_overall_weights_and_tie_break() -> None:
    # Eq. 5: in case of a tie the classification rank has the preference
    overall = BOARDS["overall"]
    assert {term.key: term.weight for term in overall.terms} == {"amd": 0.3, "disc": 0.1, "fovea": 0.1, "lesion": 0.5}
    assert {key for key, board in BOARDS.items() if board.tie_break == "amd"} == {"disc", "lesion", "overall"}


def test_ranks_list_the_four_leaderboards() -> None:
    assert [key for key, board in BOARDS.items() if board.listed] == ["amd", "disc", "fovea", "lesion"]


def test_two_phases_are_weighted_for_the_on_site_one() -> None:
    # Eq. 6
    assert [(phase.phase, phase.weight) for phase in ADAM.scoring.rankings[0].phases] == [
        ("online", 0.3),
        ("onsite", 0.7),
    ]
