"""The worklist beside its cases: skipping one, and how long today took."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.errors import DomainError
from annotator.selectors.workbench import next_unread
from annotator.selectors.worklist import today
from annotator.services.leases import refuse_other_author
from annotator.services.skipping import skip_case

LONGEST_DAY = timedelta(hours=26)  # a day has up to 25 hours, and clocks differ


class SkipAsked(Asked):
    author = Words(max_length=64, help_text="As the workbench gave it.")
    skip = serializers.BooleanField(default=True, help_text="false: back in its turn.")


class SkipShown(serializers.Serializer[Any]):
    skipped = serializers.BooleanField()
    next_unread = serializers.CharField(allow_null=True)


class SinceAsked(Asked):
    since = serializers.DateTimeField()


class TodayShown(serializers.Serializer[Any]):
    submitted = serializers.IntegerField(help_text="Cases submitted since then and not taken back.")
    active_ms = serializers.IntegerField(
        help_text="Active time of the readings submitted since then, and of unsent work as far as it was saved."
    )


class OwnSkip(Door):
    @documented(
        "workbench_skip",
        "Put a case off, or back in its turn",
        takes=SkipAsked,
        answer=SkipShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        asked = self.asked(SkipAsked)
        refuse_other_author(self.user, asked["author"])
        skip_case(assignment=assignment, actor=self.user, skip=asked["skip"])
        answer = {"skipped": asked["skip"], "next_unread": next_unread(self.user, assignment)}
        return Response(SkipShown(answer).data)


class OwnToday(Door):
    @documented(
        "me_today",
        "Your work in a study since midnight",
        answer=TodayShown,
        refuses=[400, 404],
        parameters=[
            OpenApiParameter("since", required=True, description="When the day began where you are; ISO 8601.")
        ],
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.READ_CASES)
        since, now = self.asked_for(SinceAsked)["since"], timezone.now()
        if not now - LONGEST_DAY <= since <= now + LONGEST_DAY:
            raise DomainError("bad_times", _("The beginning of the day cannot be right."), field="since")
        return Response(TodayShown(today(self.user, study, since=since)).data)
