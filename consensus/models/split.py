"""Splits of a version of the dataset. A subject has one row in a split, and its cases hang on that row: whatever is
written, a subject cannot be in two parts."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Case, Subject
from annotator.models.constraints import SHA256, one_of
from consensus.models.dataset import DatasetVersion


class KeptTogether(models.TextChoices):
    """What must not be torn apart; the words are the recipes'."""

    SUBJECT = "subject", _("All cases of a subject")
    IMAGE = "image", _("Nothing: each case by itself")
    VISUAL_FIELD = "visual-field", _("Nothing: each visual field by itself")


class Split(models.Model):
    """Which case of the version belongs to which part. Frozen."""

    Unit = KeptTogether

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="splits")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=120)
    unit = models.CharField(_("kept together"), max_length=12, choices=Unit.choices)
    plan = models.JSONField()  # parts, strata and seed, as they were asked for
    report = models.JSONField()  # how alike the parts are
    code_version = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, validators=[SHA256])  # of the plan and of who is where
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("split")
        ordering = ["version", "number"]
        constraints = [
            models.UniqueConstraint(fields=["version", "number"], name="split_number_is_unique_in_version"),
            models.CheckConstraint(condition=Q(number__gte=1), name="split_number_starts_at_one"),
            models.CheckConstraint(condition=~Q(name=""), name="split_has_a_name"),
            one_of("unit", KeptTogether, "split_unit_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.name}"


class SplitUnit(models.Model):
    """A subject in its part; without a subject where a split may tear subjects apart. Frozen."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="units")
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    part = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["split", "subject"], name="subject_in_one_part_only"),
            models.CheckConstraint(condition=~Q(part=""), name="split_unit_has_a_part"),
        ]

    def __str__(self) -> str:
        return f"{self.split}: {self.part}"


class SplitCase(models.Model):
    """A case of a unit; a case of the version without a row here was left out. Frozen."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="cases")
    unit = models.ForeignKey(SplitUnit, on_delete=models.PROTECT, related_name="cases")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["split", "case"], name="case_once_in_a_split")]

    def __str__(self) -> str:
        return f"{self.unit} {self.case}"
