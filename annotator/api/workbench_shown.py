"""What the workbench tells: the case, its questions and the grader's own work, nothing else."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers

from annotator.api.flags import OwnFlagShown
from annotator.api.me import STATES
from annotator.api.shapes import StudyNamed
from annotator.markdown import render_markdown
from annotator.models import TargetExample
from annotator.selectors.workbench import Photograph, Question, Workbench


class ContentShown(serializers.Serializer[Any]):
    answer = serializers.CharField()
    geometry = serializers.DictField(allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    signs = serializers.ListField(child=serializers.CharField())
    confidence = serializers.FloatField(allow_null=True)


class DraftStored(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    content = ContentShown(allow_null=True)
    masks = serializers.ListField(child=serializers.CharField())
    saved_at = serializers.DateTimeField(allow_null=True)


class CommentStored(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    comment = serializers.CharField(allow_blank=True)
    saved_at = serializers.DateTimeField()


class CommentOfCase(serializers.Serializer[Any]):
    version = serializers.IntegerField(source="comment_version")
    comment = serializers.CharField(allow_blank=True)


class DraftOfCase(DraftStored):
    position = serializers.IntegerField()
    target = serializers.CharField()


class DamagedShown(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    target = serializers.CharField()


class LeaseShown(serializers.Serializer[Any]):
    mine = serializers.BooleanField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: open in no window.")


class Submitted(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    next_unread = serializers.CharField(allow_null=True)


class Withdrawn(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=STATES)
    drafts = DraftOfCase(many=True)


class PhotographShown(serializers.Serializer[Any]):
    """Addressed by the assignment, never by the image."""

    position = serializers.IntegerField()
    width = serializers.IntegerField(source="image.width")
    height = serializers.IntegerField(source="image.height")
    bits = serializers.IntegerField(source="image.bits", help_text="Per sample: 8 or 16.")
    channels = serializers.IntegerField(source="image.channels")
    url = serializers.SerializerMethodField()
    um_per_px_x = serializers.FloatField(source="image.um_per_px_x", allow_null=True)
    um_per_px_y = serializers.FloatField(source="image.um_per_px_y", allow_null=True)

    def get_url(self, photograph: Photograph) -> str:
        return reverse("read_image", args=[photograph.assignment, photograph.position])


class Translated(serializers.CharField):
    """A name from the recipe, in the person's language."""

    def to_representation(self, value: Any) -> str:
        return _(str(value))


class NamedOption(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = Translated()


class ExampleOfTarget(serializers.Serializer[Any]):
    url = serializers.SerializerMethodField()
    caption = serializers.CharField(allow_blank=True)

    def get_url(self, example: TargetExample) -> str:
        return reverse("example_file", args=[example.public_id])


class QuestionShown(serializers.Serializer[Any]):
    """A target as the grader is asked about it: the recipe says what is asked, the study's own row how it is meant."""

    key = serializers.CharField(source="asked.key")
    name = Translated(source="asked.name")
    kind = serializers.CharField(source="asked.kind")
    required = serializers.BooleanField(source="asked.required")  # type: ignore[assignment]
    tools = serializers.ListField(source="asked.tools", child=serializers.CharField())
    answers = serializers.ListField(source="asked.answers", child=serializers.CharField())
    region = serializers.CharField(source="asked.region")
    inside = serializers.CharField(source="asked.inside", allow_null=True)
    inside_severity = serializers.CharField(source="asked.inside_severity")
    options = NamedOption(source="asked.options", many=True)
    signs = NamedOption(source="asked.signs", many=True)
    signs_show_when = serializers.CharField(source="asked.signs_show_when", allow_null=True)
    asks_confidence = serializers.BooleanField(source="asked.asks_confidence")
    colour = serializers.IntegerField(source="asked.colour")
    line = serializers.CharField(source="asked.line")
    instructions = serializers.SerializerMethodField(help_text="HTML that can do no harm.")
    examples = ExampleOfTarget(source="row.examples", many=True)

    def get_instructions(self, question: Question) -> str:
        return render_markdown(question.row.instructions, headings_from=4)


class CaseShown(serializers.Serializer[Any]):
    unit = serializers.CharField()
    next_photograph_on = serializers.CharField(allow_null=True)
    max_photographs = serializers.IntegerField()


class ViewerShown(serializers.Serializer[Any]):
    adjustments = serializers.ListField(child=serializers.CharField())
    ruler = serializers.BooleanField()
    middle_line = serializers.BooleanField()
    live_vcdr = serializers.BooleanField()
    fellow_eye = serializers.BooleanField()


class CheckShown(serializers.Serializer[Any]):
    name = serializers.CharField()
    severity = serializers.CharField()


class ReadingInForce(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    at = serializers.DateTimeField(source="submitted_at")


class FellowShown(serializers.Serializer[Any]):
    url = serializers.SerializerMethodField()
    width = serializers.IntegerField(source="image.width")
    height = serializers.IntegerField(source="image.height")

    def get_url(self, fellow: Photograph) -> str:
        return reverse("read_fellow", args=[fellow.assignment])


class WorkbenchShown(serializers.Serializer[Any]):
    assignment = serializers.CharField(source="assignment.public_id")
    place = serializers.IntegerField(source="place.number")
    total = serializers.IntegerField(source="place.total")
    study = StudyNamed(source="assignment.grader.study")
    state = serializers.ChoiceField(choices=STATES, source="assignment.state")
    author = serializers.CharField()
    images = PhotographShown(many=True)
    targets = QuestionShown(source="questions", many=True)
    case = CaseShown(source="recipe.case")
    viewer = ViewerShown(source="recipe.viewer")
    checks = CheckShown(source="recipe.checks", many=True)
    drafts = DraftOfCase(source="kept.drafts", many=True)
    damaged = DamagedShown(source="kept.damaged", many=True, help_text="Stored answers that cannot be read any more.")
    comment = CommentOfCase(source="assignment")
    request = serializers.CharField(
        source="assignment.request", allow_blank=True, help_text="Why the case was sent back to you; empty otherwise."
    )
    submitted = ReadingInForce(allow_null=True)
    can_withdraw = serializers.BooleanField()
    flags = OwnFlagShown(many=True, help_text="Your own questions about this case, the latest first.")
    fellow = FellowShown(allow_null=True, help_text="The other eye of the subject, where it may be looked at.")
    skipped = serializers.SerializerMethodField(help_text="Put off for now: offered again after all others.")
    lease = LeaseShown()
    previous = serializers.SerializerMethodField()
    next = serializers.SerializerMethodField()
    next_unread = serializers.CharField(allow_null=True)

    def get_skipped(self, bench: Workbench) -> bool:
        return bench.assignment.skipped_at is not None

    def get_previous(self, bench: Workbench) -> str | None:
        return bench.place.neighbours.previous or None

    def get_next(self, bench: Workbench) -> str | None:
        return bench.place.neighbours.next or None
