"""Versions of the finished dataset: which references, readings and images it holds, by digest. Never changed."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Case, Image, Reading, Study
from annotator.models.constraints import SHA256, both_or_neither
from consensus.models.reference import Reference


class DatasetVersion(models.Model):
    """What a study had agreed on at one time. Frozen; splits, exports and scores name one."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="dataset_versions")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=120)
    note = models.TextField(_("note"), blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    recipe_digest = models.CharField(max_length=64, validators=[SHA256])
    code_version = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, validators=[SHA256])  # of the manifest, byte for byte
    counts = models.JSONField()
    # The study's log as it was then, this version's own row included: a log that was cut off does not fit.
    log_rows = models.PositiveBigIntegerField(default=0)
    log_digest = models.CharField(max_length=64, blank=True, default="", validators=[SHA256])
    signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    signed_at = models.DateTimeField(null=True, blank=True)
    meaning = models.TextField(blank=True)  # the words that were signed

    class Meta:
        verbose_name = _("version of the dataset")
        verbose_name_plural = _("versions of the dataset")
        ordering = ["study", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="dataset_number_is_unique_in_study"),
            models.CheckConstraint(condition=Q(number__gte=1), name="dataset_number_starts_at_one"),
            models.CheckConstraint(condition=~Q(name=""), name="dataset_has_a_name"),
            both_or_neither(Q(signed_at__isnull=True), Q(signed_by__isnull=True), "sign_off_has_a_person"),
            both_or_neither(Q(signed_at__isnull=True), Q(meaning=""), "sign_off_has_a_meaning"),
        ]

    def __str__(self) -> str:
        return f"{self.study} v{self.number}"

    @property
    def signed(self) -> bool:
        return self.signed_at is not None


class DatasetCase(models.Model):
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="cases")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="+")
    strata = models.JSONField(default=dict, blank=True)  # as they were: splits are balanced by them

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "case"], name="case_once_in_a_dataset")]

    def __str__(self) -> str:
        return f"{self.version} {self.case}"


class DatasetImage(models.Model):
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="images")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="+")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    sha256 = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "image"], name="image_once_in_a_dataset")]

    def __str__(self) -> str:
        return f"{self.version} {self.image}"


class DatasetReference(models.Model):
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="references")
    reference = models.ForeignKey(Reference, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "reference"], name="reference_once_in_a_dataset")]

    def __str__(self) -> str:
        return f"{self.version} {self.reference}"


class DatasetReading(models.Model):
    """A reading on which the references rest; its digest covers every answer in it."""

    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="readings")
    reading = models.ForeignKey(Reading, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "reading"], name="reading_once_in_a_dataset")]

    def __str__(self) -> str:
        return f"{self.version} {self.reading}"
