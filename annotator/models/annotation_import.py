"""Annotations that were made elsewhere come into a study: looked at first, then taken over as a whole."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import SHA256, both_or_neither
from annotator.models.job import Job
from annotator.models.study import Study


class AnnotationImport(models.Model):
    """A file or folder and what was wished of it. What was looked at but never taken over stays as a row without
    `applied_at`; its files go."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="annotation_imports")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    format = models.CharField(_("format"), max_length=40)
    file_name = models.CharField(_("file"), max_length=255)
    sha256 = models.CharField(max_length=64, validators=[SHA256])
    source = models.TextField(_("source"))  # who made the annotations, and how
    wish = models.JSONField(default=dict)  # as readings of whom, or as references; which target
    looking = models.ForeignKey(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    applying = models.ForeignKey(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    counts = models.JSONField(null=True, blank=True)  # of what was taken over
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("import of annotations")
        verbose_name_plural = _("imports of annotations")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(source=""), name="annotations_have_a_source"),
            both_or_neither(Q(applied_at__isnull=True), Q(counts__isnull=True), "applied_import_has_counts"),
        ]

    def __str__(self) -> str:
        return self.file_name
