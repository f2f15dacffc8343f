"""AIROGS against the paper (de Vente et al. 2024)."""

from protocols import PUBLISHED
from protocols.names import CaseUnit, ConsensusRule, KeptPhotograph, Performance, Plan
from protocols.scoring_names import NameMatch

AIROGS = PUBLISHED["airogs"]
LABEL = AIROGS.target("referable_glaucoma")


def test_images_and_subjects() -> None:
    # Section II-A
    assert (AIROGS.images.count, AIROGS.images.subjects) == (112732, 60071)


def test_an_eye_shows_up_to_three_photographs_each_after_u() -> None:
    # Section II-A
    case = AIROGS.case
    assert (case.unit, case.max_photographs, case.next_photograph_on) == (CaseUnit.EYE, 3, "U")
    assert case.kept is KeptPhotograph.GRADABLE_ELSE_ONE_UNGRADABLE


def test_three_labels_and_ten_signs_that_show_with_rg() -> None:
    # Section II-A lists the ten signs
    assert [option.key for option in LABEL.options] == ["RG", "NRG", "U"]
    assert (len(LABEL.signs), LABEL.signs_show_when) == (10, "RG")


def test_two_graders_of_a_pool_and_an_adjudicator() -> None:
    # Section II-A
    readers = AIROGS.readers
    assert (readers.plan, readers.graders_per_case, readers.pool) == (Plan.K_PER_CASE, 2, 30)
    assert LABEL.consensus.rule is ConsensusRule.TWO_PLUS_ADJUDICATOR


def test_glaucoma_specialists_settle_what_two_graders_call_differently() -> None:
    # Section II-A: two glaucoma specialists adjudicated
    assert (LABEL.is_adjudicated, LABEL.consensus.specialty) == (True, "Glaucoma")
    assert AIROGS.review.adjudicator_sees_labels is False


def test_exam_limits() -> None:
    # Section II-A: 110 photographs, accuracy 85 % and specificity 92 %, specialists 95 %; 30 of 90 passed
    exam = AIROGS.exam
    assert exam is not None
    assert (exam.images, exam.candidates, exam.passed) == (110, 90, 30)
    assert {limit.measure: limit.value for limit in exam.grader_limits} == {
        Performance.ACCURACY: 0.85,
        Performance.SPECIFICITY: 0.92,
    }
    assert [(limit.measure, limit.value) for limit in exam.adjudicator_limits] == [(Performance.ACCURACY, 0.95)]


def test_monitoring_limits_and_our_numbers() -> None:
    # Section II-A: sensitivity 80 %, specificity 95 %; 20 graders remained
    monitoring = AIROGS.monitoring
    assert {limit.measure: limit.value for limit in monitoring.limits} == {
        Performance.SENSITIVITY: 0.80,
        Performance.SPECIFICITY: 0.95,
    }
    assert monitoring.graders_left == 20
    assert (monitoring.min_positives, monitoring.min_negatives, monitoring.look_every) == (30, 100, 10)
    assert (monitoring.confidence, bool(monitoring.ours)) == (0.95, True)


def test_split_holds_the_counts_of_table_1() -> None:
    training, test = AIROGS.split.parts
    assert (training.images, training.labels[0].images, training.leaves_out) == (101442, (3270, 98172, 0), ("U",))
    assert (test.images, test.labels[0].images) == (11290, (1602, 8134, 1554))
    assert sum(test.labels[0].images) == test.images


def test_ids_match_exactly_and_the_likelihood_is_bounded() -> None:
    submission = next(file for file in AIROGS.files if file.key == "submission")
    likelihood = submission.columns[1]
    assert submission.names is NameMatch.EXACT
    assert (likelihood.name, likelihood.low, likelihood.high) == ("rg_likelihood", 0.0, 1.0)


def test_score_is_the_mean_of_four_ranks() -> None:
    # Section III, the score S_final
    terms = AIROGS.scoring.rankings[0].boards[0].terms
    assert {term.key: term.weight for term in terms} == {
        "pauc_90_100": 0.25,
        "sensitivity_at_95_specificity": 0.25,
        "kappa_ungradable": 0.25,
        "auc_ungradable": 0.25,
    }


def test_ungradable_images_leave_the_screening_metrics_only() -> None:
    screening, robustness = AIROGS.scoring.tracks
    assert all(metric.leaves_out == ("U",) for metric in screening.metrics)
    assert all((metric.leaves_out, metric.positive) == ((), "U") for metric in robustness.metrics)


def test_phases_limit_submissions() -> None:
    # Section III: ten images; 10 % and three submissions; everything and one
    phases = [(phase.images, phase.part_share, phase.submissions) for phase in AIROGS.scoring.phases]
    assert phases == [(10, 1.0, None), (None, 0.1, 3), (None, 1.0, 1)]
