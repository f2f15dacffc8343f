"""AGE: scleral spur and angle closure in anterior-segment OCT (Fu et al. 2020)."""

# ruff: noqa: F403, F405 – a recipe is written in the whole vocabulary
from dataclasses import replace

from protocols.vocabulary import *

citation = Citation(
    "Fu H, Li F, Sun X, et al.", "Medical Image Analysis 66:101798", 2020, "10.1016/j.media.2020.101798"
)

images = Images(
    count=4800,
    subjects=199,
    eyes=300,
    channels=1,
    sizes=(ImageSize(2130, 998, 4800, "CASIA SS-1000"),),
    note="16 images of each eye's volume; each image has a left and a right chamber angle, cut at the vertical middle "
    "line. The pixel size is study data and has no default: the paper's '10 pixel (10 µm)' would make a scan 2.1 mm "
    "wide, which cannot hold.",
)

spur_left = Target(
    key="spur_left",
    name="Scleral spur, left angle",
    kind=Kind.POINT,
    tools=(Tool.POINT,),
    answers=(Answer.CANNOT_BE_DETERMINED,),
    region=Region.LEFT,
    colour=2,
    consensus=Consensus(
        rule=ConsensusRule.MEAN,
        not_visible_from=0.5,
        note="Mean of the graders' points.",
        ours=("If at least half of the graders cannot determine it, so does the reference.",),
    ),
    note="Cannot be determined comes from the challenge's site, not from the paper.",
)
cornea_left = Target(
    key="cornea_left",
    name="Posterior corneal surface, left angle",
    kind=Kind.POLYLINE,
    source=Source.SENIOR,
    required=False,
    tools=(Tool.POLYLINE,),
    region=Region.LEFT,
    tracing=Tracing.CORNEA_BACK,
    colour=0,
    consensus=Consensus(rule=ConsensusRule.SENIOR_DRAWING),
    ours=("The organisers' tracing is unpublished; here the surface is traced automatically and can be corrected.",),
)
iris_left = replace(
    cornea_left,
    key="iris_left",
    name="Anterior iris surface, left angle",
    tracing=Tracing.IRIS_FRONT,
    colour=1,
    line=LineStyle.DASHED,
)
closure_left = Target(
    key="closure_left",
    name="Angle closure, left angle",
    kind=Kind.LABEL,
    source=Source.IMPORTED,
    options=(LabelOption("closed", "Closed", "1"), LabelOption("open", "Open", "0")),
    positive="closed",
    region=Region.LEFT,
    consensus=IMPORTED,
    note="Gonioscopy: closed if the posterior trabecular meshwork is not seen for at least 180 degrees.",
)
targets = (
    spur_left,
    replace(spur_left, key="spur_right", name="Scleral spur, right angle", region=Region.RIGHT),
    cornea_left,
    iris_left,
    replace(cornea_left, key="cornea_right", name="Posterior corneal surface, right angle", region=Region.RIGHT),
    replace(iris_left, key="iris_right", name="Anterior iris surface, right angle", region=Region.RIGHT),
    closure_left,
    replace(closure_left, key="closure_right", name="Angle closure, right angle", region=Region.RIGHT),
)

aod_left = Measure(
    "aod500_left",
    "Angle opening distance at 500 µm, left angle",
    MeasureRule.AOD500,
    ("spur_left", "cornea_left", "iris_left"),
    "mm",
    needs_pixel_size=True,
    note="From the spur 500 µm along the posterior corneal surface; there perpendicular to the cornea to the iris.",
)
aod_right = replace(
    aod_left,
    key="aod500_right",
    name="Angle opening distance at 500 µm, right angle",
    targets=("spur_right", "cornea_right", "iris_right"),
)

readers = Readers(
    plan=Plan.EVERY_GRADER, graders_per_case=4, profession="Ophthalmologists", experience="8 years on average (5 to 10)"
)

blinding = Blinding(
    hidden=EVERYTHING_HIDDEN,
    note="Independent readings.",
    ours=("The paper says only independently; everything else that could tell is hidden too.",),
)

review = Review(
    steps=(ReviewStep.CHECK, ReviewStep.FINE_ADJUSTMENT),
    reviewer="A senior glaucoma specialist",
    note="The senior sees the mean and the graders' points and may drag the mean.",
    ours=("The displacement is recorded.",),
)

unreported = ("Reported although the paper reports no agreement of its graders.",)
both_spurs = ("spur_left", "spur_right")
agreement = (
    Agreement(Statistic.ICC_EUCLIDEAN, both_spurs, IccForm.AGREEMENT_SINGLE, ICC_BANDS, ours=unreported),
    Agreement(Statistic.DISTANCE_TO_MEAN, both_spurs, ours=unreported),
)

third = 1600 / 4800
split = Split(
    unit=SplitUnit.SUBJECT,
    parts=(
        Part("training", "Training", 1600, third, labels_hidden=False),
        Part("online", "Validation (online)", 1600, third),
        Part("onsite", "Test (on-site)", 1600, third),
    ),
    stratify_by=("closure_left", "closure_right"),
    note="All images of a subject stay in one part; 640 closed and 2560 open angles in each.",
)

files = (
    File(
        "localization",
        "localization.csv",
        FileKind.TABLE,
        "localization",
        also=("Localization_Results.csv",),
        columns=(
            Column("ASOCT_NAME", ColumnRole.CASE),
            Column("X_LEFT", ColumnRole.X, "spur_left", undetermined=-1.0),
            Column("Y_LEFT", ColumnRole.Y, "spur_left", undetermined=-1.0),
            Column("X_RIGHT", ColumnRole.X, "spur_right", undetermined=-1.0),
            Column("Y_RIGHT", ColumnRole.Y, "spur_right", undetermined=-1.0),
        ),
        note="Coordinates of the full image; −1,−1 where the spur cannot be determined.",
    ),
    File(
        "classification",
        "classification.csv",
        FileKind.TABLE,
        "classification",
        also=("Classification_Results.csv",),
        columns=(
            Column("ASOCT_NAME", ColumnRole.CASE),
            Column("LEFT_ANGLE_RESULTS", ColumnRole.SCORE, "closure_left"),
            Column("RIGHT_ANGLE_RESULTS", ColumnRole.SCORE, "closure_right"),
        ),
        note="Above 0 closed, otherwise open. The reference's table is needed for ΔAOD too.",
    ),
    File(
        "aod",
        "aod.csv",
        FileKind.TABLE,
        "localization",
        columns=(
            Column("ASOCT_NAME", ColumnRole.CASE),
            Column("AOD_LEFT", ColumnRole.MEASURE, "spur_left"),
            Column("AOD_RIGHT", ColumnRole.MEASURE, "spur_right"),
        ),
        note="In mm, on both sides; without it ΔAOD is not computed.",
        ours=("The paper states no unit and publishes no code for the distance.",),
    ),
)

spurs = Metric(
    "mean_distance_spur",
    "Mean distance to the scleral spur",
    MetricRule.DISTANCE_DETERMINABLE,
    direction=Direction.LOWER,
    unit="px",
    targets=both_spurs,
    note="Over angles determinable in the reference; a candidate that says undeterminable there is an error.",
)
delta_aod = Metric(
    "delta_aod",
    "Difference in angle opening distance",
    MetricRule.AOD_PENALTY,
    direction=Direction.LOWER,
    parameters=(Parameter("milder", 0.2), Parameter("harder", 0.8)),
    unit="mm",
    targets=("closure_left", "closure_right"),
    note="Open angle: 0.2·|z−z*| if z > z*, else 0.8·|z−z*|; closed angle the other way round; mean over angles.",
)
closures = ("closure_left", "closure_right")
auc = Metric("auc", "Area under the ROC curve", MetricRule.AUC, targets=closures)
sensitivity = Metric(
    "sensitivity",
    "Sensitivity",
    MetricRule.SENSITIVITY,
    parameters=(Parameter("above", 0.0),),
    targets=closures,
    note="Positive is a value above 0.",
)
specificity = replace(sensitivity, key="specificity", name="Specificity", paper=MetricRule.SPECIFICITY)
tracks = (
    Track("localization", "Scleral spur localisation", (spurs, delta_aod), ("distance_spur", "delta_aod")),
    Track("classification", "Angle closure classification", (auc, sensitivity, specificity), ("score", "label")),
)

differences = (
    KnownDifference(
        "Eq. 7 and Tables 3 and 4",
        "The paper prints 0.3 online and 0.7 on-site; every S_final of Tables 3 and 4 comes out with 0.2 and 0.8 only.",
    ),
    KnownDifference("Section 3.3", "The words speak of rank positions, Eq. 7 prints S; rank positions are averaged."),
    KnownDifference("Section 3.1", "The code that traces the surfaces for the angle opening distance is unpublished."),
    KnownDifference(
        "Section 5.3", "The paper's 10 pixel (10 µm) cannot be the pixel size of a whole anterior segment."
    ),
)

boards = (
    Board("localization", "Localisation", (Term("mean_distance_spur", 0.4), Term("delta_aod", 0.6))),
    Board("classification", "Classification", (Term("auc", 0.5), Term("sensitivity", 0.25), Term("specificity", 0.25))),
    Board("overall", "Overall", (Term("localization", 0.7), Term("classification", 0.3)), listed=False),
)
printed = (PhaseWeight("online", 0.3), PhaseWeight("onsite", 0.7))
from_the_tables = (PhaseWeight("online", 0.2), PhaseWeight("onsite", 0.8))
phase_note = "Two phases, of each track and of the whole: weighted mean of the two rank positions."
rankings = (
    Ranking("paper", (EditionKey.PAPER,), boards, "overall", printed, phase_note),
    Ranking("published", (EditionKey.PUBLISHED,), boards, "overall", from_the_tables, phase_note),
)

AGE = Recipe(
    key="age",
    name="AGE",
    title="Angle closure Glaucoma Evaluation challenge",
    citation=citation,
    summary="Four ophthalmologists mark the scleral spur of both chamber angles; their mean, finely adjusted by a "
    "senior, becomes the reference. Angle closure comes from gonioscopy.",
    modality=Modality.AS_OCT,
    images=images,
    targets=targets,
    checks=(Check(CheckName.UNANSWERED, Severity.ERROR), Check(CheckName.WRONG_HALF, Severity.ERROR)),
    measures=(aod_left, aod_right),
    viewer=Viewer(middle_line=True, note="Brightness and contrast are not adjusted."),
    readers=readers,
    blinding=blinding,
    monitoring=Monitoring(ours=("The paper reports no monitoring and no limits.",)),
    review=review,
    agreement=agreement,
    split=split,
    files=files,
    scoring=Scoring(
        case_suffixes=("left", "right"),
        tracks=tracks,
        editions=(PAPER, Edition(EditionKey.PUBLISHED, "The two-phase weights that give Tables 3 and 4.")),
        differences=differences,
        rankings=rankings,
        phases=(
            Phase("online", "Online", "online", shows_results=True, note="The paper states no limit of submissions."),
            Phase("onsite", "On-site", "onsite", hours=3.0, note="The final submission of a team counts."),
        ),
        statistics=Statistics(unit=BootstrapUnit.IMAGE, strata=("closure_left", "closure_right")),
    ),
)
