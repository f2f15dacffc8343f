"""What the demo's graders ask the organiser about their cases. Each question is true of the case it is asked about."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from annotator.answers import Given
from annotator.demo import people
from annotator.models import Assignment, Flag, Study, User
from annotator.services.flags import close_flag, raise_flag

Reading = Sequence[Given]


@dataclass(frozen=True)
class ReadCase:
    case_id: int
    readings: Sequence[Reading]  # by grader, in the order in which they joined
    is_real: bool  # a photograph or a section among drawn pictures


@dataclass(frozen=True)
class Question:
    reader: int | None  # None: whoever reads such a case; 0 is the visitor
    about: Callable[[ReadCase, Reading], bool]
    comment: str
    answer: str | None  # None: it is still open


def _is_real(case: ReadCase, _reading: Reading) -> bool:
    return case.is_real


def _has_no_whole_disc(_case: ReadCase, reading: Reading) -> bool:
    return any(given.target == "disc" and given.answer == "not-visible" for given in reading)


def _cannot_be_judged(_case: ReadCase, reading: Reading) -> bool:
    return all(given.label == "U" for given in reading)


QUESTIONS: dict[str, tuple[Question, ...]] = {
    "refuge": (
        Question(
            0,
            _is_real,
            "Another camera? Colours and field differ from all other cases.",
            "Yes, this one is a real photograph among drawn ones. Please read it like the others.",
        ),
        Question(3, _is_real, "This looks like a left eye of another series. Does it belong to this study?", None),
    ),
    "adam": (
        Question(
            1,
            _has_no_whole_disc,
            "The disc is not whole in this picture. Is “not visible” right?",
            "Yes: ADAM marks the disc only where all of it is seen.",
        ),
    ),
    "glas": (Question(1, _is_real, "Stained otherwise than the other sections. Same magnification?", None),),
    "airogs": (
        Question(None, _cannot_be_judged, "No photograph of this eye can be judged. Is there a better one?", None),
    ),
}


def ask_questions(study: Study, organiser: User, cases: Sequence[ReadCase]) -> None:
    """Each question once, also when the demo is made in two goes."""
    for question in QUESTIONS.get(study.protocol, ()):
        assignment = next(_asked_about(question, study, cases), None)
        if assignment is None:
            continue
        flag = Flag.objects.filter(assignment=assignment, comment=question.comment).first()
        flag = flag or raise_flag(assignment=assignment, actor=assignment.grader.user, comment=question.comment)
        if question.answer is not None and flag.closed_at is None:
            close_flag(flag=flag, actor=organiser, answer=question.answer)


def _asked_about(question: Question, study: Study, cases: Sequence[ReadCase]) -> Iterator[Assignment]:
    members = people.graders_of(study)
    for case in cases:
        for reader, member in enumerate(members):
            if question.reader not in (None, reader) or not question.about(case, case.readings[reader]):
                continue
            own = member.assignments.filter(case=case.case_id, repeat_of=None)
            yield from own.select_related("grader__user", "grader__study")
