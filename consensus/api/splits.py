"""Splits of a version of the dataset, and which case is in which part."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.door import the_one
from annotator.api.schema import documented, shaped
from consensus.api.datasets import DatasetDoor
from consensus.models import Split
from consensus.models.split import KeptTogether
from consensus.selectors.splits import cases_of


class PartShown(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField()
    asked = serializers.IntegerField(help_text="Cases that the plan asks for.")
    cases = serializers.IntegerField()
    subjects = serializers.IntegerField()


class SplitShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    number = serializers.IntegerField()
    name = serializers.CharField()
    kept_together = serializers.ChoiceField(choices=KeptTogether.choices, source="unit")
    balanced_by = serializers.ListField(child=serializers.CharField(), source="plan.stratify_by")
    seed = serializers.IntegerField(source="plan.seed")
    parts = serializers.SerializerMethodField()
    left_out = serializers.IntegerField(source="report.left_out", help_text="Cases of the version in no part.")
    subjects_in_two_parts = serializers.IntegerField(source="report.subjects_in_two_parts")
    made_at = serializers.DateTimeField()
    program = serializers.CharField(source="code_version")
    digest = serializers.CharField(help_text="SHA-256 of the plan and of every case's part.")

    @shaped(PartShown(many=True))
    def get_parts(self, split: Split) -> list[Mapping[str, Any]]:
        names = {part["key"]: part["name"] for part in split.plan["parts"]}
        rows = [{**row, "name": names[row["key"]]} for row in split.report["parts"]]
        return list(PartShown(rows, many=True).data)


class CaseOfSplit(serializers.Serializer[Any]):
    case = serializers.IntegerField(help_text="The case's number.")
    id = serializers.CharField()
    part = serializers.CharField(allow_blank=True, help_text="A part's key; empty: in no part.")


class Splits(DatasetDoor):
    @documented("splits", "Splits of a version", answer=SplitShown(many=True), refuses=[400, 404])
    def get(self, request: Request, study_id: str, version_id: str) -> Response:
        return self.listed(self.version(study_id, version_id).splits.order_by("number"), SplitShown)


class CasesOfSplit(DatasetDoor):
    @documented("split_cases", "Which case is in which part", answer=CaseOfSplit(many=True), refuses=[400, 404])
    def get(self, request: Request, study_id: str, version_id: str, split_id: str) -> Response:
        split = the_one(self.version(study_id, version_id).splits.select_related("version"), public_id=split_id)
        rows = [{"case": number, "id": name, "part": part} for number, name, part in cases_of(split)]
        return self.listed(rows, CaseOfSplit)
