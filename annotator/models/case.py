"""Cases, what is read as one, and targets, what is to be marked or answered."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import SHA256, one_of
from annotator.models.image import Image, ServedFormat
from annotator.models.study import Study


class Case(models.Model):
    """What is read, agreed on, split and scored: one image, or the photographs of one eye."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="cases")
    number = models.PositiveIntegerField(_("number"))
    images = models.ManyToManyField(Image, through="CaseImage", related_name="cases")
    strata = models.JSONField(
        _("strata"), default=dict, blank=True
    )  # clinical truth and device: never shown to graders
    priority = models.PositiveSmallIntegerField(_("priority"), default=0)

    class Meta:
        verbose_name = _("case")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="case_number_is_unique_in_study"),
            models.CheckConstraint(condition=Q(number__gte=1), name="case_number_starts_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.study} {self.number}"


class CaseImage(models.Model):
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="case_images")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="case_images")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["case", "position"], name="case_position_is_unique"),
            models.UniqueConstraint(fields=["image"], name="image_in_one_case"),
            models.CheckConstraint(condition=Q(position__gte=1), name="case_position_starts_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.case} [{self.position}]"


class TargetKind(models.TextChoices):
    ELLIPSE = "ellipse", _("Tilted ellipse")
    MASK = "mask", _("Mask")
    OBJECTS = "objects", _("Objects")
    POINT = "point", _("Point")
    POLYLINE = "polyline", _("Polyline")
    LABEL = "label", _("Label")


class TargetSource(models.TextChoices):
    GRADED = "graded", _("Graders")
    SENIOR = "senior", _("The senior")
    IMPORTED = "imported", _("The clinic (imported)")


class Target(models.Model):
    """A row per target of the study's recipe, so that answers can point at it; carries the instructions."""

    Kind = TargetKind
    Source = TargetSource

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="targets")
    key = models.SlugField(_("key"), max_length=40)
    name = models.CharField(_("name"), max_length=80)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    position = models.PositiveSmallIntegerField()
    source = models.CharField(_("answered by"), max_length=10, choices=Source.choices, default=Source.GRADED)
    instructions = models.TextField(_("instructions"), blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("target")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="target_key_is_unique_in_study"),
            models.UniqueConstraint(fields=["study", "position"], name="target_position_is_unique"),
            one_of("kind", TargetKind, "target_kind_is_known"),
            one_of("source", TargetSource, "target_source_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class TargetExample(models.Model):
    """A picture that shows graders what is meant; it is not an image of the study."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="examples")
    sha256 = models.CharField(max_length=64, validators=[SHA256])
    served_format = models.CharField(max_length=8, choices=ServedFormat.choices)
    caption = models.CharField(_("caption"), max_length=200, blank=True)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["target", "position"], name="example_position_is_unique")]

    def __str__(self) -> str:
        return self.caption or self.public_id
