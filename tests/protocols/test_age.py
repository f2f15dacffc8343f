"""AGE against the paper (Fu et al. 2020)."""

from protocols import PUBLISHED
from protocols.names import Answer, ConsensusRule, Kind, Region, ReviewStep, Source
from protocols.scoring_names import EditionKey, SplitUnit

AGE = PUBLISHED["age"]
BOARDS = {board.key: {term.key: term.weight for term in board.terms} for board in AGE.scoring.rankings[0].boards}


def test_images_and_their_source() -> None:
    # Section 2: 4800 images of 300 eyes of 199 subjects; Section 5.3.1: 2130×998
    size = AGE.images.sizes[0]
    assert (AGE.images.count, AGE.images.eyes, AGE.images.subjects) == (4800, 300, 199)
    assert (size.width_px, size.height_px) == (2130, 998)


def test_no_adjustment_of_the_picture_is_allowed() -> None:
    # Section 2: no adjustments were made to image brightness or contrast
    assert AGE.viewer.adjustments == ()


def test_pixel_size_has_no_default() -> None:
    assert (AGE.images.um_per_px_x, AGE.images.um_per_px_y) == (None, None)
    assert all(measure.needs_pixel_size for measure in AGE.measures)


def test_four_graders_mark_one_spur_in_each_half() -> None:
    # Section 2
    spurs = [target for target in AGE.targets if target.source is Source.GRADED]
    assert AGE.readers.graders_per_case == 4
    assert [(spur.kind, spur.region) for spur in spurs] == [(Kind.POINT, Region.LEFT), (Kind.POINT, Region.RIGHT)]
    assert all(spur.answers == (Answer.CANNOT_BE_DETERMINED,) for spur in spurs)
    assert all(spur.consensus.rule is ConsensusRule.MEAN for spur in spurs)


def test_the_senior_adjusts_the_mean_and_draws_the_surfaces() -> None:
    assert ReviewStep.FINE_ADJUSTMENT in AGE.review.steps
    drawn = [target.key for target in AGE.targets if target.source is Source.SENIOR]
    assert drawn == ["cornea_left", "iris_left", "cornea_right", "iris_right"]


def test_closure_is_imported_from_gonioscopy() -> None:
    assert AGE.target("closure_left").source is Source.IMPORTED


def test_a_subject_stays_in_one_of_three_equal_parts() -> None:
    # Section 2
    assert AGE.split.unit is SplitUnit.SUBJECT
    assert [part.images for part in AGE.split.parts] == [1600, 1600, 1600]


def test_an_undetermined_spur_is_written_as_minus_one() -> None:
    assert {column.undetermined for column in AGE.files[0].columns[1:]} == {-1.0}


def test_angle_opening_penalty_has_its_two_weights() -> None:
    # Eq. 1 and Eq. 2
    metric = AGE.scoring.tracks[0].metrics[1]
    assert {parameter.key: parameter.value for parameter in metric.parameters} == {"milder": 0.2, "harder": 0.8}


def test_ranking_weights() -> None:
    # Eq. 3, Eq. 5, Eq. 6
    assert BOARDS == {
        "localization": {"mean_distance_spur": 0.4, "delta_aod": 0.6},
        "classification": {"auc": 0.5, "sensitivity": 0.25, "specificity": 0.25},
        "overall": {"localization": 0.7, "classification": 0.3},
    }


def test_two_phase_weights_follow_the_edition() -> None:
    # Eq. 7 against Tables 3 and 4
    found = {
        ranking.editions: [(phase.phase, phase.weight) for phase in ranking.phases] for ranking in AGE.scoring.rankings
    }
    assert found == {
        (EditionKey.PAPER,): [("online", 0.3), ("onsite", 0.7)],
        (EditionKey.PUBLISHED,): [("online", 0.2), ("onsite", 0.8)],
    }
