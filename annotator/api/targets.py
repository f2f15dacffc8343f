"""Targets of a study with the grading instructions."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door, Versioned, the_one
from annotator.api.schema import documented
from annotator.models import Study, Target, TargetExample
from annotator.models.case import TargetKind, TargetSource
from annotator.services.studies import write_instructions


class ExampleShown(serializers.ModelSerializer[TargetExample]):
    id = serializers.CharField(source="public_id", read_only=True)
    url = serializers.SerializerMethodField()

    class Meta:
        model = TargetExample
        fields = ["id", "caption", "url"]
        read_only_fields = fields

    def get_url(self, example: TargetExample) -> str:
        return reverse("example_file", args=[example.public_id])


class TargetShown(serializers.ModelSerializer[Target]):
    kind = serializers.ChoiceField(choices=TargetKind.choices, read_only=True)
    answered_by = serializers.ChoiceField(choices=TargetSource.choices, source="source", read_only=True)
    examples = ExampleShown(many=True, read_only=True)

    class Meta:
        model = Target
        fields = ["key", "name", "kind", "answered_by", "instructions", "version", "examples"]
        read_only_fields = fields


class InstructionsAsked(Versioned):
    instructions = serializers.CharField(
        allow_blank=True, trim_whitespace=False, help_text="Markdown, at most 20,000 characters."
    )


class Targets(Door):
    @documented("targets_list", "What is marked or answered", answer=TargetShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(_targets(self.study(study_id, May.SEE_STUDY)), TargetShown)


class OneTarget(Door):
    @documented("targets_read", "One target", answer=TargetShown, refuses=[404])
    def get(self, request: Request, study_id: str, key: str) -> Response:
        return Response(TargetShown(the_one(_targets(self.study(study_id, May.SEE_STUDY)), key=key)).data)

    @documented(
        "targets_instruct",
        "Write the grading instructions",
        takes=InstructionsAsked,
        answer=TargetShown,
        refuses=[400, 404, 409],
    )
    def put(self, request: Request, study_id: str, key: str) -> Response:
        target = the_one(_targets(self.study(study_id, May.MANAGE)), key=key)
        asked: dict[str, Any] = self.asked(InstructionsAsked)
        changed = write_instructions(
            target=target, version=asked["version"], text=asked["instructions"], actor=self.user
        )
        return Response(TargetShown(changed).data)


def _targets(study: Study) -> "QuerySet[Target]":
    return study.targets.prefetch_related("examples").order_by("position")
