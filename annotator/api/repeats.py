"""Cases that graders are shown a second time without knowing it; for organisers."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door
from annotator.api.schema import documented
from annotator.selectors.recipes import recipe_of
from annotator.selectors.repeats import repeats_by_grader
from annotator.services.repeats import draw_repeats


class ShownAgain(serializers.Serializer[Any]):
    id = serializers.CharField(source="member.public_id", help_text="As in the list of people.")
    code = serializers.CharField(source="member.code")
    name = serializers.CharField(source="member.user.name")
    read = serializers.IntegerField(help_text="Cases read for the first time.")
    shown = serializers.IntegerField(help_text="Of these, those that came back.")
    read_again = serializers.IntegerField(source="done")


class HiddenRepeatsShown(serializers.Serializer[Any]):
    share = serializers.FloatField(help_text="Of what a grader has read; 0: the recipe asks for none.")
    gap_cases = serializers.IntegerField(help_text="At least so many other cases lie between.")
    gap_days = serializers.IntegerField()
    mirrored = serializers.BooleanField()
    graders = ShownAgain(many=True, help_text="Who has read anything.")


class RepeatsDrawn(serializers.Serializer[Any]):
    drawn = serializers.IntegerField(help_text="Cases that come back now, for all graders together.")


class HiddenRepeats(Door):
    @documented("repeats", "What graders were shown again", answer=HiddenRepeatsShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = recipe_of(study).repeats
        told = asdict(asked) | {"graders": repeats_by_grader(study)}
        return Response(HiddenRepeatsShown(told).data)

    @documented("repeats_draw", "Draw those that are due", answer=RepeatsDrawn, refuses=[404, 409])
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        return Response(RepeatsDrawn({"drawn": draw_repeats(study=study, actor=self.user)}).data)
