"""REFUGE against the paper (Orlando et al. 2020); the comment names the section a number was read from."""

from protocols import PUBLISHED
from protocols.names import Blinded, ConsensusRule, Kind, Plan, ReviewStep, Severity, Source, TieRule
from protocols.scoring_names import EditionKey, MetricRule

REFUGE = PUBLISHED["refuge"]


def weights(ranking: int, board: str) -> dict[str, float]:
    found = next(entry for entry in REFUGE.scoring.rankings[ranking].boards if entry.key == board)
    return {term.key: term.weight for term in found.terms}


def test_images_are_those_of_two_cameras() -> None:
    # Section 3.1: 1200 photographs, 400 Zeiss of 2124×2056, 800 Canon of 1634×1634
    sizes = [(size.width_px, size.height_px, size.images) for size in REFUGE.images.sizes]
    assert (REFUGE.images.count, sizes) == (1200, [(2124, 2056, 400), (1634, 1634, 800)])


def test_seven_graders_read_every_case_blind() -> None:
    # Section 3.1: seven specialists, independently, without patient information or knowledge of prevalence
    assert (REFUGE.readers.plan, REFUGE.readers.graders_per_case) == (Plan.EVERY_GRADER, 7)
    assert {Blinded.OTHER_READINGS, Blinded.PATIENT_DATA, Blinded.PREVALENCE} <= set(REFUGE.blinding.hidden)


def test_disc_and_cup_are_ellipses_fused_by_majority_and_the_fovea_is_a_mean() -> None:
    # Section 3.1: tilted ellipses, majority voting of seven; fovea: average of the annotations
    kinds = {target.key: (target.kind, target.consensus.rule) for target in REFUGE.targets}
    assert kinds == {
        "disc": (Kind.ELLIPSE, ConsensusRule.MAJORITY),
        "cup": (Kind.ELLIPSE, ConsensusRule.MAJORITY),
        "fovea": (Kind.POINT, ConsensusRule.MEAN),
        "glaucoma": (Kind.LABEL, ConsensusRule.IMPORTED),
    }
    assert REFUGE.target("glaucoma").source is Source.IMPORTED


def test_what_the_paper_does_not_say_is_marked_as_ours() -> None:
    cup = REFUGE.target("cup")
    assert (cup.inside, cup.inside_severity, bool(cup.ours)) == ("disc", Severity.WARNING, True)
    assert (cup.consensus.ties, bool(cup.consensus.ours)) == (TieRule.BACKGROUND, True)


def test_the_senior_removes_failed_readings_and_repeats_the_vote() -> None:
    # Section 3.1, quality check by a senior specialist
    assert REFUGE.review.steps == (ReviewStep.CHECK, ReviewStep.REMOVE_AND_REVOTE)


def test_each_third_has_ten_percent_glaucoma() -> None:
    # Table 2: 400 images per set, 40 with glaucoma
    parts = [(part.key, part.images, part.labels[0].images) for part in REFUGE.split.parts]
    assert parts == [("training", 400, (40, 360)), ("offline", 400, (40, 360)), ("onsite", 400, (40, 360))]


def test_segmentation_files_hold_three_grey_values() -> None:
    # Section 3.2.2: 0 cup, 128 disc, 255 elsewhere
    file = REFUGE.files[0]
    assert [(pixel.value, pixel.target) for pixel in file.pixels] == [(0, "cup"), (128, "disc"), (255, None)]


def test_metric_keys_are_those_relied_on_outside() -> None:
    keys = {track.key: [metric.key for metric in track.metrics] for track in REFUGE.scoring.tracks}
    assert keys == {
        "classification": ["auc", "sensitivity_at_85_specificity"],
        "segmentation": ["dice_cup", "dice_disc", "mae_vcdr"],
        "fovea": ["mean_distance_fovea"],
    }


def test_weights_of_cup_and_disc_are_exchanged_between_the_editions() -> None:
    # Eq. 3 against Table 6
    assert weights(0, "segmentation") == {"dice_disc": 0.35, "dice_cup": 0.25, "mae_vcdr": 0.4}
    assert weights(1, "segmentation") == {"dice_cup": 0.35, "dice_disc": 0.25, "mae_vcdr": 0.4}
    assert [ranking.editions for ranking in REFUGE.scoring.rankings] == [(EditionKey.PAPER,), (EditionKey.PUBLISHED,)]


def test_overall_score_and_phases_are_weighted_as_printed() -> None:
    # Eq. 4 and Eq. 5
    assert weights(0, "overall") == {"classification": 0.4, "segmentation": 0.6}
    assert {phase.phase: phase.weight for phase in REFUGE.scoring.rankings[0].phases} == {"offline": 0.3, "onsite": 0.7}


def test_vertical_diameter_follows_the_edition() -> None:
    metric = REFUGE.scoring.tracks[1].metrics[2]
    assert metric.rule(EditionKey.PAPER) is MetricRule.VCDR_ERROR_EXTENT
    assert metric.rule(EditionKey.PUBLISHED) is MetricRule.VCDR_ERROR_LONGEST_COLUMN


def test_phases_allow_five_evaluations_offline_and_three_hours_on_site() -> None:
    # Section 3.2
    offline, onsite = REFUGE.scoring.phases
    assert (offline.submissions, onsite.hours) == (5, 3.0)
