"""The graders of a study as entries, for programs: every metric with its interval."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door
from annotator.api.schema import documented
from annotator.errors import NotVisible
from consensus.api.shown import JobStarted
from evaluation.selectors.graders import latest_scores, scored_from, version_to_score_by
from evaluation.services.grader_scores import AGAINST, request_scores


class MetricShown(serializers.Serializer[Any]):
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval.")
    high = serializers.FloatField(allow_null=True)


class EntryShown(serializers.Serializer[Any]):
    grader = serializers.CharField(help_text="By letter, never by name; `all` is every grader together.")
    metrics = MetricShown(many=True)


class GradersAgainst(serializers.Serializer[Any]):
    against = serializers.ChoiceField(choices=AGAINST, help_text="The vote of the other graders, or the reference.")
    entries = EntryShown(many=True)


class GraderScoresShown(serializers.Serializer[Any]):
    scored_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Readings or references have changed since.")
    version = serializers.IntegerField(allow_null=True, help_text="Of the dataset; null: references as they stood.")
    edition = serializers.CharField()
    results = GradersAgainst(many=True)


class Graders(Door):
    @documented("grader_scores", "The graders scored like models", answer=GraderScoresShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_READINGS)
        scores = latest_scores(study)
        if scores is None:
            raise NotVisible("not_scored", _("The graders have not been scored yet."))
        told = {
            "scored_at": scores.created_at,
            "stale": scores.inputs_digest != scored_from(study, version_to_score_by(study)),
            "version": scores.version.number if scores.version else None,
            "edition": scores.content["edition"],
            "results": [
                {"against": against, "entries": _entries(scores.content["graders"], scores.content["against"][against])}
                for against in AGAINST
            ],
        }
        return Response(GraderScoresShown(told).data)

    @documented("score_graders", "Score the graders", answer=JobStarted, status=202, refuses=[404, 409])
    def post(self, request: Request, study_id: str) -> Response:
        job = request_scores(study=self.study(study_id, May.FUSE), actor=self.user)
        return Response(JobStarted(job).data, status=202)


def _entries(graders: list[str], part: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = {letter: part["rows"][letter]["metrics"] for letter in graders if letter in part["rows"]}
    return [
        {"grader": grader, "metrics": [_metric(key, found) for key, found in metrics.items()]}
        for grader, metrics in {**rows, "all": part["together"]}.items()
    ]


def _metric(key: str, found: list[float | None]) -> dict[str, Any]:
    value, low, high = found
    return {"metric": key, "value": value, "low": low, "high": high}
