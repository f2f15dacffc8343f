"""The administrator's view of runs and references: to look, not to touch."""

from django.contrib import admin

from annotator.admin import ReadOnly, site
from consensus.models import Alert, CaseReview, ConsensusRun, DatasetVersion, Export, Reference, ReferenceInput, Split


@admin.register(ConsensusRun, site=site)
class ConsensusRunAdmin(ReadOnly):
    list_display = ("public_id", "study", "kind", "started_by", "created_at", "finished_at")
    list_select_related = ("study", "started_by")


@admin.register(Reference, site=site)
class ReferenceAdmin(ReadOnly):
    list_display = ("case", "target", "version", "state", "answer", "label", "digest")
    list_select_related = ("case__study", "target")
    list_filter = ("state",)
    exclude = ("runs", "votes")


@admin.register(ReferenceInput, site=site)
class ReferenceInputAdmin(ReadOnly):
    list_display = ("reference", "revision", "included", "reason")
    list_select_related = ("reference__case__study", "reference__target", "revision__reading__assignment")


@admin.register(CaseReview, site=site)
class CaseReviewAdmin(ReadOnly):
    list_display = ("case", "disagreement", "references_open", "deferred_at")
    list_select_related = ("case__study",)


@admin.register(DatasetVersion, site=site)
class DatasetVersionAdmin(ReadOnly):
    list_display = ("study", "number", "name", "made_by", "made_at", "signed_by", "digest")
    list_select_related = ("study", "made_by", "signed_by")


@admin.register(Split, site=site)
class SplitAdmin(ReadOnly):
    list_display = ("version", "number", "name", "unit", "made_by", "made_at", "digest")
    list_select_related = ("version__study", "made_by")


@admin.register(Export, site=site)
class ExportAdmin(ReadOnly):
    list_display = ("public_id", "version", "asked_by", "asked_at", "made_at", "sha256")
    list_select_related = ("version__study", "asked_by")


@admin.register(Alert, site=site)
class AlertAdmin(ReadOnly):
    list_display = ("grader", "target", "measure", "rate", "bound", "limit", "raised_at", "closed_at", "closed_by")
    list_select_related = ("grader__study", "closed_by")
