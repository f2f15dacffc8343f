"""How a grader did in the exam by the measures of the monitor, also those that the exam has no limit for."""

from annotator.selectors.recipes import recipe_of
from consensus.models import ExamResult
from consensus.programme.exam import Marked, Sheet, marked
from consensus.programme.judging import RATES
from consensus.selectors.exams import asks_for_ungradable, handed_in_by, reply_in, said_by, truth_of


def further_rates(result: ExamResult) -> list[Marked]:
    """From what was handed in; nothing where the known answers are others by now than when it was marked."""
    exam = result.exam
    known = {(one["target"], one["measure"]) for marks in result.marks.values() for one in marks}
    limits = recipe_of(exam.study).monitoring.limits
    wanted = [one for one in limits if one.measure in RATES and (one.target, one.measure.value) not in known]
    truth = truth_of(exam)
    if not wanted or truth.digest != result.truth_digest:
        return []
    first = ExamResult.objects.get(exam=exam, candidate=result.candidate_id, number=1)
    said = said_by(handed_in_by(result.candidate, first.handed_in_at), truth)
    sheets: dict[str, Sheet] = {}
    for place, row in said.items():
        sheet = sheets.setdefault(row.target.key, Sheet(recipe_of(exam.held_in).target(row.target.key)))
        sheet.add(reply_in(truth.answers[place]), reply_in(row), row.image.width, row.image.height)
    return [one for one in marked(wanted, sheets, asks_for_ungradable(exam)) if one.images]
