"""How fast a study is read, when it will be done, and a reminder to somebody who reads too slowly; for organisers."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door, the_one
from annotator.api.schema import documented
from annotator.selectors.studies import members_of
from annotator.selectors.workload import Load, to_be_read_by, workload
from annotator.services.reminding import remind


class LoadShown(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="As in the list of people.")
    code = serializers.CharField()
    name = serializers.CharField()
    left = serializers.IntegerField(help_text="Cases still to be read.")
    read = serializers.IntegerField()
    per_day = serializers.FloatField(help_text="Cases, over the last two weeks or since the first reading.")
    days_left = serializers.IntegerField(allow_null=True, help_text="At this pace; null: nothing is being read.")
    done_on = serializers.DateField(allow_null=True)
    late = serializers.BooleanField(help_text="A date is set, and this pace does not meet it.")
    last_read = serializers.DateTimeField(allow_null=True)
    reminded_at = serializers.DateTimeField(allow_null=True)


class WorkloadShown(serializers.Serializer[Any]):
    to_be_read_by = serializers.DateField(allow_null=True, help_text="When the latest round ends.")
    graders = LoadShown(many=True, help_text="Those who need longest first.")


class RemindedShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    reminded_at = serializers.DateTimeField(
        allow_null=True, help_text="null: no letter could be sent; it can be tried again."
    )


class Workload(Door):
    @documented("workload", "How much is left, and when it will be done", answer=WorkloadShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        by = to_be_read_by(study)
        today = timezone.localdate()
        told = [_load(one) | {"done_on": one.done_on(today), "late": one.is_late(today, by)} for one in workload(study)]
        return Response(WorkloadShown({"to_be_read_by": by, "graders": told}).data)


def _load(one: Load) -> dict[str, Any]:
    return {
        "id": one.member.public_id,
        "code": one.member.code,
        "name": one.member.user.name,
        "left": one.left,
        "read": one.read,
        "per_day": one.per_day,
        "days_left": one.days_left,
        "last_read": one.last_read,
        "reminded_at": one.member.reminded_at,
    }


class Remind(Door):
    @documented("people_remind", "Remind one grader of cases to read", answer=RemindedShown, refuses=[404, 409])
    def post(self, request: Request, study_id: str, person_id: str) -> Response:
        people = members_of(self.study(study_id, May.MANAGE)).select_related("study")
        member = remind(member=the_one(people, public_id=person_id), actor=self.user)
        return Response(RemindedShown(member).data)
