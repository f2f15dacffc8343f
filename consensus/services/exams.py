"""Exams are set up, handed in, marked, and admit those who passed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Membership, Reading, Role, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.people import add_member
from annotator.services.qualifying import ask_for_qualification, qualify
from annotator.services.reopening import mark_used
from annotator.services.studies import duplicate_study
from consensus.models import Exam, ExamResult
from consensus.programme.exam import MEASURES_OF, Marked, Sheet, marked, passed
from consensus.selectors.exams import (
    ADMITTED_AS,
    asks_for_ungradable,
    candidates_of,
    handed_in_by,
    knows_answers,
    latest_results,
    leads_to,
    limits_of,
    readings_of,
    reply_in,
    said_by,
    truth_of,
)
from protocols.names import Kind
from protocols.reading import Limit

Limits = Mapping[Role, Sequence[Limit]]


@transaction.atomic
def set_up_exam(
    *, study: Study, limits: Limits, shows_errors: bool, actor: User, held_in: Study | None = None, name: str = ""
) -> Exam:
    """In a study of its own: one that is there, or a new one of the same protocol. From now on only those who passed
    are given cases."""
    Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who set one up take turns
    if Exam.objects.filter(study=study).exists():
        raise Conflict("exam_exists", _("The study has an exam already."))
    _check_limits(study, limits)
    if held_in is None:
        alone = {"repeats.share": 0}  # an exam is read once
        held_in = duplicate_study(study=study, name=name, actor=actor, with_people=False, changes=alone)
    _check_place(study, held_in, actor)
    data = {role: [asdict(limit) for limit in limits.get(role, ())] for role in ADMITTED_AS}
    exam = Exam.objects.create(study=study, held_in=held_in, limits=data, shows_errors=shows_errors, set_up_by=actor)
    after = {"held_in": held_in.public_id, "limits": data, "shows_errors": shows_errors}
    record(action="exam.set_up", actor=actor, study=study, subject=exam.public_id, after=after)
    ask_for_qualification(study=study, asked=True, actor=actor)
    return exam


def _check_limits(study: Study, limits: Limits) -> None:
    recipe = recipe_of(study)
    if not limits.get(Role.GRADER):
        raise DomainError("no_limits", _("Give at least one limit for graders."), field="limits")
    for limit in (limit for role in ADMITTED_AS for limit in limits.get(role, ())):
        if limit.measure not in MEASURES_OF.get(recipe.target(limit.target).kind, ()):
            raise DomainError("bad_limit", _("This target cannot be measured so."), field="limits")


def _check_place(study: Study, held_in: Study, actor: User) -> None:
    if held_in.pk == study.pk:
        raise DomainError("own_study", _("An exam is a study of its own."), field="held_in")
    if leads_to(held_in, study):
        raise DomainError(
            "circle", _("This exam asks for that one: nobody could ever begin the circle."), field="held_in"
        )
    if May.MANAGE not in access.rights(actor, held_in):
        raise Forbidden("forbidden", _("Your role in this study does not allow this."))
    ours = [(target.key, target.kind) for target in recipe_of(study).targets]
    if [(target.key, target.kind) for target in recipe_of(held_in).targets] != ours:
        raise DomainError("other_targets", _("The exam must ask for the same targets."), field="held_in")


@transaction.atomic
def hand_in(*, exam: Exam, candidate: Membership, actor: User) -> ExamResult:
    """The candidate's readings are held fast and marked; handed in again, the first result stands."""
    Membership.objects.select_for_update(of=("self",)).get(pk=candidate.pk)  # two windows take turns
    if candidate.user_id != actor.pk or not candidate.active or candidate.study_id != exam.held_in_id:
        raise Forbidden("forbidden", _("Only the candidate hands an exam in."))
    if knows_answers(actor, exam.held_in):
        raise Forbidden("knows_answers", _("Somebody who knows the answers by another role cannot be examined."))
    before = latest_results(exam).get(candidate.pk)
    if before is not None:
        return before
    [standing] = [one for one in candidates_of(exam) if one.membership.pk == candidate.pk]
    if not standing.has_all:
        raise Conflict("not_all_given", _("You have not been given all cases of the exam yet."))
    if not standing.finished:
        raise Conflict("not_finished", _("Submit all cases of the exam first."))
    if truth_of(exam).lacking:
        raise Conflict("no_truth", _("The exam cannot be marked yet: not all of its answers are known."))
    readings = readings_of(candidate)
    mark_used(readings=readings)
    return _keep(exam, candidate, readings, 1, actor)


@transaction.atomic
def mark_again(*, exam: Exam, actor: User) -> int:
    """After the truth was corrected: every exam is marked anew as it was handed in. How many came out differently."""
    exam = Exam.objects.select_for_update(of=("self",)).select_related("study", "held_in").get(pk=exam.pk)
    digest, changed = truth_of(exam).digest, 0
    first = dict(ExamResult.objects.filter(exam=exam, number=1).values_list("candidate", "handed_in_at"))
    for candidate, before in latest_results(exam).items():
        if before.truth_digest != digest:
            member = Membership.objects.get(pk=candidate)
            after = _keep(exam, member, handed_in_by(member, first[candidate]), before.number + 1, actor)
            changed += (after.passed_as_grader, after.passed_as_adjudicator) != (
                before.passed_as_grader,
                before.passed_as_adjudicator,
            )
    return changed


def _keep(exam: Exam, candidate: Membership, readings: Sequence[Reading], number: int, actor: User) -> ExamResult:
    truth = truth_of(exam)
    said = said_by(readings, truth)
    recipe = recipe_of(exam.held_in)
    sheets: dict[str, Sheet] = {}
    errors: list[dict[str, Any]] = []
    assigned = {reading.pk: reading.assignment for reading in readings}
    for place, row in said.items():
        known = truth.answers[place]
        sheet = sheets.setdefault(row.target.key, Sheet(recipe.target(row.target.key)))
        if not sheet.add(reply_in(known), reply_in(row), row.image.width, row.image.height):
            errors.append(
                {
                    "case": assigned[row.reading_id].case.number,
                    "assignment": assigned[row.reading_id].public_id,
                    "target": row.target.key,
                    "said": row.label if row.kind == Kind.LABEL and row.label else row.answer,
                    "truth": known.label if known.kind == Kind.LABEL and known.label else known.answer,
                }
            )
    marks = {role: marked(limits_of(exam, role), sheets, asks_for_ungradable(exam)) for role in ADMITTED_AS}
    result = ExamResult.objects.create(
        exam=exam,
        candidate=candidate,
        number=number,
        handed_in_at=timezone.now(),
        marks={role: [_mark_data(one) for one in mine] for role, mine in marks.items()},
        errors=sorted(errors, key=lambda error: (error["case"], error["target"])),
        passed_as_grader=passed(marks[Role.GRADER]),
        passed_as_adjudicator=passed(marks[Role.ADJUDICATOR]),
        images=len({image for image, _target in said}),
        truth_digest=truth.digest,
    )
    after = {"number": number, "grader": result.passed_as_grader, "adjudicator": result.passed_as_adjudicator}
    record(action="exam.marked", actor=actor, study=exam.held_in, subject=candidate.code, after=after)
    return result


def _mark_data(one: Marked) -> dict[str, Any]:
    """NaN is no JSON: what was not asked is null."""
    known = one.images > 0
    return {
        **asdict(one.limit),
        "got": one.value if known else None,
        "low": one.interval.low if known else None,
        "high": one.interval.high if known else None,
        "images": one.images,
        "met": one.met,
    }


@transaction.atomic
def admit(*, exam: Exam, candidate: Membership, role: Role, actor: User) -> Membership:
    """Whoever passed becomes a member of the study, qualified; somebody who is one already is qualified."""
    standing = next((one for one in candidates_of(exam) if one.membership.pk == candidate.pk), None)
    if standing is None or role not in standing.admissible:
        raise Conflict("not_passed", _("This person has not passed for this role, or has it already."))
    member = Membership.objects.filter(study=exam.study, user=candidate.user, role=role, active=True).first()
    if member is None:
        years = candidate.experience_years
        member = add_member(study=exam.study, user=candidate.user, role=role, actor=actor, experience_years=years)
    if member.qualified_at is not None:
        return member
    return qualify(membership=member, words=_exam_words(exam, standing.result), actor=actor)


def _exam_words(exam: Exam, result: ExamResult | None) -> str:
    when = "" if result is None else f"{result.handed_in_at:%Y-%m-%d}"
    return f"{exam.held_in.name}, {when}"[:500]
