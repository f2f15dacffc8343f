"""Drafts, which are overwritten, and readings, which never are."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models.annotation_import import AnnotationImport
from annotator.models.assignment import Assignment
from annotator.models.case import Target
from annotator.models.constraints import SHA256, both_or_neither, one_of
from annotator.models.image import Image
from annotator.models.people import User
from annotator.models.stored_json import StoredJSON


class Answer(models.TextChoices):
    """Whether there is something to mark at all; the words are the recipes'."""

    PRESENT = "present", _("Present")
    NOT_VISIBLE = "not-visible", _("Not visible")
    ABSENT = "absent", _("Absent")
    UNGRADABLE = "ungradable", _("Ungradable")
    CANNOT_BE_DETERMINED = "cannot-be-determined", _("Cannot be determined")


class Draft(models.Model):
    """Unsent work; overwritten only by somebody who names the version he saw.

    An answer that was taken back or submitted leaves its row without content: versions of one place only ever rise, so
    that a change which waited somewhere offline can never pass for a current one.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    content = StoredJSON(null=True, blank=True)
    runs = models.BinaryField(null=True, blank=True)
    idempotency_key = models.CharField(max_length=40, blank=True)  # of the last change, and what that asked for
    request_digest = models.CharField(max_length=64, blank=True)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "image", "target"], name="one_draft_per_image_and_target"),
            models.CheckConstraint(condition=Q(version__gte=1), name="draft_version_starts_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} {self.target} v{self.version}"


class Reading(models.Model):
    """All of one grader's answers to one case as submitted. Frozen; it can be withdrawn or set aside, never changed."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="readings")
    number = models.PositiveSmallIntegerField()
    submitted_at = models.DateTimeField()
    submitted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    active_ms = models.PositiveIntegerField()
    adjustments = models.JSONField(default=dict, blank=True)
    confirmed_warnings = models.JSONField(default=list, blank=True)
    comment = models.TextField(blank=True)
    digest = models.CharField(max_length=64, validators=[SHA256])
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)  # by the first consensus run that took it in
    set_aside_at = models.DateTimeField(null=True, blank=True)
    set_aside_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    set_aside_reason = models.TextField(blank=True)
    annotation_import = models.ForeignKey(  # where it was not read here
        AnnotationImport, on_delete=models.PROTECT, null=True, blank=True, related_name="readings"
    )

    class Meta:
        verbose_name = _("reading")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="reading_number_is_unique"),
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(withdrawn_at__isnull=True), name="one_reading_in_force"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="reading_number_starts_at_one"),
            models.CheckConstraint(
                condition=Q(submitted_at__gte=models.F("opened_at")), name="reading_submitted_after_opening"
            ),
            both_or_neither(Q(set_aside_at__isnull=True), Q(set_aside_by__isnull=True), "setting_aside_has_a_person"),
            both_or_neither(Q(set_aside_at__isnull=True), Q(set_aside_reason=""), "setting_aside_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} #{self.number}"


DRAWN = Q(kind__in=["mask", "objects"])
GEOMETRIC = Q(kind__in=["ellipse", "point", "polyline", "objects"])
PRESENT = Q(answer="present")


class Revision(models.Model):
    """One immutable answer to one target on one image, in pixels of the upright original."""

    reading = models.ForeignKey(Reading, on_delete=models.PROTECT, related_name="revisions")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Target.Kind.choices)
    answer = models.CharField(max_length=20, choices=Answer.choices, default=Answer.PRESENT)
    geometry = StoredJSON(null=True, blank=True)
    runs = models.BinaryField(null=True, blank=True)  # row-major run-length toggles, packed
    label = models.CharField(max_length=40, blank=True)
    signs = StoredJSON(default=list, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    digest = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        verbose_name = _("revision")
        constraints = [
            models.UniqueConstraint(fields=["reading", "image", "target"], name="one_answer_per_image_and_target"),
            one_of("kind", Target.Kind, "revision_kind_is_known"),
            one_of("answer", Answer, "revision_answer_is_known"),
            both_or_neither(PRESENT & DRAWN, Q(runs__isnull=False), "drawn_answers_have_runs"),
            both_or_neither(PRESENT & GEOMETRIC, Q(geometry__isnull=False), "geometric_answers_have_geometry"),
            both_or_neither(PRESENT & Q(kind="label"), ~Q(label=""), "label_answers_have_a_label"),
            models.CheckConstraint(
                condition=Q(confidence__isnull=True) | Q(confidence__range=(0, 1)), name="confidence_from_0_to_1"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reading} {self.target}"
