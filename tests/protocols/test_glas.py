"""GlaS against the paper (Sirinukunwattana et al. 2017)."""

from protocols import PUBLISHED
from protocols.names import ConsensusRule, Kind, Plan
from protocols.scoring_names import Combine, Direction, EditionKey, SplitUnit

GLAS = PUBLISHED["glas"]


def test_images_add_up_to_the_sizes_of_table_1() -> None:
    # Section 3: 165 images of 16 patients, 0.620 µm per pixel
    assert (GLAS.images.count, GLAS.images.subjects, GLAS.images.um_per_px_x) == (165, 16, 0.62)
    assert sum(size.images or 0 for size in GLAS.images.sizes) == 165


def test_one_pathologist_draws_objects_and_grades() -> None:
    # Section 3
    assert (GLAS.readers.plan, GLAS.readers.graders_per_case) == (Plan.SINGLE, 1)
    assert [(target.key, target.kind) for target in GLAS.targets] == [("glands", Kind.OBJECTS), ("grade", Kind.LABEL)]


def test_consensus_of_objects_is_marked_as_ours() -> None:
    consensus = GLAS.target("glands").consensus
    assert consensus.rule is ConsensusRule.MATCHED_MAJORITY
    assert consensus.ours


def test_split_is_by_visual_field_with_the_grades_of_table_1() -> None:
    assert GLAS.split.unit is SplitUnit.VISUAL_FIELD
    parts = {part.key: (part.images, part.labels[0].images) for part in GLAS.split.parts}
    assert parts == {"training": (85, (37, 48)), "test_a": (60, (33, 27)), "test_b": (20, (4, 16))}


def test_every_metric_differs_between_the_editions() -> None:
    metrics = GLAS.scoring.tracks[0].metrics
    assert [metric.key for metric in metrics] == ["f1", "object_dice", "object_hausdorff", "ari"]
    assert all(metric.rule(EditionKey.PAPER) is not metric.rule(EditionKey.PUBLISHED) for metric in metrics)
    assert [metric.key for metric in metrics if metric.direction is Direction.LOWER] == ["object_hausdorff"]


def test_rank_sum_takes_six_columns_or_three_merged_ones() -> None:
    # Tables 2 and 3
    columns = [ranking.columns for ranking in GLAS.scoring.rankings]
    assert columns == [
        ("f1_a", "f1_b", "object_dice_a", "object_dice_b", "object_hausdorff_a", "object_hausdorff_b"),
        ("f1", "object_dice", "object_hausdorff"),
        ("f1", "ari", "object_hausdorff"),
    ]
    assert {ranking.boards[0].combine for ranking in GLAS.scoring.rankings} == {Combine.SUM}


def test_a_column_with_a_suffix_is_a_metric_on_one_part() -> None:
    columns = GLAS.ranked_columns()
    assert columns["f1_a"] == ("f1", "test_a")
    assert columns["object_hausdorff_b"] == ("object_hausdorff", "test_b")
    assert columns["ari"] == ("ari", None)
