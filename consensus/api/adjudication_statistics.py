"""How disputes were settled, for programs of organisers."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Door
from annotator.api.schema import documented
from consensus.programme.rates import Rate
from consensus.selectors.adjudication_statistics import Board, TargetSettling, settling_of


class ShareSettled(serializers.Serializer[Any]):
    some = serializers.IntegerField()
    of = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of the 95 % interval (Wilson).")
    high = serializers.FloatField(allow_null=True)


class PairShown(serializers.Serializer[Any]):
    said = serializers.ListField(child=serializers.CharField(), help_text="The labels in dispute.")
    final = serializers.CharField()
    count = serializers.IntegerField()


class FollowedShown(serializers.Serializer[Any]):
    grader = serializers.CharField(help_text="By code.")
    followed = ShareSettled(help_text="Among disputes that this grader took part in.")


class AdjudicatorShown(serializers.Serializer[Any]):
    name = serializers.CharField()
    specialty = serializers.CharField(allow_blank=True)
    decisions = serializers.IntegerField()
    not_blind = serializers.IntegerField(help_text="Decided knowing the labels although the recipe hides them.")
    labels_shown = serializers.IntegerField(help_text="Decided with the labels in view, as the recipe says.")
    neither = ShareSettled()
    median_wait_seconds = serializers.FloatField(
        allow_null=True, help_text="From when the label was left open to the decision."
    )


class TargetSettledShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    adjudicated = ShareSettled(help_text="Among photographs with a final label.")
    left_open = serializers.IntegerField(help_text="Photographs that wait to be settled now.")
    open_since = serializers.DateTimeField(allow_null=True, help_text="Of the one that waits longest.")
    median_wait_seconds = serializers.FloatField(
        allow_null=True, help_text="From when a label was left open to the decision."
    )
    neither = ShareSettled(help_text="Disputes in which the adjudicator took no grader's label.")
    pairs = PairShown(many=True)
    graders = FollowedShown(many=True)
    adjudicators = AdjudicatorShown(many=True)


class SettlingShown(serializers.Serializer[Any]):
    targets = TargetSettledShown(many=True)


class AdjudicationStatistics(Door):
    @documented("adjudication_statistics", "How disputes were settled", answer=SettlingShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        board = settling_of(self.study(study_id, May.MANAGE))
        return Response(SettlingShown({"targets": [_target(board, row) for row in board.targets]}).data)


def _target(board: Board, row: TargetSettling) -> dict[str, Any]:
    numbers = row.numbers
    pairs = sorted(numbers.pairs.items())
    return {
        "target": row.target.key,
        "adjudicated": _share(numbers.share),
        "left_open": row.left.count,
        "open_since": row.left.since,
        "median_wait_seconds": numbers.waited_seconds,
        "neither": _share(numbers.neither),
        "pairs": [{"said": list(said), "final": final, "count": count} for (said, final), count in pairs],
        "graders": [
            {"grader": member.code, "followed": _share(numbers.followed[pk])}
            for pk, member in board.graders.items()
            if pk in numbers.followed
        ],
        "adjudicators": [
            {
                "name": user.name,
                "specialty": board.seats[pk].specialty if pk in board.seats else "",
                "decisions": mine.decisions,
                "not_blind": mine.not_blind,
                "labels_shown": mine.labels_shown,
                "neither": _share(mine.neither),
                "median_wait_seconds": mine.waited_seconds,
            }
            for pk, user in board.adjudicators.items()
            if (mine := numbers.adjudicators.get(pk)) is not None
        ],
    }


def _share(rate: Rate) -> dict[str, Any]:
    known = (rate.value, rate.interval.low, rate.interval.high) if rate.of else (None, None, None)
    return {"some": rate.right, "of": rate.of, **dict(zip(("value", "low", "high"), known, strict=True))}
