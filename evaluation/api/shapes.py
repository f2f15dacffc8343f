"""What the API tells of challenges."""

from typing import Any

from rest_framework import serializers

from annotator.models.job import JobState
from evaluation.models.challenge import CountsChoice, EditionChoice


class WorkShown(serializers.Serializer[Any]):
    """How far the scoring is; nothing of what came of it."""

    state = serializers.ChoiceField(choices=JobState.choices)
    steps_done = serializers.IntegerField()
    steps_total = serializers.IntegerField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class PhaseShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    key = serializers.CharField(help_text="The protocol's own name of the phase.")
    name = serializers.CharField()
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField()
    limit = serializers.IntegerField(allow_null=True, help_text="Submissions of a team; null: as many as they like.")
    counts = serializers.ChoiceField(choices=CountsChoice.choices)
    weight = serializers.FloatField()
    shows_results = serializers.BooleanField()
    shows_references = serializers.BooleanField()


class ChallengeShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    protocol = serializers.CharField(source="study.protocol")
    edition = serializers.ChoiceField(choices=EditionChoice.choices)
    rules = serializers.CharField()
    phases = PhaseShown(many=True, source="phases.all")


class SubmissionShown(serializers.Serializer[Any]):
    """`state` is received where the phase hides results from teams."""

    id = serializers.CharField(source="submission.public_id")
    phase = serializers.CharField(source="submission.phase.public_id")
    team = serializers.CharField(source="submission.team.name")
    number = serializers.IntegerField(source="submission.number")
    submitted_at = serializers.DateTimeField(source="submission.submitted_at")
    file_name = serializers.CharField(source="submission.file_name")
    sha256 = serializers.CharField(source="submission.sha256")
    note = serializers.CharField(source="submission.note")
    state = serializers.ChoiceField(choices=["received", "waiting", "scored", "failed", "withdrawn"])


class ScorecardShown(serializers.Serializer[Any]):
    """As the command `score` tells it; `cases` and `notes` only where the phase shows single cases."""

    protocol = serializers.CharField()
    edition = serializers.ChoiceField(choices=EditionChoice.choices)
    version = serializers.IntegerField(help_text="Of the dataset.")
    version_digest = serializers.CharField()
    program = serializers.CharField()
    made_at = serializers.DateTimeField()
    n_cases = serializers.IntegerField()
    metrics = serializers.DictField(child=serializers.FloatField(allow_null=True))
    ci = serializers.DictField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))
    cases = serializers.ListField(child=serializers.DictField(), required=False)
    notes = serializers.ListField(child=serializers.CharField(), required=False)


class RankedShown(serializers.Serializer[Any]):
    """As the command `compare` tells it."""

    team = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    rank_interval = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    score = serializers.FloatField(allow_null=True, help_text="Made of ranks; the lower wins.")
    ranks = serializers.DictField(child=serializers.IntegerField(allow_null=True), help_text="In each metric.")
    tracks = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        required=False,
        help_text="In each of several tracks.",
    )
    metrics = serializers.DictField(child=serializers.FloatField(allow_null=True))
    ci = serializers.DictField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))


class LeaderboardShown(serializers.Serializer[Any]):
    is_present = serializers.BooleanField(help_text="False: something was sent in or withdrawn since.")
    entries = RankedShown(many=True)
    bands = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Teams that follow one another and cannot be told apart.",
    )


class AreaShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    masks = serializers.ListField(
        child=serializers.CharField(),
        help_text="WIDTHxHEIGHT:DIGEST:RUNS; one for an area, one for each object, none where there is nothing.",
    )


class PointShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    x = serializers.FloatField(help_text="In pixels; the middle of the first pixel is 0.5.")
    y = serializers.FloatField()


class LineShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    points = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))


class SideShown(serializers.Serializer[Any]):
    areas = AreaShown(many=True)
    points = PointShown(many=True)
    lines = LineShown(many=True)


class ScoredCaseShown(serializers.Serializer[Any]):
    """One case as it was scored, only where the phase shows single cases."""

    name = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    labels = serializers.DictField(child=serializers.CharField(), help_text="Of the reference, by target.")
    values = serializers.ListField(child=serializers.DictField(), help_text="Its lines in the table of cases.")
    reference = SideShown()
    submission = SideShown()
