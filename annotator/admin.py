"""The administrator's view of the tables. Everything is read-only but accounts; each use stands in the log."""

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _

from annotator.models import (
    ApiToken,
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
from annotator.services.account import note_account_change

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class Administration(admin.AdminSite):
    """Only what is registered below; what libraries offer (session rows, secrets of the second factor) is left out.

    Its own sign-in and change of password would pass by the throttle and the second factor.
    """

    site_header = site_title = _("Quorum administration")

    @method_decorator(secure_admin_login)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().login(request, extra_context)

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")

    def password_change_done(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")


site = Administration()


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


@admin.register(User, site=site)
class UserAdmin(ModelAdmin):
    """Accounts: who may create studies, who is active. Passwords are set by their owners."""

    list_display = ("name", "email", "is_active", "can_create_studies", "is_staff", "last_login")
    search_fields = ("name", "email")
    fields = ("name", "email", "is_active", "can_create_studies", "is_staff", "is_superuser")

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False  # readings and the log need their authors

    def save_model(self, request: HttpRequest, obj: User, form: "forms.ModelForm[User]", change: bool) -> None:
        before = User.objects.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        assert isinstance(request.user, User)
        note_account_change(person=obj, before=before, actor=request.user)


@admin.register(Authenticator, site=site)
class AuthenticatorAdmin(ReadOnly):
    """For somebody who has lost the telephone: the second factor can be taken away, its secret is never shown."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    exclude = ("data",)

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return isinstance(request.user, User) and request.user.is_superuser


@admin.register(ApiToken, site=site)
class ApiTokenAdmin(ReadOnly):
    """Whose programs come in. A token ends with its person's account, or when its person revokes it."""

    list_display = ("name", "user", "beginning", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("user",)


@admin.register(Study, site=site)
class StudyAdmin(ReadOnly):
    list_display = ("name", "protocol", "state", "created_at")
    search_fields = ("name",)


@admin.register(Image, site=site)
class ImageAdmin(ReadOnly):
    list_display = ("public_id", "study", "width", "height", "device")
    list_select_related = ("study",)
    search_fields = ("public_id",)


@admin.register(Case, site=site)
class CaseAdmin(ReadOnly):
    list_display = ("public_id", "study", "number")
    list_select_related = ("study",)


@admin.register(Membership, site=site)
class MembershipAdmin(ReadOnly):
    list_display = ("study", "user", "role", "code", "active")
    list_select_related = ("study", "user")


@admin.register(Assignment, site=site)
class AssignmentAdmin(ReadOnly):
    list_display = ("public_id", "grader", "round", "state")
    list_select_related = ("grader__user", "round")


@admin.register(Reading, site=site)
class ReadingAdmin(ReadOnly):
    list_display = ("assignment", "number", "submitted_at", "withdrawn_at", "set_aside_at")
    list_select_related = ("assignment",)


@admin.register(Revision, site=site)
class RevisionAdmin(ReadOnly):
    list_display = ("reading", "target", "kind", "answer", "label", "digest")
    list_select_related = ("reading__assignment", "target")
    exclude = ("runs",)


@admin.register(Job, site=site)
class JobAdmin(ReadOnly):
    list_display = ("public_id", "kind", "state", "owner", "created_at", "attempts")
    list_select_related = ("owner",)


@admin.register(AuditEvent, site=site)
class AuditEventAdmin(ReadOnly):
    list_display = ("chain", "number", "at", "actor", "action", "subject")
    list_select_related = ("actor",)
    list_filter = ("action",)


@admin.register(AuditHead, site=site)
class AuditHeadAdmin(ReadOnly):
    list_display = ("chain", "count", "digest")
