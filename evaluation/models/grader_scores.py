"""How the graders of a study score, as it was found at one time. Never changed; a later one takes its place."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models import Study
from annotator.models.constraints import SHA256
from consensus.models import DatasetVersion


class GraderScores(models.Model):
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="grader_scores")
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    code_version = models.CharField(max_length=40)
    inputs_digest = models.CharField(max_length=64, validators=[SHA256])  # of readings and references
    content = models.JSONField()

    class Meta:
        verbose_name = _("scores of graders")
        verbose_name_plural = _("scores of graders")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.study} {self.created_at:%Y-%m-%d}"
