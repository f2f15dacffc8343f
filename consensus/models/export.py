"""Archives of a frozen version that somebody asked for. The archive itself can be made again, byte for byte."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Job
from annotator.models.constraints import SHA256, both_or_neither
from consensus.models.dataset import DatasetVersion
from consensus.models.split import Split


class Export(models.Model):
    """Who took what out of the house, and what came of it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="exports")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, null=True, blank=True, related_name="exports")
    formats = models.JSONField(_("formats"))
    withheld = models.JSONField(_("parts whose answers are left out"), default=list, blank=True)
    language = models.CharField(_("language"), max_length=12)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="export")
    code_version = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64, blank=True, validators=[SHA256])
    byte_count = models.PositiveBigIntegerField(null=True, blank=True)
    file_count = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("export")
        ordering = ["-pk"]
        constraints = [
            both_or_neither(Q(made_at__isnull=True), Q(sha256=""), "made_export_has_a_digest"),
            both_or_neither(Q(made_at__isnull=True), Q(byte_count__isnull=True), "made_export_has_a_size"),
            both_or_neither(Q(made_at__isnull=True), Q(file_count__isnull=True), "made_export_counts_its_files"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.public_id}"

    @property
    def made(self) -> bool:
        return self.made_at is not None
