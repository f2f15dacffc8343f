"""What the senior's table shows."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers

from annotator.api.shapes import StudyNamed
from annotator.api.workbench_shown import ContentShown, NamedOption, Translated
from consensus.models.reference import Exclusion, ReferenceState
from consensus.selectors.queue import QueueRow
from consensus.selectors.standing import STATES
from consensus.selectors.table import ImageShown, TableCase
from protocols.standard import Measure
from protocols.targets import Target


class TargetOfRow(serializers.Serializer[Any]):
    key = serializers.CharField()
    state = serializers.ChoiceField(choices=ReferenceState.choices)
    stale = serializers.BooleanField()


class QueueRowShown(serializers.Serializer[Any]):
    case = serializers.IntegerField(source="case.number")
    id = serializers.CharField(source="case.public_id")
    state = serializers.ChoiceField(choices=STATES)
    targets = TargetOfRow(many=True)
    gci = serializers.FloatField(source="review.gci", default=None, allow_null=True)
    distance_px = serializers.FloatField(source="review.distance_px", default=None, allow_null=True)
    vcdr_spread = serializers.FloatField(source="review.vcdr_spread", default=None, allow_null=True)
    label_split = serializers.FloatField(source="review.label_split", default=None, allow_null=True)
    disagreement = serializers.FloatField(source="review.disagreement", default=None, allow_null=True)
    held_by_other = serializers.BooleanField()
    thumbnail = serializers.SerializerMethodField()

    def get_thumbnail(self, row: QueueRow) -> str | None:
        return reverse("image_thumbnail", args=[row.image_id]) if row.image_id else None


class JobStarted(serializers.Serializer[Any]):
    job = serializers.CharField(source="public_id")


class TableLeaseShown(serializers.Serializer[Any]):
    mine = serializers.BooleanField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: open in no window.")
    holder_is_me = serializers.BooleanField()


class CaseNamed(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    number = serializers.IntegerField()


class ImageOfCase(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    width = serializers.IntegerField(source="image.width")
    height = serializers.IntegerField(source="image.height")
    bits = serializers.IntegerField(source="image.bits")
    channels = serializers.IntegerField(source="image.channels")
    url = serializers.SerializerMethodField()
    um_per_px_x = serializers.FloatField(source="image.um_per_px_x", allow_null=True)
    um_per_px_y = serializers.FloatField(source="image.um_per_px_y", allow_null=True)

    def get_url(self, shown: ImageShown) -> str:
        return reverse("image_file", args=[shown.image.public_id])


class GraderOfCase(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField(allow_null=True, help_text="Only where the protocol reveals names to seniors.")
    colour = serializers.IntegerField()
    line = serializers.CharField()


class ConsensusOfTarget(serializers.Serializer[Any]):
    rule = serializers.CharField()
    ties = serializers.CharField(allow_null=True)
    more_than = serializers.FloatField()
    not_visible_from = serializers.FloatField(allow_null=True)
    min_readings = serializers.IntegerField()
    show_ties_to_senior = serializers.BooleanField()


class TargetOfCase(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = Translated()
    kind = serializers.CharField()
    answered_by = serializers.CharField(source="source.value")
    tools = serializers.ListField(child=serializers.CharField())
    answers = serializers.ListField(child=serializers.CharField())
    options = NamedOption(many=True)
    signs = NamedOption(many=True)
    signs_show_when = serializers.CharField(allow_null=True)
    region = serializers.CharField()
    inside = serializers.CharField(allow_null=True)
    tracing = serializers.CharField(allow_null=True, help_text="What the program can propose a line for.")
    colour = serializers.IntegerField()
    line = serializers.CharField()
    consensus = ConsensusOfTarget()
    steps = serializers.SerializerMethodField()

    def get_steps(self, target: Target) -> list[str]:
        return [step.value for step in self.context["steps"]]


class MeasureOfCase(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = Translated()
    rule = serializers.CharField()
    targets = serializers.ListField(child=serializers.CharField())
    unit = serializers.SerializerMethodField()

    def get_unit(self, measure: Measure) -> str:
        return _(measure.unit) if measure.unit else ""


class AnswerOfCase(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    target = serializers.CharField()
    content = ContentShown()
    masks = serializers.ListField(child=serializers.CharField())


class ReadingOfCase(serializers.Serializer[Any]):
    id = serializers.CharField()
    grader = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    imported = serializers.BooleanField(help_text="Read elsewhere, and taken over from a file.")
    answers = AnswerOfCase(many=True)


class InputOfReference(serializers.Serializer[Any]):
    reading = serializers.CharField()
    included = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)


class ReferenceOfCase(AnswerOfCase):
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=ReferenceState.choices)
    stale = serializers.BooleanField()
    digest = serializers.CharField()
    inputs = InputOfReference(many=True)
    measures = serializers.DictField()
    displacement = serializers.DictField(allow_null=True)
    comment = serializers.CharField(allow_blank=True)
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.CharField(allow_null=True)


class TruthOfCase(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    target = serializers.CharField()
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField(help_text="The label in words.")
    source = serializers.CharField()  # type: ignore[assignment]
    version = serializers.IntegerField()
    imported_at = serializers.DateTimeField()


class DeferredShown(serializers.Serializer[Any]):
    at = serializers.DateTimeField(source="deferred_at")
    note = serializers.CharField(source="deferred_note", allow_blank=True)


class ReasonShown(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField()


class ViewerOfCase(serializers.Serializer[Any]):
    adjustments = serializers.ListField(child=serializers.CharField())
    ruler = serializers.BooleanField()
    middle_line = serializers.BooleanField()


class TableCaseShown(serializers.Serializer[Any]):
    case = CaseNamed()
    study = StudyNamed()
    state = serializers.ChoiceField(choices=STATES)
    may_decide = serializers.BooleanField()
    signed = serializers.BooleanField(help_text="The study is signed off: a decision needs a comment that says why.")
    can_undo = serializers.BooleanField()
    lease = serializers.SerializerMethodField()
    previous = serializers.CharField(source="place.previous", allow_null=True)
    next = serializers.CharField(source="place.next", allow_null=True)
    next_left = serializers.CharField(
        source="place.next_left", allow_null=True, help_text="The next case that is to be decided."
    )
    left = serializers.IntegerField()
    place = serializers.IntegerField(source="place.number")
    total = serializers.IntegerField(source="place.total")
    images = ImageOfCase(many=True)
    graders = GraderOfCase(many=True)
    targets = TargetOfCase(many=True)
    measures = MeasureOfCase(source="recipe.measures", many=True)
    readings = ReadingOfCase(many=True)
    references = ReferenceOfCase(many=True)
    truth = TruthOfCase(many=True)
    deferred = serializers.SerializerMethodField()
    reasons = serializers.SerializerMethodField()
    viewer = ViewerOfCase(source="recipe.viewer")
    queue = serializers.SerializerMethodField()
    history = serializers.SerializerMethodField()

    def get_queue(self, shown: TableCase) -> str:
        return reverse("table", args=[shown.study.public_id])

    def get_history(self, shown: TableCase) -> str:
        return reverse("table_history", args=[shown.study.public_id, shown.case.public_id])

    def get_lease(self, shown: TableCase) -> dict[str, Any]:
        return TableLeaseShown(self.context["lease"]).data

    def get_deferred(self, shown: TableCase) -> dict[str, Any] | None:
        put_off = shown.review is not None and shown.review.deferred_at is not None
        return DeferredShown(shown.review).data if put_off else None

    def get_reasons(self, shown: TableCase) -> list[dict[str, str]]:
        return [{"key": key.value, "name": str(Exclusion(key.value).label)} for key in shown.recipe.review.reasons]


class VoteShown(AnswerOfCase):
    digest = serializers.CharField()
    measures = serializers.DictField()


class PreviewShown(serializers.Serializer[Any]):
    references = VoteShown(many=True)


class TracedLineShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    points = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2)
    )


class TraceShown(serializers.Serializer[Any]):
    lines = TracedLineShown(many=True)


class AcceptableShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="case.public_id")
    case = serializers.IntegerField(source="case.number")
    agreement = serializers.FloatField()
    targets = serializers.ListField(child=serializers.CharField())


class AcceptedShown(serializers.Serializer[Any]):
    cases = AcceptableShown(many=True)
