"""The history of a case's references."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.schema import documented
from consensus.api.shown import ReferenceOfCase
from consensus.api.table import TableDoor
from consensus.models.run import RunKind
from consensus.selectors.history import history_of


class LeftOutShown(serializers.Serializer[Any]):
    grader = serializers.CharField()
    reason = serializers.CharField()
    note = serializers.CharField(allow_blank=True)


class VersionShown(serializers.Serializer[Any]):
    reference = ReferenceOfCase(source="shown")
    before = ReferenceOfCase(allow_null=True)
    run = serializers.CharField()
    kind = serializers.ChoiceField(choices=RunKind.choices)
    at = serializers.DateTimeField()
    by = serializers.CharField()
    voters = serializers.IntegerField()
    left_out = LeftOutShown(many=True)
    taken_back = serializers.BooleanField(help_text="A decision was taken back by this version.")
    restores = serializers.IntegerField(
        allow_null=True, help_text="The version that it brought back, if there was one."
    )
    not_blind = serializers.BooleanField(
        help_text="An adjudicator decided who knew what the graders had said, although the recipe hides it."
    )
    labels_shown = serializers.BooleanField(
        help_text="An adjudicator decided with what the graders had said in view, as the recipe says."
    )


class History(TableDoor):
    @documented(
        "table_history",
        "Every version of a case's references, the newest first",
        answer=VersionShown(many=True),
        refuses=[404],
    )
    def get(self, request: Request, study_id: str, case_id: str) -> Response:
        return self.listed(history_of(self.case(study_id, case_id)), VersionShown)
