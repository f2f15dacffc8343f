"""The grader programme of the demo's AIROGS: exam, admission, readings, disputes, and a grader who drifts. Every count
is worked out again from what is drawn and what the simulated people said of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from annotator.demo import people
from annotator.models import (
    Assignment,
    AuditEvent,
    CaseImage,
    Flag,
    Image,
    Job,
    Membership,
    Reading,
    Revision,
    Role,
    Study,
)
from annotator.selectors.audit import audit_faults
from annotator.services.readings import submit_reading
from consensus.demo_exam import OTHER, SITTINGS, TRUTH
from consensus.models import AgreementReport, Alert, ConsensusRun, ExamResult, Reference
from consensus.selectors.adjudication import open_cases
from consensus.selectors.exams import candidates_of, exam_of
from consensus.services.removing import preview_removal
from tests.demo.programme_scene import (
    EYES,
    SCRIPT,
    GraderEyes,
    careless,
    finals_of,
    graders_of,
    make,
    paint_nothing,
    said_by,
    true_labels,
    upper_bound,
    whole_eyes,
)
from tests.remembering import remembered

if TYPE_CHECKING:
    from consensus.models import Exam

pytestmark = pytest.mark.django_db
# As the paper has them, and the monitor's limit for specificity.
ACCURACY, SPECIFICITY, OF_ADJUDICATORS, MONITORED = 0.85, 0.92, 0.95, 0.95


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    paint_nothing(monkeypatch)


@pytest.fixture
def study(request: pytest.FixtureRequest, db: None) -> Study:
    return remembered(request, [], make)


@pytest.fixture
def exam(study: Study) -> Exam:
    found = exam_of(study)
    assert found is not None
    return found


def test_of_eight_candidates_those_pass_who_reach_the_papers_limits(exam: Exam) -> None:
    results = {row.candidate.user.email: row for row in ExamResult.objects.filter(exam=exam)}
    positives, negatives = TRUTH.count("RG"), TRUTH.count("NRG")
    assert (len(TRUTH), positives, negatives) == (exam.held_in.cases.count(), 4, 8)

    expected = {}
    for sitting in (one for one in SITTINGS if not one.left):
        accuracy = 1 - len(sitting.wrong) / len(TRUTH)
        specificity = 1 - sum(TRUTH[number - 1] == "NRG" for number in sitting.wrong) / negatives
        as_grader = accuracy >= ACCURACY and specificity >= SPECIFICITY
        expected[people.address(sitting.login[0])] = (as_grader, accuracy >= OF_ADJUDICATORS)
    found = {email: (row.passed_as_grader, row.passed_as_adjudicator) for email, row in results.items()}

    assert found == expected
    assert len(candidates_of(exam)) == len(SITTINGS) == 8
    assert [email for email, (passed, _other) in found.items() if not passed] == [people.address("grader9")]
    (waiting,) = [one for one in candidates_of(exam) if one.result is None]
    assert waiting.membership.user.email == people.address("grader11")
    assert (waiting.progress.done, waiting.progress.total) == (len(TRUTH) - 3, len(TRUTH))


def test_what_candidates_said_of_the_discs_is_kept_as_said(exam: Exam) -> None:
    said = {
        (row.reading.assignment.grader.user.email, row.reading.assignment.case.number): row.label
        for row in Revision.objects.filter(reading__assignment__grader__study=exam.held_in).select_related(
            "reading__assignment__grader__user", "reading__assignment__case"
        )
    }
    for sitting in (one for one in SITTINGS if not one.left):
        for number, truth in enumerate(TRUTH, start=1):
            label = OTHER[truth] if number in sitting.wrong else truth
            assert said[people.address(sitting.login[0]), number] == label


def test_only_those_who_passed_are_given_eyes(study: Study, exam: Exam) -> None:
    passed = set(ExamResult.objects.filter(exam=exam, passed_as_grader=True).values_list("candidate__user", flat=True))
    given = Assignment.objects.filter(grader__study=study, repeat_of=None)
    load = Counter(given.values_list("grader__user__email", flat=True))

    assert set(given.values_list("grader__user", flat=True)) <= passed
    assert load == {people.address(people.GRADERS[index][0]): 2 * EYES // 5 for index in SCRIPT.graders}
    assert study.only_qualified
    assert all(member.qualified_at for member in graders_of(study))
    specialist = Membership.objects.get(study=study, role=Role.ADJUDICATOR)
    assert specialist.user.email == people.address("adjudicator")
    assert specialist.qualified_at


def test_every_eye_is_read_by_two_but_for_those_left_to_the_visitor(study: Study) -> None:
    said = said_by(study)
    stored: dict[int, GraderEyes] = {}
    order = {member.pk: reader for reader, member in enumerate(graders_of(study))}
    firsts = Reading.objects.filter(assignment__grader__study=study, assignment__repeat_of=None)
    for reading in firsts.select_related("assignment__case"):
        labels = reading.revisions.order_by("image__order_in_eye").values_list("label", flat=True)
        mine = stored.setdefault(order[reading.assignment.grader_id], {})
        mine[reading.assignment.case.number - 1] = tuple(labels)

    assert stored == said
    unread = Assignment.objects.filter(grader__study=study).exclude(state=Assignment.State.SUBMITTED)
    assert {one.grader.user.email for one in unread} == {people.address("grader")}
    assert unread.count() == SCRIPT.left_for_visitor
    assert len(whole_eyes(said)) == EYES - unread.filter(repeat_of=None).count()


def test_equal_labels_are_final_and_other_eyes_are_settled_but_for_every_fifth(study: Study) -> None:
    eyes = whole_eyes(said_by(study))
    agreed = {number for number, both in eyes.items() if both[0][0] == both[1][0]}
    disputed = set(eyes) - agreed
    left = {number for number in disputed if (number + 1) % 5 == 0}
    first = {
        row.image_id: row.case.number - 1
        for row in CaseImage.objects.filter(case__study=study, position=1).select_related("case")
    }
    heads = {
        first[row.image_id]: (row.state, row.label)
        for row in Reference.objects.filter(case__study=study, following=None, image__in=first)
    }

    assert disputed - left  # else nothing is settled
    assert left  # else nothing is left to try
    assert heads == {
        **{number: ("automatic", eyes[number][0][0]) for number in agreed},
        **{number: ("adjudicated", true_labels(number)[0]) for number in disputed - left},
        **dict.fromkeys(left, ("automatic", "")),
    }
    waiting = {case.number - 1 for case in open_cases(people.person(people.ADJUDICATOR), study)}
    assert left <= waiting
    assert all((number + 1) % 5 == 0 for number in waiting)


def test_the_monitor_has_raised_one_alert_about_the_grader_who_drifts(study: Study) -> None:
    worst = careless()
    finals = finals_of(study, said_by(study)[worst])
    alert = Alert.objects.get(grader__study=study)
    least, every = SCRIPT.changes["monitoring.min_negatives"], SCRIPT.changes["monitoring.look_every"]

    crossed = []
    for look in range(every, len(finals) + 1, every):
        right = [said == "NRG" for final, said in finals[:look] if final == "NRG"]
        if len(right) >= least and upper_bound(sum(right), len(right)) < MONITORED:
            crossed.append((look, sum(right) / len(right), len(right), upper_bound(sum(right), len(right))))

    assert (least, every) == (10, 5)
    assert alert.grader == graders_of(study)[worst]
    assert (alert.measure, alert.limit, alert.closed_at) == ("specificity", MONITORED, None)
    assert (alert.look, alert.rate, alert.of, alert.bound) == pytest.approx(crossed[0])


def test_the_drifting_grader_was_as_good_as_the_others_at_first(study: Study) -> None:
    worst = careless()
    member, steady = graders_of(study)[worst], SCRIPT.steady
    order = [one.case.number - 1 for one in member.assignments.filter(repeat_of=None).order_by("position")]
    said = said_by(study)[worst]
    false_alarms = [true_labels(number)[0] == "NRG" and said[number][0] != "NRG" for number in order]
    healthy = [true_labels(number)[0] == "NRG" for number in order]

    early, late = (sum(false_alarms[part]) / sum(healthy[part]) for part in (slice(steady), slice(steady, None)))
    assert late >= 0.5
    assert early <= late / 2


def test_a_removal_can_be_tried(study: Study) -> None:
    """The preview that a visitor sees, counted again."""
    worst = careless()
    member = graders_of(study)[worst]
    preview = preview_removal(study=study, grader=member)

    assert (preview.readings, preview.cases) == (len(said_by(study)[worst]), 2 * EYES // 5)
    assert member.pk not in preview.regrading.new
    assert preview.regrading.count == preview.cases
    assert preview.regrading.unread == []


def test_a_tenth_of_the_eyes_comes_back_and_takes_part_in_nothing(study: Study) -> None:
    repeats = Assignment.objects.filter(grader__study=study).exclude(repeat_of=None)
    counts = Counter(repeats.values_list("grader", flat=True))
    # Of two thirds of 24 eyes a tenth, rounded by lot; repeats are drawn before the last sitting.
    assert set(counts) == {member.pk for member in graders_of(study)}
    assert set(counts.values()) <= {1, 2}
    report = AgreementReport.objects.filter(study=study).latest("pk")
    assert report.content["cases"] == len(
        set(Reading.objects.filter(assignment__grader__study=study).values_list("assignment__case", flat=True))
    )


def test_made_again_or_completed_after_an_interruption_it_is_the_same(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = iter(range(50))

    def interrupted(**reading: Any) -> Reading:
        if next(done, None) is None:
            raise KeyboardInterrupt
        return submit_reading(**reading)

    def interrupted_later(_study: Study) -> None:
        raise KeyboardInterrupt

    for place, stop in (("demo_exam.submit_reading", interrupted), ("demo._adjudicate_some", interrupted_later)):
        with monkeypatch.context() as patch:
            patch.setattr(f"consensus.{place}", stop)
            with pytest.raises(KeyboardInterrupt):
                make()
    study = make()

    exam = exam_of(study)
    assert exam is not None
    assert exam.held_in.cases.count() == len(TRUTH)
    assert ExamResult.objects.count() == len(SITTINGS) - 1
    assert Assignment.objects.filter(grader__study=study, repeat_of=None).count() == 2 * EYES
    assert Alert.objects.filter(closed_at=None).count() == 1
    assert Job.objects.filter(finished_at=None).count() == 0

    tables = (Study, Image, Assignment, Reading, Revision, Reference, ConsensusRun, Alert, Flag, AuditEvent, Job)
    before = [rows.objects.count() for rows in tables]
    make()
    assert [rows.objects.count() for rows in tables] == before
    assert list(audit_faults()) == []
