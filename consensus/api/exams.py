"""The exam of a study for programs of organisers: its limits, how candidates stand, and who is admitted."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.errors import NotVisible
from annotator.models import Role, Study
from annotator.selectors.studies import members_of
from annotator.services.qualifying import LONGEST_WORDS, qualify
from consensus.models import Exam, ExamResult
from consensus.selectors.exams import (
    ADMITTED_AS,
    Candidate,
    candidates_of,
    exam_of,
    is_stale,
    limits_of,
    truth_of,
    unqualified,
)
from consensus.services.exams import admit, mark_again
from protocols.names import Bound, Performance

ROLES = [(role.value, role.label) for role in ADMITTED_AS]
MEASURES = [one.value for one in Performance]


class ExamLimitShown(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=ROLES)
    target = serializers.CharField()
    measure = serializers.ChoiceField(choices=MEASURES)
    bound = serializers.ChoiceField(choices=[one.value for one in Bound])
    limit = serializers.FloatField()


class ExamMarkShown(ExamLimitShown):
    value = serializers.FloatField(allow_null=True, help_text="null where nothing was asked.")
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval.")
    high = serializers.FloatField(allow_null=True)
    images = serializers.IntegerField()
    met = serializers.BooleanField()


class CandidateShown(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="Of the candidate, in the study that the exam is held in.")
    code = serializers.CharField()
    name = serializers.CharField()
    active = serializers.BooleanField()
    given = serializers.IntegerField(help_text="Cases of the exam that this candidate was given.")
    submitted = serializers.IntegerField()
    handed_in_at = serializers.DateTimeField(allow_null=True, help_text="Or marked again.")
    marks = ExamMarkShown(many=True, help_text="As marked last; empty until the exam is handed in.")
    passed_as = serializers.ListField(child=serializers.ChoiceField(choices=ROLES))
    admitted_as = serializers.ListField(child=serializers.ChoiceField(choices=ROLES))


class UnqualifiedShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id", help_text="As in the list of people.")
    code = serializers.CharField()
    name = serializers.CharField(source="user.name")
    role = serializers.ChoiceField(choices=ROLES)


class ExamShown(serializers.Serializer[Any]):
    id = serializers.CharField()
    held_in = serializers.CharField(help_text="The study in which it is read.")
    asked_for = serializers.BooleanField(help_text="Only those who passed, or were let off, are given cases.")
    shows_errors = serializers.BooleanField(help_text="Candidates see their own errors with what is right.")
    cases = serializers.IntegerField()
    lacking = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of cases whose answer is not known yet."
    )
    stale = serializers.BooleanField(help_text="An answer was corrected since somebody was marked: mark again.")
    limits = ExamLimitShown(many=True)
    candidates = CandidateShown(many=True)
    unqualified = UnqualifiedShown(many=True, help_text="Members of the study who are given no cases while it is so.")


class MarkedAgainShown(serializers.Serializer[Any]):
    changed = serializers.IntegerField(help_text="Candidates who passed or failed otherwise than before.")
    exam = ExamShown()


class QualifiedShown(UnqualifiedShown):
    qualified_at = serializers.DateTimeField()
    qualification = serializers.CharField(help_text="By what: the exam and its day, or why none was needed.")


class AdmitAsked(Asked):
    role = serializers.ChoiceField(choices=ROLES)


class WaiveAsked(Asked):
    reason = Words(max_length=LONGEST_WORDS, help_text="Why this person needs no exam; it is kept.")


class ExamDoor(Door):
    def exam(self, study_id: str) -> Exam:
        found = exam_of(self.study(study_id, May.MANAGE))
        if found is None:
            raise NotVisible("not_found", _("The study has no exam."))
        return found


class StudyExamRead(ExamDoor):
    @documented("exam", "The exam: limits, candidates and how they did", answer=ExamShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return Response(ExamShown(_exam(self.exam(study_id))).data)


class ExamMarkedAgain(ExamDoor):
    @documented(
        "exam_mark_again",
        "Mark all exams anew after their truth was corrected",
        answer=MarkedAgainShown,
        refuses=[404],
    )
    def post(self, request: Request, study_id: str) -> Response:
        exam = self.exam(study_id)
        changed = mark_again(exam=exam, actor=self.user)
        return Response(MarkedAgainShown({"changed": changed, "exam": _exam(exam)}).data)


class ExamAdmission(ExamDoor):
    @documented(
        "exam_admit",
        "Admit somebody who passed: a member of the study from now on, and qualified",
        takes=AdmitAsked,
        answer=QualifiedShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, person_id: str) -> Response:
        exam = self.exam(study_id)
        candidate = the_one(members_of(exam.held_in).filter(role=Role.GRADER), public_id=person_id)
        role = Role(self.asked(AdmitAsked)["role"])
        return Response(QualifiedShown(admit(exam=exam, candidate=candidate, role=role, actor=self.user)).data)


class ExamWaived(Door):
    @documented(
        "exam_waive",
        "Let a member of the study off the exam, with a reason",
        takes=WaiveAsked,
        answer=QualifiedShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, person_id: str) -> Response:
        examined = members_of(self.study(study_id, May.MANAGE)).filter(role__in=ADMITTED_AS)
        member = the_one(examined, public_id=person_id)
        words = self.asked(WaiveAsked)["reason"]
        return Response(QualifiedShown(qualify(membership=member, words=words, actor=self.user)).data)


def _exam(exam: Exam) -> dict[str, Any]:
    candidates, truth = candidates_of(exam), truth_of(exam)
    study: Study = exam.study
    return {
        "id": exam.public_id,
        "held_in": exam.held_in.public_id,
        "asked_for": study.only_qualified,
        "shows_errors": exam.shows_errors,
        "cases": exam.held_in.cases.count(),
        "lacking": truth.lacking,
        "stale": is_stale(truth, candidates),
        "limits": [
            {"role": role, "target": one.target, "measure": one.measure, "bound": one.bound, "limit": one.value}
            for role in ADMITTED_AS
            for one in limits_of(exam, role)
        ],
        "candidates": [_candidate(one) for one in candidates],
        "unqualified": unqualified(study),
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    result = one.result
    return {
        "id": one.membership.public_id,
        "code": one.membership.code,
        "name": one.membership.user.name,
        "active": one.membership.active,
        "given": one.progress.total,
        "submitted": one.progress.done,
        "handed_in_at": result.handed_in_at if result else None,
        "marks": _marks(result) if result else [],
        "passed_as": [role for role in ADMITTED_AS if result and result.passed_as(role)],
        "admitted_as": [role for role in ADMITTED_AS if role in one.admitted],
    }


def _marks(result: ExamResult) -> list[dict[str, Any]]:
    """As kept, but the limit goes by that name and the value is the candidate's."""
    return [
        {**mark, "role": role, "limit": mark["value"], "value": mark["got"]}
        for role in ADMITTED_AS
        for mark in result.marks.get(role, [])
    ]
