"""The demo's entrance exam for AIROGS: twelve drawn discs with known answers, and eight people who sit it. Most pass
and are admitted, one fails, and one has not finished, so that a visitor can hand it in."""

import io
from dataclasses import dataclass

from django.utils import timezone

from annotator.annotation_wish import ImportWish
from annotator.answers import Given
from annotator.demo import people
from annotator.drawn import jpeg
from annotator.imaging.synthetic.fundus import draw_fundus
from annotator.models import Assignment, Image, Membership, Role, Study, User
from annotator.models.study import StudyState
from annotator.selectors.recipes import recipe_of
from annotator.services.annotation_uploads import request_look
from annotator.services.assignments import Rule, assign_cases
from annotator.services.intake_desk import Facts
from annotator.services.job_run import run_job
from annotator.services.people import add_member
from annotator.services.readings import submit_reading
from annotator.services.studies import change_state, describe_study
from annotator.services.uploads import take_upload
from consensus.models import Exam
from consensus.selectors.exams import candidates_of, exam_of, published_limits, truth_of
from consensus.services.annotations import plan_of, request_import
from consensus.services.exams import admit, hand_in, set_up_exam

NAME = "AIROGS demo: entrance exam"
DESCRIPTION = (
    "The exam of the AIROGS demo: discs drawn by a program, so that what is true is known. Candidates read them as"
    " graders of this study and hand the exam in; the organiser admits those who pass."
)
TARGET = "referable_glaucoma"
SIDE_PX = 480
TRUTH = ("RG", "NRG", "NRG") * 4
OTHER = {"RG": "NRG", "NRG": "RG"}


@dataclass(frozen=True)
class Sitting:
    """`wrong`: the discs, from 1, that are answered wrongly; `left`: how many of the own list are not yet read."""

    login: tuple[str, str]
    wrong: tuple[int, ...] = ()
    left: int = 0
    role: Role = Role.GRADER  # aspired to


# To pass one has to reach an accuracy of 0.85 and a specificity of 0.92: of twelve discs one may be wrong, and it must
# be a glaucoma that was missed.
SITTINGS = (
    Sitting(people.GRADERS[0]),
    Sitting(people.GRADERS[1], wrong=(4,)),
    Sitting(people.GRADERS[2]),
    Sitting(people.GRADERS[3], wrong=(10,)),
    Sitting(people.GRADERS[4]),
    Sitting(people.ADJUDICATOR, role=Role.ADJUDICATOR),
    Sitting(people.GRADERS[8], wrong=(2, 6, 9)),
    Sitting(people.CANDIDATE, left=3),
)


def examine(study: Study, seed: int) -> None:
    """Set up, sat, marked, and who passed admitted; what an interrupted demo has done already is left alone."""
    organiser = people.person(people.ORGANISER)
    exam = exam_of(study) or _set_up(study, organiser)
    _put_discs_in(exam.held_in, organiser, seed)
    if truth_of(exam).lacking:
        _import_answers(exam.held_in, organiser)
    _give(exam.held_in, organiser)
    for sitting in SITTINGS:
        _sit(exam, sitting)
    standing = {one.membership.user_id: one for one in candidates_of(exam)}
    for sitting in SITTINGS:
        one = standing[people.person(sitting.login).pk]
        if sitting.role in one.admissible:
            admit(exam=exam, candidate=one.membership, role=sitting.role, actor=organiser)


def _set_up(study: Study, organiser: User) -> Exam:
    limits = published_limits(recipe_of(study))
    exam = set_up_exam(study=study, limits=limits, shows_errors=True, actor=organiser, name=NAME)
    held_in = exam.held_in
    describe_study(study=held_in, version=held_in.version, name=NAME, description=DESCRIPTION, actor=organiser)
    return exam


def _name(number: int) -> str:
    return f"disc_{number:02d}.jpg"


def _put_discs_in(held_in: Study, organiser: User, seed: int) -> None:
    known = set(Image.objects.filter(study=held_in).values_list("original_name", flat=True))
    for number, label in enumerate(TRUTH, start=1):
        if _name(number) in known:
            continue
        side = "RL"[number % 2]
        drawn = draw_fundus(
            seed * 1000 + 800 + number, SIDE_PX, SIDE_PX, laterality=side, glaucoma=label == "RG", centre="disc"
        )
        data, facts = jpeg(drawn.image), Facts(subject=f"X{number:03d}", side=side)
        take_upload(
            study=held_in,
            name=_name(number),
            content=lambda data=data: io.BytesIO(data),  # type: ignore[misc]
            facts=facts,
            actor=organiser,
        )


def _import_answers(held_in: Study, organiser: User) -> None:
    """As a table of labels, looked at and then taken over as references."""
    lines = ["image,target,label", *(f"{_name(number)},{TARGET},{label}" for number, label in enumerate(TRUTH, 1))]
    row = request_look(
        study=held_in,
        actor=organiser,
        wish=ImportWish(format="tables", as_reference=True),
        source="Drawn so by the program",
        file_name="answers.csv",
        content=io.BytesIO("\n".join(lines).encode()),
    )
    if row.looking is not None:
        run_job(row.looking.pk)
    run_job(request_import(row=row, actor=organiser, seen=plan_of(row).digest).pk)


def _give(held_in: Study, organiser: User) -> None:
    known = set(Membership.objects.filter(study=held_in, role=Role.GRADER).values_list("user_id", flat=True))
    for sitting in SITTINGS:
        user = people.person(sitting.login)
        if user.pk not in known:
            add_member(study=held_in, user=user, role=Role.GRADER, actor=organiser)
    assign_cases(study=held_in, rule=Rule(None), actor=organiser)
    held_in.refresh_from_db()
    if held_in.state == StudyState.SETUP:
        change_state(study=held_in, version=held_in.version, state=StudyState.READING, actor=organiser)


def _sit(exam: Exam, sitting: Sitting) -> None:
    user = people.person(sitting.login)
    candidate = Membership.objects.get(study=exam.held_in, user=user, role=Role.GRADER)
    rows = candidate.assignments.select_related("grader__user", "grader__study", "round", "case").order_by("position")
    mine = list(rows)
    for assignment in mine[: len(mine) - sitting.left]:
        if assignment.state == Assignment.State.WAITING:
            submit_reading(
                assignment=assignment,
                actor=user,
                answers=(_answer(sitting, assignment.case.number),),
                opened_at=timezone.now(),
                active_ms=15_000 + assignment.position * 1500,
            )
    if not sitting.left:
        hand_in(exam=exam, candidate=candidate, actor=user)


def _answer(sitting: Sitting, number: int) -> Given:
    truth = TRUTH[number - 1]
    label = OTHER[truth] if number in sitting.wrong else truth
    return Given(TARGET, label=label, signs=("large_cup",) if label == "RG" else ())
