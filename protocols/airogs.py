"""AIROGS: referable glaucoma and ungradable images at screening scale (de Vente et al. 2024)."""

# ruff: noqa: F403, F405 – a recipe is written in the whole vocabulary
from dataclasses import replace

from protocols.vocabulary import *

citation = Citation(
    "de Vente C, Vermeer KA, Jaccard N, et al.",
    "IEEE Transactions on Medical Imaging 43:542–557",
    2024,
    "10.1109/TMI.2023.3313786",
)

images = Images(
    count=112_732,
    subjects=60_071,
    channels=3,
    note="500 screening sites, many cameras, a diverse population; up to three photographs per eye.",
)

case = Case(
    unit=CaseUnit.EYE,
    max_photographs=3,
    next_photograph_on="U",
    kept=KeptPhotograph.GRADABLE_ELSE_ONE_UNGRADABLE,
    note="The first photograph of the eye is shown; after U the next one, up to the third. The dataset keeps the RG or "
    "NRG photograph of an eye if there is one, else one U.",
)

referable_glaucoma = Target(
    key="referable_glaucoma",
    name="Referable glaucoma",
    kind=Kind.LABEL,
    tools=(Tool.CHOICE,),
    options=(
        LabelOption("RG", "Referable glaucoma", "RG"),
        LabelOption("NRG", "No referable glaucoma", "NRG"),
        LabelOption("U", "Ungradable", "U"),
    ),
    positive="RG",
    ungradable="U",
    signs=(
        Sign("rim_superior", "Appearance of the neuroretinal rim superiorly"),
        Sign("rim_inferior", "Appearance of the neuroretinal rim inferiorly"),
        Sign("baring_superior", "Baring of the circumlinear vessel superiorly"),
        Sign("baring_inferior", "Baring of the circumlinear vessel inferiorly"),
        Sign("disc_haemorrhage", "Disc haemorrhage(s)"),
        Sign("rnfl_superior", "Retinal nerve fibre layer defect superiorly"),
        Sign("rnfl_inferior", "Retinal nerve fibre layer defect inferiorly"),
        Sign("nasalisation", "Nasalisation of the vessel trunk"),
        Sign("laminar_dots", "Laminar dots"),
        Sign("large_cup", "Large cup"),
    ),
    signs_show_when="RG",
    consensus=Consensus(
        rule=ConsensusRule.TWO_PLUS_ADJUDICATOR,
        ties=TieRule.ADJUDICATOR,
        min_readings=2,
        specialty="Glaucoma",
        note="The label belongs to the photograph. Two equal labels are its label; on two different ones a glaucoma "
        "specialist grades that photograph and that label is final.",
        ours=("A second or third photograph that only one grader reached counts as not yet read by the other.",),
    ),
    instructions="RG: signs you expect to go with visual field defects. NRG: no such signs, whatever else there is. U: "
    "not enough is visible to decide.",
)

readers = Readers(
    plan=Plan.K_PER_CASE,
    graders_per_case=2,
    pool=30,
    profession="Ophthalmologists and optometrists who passed the exam",
    note="90 candidates, 30 passed, 20 remained; two glaucoma specialists adjudicated.",
)

blinding = Blinding(
    hidden=EVERYTHING_HIDDEN,
    note="The two graders of an eye do not know of each other.",
    ours=("Patient data, prevalence and file names are hidden too.",),
)

label = "referable_glaucoma"
exam = Exam(
    name="European Optic Disc Assessment Trial (EODAT)",
    images=110,
    grader_limits=(Limit(label, Performance.ACCURACY, 0.85), Limit(label, Performance.SPECIFICITY, 0.92)),
    adjudicator_limits=(Limit(label, Performance.ACCURACY, 0.95),),
    candidates=90,
    passed=30,
    note="110 stereoscopic optic disc photographs; all glaucomatous eyes had reproducible visual field defects.",
)

monitoring = Monitoring(
    limits=(Limit(label, Performance.SENSITIVITY, 0.80), Limit(label, Performance.SPECIFICITY, 0.95)),
    graders_left=20,
    note="A grader below either limit is removed and all images that grader labelled are graded again by others. "
    "Calling a gradable image U counts against sensitivity if its final label is RG, against specificity if NRG.",
    ours=("The paper does not say when a limit counts as crossed; the numbers above are ours.",),
)

review = Review(
    steps=(ReviewStep.ADJUDICATION,),
    reviewer="A glaucoma specialist who passed the exam with at least 95 % accuracy",
    ours=(
        "The paper does not say whether the adjudicator sees the two labels; unless a study chooses otherwise they are "
        "shown only after an own one was given.",
    ),
)

unreported = ("Not reported in the paper.",)
agreement = (
    Agreement(Statistic.KRIPPENDORFF_ALPHA, (label,), yardstick=KAPPA_BANDS, ours=unreported),
    Agreement(Statistic.GWET_AC1, (label,), yardstick=KAPPA_BANDS, ours=unreported),
    Agreement(Statistic.PERCENT_AGREEMENT, (label,), ours=unreported),
    Agreement(Statistic.COHEN_KAPPA, (label,), yardstick=KAPPA_BANDS, ours=unreported),
)

split = Split(
    unit=SplitUnit.SUBJECT,
    parts=(
        Part(
            "training",
            "Training",
            101_442,
            101_442 / 112_732,
            labels=(LabelCounts(label, (3270, 98_172, 0)),),
            leaves_out=("U",),
            labels_hidden=False,
        ),
        Part(
            "test",
            "Test",
            11_290,
            11_290 / 112_732,
            labels=(LabelCounts(label, (1602, 8134, 1554)),),
            oversample=(Oversample(label, "RG", 1600), Oversample(label, "U", 1600)),
        ),
    ),
    note="A subject is in one part only. Training holds no U, on purpose; for the test part subjects with RG or U are "
    "drawn more often.",
)

likelihoods = File(
    "rg_likelihoods",
    "multiple-referable-glaucoma-likelihoods.json",
    FileKind.LIST,
    side=Side.SUBMISSION,
    names=NameMatch.EXACT,
    note="One entry per row of reference.csv, in its order; the length must match.",
)
files = (
    File(
        "reference",
        "reference.csv",
        FileKind.TABLE,
        side=Side.REFERENCE,
        columns=(
            Column("challenge_id", ColumnRole.CASE),
            Column("class", ColumnRole.LABEL, label),
            Column("subject", ColumnRole.SUBJECT, required=False),
        ),
        names=NameMatch.EXACT,
        missing=MissingFile.ERROR,
    ),
    File(
        "submission",
        "submission.csv",
        FileKind.TABLE,
        side=Side.SUBMISSION,
        columns=(
            Column("challenge_id", ColumnRole.CASE),
            Column("rg_likelihood", ColumnRole.LIKELIHOOD, label, "RG", low=0.0, high=1.0),
            Column("rg_binary", ColumnRole.BINARY, label, "RG"),
            Column("ungradability_score", ColumnRole.SCORE, label, "U"),
            Column("ungradability_binary", ColumnRole.BINARY, label, "U"),
        ),
        names=NameMatch.EXACT,
        missing=MissingFile.ERROR,
        note="Binaries are 0/1 or true/false; the ungradability score is any finite number. The four lists of the "
        "challenge may stand in its place.",
    ),
    likelihoods,
    replace(likelihoods, key="rg_binaries", path="multiple-referable-glaucoma-binary.json"),
    replace(likelihoods, key="ungradability_scores", path="multiple-ungradability-scores.json"),
    replace(likelihoods, key="ungradability_binaries", path="multiple-ungradability-binary.json"),
)

gradable_only = "Without the images whose reference is U; null if the reference lacks a label it needs, RG or NRG."
sensitivity = Metric(
    "sensitivity", "Sensitivity", MetricRule.SENSITIVITY, targets=(label,), leaves_out=("U",), note=gradable_only
)
screening = (
    replace(
        sensitivity,
        key="pauc_90_100",
        name="Partial AUC, specificity 90–100 %",
        paper=MetricRule.PARTIAL_AUC,
        parameters=(Parameter("max_fpr", 0.1),),
    ),
    replace(
        sensitivity,
        key="sensitivity_at_95_specificity",
        name="Sensitivity at 95 % specificity",
        paper=MetricRule.SENSITIVITY_AT_STEP,
        parameters=(Parameter("specificity", 0.95),),
    ),
    sensitivity,
    replace(sensitivity, key="specificity", name="Specificity", paper=MetricRule.SPECIFICITY),
)
kappa = Metric(
    "kappa_ungradable",
    "Kappa of ungradability",
    MetricRule.COHEN_KAPPA,
    targets=(label,),
    positive="U",
    note="Over all images; null only when both vectors are constant and equal.",
)
auc = replace(
    kappa,
    key="auc_ungradable",
    name="AUC of ungradability",
    paper=MetricRule.AUC,
    note="Over all images; null if the reference has no U or nothing but U.",
)
tracks = (
    Track("screening", "Glaucoma screening", screening, ("class", "rg_likelihood", "rg_binary")),
    Track(
        "robustness",
        "Robustness to ungradable images",
        (kappa, auc),
        ("ungradability_score", "ungradability_binary"),
    ),
)

mean_of_ranks = (
    *(Term("pauc_90_100", 0.25), Term("sensitivity_at_95_specificity", 0.25)),
    *(Term("kappa_ungradable", 0.25), Term("auc_ungradable", 0.25)),
)
rankings = (
    Ranking("overall", BOTH_EDITIONS, (Board("overall", "Mean position", mean_of_ranks, listed=False),), "overall"),
)

phases = (
    Phase(
        "preliminary_1", "Preliminary test 1", "training", images=10, shows_results=True, note="To try the container."
    ),
    Phase("preliminary_2", "Preliminary test 2", "test", part_share=0.1, submissions=3, shows_results=True),
    Phase("final", "Final test", "test", submissions=1),
)

AIROGS = Recipe(
    key="airogs",
    name="AIROGS",
    title="Artificial Intelligence for Robust Glaucoma Screening Challenge",
    citation=citation,
    summary="Examined and monitored graders call each photograph of an eye referable glaucoma, no referable glaucoma "
    "or ungradable; two equal labels stand, a specialist decides the rest.",
    modality=Modality.COLOUR_FUNDUS,
    images=images,
    case=case,
    targets=(referable_glaucoma,),
    checks=(Check(CheckName.UNANSWERED, Severity.ERROR),),
    measures=(),
    viewer=Viewer(adjustments=COLOUR_ADJUSTMENTS, ours=("The paper does not describe its viewer.",)),
    readers=readers,
    blinding=blinding,
    exam=exam,
    monitoring=monitoring,
    review=review,
    agreement=agreement,
    split=split,
    files=files,
    scoring=Scoring(
        tracks=tracks,
        editions=(PAPER, SAME_AS_PAPER),
        differences=(
            KnownDifference("Submission", "The challenge ran containers; here their results are submitted as files."),
        ),
        rankings=rankings,
        phases=phases,
        statistics=Statistics(
            unit=BootstrapUnit.SUBJECT,
            analyses=(Analysis.HUMAN_OPERATING_POINTS, Analysis.OTHER_REFERENCES),
            ensembles=(EnsembleRule.MEAN_LIKELIHOOD,),
            note="Human graders without the adjudicators: sensitivity 0.86 (0.84–0.87), specificity 0.94 (0.94–0.95); "
            "for ungradable images 0.95 (0.94–0.96) and 0.97 (0.97–0.97).",
        ),
    ),
)
