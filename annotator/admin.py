"""The administrator's view of the tables. Everything is read-only but accounts; each use stands in the log."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotator.models import (
    Assignment,
    AuditEvent,
    AuditHead,
    Case,
    Image,
    Job,
    Membership,
    Reading,
    Revision,
    Study,
    User,
)

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

admin.site.site_header = _("Quorum administration")
admin.site.site_title = _("Quorum administration")


class ReadOnly(ModelAdmin):
    """To look, not to touch: changes go through services, which check and record them."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(ModelAdmin):
    """Accounts: who may create studies, who is active. Passwords are set by their owners."""

    list_display = ("name", "email", "is_active", "can_create_studies", "is_staff", "last_login")
    search_fields = ("name", "email")
    fields = ("name", "email", "is_active", "can_create_studies", "is_staff", "is_superuser")

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False  # readings and the log need their authors


@admin.register(Study)
class StudyAdmin(ReadOnly):
    list_display = ("name", "protocol", "state", "created_at")
    search_fields = ("name",)


@admin.register(Image)
class ImageAdmin(ReadOnly):
    list_display = ("public_id", "study", "width", "height", "device")
    list_select_related = ("study",)
    search_fields = ("public_id",)


@admin.register(Case)
class CaseAdmin(ReadOnly):
    list_display = ("public_id", "study", "number")
    list_select_related = ("study",)


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ("study", "user", "role", "code", "active")
    list_select_related = ("study", "user")


@admin.register(Assignment)
class AssignmentAdmin(ReadOnly):
    list_display = ("public_id", "grader", "round", "state")
    list_select_related = ("grader__user", "round")


@admin.register(Reading)
class ReadingAdmin(ReadOnly):
    list_display = ("assignment", "number", "submitted_at", "withdrawn_at", "set_aside_at")
    list_select_related = ("assignment",)


@admin.register(Revision)
class RevisionAdmin(ReadOnly):
    list_display = ("reading", "target", "kind", "answer", "label", "digest")
    list_select_related = ("reading__assignment", "target")
    exclude = ("runs",)


@admin.register(Job)
class JobAdmin(ReadOnly):
    list_display = ("public_id", "kind", "state", "owner", "created_at", "attempts")
    list_select_related = ("owner",)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly):
    list_display = ("chain", "number", "at", "actor", "action", "subject")
    list_select_related = ("actor",)
    list_filter = ("action",)


@admin.register(AuditHead)
class AuditHeadAdmin(ReadOnly):
    list_display = ("chain", "count", "digest")
