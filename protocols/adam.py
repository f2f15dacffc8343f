"""ADAM: AMD label, optic disc, fovea and five lesions in colour fundus photographs (Fang et al. 2022)."""

# ruff: noqa: F403, F405 – a recipe is written in the whole vocabulary
from dataclasses import replace

from protocols.vocabulary import *

citation = Citation(
    "Fang H, Li F, Fu H, et al.", "IEEE Transactions on Medical Imaging 41:2828–2847", 2022, "10.1109/TMI.2022.3172773"
)

images = Images(
    count=1200,
    formats=("JPEG",),
    channels=3,
    bits=8,
    sizes=(ImageSize(2124, 2056, 824, "Zeiss Visucam 500"), ImageSize(1444, 1444, 376, "Canon CR-2")),
    note="The disc is fully visible in 821 images, the fovea in 1190.",
)

pixel_vote = replace(
    PIXEL_MAJORITY,
    ours=(*PIXEL_MAJORITY.ours, "A structure called absent or not visible enters the vote as an empty mask."),
)
point_mean = Consensus(
    rule=ConsensusRule.MEAN,
    not_visible_from=0.5,
    note="Mean of the graders' points.",
    ours=("If at least half of the graders say not visible, so does the reference; else the others are averaged.",),
)
mask_tools = (Tool.BRUSH, Tool.ERASER, Tool.POLYGON, Tool.FLOOD_FILL, Tool.FILL_HOLES, Tool.SMOOTH)
not_visible, absent = (Answer.NOT_VISIBLE,), (Answer.ABSENT,)

drusen = Target(
    key="drusen", name="Drusen", kind=Kind.MASK, tools=mask_tools, answers=absent, colour=3, consensus=pixel_vote
)
targets = (
    Target(
        key="disc",
        name="Optic disc",
        kind=Kind.MASK,
        tools=mask_tools,
        answers=not_visible,
        colour=1,
        consensus=pixel_vote,
        instructions="Mark the disc only if it is fully present in the picture.",
    ),
    Target(
        key="fovea",
        name="Fovea",
        kind=Kind.POINT,
        tools=(Tool.POINT,),
        answers=not_visible,
        consensus=point_mean,
    ),
    drusen,
    replace(drusen, key="exudate", name="Exudate", colour=4, line=LineStyle.DASHED),
    replace(drusen, key="hemorrhage", name="Haemorrhage", colour=2, line=LineStyle.DOTTED),
    replace(drusen, key="scar", name="Scar", colour=6, line=LineStyle.DASH_DOT),
    replace(drusen, key="other", name="Other lesions", colour=7, line=LineStyle.DASHED),
    Target(
        key="amd",
        name="Age-related macular degeneration",
        kind=Kind.LABEL,
        source=Source.IMPORTED,
        options=(LabelOption("amd", "AMD", "1"), LabelOption("no-amd", "No AMD", "0")),
        positive="amd",
        consensus=IMPORTED,
        note="Clinical diagnosis from records, photographs and OCT; never graded.",
    ),
    Target(
        key="amd_stage",
        name="AMD stage",
        kind=Kind.LABEL,
        source=Source.IMPORTED,
        required=False,
        options=(
            LabelOption("early", "Early"),
            LabelOption("intermediate", "Intermediate"),
            LabelOption("late-dry", "Late dry"),
            LabelOption("late-wet", "Late wet"),
        ),
        consensus=IMPORTED,
        note="Kept for strata; images without AMD have none.",
    ),
)

readers = Readers(plan=Plan.EVERY_GRADER, graders_per_case=7, profession="Ophthalmologists")
blinding = Blinding(
    hidden=EVERYTHING_HIDDEN,
    note="Independent readings, without access to patient information or to the prevalence of disease.",
    ours=("Names of other graders, file names, the reference and the clinical label are hidden too.",),
)

review = Review(
    steps=(ReviewStep.CHECK, ReviewStep.REMOVE_AND_REVOTE),
    reviewer="A senior specialist",
    note="On an error, in a mask or in the fovea, the senior removes the readings judged wrong and the vote or the "
    "mean is taken of the rest.",
)

agreement = (
    Agreement(
        Statistic.GCI,
        ("disc", "drusen", "exudate", "hemorrhage", "scar", "other"),
        yardstick=GCI_BANDS,
        published=0.715,
        note="The paper does not say whether GCI was pooled or averaged, nor over which structures.",
        ours=("GCI is shown per structure, both as the mean over images and pooled.",),
    ),
    Agreement(
        Statistic.ICC_EUCLIDEAN,
        ("fovea",),
        IccForm.AGREEMENT_SINGLE,
        ICC_BANDS,
        0.87993,
        "Mean squares of the two-way analysis of variance with squared Euclidean distances. An image that a grader did "
        "not read or called not visible is left out and counted.",
        ("The paper does not name the form of the ICC; all six are shown and A,1 is the default.",),
    ),
)

third = 400 / 1200
stages_of_training = (LabelCounts("amd", (89, 311)), LabelCounts("amd_stage", (28, 7, 4, 50)))
stages_online = (LabelCounts("amd", (89, 311)), LabelCounts("amd_stage", (18, 7, 3, 61)))
stages_onsite = (LabelCounts("amd", (89, 311)), LabelCounts("amd_stage", (24, 9, 3, 53)))
split = Split(
    unit=SplitUnit.SUBJECT,
    parts=(
        Part("training", "Training", 400, third, labels=stages_of_training, labels_hidden=False),
        Part("online", "Online", 400, third, labels=stages_online),
        Part("onsite", "On-site", 400, third, labels=stages_onsite),
    ),
    stratify_by=("amd",),
    note="22.25 % of each part have AMD.",
    ours=("The paper does not speak of subjects; here a subject's images stay in one part.",),
)

white = PixelValue(255)
blood = PixelValue(0, "hemorrhage")
drusen_masks = File(
    "drusen",
    "lesions/drusen/NAME.png",
    FileKind.PICTURE,
    "lesion",
    pixels=(PixelValue(0, "drusen"), white),
    missing=MissingFile.ABSENT,
    missing_case=MissingFile.ABSENT,
    note="A missing file or folder means that the lesion is absent, on either side; the report counts them.",
)
files = (
    File(
        "classification",
        "classification.csv",
        FileKind.TABLE,
        "amd",
        also=("classification_results.csv",),
        columns=(Column("FileName", ColumnRole.CASE), Column("AMD Risk", ColumnRole.LIKELIHOOD, "amd")),
    ),
    File(
        "disc",
        "disc/NAME.png",
        FileKind.PICTURE,
        "disc",
        pixels=(PixelValue(0, "disc"), white),
        note="Complete: a disc that is absent is a mask of 255 only.",
    ),
    File(
        "fovea",
        "fovea.csv",
        FileKind.TABLE,
        "fovea",
        also=("Fovea_Localization_Results.csv", "fovea_location_results.csv"),
        columns=(
            Column("FileName", ColumnRole.CASE),
            Column("Fovea_X", ColumnRole.X, "fovea", undetermined=0.0),
            Column("Fovea_Y", ColumnRole.Y, "fovea", undetermined=0.0),
        ),
        note="A fovea that is not visible is written 0,0.",
    ),
    drusen_masks,
    replace(drusen_masks, key="exudate", path="lesions/exudate/NAME.png", pixels=(PixelValue(0, "exudate"), white)),
    replace(drusen_masks, key="hemorrhage", path="lesions/hemorrhage/NAME.png", pixels=(blood, white)),
    replace(drusen_masks, key="scar", path="lesions/scar/NAME.png", pixels=(PixelValue(0, "scar"), white)),
    replace(drusen_masks, key="other", path="lesions/other/NAME.png", pixels=(PixelValue(0, "other"), white)),
)

auc = Metric("auc", "Area under the ROC curve", MetricRule.AUC, targets=("amd",), note="Null if a class is missing.")
where_present = "Mean over the images whose reference has the structure; null when none has."
on_all_images = "Over all images; any pixel of the structure counts. Null only when TP + FP + FN = 0."
dice = Metric("dice_disc", "Dice of the disc", MetricRule.DICE_WHERE_PRESENT, targets=("disc",), note=where_present)
f1 = Metric("f1_disc", "Detection F1 of the disc", MetricRule.DETECTION_F1, targets=("disc",), note=on_all_images)
distance = Metric(
    "mean_distance_fovea",
    "Mean distance to the fovea",
    MetricRule.DISTANCE_ZERO_POINT,
    direction=Direction.LOWER,
    unit="px",
    targets=("fovea",),
    note="Over all images; a fovea that is not visible is the point (0, 0), as in the paper.",
)
distance_visible = replace(
    distance,
    key="mean_distance_fovea_visible",
    name="Mean distance to the fovea, visible in both",
    paper=MetricRule.DISTANCE_VISIBLE,
    note="",
    ours=("Not in the paper: its own mean mixes distances with the invisible point (0, 0).",),
)
visibility = Metric(
    "fovea_visibility_accuracy",
    "Accuracy of fovea visibility",
    MetricRule.VISIBILITY_ACCURACY,
    targets=("fovea",),
    ours=("Not in the paper.",),
)
lesion_metrics = (
    replace(dice, key="dice_drusen", name="Dice of drusen", targets=("drusen",)),
    replace(f1, key="f1_drusen", name="Detection F1 of drusen", targets=("drusen",)),
    replace(dice, key="dice_exudate", name="Dice of exudate", targets=("exudate",)),
    replace(f1, key="f1_exudate", name="Detection F1 of exudate", targets=("exudate",)),
    replace(dice, key="dice_hemorrhage", name="Dice of haemorrhage", targets=("hemorrhage",)),
    replace(f1, key="f1_hemorrhage", name="Detection F1 of haemorrhage", targets=("hemorrhage",)),
    replace(dice, key="dice_scar", name="Dice of scar", targets=("scar",)),
    replace(f1, key="f1_scar", name="Detection F1 of scar", targets=("scar",)),
    replace(dice, key="dice_other", name="Dice of other lesions", targets=("other",)),
    replace(f1, key="f1_other", name="Detection F1 of other lesions", targets=("other",)),
)
lesion_values = (
    *("dice_drusen", "dice_exudate", "dice_hemorrhage", "dice_scar", "dice_other"),
    *("detected_drusen", "detected_exudate", "detected_hemorrhage", "detected_scar", "detected_other"),
)
tracks = (
    Track("amd", "AMD detection", (auc,)),
    Track("disc", "Disc detection and segmentation", (dice, f1), ("dice_disc", "detected_disc")),
    Track("fovea", "Fovea localisation", (distance, distance_visible, visibility), ("distance_fovea",)),
    Track("lesion", "Lesion detection and segmentation", lesion_metrics, lesion_values),
)

differences = (
    KnownDifference("Agreement", "The paper names neither the form of the ICC nor how GCI was combined."),
    KnownDifference("Table 5", "Equal scores of 8.0 are printed as ranks 8 and 9: the better AMD rank goes first."),
)

four_tracks = (Term("amd", 0.3), Term("disc", 0.1), Term("fovea", 0.1), Term("lesion", 0.5))
five_lesions = (Term("drusen"), Term("exudate"), Term("hemorrhage"), Term("scar"), Term("other"))
boards = (
    Board("amd", "AMD", (Term("auc"),)),
    Board("disc", "Disc", (Term("f1_disc", 0.4), Term("dice_disc", 0.6)), tie_break="amd"),
    Board("fovea", "Fovea", (Term("mean_distance_fovea"),)),
    Board("drusen", "Drusen", (Term("f1_drusen", 0.4), Term("dice_drusen", 0.6)), listed=False),
    Board("exudate", "Exudate", (Term("f1_exudate", 0.4), Term("dice_exudate", 0.6)), listed=False),
    Board("hemorrhage", "Haemorrhage", (Term("f1_hemorrhage", 0.4), Term("dice_hemorrhage", 0.6)), listed=False),
    Board("scar", "Scar", (Term("f1_scar", 0.4), Term("dice_scar", 0.6)), listed=False),
    Board("other", "Other lesions", (Term("f1_other", 0.4), Term("dice_other", 0.6)), listed=False),
    Board("lesion", "Lesions", five_lesions, Combine.SUM, takes_scores=True, tie_break="amd"),
    Board("overall", "Overall", four_tracks, tie_break="amd", listed=False),
)
phase_weights = (PhaseWeight("online", 0.3), PhaseWeight("onsite", 0.7))
tie_note = "On equal scores of disc, lesions or the whole the better AMD rank goes first; without it they share."

ADAM = Recipe(
    key="adam",
    name="ADAM",
    title="Automatic Detection challenge on Age-related Macular degeneration",
    citation=citation,
    summary="Seven ophthalmologists outline the optic disc and five kinds of lesion and mark the fovea; a pixel "
    "majority checked by a senior becomes the reference.",
    modality=Modality.COLOUR_FUNDUS,
    images=images,
    targets=targets,
    checks=(Check(CheckName.UNANSWERED, Severity.ERROR), Check(CheckName.EMPTY_MASK, Severity.ERROR)),
    measures=(Measure("area_disc", "Disc area", MeasureRule.AREA_PX, ("disc",), "px"),),
    viewer=Viewer(adjustments=COLOUR_ADJUSTMENTS, ours=("The paper does not describe its viewer.",)),
    readers=readers,
    blinding=blinding,
    monitoring=Monitoring(ours=("The paper reports no monitoring and no limits.",)),
    review=review,
    agreement=agreement,
    split=split,
    files=files,
    scoring=Scoring(
        tracks=tracks,
        editions=(PAPER, SAME_AS_PAPER),
        differences=differences,
        rankings=(Ranking("overall", BOTH_EDITIONS, boards, "overall", phase_weights, tie_note),),
        phases=(
            Phase("online", "Online", "online", shows_results=True, note="The paper states no limit of submissions."),
            Phase("onsite", "On-site", "onsite", hours=6.0),
        ),
        statistics=Statistics(
            analyses=(Analysis.GRADERS_AGAINST_REFERENCE, Analysis.BY_STRATUM, Analysis.MANN_WHITNEY),
            strata=("amd_stage",),
            ensembles=(EnsembleRule.MEAN_LIKELIHOOD, EnsembleRule.MEAN_POINT, EnsembleRule.MAJORITY_VOTE),
            ensemble_sizes=(3,),
            note="AUC by stage: the images of one stage against all images without AMD.",
        ),
    ),
)
