"""A practice case: the same workbench on a drawn picture. Answers stay in the browser; the truth can be looked at."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door
from annotator.api.schema import documented
from annotator.api.workbench_asked import TabAsked
from annotator.api.workbench_shown import DraftOfCase, PhotographShown, WorkbenchShown
from annotator.selectors.practice import practice_bench, practice_truth
from annotator.selectors.workbench import Photograph


class PracticePhotograph(PhotographShown):
    def get_url(self, photograph: Photograph) -> str:
        return reverse("practice_image", args=[self.context["study"], photograph.assignment, photograph.position])


class PracticeShown(WorkbenchShown):
    images = PracticePhotograph(many=True)


class PracticeTruth(serializers.Serializer[Any]):
    truth = DraftOfCase(many=True)


class Practice(Door):
    @documented(
        "practice_read",
        "A drawn case to practise on; nothing of it is stored",
        answer=PracticeShown,
        refuses=[404],
        parameters=[OpenApiParameter("tab", description="As at the workbench; not used.")],
    )
    def get(self, request: Request, study_id: str, number: int) -> Response:
        study = self.study(study_id, May.READ_CASES)
        self.asked_for(TabAsked)
        bench = practice_bench(study, number)
        return Response(PracticeShown(bench, context={"study": study.public_id}).data)


class OwnPracticeTruth(Door):
    @documented("practice_truth", "What is true of a practice case", answer=PracticeTruth, refuses=[404])
    def get(self, request: Request, study_id: str, number: int) -> Response:
        study = self.study(study_id, May.READ_CASES)
        return Response(PracticeTruth({"truth": practice_truth(study, number)}).data)
