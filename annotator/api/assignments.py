"""Giving cases to graders: first as a preview, then as a job."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.shapes import JobShown
from annotator.selectors.studies import members_of
from annotator.services.assignments import Rule, plan_assignments, request_assignment


class PlanAsked(Asked):
    graders_per_case = serializers.IntegerField(
        allow_null=True, min_value=1, max_value=10_000, help_text="null: every grader reads every case."
    )
    subjects_apart = serializers.BooleanField(
        default=False, help_text="Cases of one subject do not follow one another in anybody's list."
    )
    first = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        default=list,
        max_length=10_000,
        help_text="Numbers of cases to be read first.",
    )


def _wish(asked: dict[str, Any]) -> dict[str, Any]:
    return {"rule": Rule(asked["graders_per_case"], asked["subjects_apart"]), "first": asked["first"]}


class ShareShown(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()
    held = serializers.IntegerField(help_text="Cases this grader already has.")
    new = serializers.IntegerField(help_text="Cases that would be added.")


class PlanShown(serializers.Serializer[Any]):
    count = serializers.IntegerField(help_text="All new assignments together.")
    graders = ShareShown(many=True)


class AssignmentPreview(Door):
    @documented(
        "assignments_preview",
        "Who would get how many cases; nothing is written",
        takes=PlanAsked,
        answer=PlanShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        plan = plan_assignments(study=study, **_wish(self.asked(PlanAsked)))
        graders = [
            {
                "code": member.code,
                "name": member.user.name,
                "held": plan.held[member.pk],
                "new": len(plan.new[member.pk]),
            }
            for member in members_of(study).filter(pk__in=plan.new)
        ]
        return Response(PlanShown({"count": plan.count, "graders": graders}).data)


class Assignments(Door):
    @documented(
        "assignments_create",
        "Give cases to graders",
        takes=PlanAsked,
        answer=JobShown,
        status=202,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        job = request_assignment(study=study, actor=self.user, **_wish(self.asked(PlanAsked)))
        return Response(JobShown(job).data, status=202)
