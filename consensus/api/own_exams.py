"""A candidate's own exams: hand one in, and see pass or fail, and the own errors if the exam shows them."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.errors import NotVisible
from consensus.models import Exam
from consensus.selectors.exams import Candidate, errors_shown, sat_by
from consensus.services.exams import hand_in


class OwnErrorShown(serializers.Serializer[Any]):
    case = serializers.IntegerField(source="number", help_text="As in your list.")
    assignment = serializers.CharField()
    target = serializers.CharField()
    said = serializers.CharField()
    truth = serializers.CharField()


class OwnExamShown(serializers.Serializer[Any]):
    id = serializers.CharField()
    given = serializers.IntegerField(help_text="Your cases of the exam.")
    submitted = serializers.IntegerField()
    can_be_handed_in = serializers.BooleanField()
    handed_in_at = serializers.DateTimeField(allow_null=True)
    passed = serializers.BooleanField(allow_null=True, help_text="null until it is handed in.")
    wrong = OwnErrorShown(
        many=True, allow_null=True, help_text="Your errors; null until it is marked, and where the exam shows none."
    )


class OwnExamsShown(serializers.Serializer[Any]):
    exams = OwnExamShown(many=True)


class HandInAsked(Asked):
    exam = Words(max_length=16, help_text="Its id, as given in the list of your exams.")


class OwnExamDoor(Door):
    def sat(self, study_id: str) -> list[tuple[Exam, Candidate]]:
        found = sat_by(self.user, self.study(study_id, May.READ_CASES))
        if not found:
            raise NotVisible("not_found", _("There is no exam in this study."))
        return found


class OwnExams(OwnExamDoor):
    @documented("own_exams", "Your exams in a study, and whether you passed", answer=OwnExamsShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return Response(OwnExamsShown({"exams": [_own(exam, one) for exam, one in self.sat(study_id)]}).data)


class OwnExamHandIn(OwnExamDoor):
    @documented(
        "own_exam_hand_in",
        "Hand your exam in; nothing in it can be changed from then on, and it is marked at once",
        takes=HandInAsked,
        answer=OwnExamsShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        sat, wanted = self.sat(study_id), self.asked(HandInAsked)["exam"]
        chosen = next(((exam, one.membership) for exam, one in sat if exam.public_id == wanted), None)
        if chosen is None:
            raise NotVisible("not_found", _("There is no exam in this study."))
        exam, candidate = chosen
        hand_in(exam=exam, candidate=candidate, actor=self.user)
        return Response(OwnExamsShown({"exams": [_own(exam, one) for exam, one in self.sat(study_id)]}).data)


def _own(exam: Exam, one: Candidate) -> dict[str, Any]:
    result = one.result
    return {
        "id": exam.public_id,
        "given": one.progress.total,
        "submitted": one.progress.done,
        "can_be_handed_in": one.finished and result is None,
        "handed_in_at": result.handed_in_at if result else None,
        "passed": result.passed_as_grader if result else None,
        "wrong": errors_shown(exam, one) if result and exam.shows_errors else None,
    }
