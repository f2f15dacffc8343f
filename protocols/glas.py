"""GlaS: gland objects in H&E stained colon histology (Sirinukunwattana et al. 2017)."""

# ruff: noqa: F403, F405 – a recipe is written in the whole vocabulary
from dataclasses import replace

from protocols.vocabulary import *

citation = Citation(
    "Sirinukunwattana K, Pluim JPW, Chen H, et al.",
    "Medical Image Analysis 35:489–502",
    2017,
    "10.1016/j.media.2016.08.008",
)

images = Images(
    count=165,
    subjects=16,
    channels=3,
    sizes=(
        ImageSize(775, 522, 151, "Zeiss MIRAX MIDI"),
        ImageSize(589, 453, 8, "Zeiss MIRAX MIDI"),
        ImageSize(574, 433, 2, "Zeiss MIRAX MIDI"),
        ImageSize(581, 442, 2, "Zeiss MIRAX MIDI"),
        ImageSize(578, 433, 1, "Zeiss MIRAX MIDI"),
        ImageSize(567, 430, 1, "Zeiss MIRAX MIDI"),
    ),
    um_per_px_x=0.62,
    um_per_px_y=0.62,
    note="52 visual fields of 16 sections of 16 patients, rescaled to 0.620 µm per pixel (20×).",
)

targets = (
    Target(
        key="glands",
        name="Glands",
        kind=Kind.OBJECTS,
        tools=(
            Tool.POLYGON,
            Tool.BRUSH,
            Tool.ERASER,
            Tool.FLOOD_FILL,
            Tool.FILL_HOLES,
            Tool.SMOOTH,
            Tool.SPLIT,
            Tool.MERGE,
        ),
        answers=(Answer.ABSENT,),
        consensus=Consensus(
            rule=ConsensusRule.MATCHED_MAJORITY,
            ties=TieRule.BACKGROUND,
            show_ties_to_senior=True,
            ours=(
                "The paper has one reading per image. With several, objects are matched across graders, those found by "
                "more than half are kept, each match is voted on by pixel and nothing overlaps; unmatched objects are "
                "listed for the senior.",
            ),
        ),
        instructions="Draw the boundary of each glandular object. Objects do not overlap: a later object does not take "
        "pixels of an earlier one.",
    ),
    Target(
        key="grade",
        name="Histologic grade",
        kind=Kind.LABEL,
        tools=(Tool.CHOICE,),
        options=(LabelOption("benign", "Benign", "benign"), LabelOption("malignant", "Malignant", "malignant")),
        positive="malignant",
        consensus=Consensus(
            rule=ConsensusRule.MAJORITY,
            ties=TieRule.SENIOR,
            ours=("The paper has one reading per image; with several the label of more than half is taken.",),
        ),
        note="The paper graded the visual field; its images carry the grade of their field.",
    ),
)

readers = Readers(
    plan=Plan.SINGLE,
    graders_per_case=1,
    profession="Expert pathologist",
    note="The paper names the missing inter-observer study as its limit.",
    ours=("Several graders per image are possible.",),
)

blinding = Blinding(
    hidden=EVERYTHING_HIDDEN, ours=("The paper does not speak of blinding; everything that could tell is hidden.",)
)

unreported = ("Not in the paper, which has a single reading.",)
agreement = (
    Agreement(Statistic.GCI, ("glands",), yardstick=GCI_BANDS, ours=unreported),
    Agreement(Statistic.PAIRWISE_DICE, ("glands",), ours=unreported),
    Agreement(Statistic.FLEISS_KAPPA, ("grade",), yardstick=KAPPA_BANDS, ours=unreported),
)

split = Split(
    unit=SplitUnit.VISUAL_FIELD,
    parts=(
        Part("training", "Training", 85, 85 / 165, labels=(LabelCounts("grade", (37, 48)),), labels_hidden=False),
        Part("test_a", "Test A", 60, 60 / 165, labels=(LabelCounts("grade", (33, 27)),), column_suffix="a"),
        Part("test_b", "Test B", 20, 20 / 165, labels=(LabelCounts("grade", (4, 16)),), column_suffix="b"),
    ),
    stratify_by=("grade",),
    note="Split by visual field and grade, not by patient: a patient may be in two parts.",
)

files = (
    File(
        "glands",
        "NAME_anno.bmp",
        FileKind.LABEL_PICTURE,
        "segmentation",
        also=("NAME_anno.png", "NAME_anno.tif"),
        note="0 is background, each object a positive integer, 8 or 16 bit. Only files that end in _anno are read; a "
        "paletted picture's labels are its indices; an RGB label picture is an error. Two components of one label are "
        "one object.",
    ),
    File(
        "grades",
        "grades.csv",
        FileKind.TABLE,
        side=Side.REFERENCE,
        columns=(Column("name", ColumnRole.CASE), Column("grade", ColumnRole.LABEL, "grade")),
        note="Optional, for strata.",
    ),
)

f1 = Metric(
    "f1",
    "Detection F1 of objects",
    MetricRule.OBJECT_F1_POOLED,
    MetricRule.OBJECT_F1_PER_IMAGE,
    targets=("glands",),
    note="2TP/(2TP+FP+FN). Paper: a candidate that covers at least half of its matched gland is true, summed over all "
    "images. Published: more than half, per image, then averaged.",
    ours=(
        "Both sides empty gives 1, one side empty 0.",
        "Of two candidates that each cover exactly half of one gland only the smaller label is true.",
    ),
)
object_dice = Metric(
    "object_dice",
    "Object Dice",
    MetricRule.OBJECT_DICE_POOLED,
    MetricRule.OBJECT_DICE_PER_IMAGE,
    targets=("glands",),
    note="Half the area-weighted sum over reference objects plus half over candidate objects of Dice with the match.",
    ours=("Both sides empty gives 1, one side empty 0.",),
)
object_hausdorff = Metric(
    "object_hausdorff",
    "Object Hausdorff distance",
    MetricRule.OBJECT_HAUSDORFF_POOLED,
    MetricRule.OBJECT_HAUSDORFF_PER_IMAGE,
    Direction.LOWER,
    unit="px",
    targets=("glands",),
    note="Over all pixels of both objects (Eq. 8). An object without overlap takes the smallest distance to an object "
    "of the other side in that image.",
    ours=("If the other side is empty in that image, the image diagonal; neither side has objects: 0.",),
)
ari = Metric(
    "ari",
    "Adjusted Rand index",
    MetricRule.ARI_POOLED,
    MetricRule.ARI_PER_IMAGE,
    targets=("glands",),
    note="Pairs of pixels within one image. Denominator 0 gives 1.",
    ours=("The background counts as one object of its image; the paper does not say.",),
)
tracks = (
    Track(
        "segmentation",
        "Gland segmentation",
        (f1, object_dice, object_hausdorff, ari),
        ("f1", "tp", "fp", "fn", "object_dice", "object_hausdorff", "ari"),
    ),
)

differences = (
    KnownDifference(
        "Pooling",
        "The paper pools over all objects of a test part; the circulating MATLAB functions work per image. Nothing "
        "shows that they gave Table 2.",
    ),
    KnownDifference("Section 5.1", "The paper says at least half, the circulating code more than half."),
    KnownDifference(
        "Eq. 8",
        "Formula and code use all pixels of an object; the remark about boundaries is looser and differs with holes.",
    ),
    KnownDifference("Table 2", "The rank sums come out from unrounded values."),
)

six_terms = (
    *(Term("f1_a"), Term("f1_b")),
    *(Term("object_dice_a"), Term("object_dice_b")),
    *(Term("object_hausdorff_a"), Term("object_hausdorff_b")),
)
merged_terms = (Term("f1"), Term("object_dice"), Term("object_hausdorff"))
merged_ari_terms = (Term("f1"), Term("ari"), Term("object_hausdorff"))
rank_sum = Board("overall", "Sum of ranks", merged_terms, Combine.SUM, listed=False)
any_of_six = replace(rank_sum, terms=six_terms, partial=True)
rankings = (
    Ranking("parts", BOTH_EDITIONS, (any_of_six,), "overall", note="Any of the six columns."),
    Ranking("merged", BOTH_EDITIONS, (rank_sum,), "overall", note="Table 3."),
    Ranking("merged_ari", BOTH_EDITIONS, (replace(rank_sum, terms=merged_ari_terms),), "overall", note="Table 3."),
)

phases = (
    Phase("test_a", "Part A, off-site", "test_a", submissions=3, note="Three sets of results per method, one month."),
    Phase("test_b", "Part B, on-site", "test_b", hours=0.75),
)

GLAS = Recipe(
    key="glas",
    name="GlaS",
    title="Gland Segmentation in Colon Histology Images Challenge Contest",
    citation=citation,
    summary="A pathologist outlines every gland and grades the image; several graders per image, matched object by "
    "object, are what Quorum adds.",
    modality=Modality.HISTOLOGY,
    images=images,
    targets=targets,
    checks=(
        Check(CheckName.UNANSWERED, Severity.ERROR),
        Check(CheckName.EMPTY_MASK, Severity.ERROR),
        Check(CheckName.OVERLAP, Severity.ERROR),
    ),
    measures=(Measure("gland_count", "Number of glands", MeasureRule.OBJECT_COUNT, ("glands",)),),
    viewer=Viewer(
        adjustments=(Adjustment.BRIGHTNESS, Adjustment.CONTRAST, Adjustment.GAMMA),
        ours=("The paper does not describe its viewer.",),
    ),
    readers=readers,
    blinding=blinding,
    monitoring=Monitoring(ours=("The paper reports no monitoring and no limits.",)),
    review=Review(
        steps=(ReviewStep.CHECK, ReviewStep.REMOVE_AND_REVOTE, ReviewStep.FINE_ADJUSTMENT),
        ours=("The paper has no review of its single reading.",),
    ),
    agreement=agreement,
    split=split,
    files=files,
    scoring=Scoring(
        tracks=tracks,
        editions=(PAPER, Edition(EditionKey.PUBLISHED, "The circulating MATLAB functions: per image, then averaged.")),
        differences=differences,
        rankings=rankings,
        phases=phases,
        statistics=Statistics(analyses=(Analysis.BY_STRATUM,), strata=("grade",)),
    ),
)
