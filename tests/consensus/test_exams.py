"""An exam from its setting up to the admission of those who passed, and what it keeps from whom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Assignment, Membership, Role, Study, User
from annotator.services.assignments import Rule, plan_assignments
from annotator.services.people import add_member
from annotator.services.submission import withdraw_reading
from consensus.models import Exam, ExamResult, Reference
from consensus.selectors.exams import candidates_of, truth_of
from consensus.services.exams import admit, hand_in, mark_again, set_up_exam
from consensus.views.exam_form import ExamForm
from protocols import PUBLISHED
from protocols.names import Performance
from protocols.reading import Limit
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.consensus.exam_scene import LIMITS, ONE_FALSE_ALARM, TRUTH, known, passed_by, sit

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User) -> Study:
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_pictures(study, 2, actor=organiser, first_seed=500)
    return study


@pytest.fixture
def exam(study: Study, organiser: User) -> Exam:
    exam = set_up_exam(study=study, limits=LIMITS, shows_errors=False, actor=organiser, name="EODAT")
    cast.add_pictures(exam.held_in, len(TRUTH), actor=organiser)
    known(exam.held_in, TRUTH, actor=organiser)
    return exam


def test_whoever_passes_is_admitted_and_only_then_given_cases(exam: Exam, organiser: User, graders: list[User]) -> None:
    add_member(study=exam.study, user=graders[1], role=Role.GRADER, actor=organiser)
    study = Study.objects.get(pk=exam.study_id)
    with pytest.raises(Conflict, match="None of the graders has passed"):
        plan_assignments(study=study, rule=Rule(None))

    result = passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    member = admit(exam=exam, candidate=result.candidate, role=Role.GRADER, actor=organiser)

    assert (result.passed_as_grader, result.passed_as_adjudicator) == (True, False)
    assert [(mark["got"], mark["images"]) for mark in result.marks["grader"]] == [(0.9, 10), (7 / 8, 8)]
    assert "EODAT" in member.qualification
    assert list(plan_assignments(study=study, rule=Rule(None)).new) == [member.pk]


def test_the_monitor_shows_how_a_grader_did_in_the_exam(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    result = passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    member = admit(exam=exam, candidate=result.candidate, role=Role.GRADER, actor=organiser)
    page = browser_of(organiser).get(reverse("monitor_grader", args=[exam.study.public_id, member.public_id]))
    assert [(words, mark["got"], mark["images"]) for words, mark in page.context["exam"]] == [
        ("Accuracy", "0.900", 10),
        ("Specificity", "0.875", 8),
        ("Sensitivity", "1.000", 2),  # the monitor's measure, for which this exam has no limit
    ]
    assert "In the exam" in page.content.decode()


def test_whoever_fails_is_not_admitted(exam: Exam, organiser: User, graders: list[User]) -> None:
    result = passed_by(exam, graders[0], ["RG"] * len(TRUTH), organiser=organiser)
    assert not result.passed_as_grader
    with pytest.raises(Conflict, match="has not passed"):
        admit(exam=exam, candidate=result.candidate, role=Role.GRADER, actor=organiser)


def test_adjudicators_have_limits_of_their_own_and_settle_nothing_before(
    exam: Exam, organiser: User, graders: list[User]
) -> None:
    from annotator.access import cases_to_adjudicate

    perfect = passed_by(exam, graders[0], TRUTH, organiser=organiser)
    add_member(study=exam.study, user=graders[0], role=Role.ADJUDICATOR, actor=organiser)
    assert not cases_to_adjudicate(graders[0]).filter(study=exam.study).exists()
    admit(exam=exam, candidate=perfect.candidate, role=Role.ADJUDICATOR, actor=organiser)
    assert cases_to_adjudicate(graders[0]).filter(study=exam.study).count() == 2


def test_what_is_handed_in_can_no_longer_be_changed(exam: Exam, organiser: User, graders: list[User]) -> None:
    result = passed_by(exam, graders[0], ["RG"] * len(TRUTH), organiser=organiser)
    assignment = Assignment.objects.filter(grader=result.candidate).select_related("grader__study", "round")[0]
    with pytest.raises(Conflict):
        withdraw_reading(assignment=assignment, actor=graders[0])
    assert hand_in(exam=exam, candidate=result.candidate, actor=graders[0]) == result
    with pytest.raises(IntegrityError), transaction.atomic():
        ExamResult.objects.filter(pk=result.pk).update(passed_as_grader=True)


def test_an_exam_is_handed_in_by_its_candidate_when_all_is_read_and_known(
    exam: Exam, organiser: User, graders: list[User]
) -> None:
    member = sit(exam, graders[0], TRUTH, organiser=organiser)
    with pytest.raises(Forbidden):
        hand_in(exam=exam, candidate=member, actor=organiser)
    cast.add_pictures(exam.held_in, 1, actor=organiser, first_seed=900)
    assert truth_of(exam).lacking == [11]
    with pytest.raises(Conflict, match="not been given all cases"):
        hand_in(exam=exam, candidate=member, actor=graders[0])
    cast.assign_all(exam.held_in, actor=organiser)
    with pytest.raises(Conflict, match="Submit all cases"):
        hand_in(exam=exam, candidate=member, actor=graders[0])
    scene.read(Assignment.objects.get(grader=member, case__number=11), answer("RG"))
    with pytest.raises(Conflict, match="not all of its answers are known"):
        hand_in(exam=exam, candidate=member, actor=graders[0])


def test_votes_of_the_candidates_are_no_truth(exam: Exam, organiser: User, senior: User, graders: list[User]) -> None:
    cast.add_cast(exam.held_in, actor=organiser, senior=senior)
    cast.add_pictures(exam.held_in, 1, actor=organiser, first_seed=900)
    for grader in graders[:2]:
        sit(exam, grader, [*TRUTH, "RG"], organiser=organiser)
    scene.fuse_all(exam.held_in, actor=senior)
    assert Reference.objects.filter(case__study=exam.held_in, case__number=11, label="RG").exists()
    assert truth_of(exam).lacking == [11]


def test_a_corrected_truth_marks_again_and_keeps_what_was(exam: Exam, organiser: User, graders: list[User]) -> None:
    first = passed_by(exam, graders[0], ["RG", "RG", "RG", "RG", *TRUTH[4:]], organiser=organiser)
    known(exam.held_in, ["RG", "RG", "RG", "RG", *TRUTH[4:]], actor=organiser)
    assert mark_again(exam=exam, actor=organiser) == 1
    assert mark_again(exam=exam, actor=organiser) == 0
    [standing] = candidates_of(exam)
    assert standing.result is not None
    assert (first.passed_as_grader, standing.result.passed_as_grader, standing.result.number) == (False, True, 2)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "at least one limit"),
        ({Role.GRADER: (Limit(TARGET, Performance.MEAN_DICE, 0.9),)}, "cannot be measured"),
    ],
)
def test_limits_must_fit_the_protocol(
    study: Study, organiser: User, limits: dict[Role, tuple[Limit, ...]], words: str
) -> None:
    with pytest.raises(DomainError, match=words):
        set_up_exam(study=study, limits=limits, shows_errors=False, actor=organiser, name="Exam")
    assert not Exam.objects.exists()
    assert Study.objects.count() == 1


def test_an_exam_is_held_only_where_the_same_is_asked_and_one_manages(
    study: Study, organiser: User, outsider: User
) -> None:
    other = cast.study_of("refuge", organiser=organiser)
    foreign = cast.study_of("airogs", organiser=outsider, name="Somebody else's")
    for held_in, refusal in ((other, DomainError), (foreign, Forbidden), (study, DomainError)):
        with pytest.raises(refusal):
            set_up_exam(study=study, limits=LIMITS, shows_errors=False, actor=organiser, held_in=held_in)


def test_the_published_limits_are_filled_in(
    study: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    page = browser_of(organiser).get(reverse("study_exam", args=[study.public_id]))
    form = page.context["form"]
    published = PUBLISHED["airogs"].exam
    assert published is not None
    values = {name: form[name].value() for name in form.fields if name.startswith(("grader-", "adjudicator-"))}
    assert {name: value for name, value in values.items() if value is not None} == {
        f"grader-{TARGET}-accuracy": 0.85,
        f"grader-{TARGET}-specificity": 0.92,
        f"adjudicator-{TARGET}-accuracy": 0.95,
    }


def test_the_organiser_sets_up_gives_marks_and_admits_on_pages(
    study: Study, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    browser, page = browser_of(organiser), reverse("study_exam", args=[study.public_id])
    sent = {"name": "EODAT", f"grader-{TARGET}-accuracy": "0.85", "held_in": ""}
    assert browser.post(page, sent)["Location"] == page
    exam = Exam.objects.get()
    cast.add_pictures(exam.held_in, len(TRUTH), actor=organiser)
    assert "10 cases of the exam have no known answer" in browser.get(page).content.decode()
    known(exam.held_in, TRUTH, actor=organiser)
    passed_by(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)

    shown = browser.get(page).content.decode()
    [row] = candidates_of(exam)
    answer = browser.post(reverse("exam_admit", args=[study.public_id, row.membership.public_id]), {"role": "grader"})

    assert "<strong>0.900</strong>" in shown
    assert answer["Location"] == page
    assert Membership.objects.get(study=study, user=graders[0]).qualified_at is not None


def test_a_reason_lets_somebody_in_without_the_exam(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    member = add_member(study=exam.study, user=graders[0], role=Role.GRADER, actor=organiser)
    address = reverse("exam_waive", args=[exam.study.public_id, member.public_id])
    assert browser_of(organiser).post(address, {"reason": " "}).status_code == 400
    browser_of(organiser).post(address, {"reason": "Wrote the exam."})
    member.refresh_from_db()
    assert member.qualification == "Wrote the exam."


@pytest.mark.parametrize("shows_errors", [False, True])
def test_candidates_see_pass_or_fail_and_errors_only_if_the_exam_shows_them(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client], shows_errors: bool
) -> None:
    Exam.objects.update(shows_errors=shows_errors)
    exam = Exam.objects.select_related("study", "held_in").get()
    sit(exam, graders[0], ONE_FALSE_ALARM, organiser=organiser)
    browser, page = browser_of(graders[0]), reverse("own_exam", args=[exam.held_in.public_id])
    worklist = reverse("worklist", args=[exam.held_in.public_id])
    assert "Hand it in" in browser.get(worklist).content.decode()

    browser.post(page, {"exam": exam.public_id})
    shown = browser.get(page).content.decode()

    assert "You passed." in shown
    assert ("No referable glaucoma" in shown) is shows_errors
    assert exam.study.name not in shown
    assert re.search(r"(?<!\d)0\.9", shown) is None  # no mark; moments have two digits before the point
    assert graders[1].name not in shown


def test_nobody_sees_or_hands_in_the_exam_of_another(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    member = sit(exam, graders[0], TRUTH, organiser=organiser)
    page = reverse("own_exam", args=[exam.held_in.public_id])
    assert browser_of(graders[1]).get(page).status_code == 404
    assert browser_of(graders[1]).post(page, {"exam": exam.public_id}).status_code == 404
    for candidate in (graders[0], graders[1]):
        assert browser_of(candidate).get(reverse("study_exam", args=[exam.study.public_id])).status_code == 404
        address = reverse("exam_admit", args=[exam.study.public_id, member.public_id])
        assert browser_of(candidate).post(address, {"role": "grader"}).status_code == 404
    assert not ExamResult.objects.exists()


def test_limits_are_named_by_their_measure_and_by_the_target_where_there_are_several(organiser: User) -> None:
    names = {}
    for protocol in ("airogs", "refuge"):
        form = ExamForm(study=cast.study_of(protocol, organiser=organiser), user=organiser)
        names[protocol] = [field.label for _role, fields in form.limit_fields() for field in fields]

    assert names["airogs"] == ["Accuracy at least", "Sensitivity at least", "Specificity at least"] * 2
    assert names["refuge"][0] == "Optic disc: mean Dice at least"


def test_home_asks_a_candidate_who_has_read_everything_to_hand_it_in(
    exam: Exam, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    address = reverse("own_exam", args=[exam.held_in.public_id])
    member = sit(exam, graders[0], TRUTH, organiser=organiser)
    sit(exam, graders[1], TRUTH, organiser=organiser)
    browser = browser_of(graders[0])
    assert address in browser.get("/").content.decode()

    hand_in(exam=exam, candidate=member, actor=graders[0])

    assert address in browser_of(graders[1]).get("/").content.decode()
    for page in ("/", reverse("study", args=[exam.held_in.public_id])):  # from then on they lead to the result
        shown = browser.get(page).content.decode()
        assert address in shown
        assert "See the result" in shown
        assert "Hand in the exam" not in shown
