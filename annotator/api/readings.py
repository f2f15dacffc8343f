"""Readings in force and rounds, for organisers: give a reading back, close a round and open it again."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.shapes import ProgressShown
from annotator.api.workbench_asked import Words
from annotator.models import Reading, Round
from annotator.models.assignment import RoundKind
from annotator.selectors.readings import readings_in_force, round_standings
from annotator.services.reopening import LONGEST_REASON, reopen_reading
from annotator.services.rounds import begin_round, close_round, date_round, reopen_round


class ReadingShown(serializers.Serializer[Any]):
    assignment = serializers.CharField(source="assignment.public_id")
    case = serializers.IntegerField(source="assignment.case.number")
    grader = serializers.CharField(source="assignment.grader.code")
    number = serializers.IntegerField(help_text="Of this grader's readings of the case; earlier ones were taken back.")
    submitted_at = serializers.DateTimeField()
    active_ms = serializers.IntegerField()
    comment = serializers.CharField()
    imported = serializers.SerializerMethodField(help_text="Read elsewhere, taken over from a file.")
    used_at = serializers.DateTimeField(allow_null=True, help_text="When a consensus run first took it in.")

    def get_imported(self, reading: Reading) -> bool:
        return reading.annotation_import_id is not None


class ReasonAsked(Asked):
    reason = Words(max_length=LONGEST_REASON, help_text="Kept in the log.")


class RoundShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="round.public_id")
    number = serializers.IntegerField(source="round.number")
    kind = serializers.ChoiceField(choices=RoundKind.choices, source="round.kind")
    opens = serializers.DateTimeField(source="round.opens", allow_null=True)
    closes = serializers.DateTimeField(source="round.closes", allow_null=True)
    graders_per_case = serializers.IntegerField(
        source="round.graders_per_case", allow_null=True, help_text="null: every grader reads every case."
    )
    subjects_apart = serializers.BooleanField(source="round.subjects_apart")
    is_open = serializers.BooleanField()
    progress = ProgressShown()


class DatesAsked(Asked):
    opens = serializers.DateTimeField(allow_null=True, default=None, help_text="null: at once.")
    closes = serializers.DateTimeField(allow_null=True, default=None, help_text="null: no date.")


class OpenAsked(Asked):
    open = serializers.BooleanField()


class Readings(Door):
    @documented("readings_list", "The readings in force", answer=ReadingShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(readings_in_force(self.study(study_id, May.MANAGE)), ReadingShown)


class ReadingReopen(Door):
    @documented(
        "readings_reopen",
        "Give a reading back to its grader",
        takes=ReasonAsked,
        answer=None,
        status=204,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, assignment_id: str) -> Response:
        rows = readings_in_force(self.study(study_id, May.MANAGE))
        reading = the_one(rows, assignment__public_id=assignment_id)
        reopen_reading(assignment=reading.assignment, actor=self.user, **self.asked(ReasonAsked))
        return Response(status=204)


class Rounds(Door):
    @documented("rounds_list", "The rounds of a study", answer=RoundShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(round_standings(self.study(study_id, May.MANAGE)), RoundShown)

    @documented(
        "rounds_create",
        "Begin a further main round, for the cases that no earlier one has",
        takes=DatesAsked,
        answer=RoundShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        round = begin_round(study=study, actor=self.user, **self.asked(DatesAsked))
        return Response(_standing(round), status=201)


class RoundDates(Door):
    @documented(
        "rounds_date",
        "Say when a round opens and by when it must be read",
        takes=DatesAsked,
        answer=RoundShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, round_id: str) -> Response:
        round = the_one(self.study(study_id, May.MANAGE).rounds.all(), public_id=round_id)
        return Response(_standing(date_round(round=round, actor=self.user, **self.asked(DatesAsked))))


class RoundState(Door):
    @documented(
        "rounds_change_state",
        "Close a round, or open it again",
        takes=OpenAsked,
        answer=RoundShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, round_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        round = the_one(study.rounds.all(), public_id=round_id)
        change = reopen_round if self.asked(OpenAsked)["open"] else close_round
        return Response(_standing(change(round=round, actor=self.user)))


def _standing(round: Round) -> dict[str, Any]:
    (standing,) = [row for row in round_standings(round.study) if row.round.pk == round.pk]
    return RoundShown(standing).data
