"""REFUGE: optic disc and cup, glaucoma and fovea in colour fundus photographs (Orlando et al. 2020)."""

# ruff: noqa: F403, F405 – a recipe is written in the whole vocabulary
from dataclasses import replace

from protocols.vocabulary import *

citation = Citation(
    "Orlando JI, Fu H, Barbosa Breda J, et al.", "Medical Image Analysis 59:101570", 2020, "10.1016/j.media.2019.101570"
)

images = Images(
    count=1200,
    formats=("JPEG",),
    channels=3,
    bits=8,
    sizes=(ImageSize(2124, 2056, 400, "Zeiss Visucam 500"), ImageSize(1634, 1634, 800, "Canon CR-2")),
    note="Centred at the posterior pole, with macula and optic disc both visible; only pictures of high quality.",
)

ellipse_vote = replace(PIXEL_MAJORITY, note="The ellipses are rasterised; each pixel is decided by majority.")
mean_of_seven = Consensus(rule=ConsensusRule.MEAN, note="Mean of the graders' points.")
ellipse_tools = (Tool.ELLIPSE_BOX, Tool.ELLIPSE_FIT)

targets = (
    Target(key="disc", name="Optic disc", kind=Kind.ELLIPSE, tools=ellipse_tools, consensus=ellipse_vote),
    Target(
        key="cup",
        name="Optic cup",
        kind=Kind.ELLIPSE,
        tools=ellipse_tools,
        inside="disc",
        inside_severity=Severity.WARNING,
        colour=1,
        line=LineStyle.DASHED,
        consensus=ellipse_vote,
        ours=("The cup must lie inside the disc; a reading that breaks this is warned about, not refused.",),
    ),
    Target(key="fovea", name="Fovea", kind=Kind.POINT, tools=(Tool.POINT,), colour=2, consensus=mean_of_seven),
    Target(
        key="glaucoma",
        name="Glaucoma",
        kind=Kind.LABEL,
        source=Source.IMPORTED,
        options=(LabelOption("glaucoma", "Glaucoma", "1"), LabelOption("no-glaucoma", "No glaucoma", "0")),
        positive="glaucoma",
        consensus=IMPORTED,
        note="Clinical diagnosis from follow-up records, never graded from the photograph.",
    ),
)

measures = (
    Measure("vcdr", "Vertical cup-to-disc ratio", MeasureRule.VCDR_EXTENT, ("cup", "disc")),
    Measure("area_disc", "Disc area", MeasureRule.AREA_SHARE_OF_FIELD, ("disc",), "share of the field of view"),
    Measure("area_cup", "Cup area", MeasureRule.AREA_SHARE_OF_FIELD, ("cup",), "share of the field of view"),
)

readers = Readers(
    plan=Plan.EVERY_GRADER,
    graders_per_case=7,
    profession="Glaucoma specialists",
    experience="8 years on average (5 to 10)",
)

blinding = Blinding(
    hidden=EVERYTHING_HIDDEN,
    note="Independent readings, without access to patient information or to the prevalence of disease.",
    ours=("Names of other graders, file names, the reference and the clinical label are hidden too.",),
)

review = Review(
    steps=(ReviewStep.CHECK, ReviewStep.REMOVE_AND_REVOTE),
    reviewer="A senior specialist with more than 10 years of experience in glaucoma",
    note="On an error in disc or cup the senior removes the readings judged failed and the vote is repeated with the "
    "rest. For the fovea the paper states no check.",
)

unreported = ("Reported although the paper reports no agreement of its graders.",)
agreement = (
    Agreement(
        Statistic.GCI,
        ("disc", "cup"),
        yardstick=GCI_BANDS,
        note="Not published for the readings; the glaucoma labels of two outside experts agreed in 96.25 %.",
        ours=unreported,
    ),
    Agreement(Statistic.ICC, ("vcdr",), IccForm.AGREEMENT_SINGLE, ICC_BANDS, ours=unreported),
    Agreement(Statistic.ICC_EUCLIDEAN, ("fovea",), IccForm.AGREEMENT_SINGLE, ICC_BANDS, ours=unreported),
)

tenth = (LabelCounts("glaucoma", (40, 360)),)
third = 400 / 1200
split = Split(
    unit=SplitUnit.SUBJECT,
    parts=(
        Part("training", "Training", 400, third, "Zeiss Visucam 500", labels=tenth, labels_hidden=False),
        Part("offline", "Offline test", 400, third, "Canon CR-2", labels=tenth),
        Part("onsite", "On-site test", 400, third, "Canon CR-2", labels=tenth),
    ),
    stratify_by=("glaucoma",),
    by_device=True,
    note="Training images come from one camera, both test sets from the other, on purpose.",
    ours=("The paper does not speak of subjects; here a subject's images stay in one part.",),
)

files = (
    File(
        "segmentation",
        "segmentation/NAME.bmp",
        FileKind.PICTURE,
        "segmentation",
        also=("segmentation/NAME.png",),
        pixels=(PixelValue(0, "cup"), PixelValue(128, "disc"), PixelValue(255)),
        note="Grey picture. The cup is the value 0; the disc is every value below 255, so it contains the cup.",
    ),
    File(
        "classification",
        "classification.csv",
        FileKind.TABLE,
        "classification",
        also=("classification_results.csv",),
        columns=(Column("FileName", ColumnRole.CASE), Column("Glaucoma Risk", ColumnRole.LIKELIHOOD, "glaucoma")),
        note="In the reference 0 or 1, in a submission any finite number.",
    ),
    File(
        "fovea",
        "fovea_location.csv",
        FileKind.TABLE,
        "fovea",
        also=("fovea_location_results.csv", "fovea_localization_results.csv"),
        columns=(
            Column("ImageName", ColumnRole.CASE),
            Column("Fovea_X", ColumnRole.X, "fovea"),
            Column("Fovea_Y", ColumnRole.Y, "fovea"),
        ),
    ),
)

auc = Metric(
    "auc", "Area under the ROC curve", MetricRule.AUC, targets=("glaucoma",), note="Null if a class is missing."
)
sensitivity = Metric(
    "sensitivity_at_85_specificity",
    "Sensitivity at 85 % specificity",
    MetricRule.SENSITIVITY_AT_STEP,
    MetricRule.SENSITIVITY_AT_POLYLINE,
    parameters=(Parameter("specificity", 0.85),),
    targets=("glaucoma",),
    note="0 when only the origin qualifies, null if a class is missing. A reference value, not ranked.",
)
dice_disc = Metric(
    "dice_disc", "Dice of the disc", MetricRule.DICE, targets=("disc",), note="Both empty 1, one empty 0."
)
dice_cup = replace(dice_disc, key="dice_cup", name="Dice of the cup", targets=("cup",))
mae_vcdr = Metric(
    "mae_vcdr",
    "Mean absolute error of the vertical cup-to-disc ratio",
    MetricRule.VCDR_ERROR_EXTENT,
    MetricRule.VCDR_ERROR_LONGEST_COLUMN,
    Direction.LOWER,
    targets=("cup", "disc"),
    note="An empty disc gives a ratio of 0.",
    ours=("The vertical extent is that of the largest 8-connected component.",),
)
distance = Metric(
    "mean_distance_fovea",
    "Mean distance to the fovea",
    MetricRule.DISTANCE,
    direction=Direction.LOWER,
    unit="px",
    targets=("fovea",),
    note="Not ranked.",
)
tracks = (
    Track("classification", "Glaucoma classification", (auc, sensitivity), ("risk", "label")),
    Track(
        "segmentation",
        "Disc and cup segmentation",
        (dice_cup, dice_disc, mae_vcdr),
        ("dice_cup", "dice_disc", "vcdr_reference", "vcdr_candidate"),
    ),
    Track("fovea", "Fovea localisation", (distance,), ("distance_fovea",)),
)

differences = (
    KnownDifference(
        "Eq. 3 and Table 6",
        "Eq. 3 weighs the disc 0.35 and the cup 0.25; the organisers' code and all twelve scores of Table 6 have the "
        "two weights exchanged.",
    ),
    KnownDifference("Eq. 1", "Eq. 1 prints |R∪C| below the line, a misprint: the value would exceed 1."),
    KnownDifference(
        "Eq. 2",
        "The paper says only vertical diameter. The code takes the largest number of foreground pixels in any one "
        "column and adds 1e-7 to the disc's.",
    ),
    KnownDifference(
        "Section 3.2.1",
        "The organisers' code interpolates the ROC with vertical steps upside down, so a perfect classifier can get "
        "0.32. No edition repeats this; published reads the true ROC polyline at a false-positive rate of 0.15.",
    ),
    KnownDifference("Table 6", "The ranks printed for SMILEDeepDR (4, 10, 8) are a misprint for 8, 9, 6."),
    KnownDifference("Ranking", "The organisers' code breaks ties by list order; here equal values share a rank."),
)

by_auc = Board("classification", "Classification", (Term("auc", 1.0),))
by_equation_3 = Board(
    "segmentation", "Segmentation", (Term("dice_disc", 0.35), Term("dice_cup", 0.25), Term("mae_vcdr", 0.4))
)
by_the_code = Board(
    "segmentation", "Segmentation", (Term("dice_cup", 0.35), Term("dice_disc", 0.25), Term("mae_vcdr", 0.4))
)
overall = Board("overall", "Overall", (Term("classification", 0.4), Term("segmentation", 0.6)), listed=False)
phase_weights = (PhaseWeight("offline", 0.3), PhaseWeight("onsite", 0.7))
rankings = (
    Ranking("paper", (EditionKey.PAPER,), (by_auc, by_equation_3, overall), "overall", phase_weights),
    Ranking("published", (EditionKey.PUBLISHED,), (by_auc, by_the_code, overall), "overall", phase_weights),
)

phases = (
    Phase(
        "offline",
        "Offline",
        "offline",
        submissions=5,
        shows_results=True,
        ours=("The paper does not say which of the five counts; here the last.",),
    ),
    Phase("onsite", "On-site", "onsite", hours=3.0, note="The last submission of a team counts."),
)

statistics = Statistics(
    analyses=(
        Analysis.HUMAN_OPERATING_POINTS,
        Analysis.DELONG,
        Analysis.WILCOXON_SIGNED_RANK,
        Analysis.RANK_SUM_BETWEEN_STRATA,
        Analysis.KRUSKAL_WALLIS_BETWEEN_PARTS,
        Analysis.BOX_PLOTS,
    ),
    strata=("glaucoma",),
    ensembles=(EnsembleRule.MAJORITY_VOTE, EnsembleRule.MEAN_NORMALISED_LIKELIHOOD),
    ensemble_sizes=(3,),
    note="Two outside experts: sensitivity 85 % both, specificity 91.11 % and 91.39 %.",
)

REFUGE = Recipe(
    key="refuge",
    name="REFUGE",
    title="Retinal Fundus Glaucoma Challenge",
    citation=citation,
    summary="Seven glaucoma specialists outline optic disc and cup as tilted ellipses and mark the fovea; a pixel "
    "majority checked by a senior becomes the reference.",
    modality=Modality.COLOUR_FUNDUS,
    images=images,
    targets=targets,
    checks=(Check(CheckName.UNANSWERED, Severity.ERROR), Check(CheckName.LATERALITY, Severity.WARNING)),
    measures=measures,
    viewer=Viewer(
        adjustments=COLOUR_ADJUSTMENTS,
        note="The paper's tool offered image review, zoom and ellipse fitting.",
        ours=("Image adjustments are not mentioned in the paper; they are allowed and recorded at submission.",),
    ),
    readers=readers,
    blinding=blinding,
    monitoring=Monitoring(ours=("The paper reports no monitoring and no limits.",)),
    review=review,
    agreement=agreement,
    split=split,
    files=files,
    scoring=Scoring(
        tracks=tracks,
        editions=(
            PAPER,
            Edition(
                EditionKey.PUBLISHED, "The organisers' weights, which alone give Table 6, and their vertical diameter."
            ),
        ),
        differences=differences,
        rankings=rankings,
        phases=phases,
        statistics=statistics,
    ),
)
