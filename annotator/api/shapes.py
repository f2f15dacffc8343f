"""Pieces that several answers share. Read-only; they shape what selectors found and decide nothing."""

from typing import Any

from rest_framework import serializers

from annotator.models import Job, Study
from annotator.models.job import JobState
from annotator.models.people import Role
from annotator.models.study import StudyState
from annotator.selectors.overview import StudyRow


class StudyNamed(serializers.ModelSerializer[Study]):
    """A study as other things point at it."""

    id = serializers.CharField(source="public_id", read_only=True)

    class Meta:
        model = Study
        fields = ["id", "name"]
        read_only_fields = fields


class ProgressShown(serializers.Serializer[Any]):
    """How much of what was assigned has been submitted."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()
    percent = serializers.IntegerField(help_text="Rounded down: 100 means finished.")


class JobShown(serializers.ModelSerializer[Job]):
    id = serializers.CharField(source="public_id", read_only=True)
    study = StudyNamed(read_only=True, allow_null=True)
    owner = serializers.CharField(source="owner.name", read_only=True)
    state = serializers.ChoiceField(choices=JobState.choices, read_only=True)
    result = serializers.JSONField(read_only=True, allow_null=True, help_text="What the job has to tell, by its kind.")

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "study",
            "owner",
            "state",
            "steps_done",
            "steps_total",
            "attempts",
            "cancel_asked",
            "result",
            "error",
            "created_at",
            "started_at",
            "finished_at",
        ]
        read_only_fields = fields


class CountsShown(serializers.Serializer[Any]):
    """How large a study is and how far; for people who see all work."""

    images = serializers.IntegerField()
    cases = serializers.IntegerField()
    graders = serializers.IntegerField()
    unassigned = serializers.IntegerField(help_text="Cases that nobody has to read yet.")
    progress = ProgressShown()


class StudyShown(serializers.Serializer[Any]):
    """Who only reads learns neither the protocol, which tells how often a disease was found, nor the counts."""

    id = serializers.CharField(source="study.public_id")
    name = serializers.CharField(source="study.name")
    description = serializers.CharField(source="study.description")
    protocol = serializers.SerializerMethodField(help_text="null for those who only read.")
    state = serializers.ChoiceField(choices=StudyState.choices, source="study.state")
    version = serializers.IntegerField(source="study.version", help_text="Send it back with a change.")
    created_at = serializers.DateTimeField(source="study.created_at")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices), help_text="Your roles.")
    counts = CountsShown(source="standing", allow_null=True, help_text="null for those who only read.")
    own_progress = ProgressShown(source="own", allow_null=True, help_text="Your own cases, if you read any.")

    def get_protocol(self, row: StudyRow) -> str | None:
        return row.study.protocol if row.standing is not None else None
