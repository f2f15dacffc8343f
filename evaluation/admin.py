"""The administrator's view of scores: to look, not to touch."""

from django.contrib import admin

from annotator.admin import ReadOnly, site
from evaluation.models import GraderScores


@admin.register(GraderScores, site=site)
class GraderScoresAdmin(ReadOnly):
    list_display = ("study", "version", "created_by", "created_at", "code_version")
    list_select_related = ("study", "version__study", "created_by")
