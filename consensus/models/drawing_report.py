"""Every drawing of a study beside the vote of the others, as it was found at one time. Never changed; a later one takes
its place."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models import Study
from annotator.models.constraints import SHA256


class DrawingReport(models.Model):
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="drawing_reports")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    code_version = models.CharField(max_length=40)
    inputs_digest = models.CharField(max_length=64, validators=[SHA256])  # of the readings, and of who was left out
    content = models.JSONField()  # by target and grader's code: case, when it was read, value, share or dx and dy

    class Meta:
        verbose_name = _("report of drawings")
        verbose_name_plural = _("reports of drawings")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.study} {self.created_at:%Y-%m-%d}"
