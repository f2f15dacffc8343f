"""How every grader stands against the final labels, for programs of organisers."""

import math
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from consensus.programme.judging import Tally
from consensus.programme.repeating import FEWEST
from consensus.selectors.alerts import alerts_of
from consensus.selectors.monitor_board import GraderStanding, board_of
from consensus.selectors.monitor_repeats import Alike, Consistency
from consensus.services.watching import LONGEST_NOTE, close_alert
from protocols.names import Performance

MEASURES = (Performance.SENSITIVITY, Performance.SPECIFICITY, Performance.ACCURACY)
OVER = {"all": "total", "latest": "window", "own_vote_apart": "independent"}


class RateShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    measure = serializers.ChoiceField(choices=[measure.value for measure in MEASURES])
    over = serializers.ChoiceField(choices=list(OVER), help_text="Which final labels count.")
    right = serializers.IntegerField()
    of = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval.")
    high = serializers.FloatField(allow_null=True)


class RepeatShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    measure = serializers.ChoiceField(choices=[measure.value for measure in Alike])
    same = serializers.IntegerField(allow_null=True, help_text="Labels that came out the same; of drawings null.")
    of = serializers.IntegerField(help_text="Images that were answered twice.")
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval.")
    high = serializers.FloatField(allow_null=True)
    kappa = serializers.FloatField(allow_null=True, help_text=f"Cohen's, from {FEWEST} labels on.")
    measured_at = serializers.DateTimeField(
        allow_null=True, help_text="Drawings: when the agreement was measured. Labels are compared now."
    )


class AlertShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    grader = serializers.CharField(source="grader.code")
    target = serializers.CharField()
    measure = serializers.CharField()
    limit = serializers.FloatField()
    look = serializers.IntegerField(help_text="Final labels at the look that raised it.")
    value = serializers.FloatField(source="rate")
    of = serializers.IntegerField()
    bound = serializers.FloatField()
    raised_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField()


class NoteAsked(Asked):
    note = Words(max_length=LONGEST_NOTE, help_text="What was done about it; it is kept with the alert.")


class GraderMonitored(serializers.Serializer[Any]):
    grader = serializers.CharField(help_text="By code.")
    active = serializers.BooleanField()
    readings = serializers.IntegerField()
    median_ms = serializers.FloatField(allow_null=True)
    recent_median_ms = serializers.FloatField(allow_null=True)
    answers = serializers.IntegerField()
    unseen = serializers.IntegerField(help_text="Answers that say ungradable, not visible or cannot be determined.")
    rates = RateShown(many=True)
    cases_twice = serializers.IntegerField(help_text="Hidden repeats that were read.")
    repeats = RepeatShown(many=True)


class MonitorShown(serializers.Serializer[Any]):
    graders = GraderMonitored(many=True)
    alerts = AlertShown(many=True)


class Monitor(Door):
    @documented("monitor", "How every grader stands", answer=MonitorShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        told = {"graders": [_grader(row) for row in board_of(study)], "alerts": list(alerts_of(study))}
        return Response(MonitorShown(told).data)


class AlertClose(Door):
    @documented(
        "monitor_alert_close",
        "Close an alert with a note; only labels that become final from now on count for the next",
        takes=NoteAsked,
        answer=AlertShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, alert_id: str) -> Response:
        alert = the_one(alerts_of(self.study(study_id, May.MANAGE)), public_id=alert_id)
        return Response(AlertShown(close_alert(alert=alert, actor=self.user, **self.asked(NoteAsked))).data)


def _grader(row: GraderStanding) -> dict[str, Any]:
    return {
        "grader": row.member.code,
        "active": row.member.active,
        "readings": row.habits.readings,
        "median_ms": row.habits.active_ms,
        "recent_median_ms": row.habits.recent_ms,
        "answers": row.habits.answers,
        "unseen": row.habits.unseen,
        "rates": [
            _rate(target, measure, over, getattr(look, part))
            for target, look in row.looks.items()
            for measure in MEASURES
            for over, part in OVER.items()
        ],
        "cases_twice": row.repeats.cases,
        "repeats": [_repeat(one) for one in row.repeats.alike],
    }


def _rate(target: str, measure: Performance, over: str, tally: Tally) -> dict[str, Any]:
    rate = tally.rate(measure)
    known = (rate.value, rate.interval.low, rate.interval.high) if rate.of else (None, None, None)
    named = dict(zip(("value", "low", "high"), known, strict=True))
    return {"target": target, "measure": measure.value, "over": over, "right": rate.right, "of": rate.of, **named}


def _repeat(one: Consistency) -> dict[str, Any]:
    numbers = {"value": one.value, "low": one.low, "high": one.high, "kappa": one.kappa}
    known = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    told = {"target": one.target, "measure": one.measure.value, "same": one.same, "of": one.of}
    return {**told, **known, "measured_at": one.measured_at}
