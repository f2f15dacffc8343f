"""How far the graders of a study agree, for programs: every figure of the page, with its interval."""

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
from consensus.selectors.agreement import latest_report, readings_digest


class FigureShown(serializers.Serializer[Any]):
    statistic = serializers.CharField(source="key")
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval.")
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Images that went in.")
    left_out = serializers.IntegerField(help_text="Images that could not: nothing to compare, or not read by all.")


class GroupFigures(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.CharField()
    figures = FigureShown(many=True)


class WeightedPairs(serializers.Serializer[Any]):
    statistic = serializers.CharField()
    rows = serializers.ListField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))


class TwiceShown(serializers.Serializer[Any]):
    grader = serializers.CharField(help_text="By letter; “*” for all together.")
    images = serializers.IntegerField(help_text="Images that were read twice.")
    figures = FigureShown(many=True)


class AgreementOf(serializers.Serializer[Any]):
    of = serializers.CharField(help_text="The key of a target or of a measure.")
    kind = serializers.ChoiceField(choices=["area", "point", "label", "measure"])
    images = serializers.IntegerField()
    figures = FigureShown(many=True)
    groups = GroupFigures(many=True, help_text="The same by what the images have in common.")
    per_grader = serializers.ListField(
        child=serializers.DictField(), help_text="Compared with the others; in the order of `graders`."
    )
    pairs = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(allow_null=True)),
        help_text="Of every two graders: Dice of areas, distance of points in pixels, Cohen's kappa of labels.",
    )
    weighted_pairs = WeightedPairs(many=True, help_text="The same of labels on a scale, with weights; else none.")
    twice = TwiceShown(many=True, help_text="Each grader beside the own first reading, by hidden repeats; else none.")


class AgreementShown(serializers.Serializer[Any]):
    measured_at = serializers.DateTimeField()
    stale = serializers.BooleanField(help_text="Readings have changed since.")
    cases = serializers.IntegerField()
    graders = serializers.ListField(child=serializers.CharField(), help_text="By letter, never by name.")
    results = AgreementOf(many=True)


class Agreement(Door):
    @documented("agreement", "How far the graders agree", answer=AgreementShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_READINGS)
        report = latest_report(study)
        if report is None:
            raise NotVisible("not_measured", _("The agreement has not been measured yet."))
        content = report.content
        told = {
            "measured_at": report.created_at,
            "stale": report.inputs_digest != readings_digest(study),
            "cases": content["cases"],
            "graders": content["graders"],
            "results": [_result(key, part) for name in ("targets", "measures") for key, part in content[name].items()],
        }
        return Response(AgreementShown(told).data)


def _result(key: str, part: Mapping[str, Any]) -> dict[str, Any]:
    pairs = {
        "pairs": part["pairs"]["rows"] if "pairs" in part else [],
        "weighted_pairs": part.get("weighted_pairs", []),
        "twice": part.get("twice", []),
    }
    return {**part, **pairs, "of": key, "groups": part["strata"]}
