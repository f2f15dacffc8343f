"""What lets a person's own programs in, instead of the password."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import SHA256
from annotator.models.study import Study


class Scope(models.TextChoices):
    """What a token may be used for. It never allows more than the person may do."""

    READ = "read", _("Read")
    REFERENCES = "references", _("References")
    SUBMIT = "submit", _("Submit")
    GRADE = "grade", _("Grade")
    MANAGE = "manage", _("Manage")


class ApiToken(models.Model):
    """One program's way in. The table holds a digest of the secret only: whoever reads it cannot come in by it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=120)
    digest = models.CharField(max_length=64, unique=True, validators=[SHA256], editable=False)
    beginning = models.CharField(_("begins with"), max_length=12)  # by which its owner knows it again
    scopes = models.JSONField(_("scopes"), default=list)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=models.F("created_at")),
                name="token_expires_after_it_was_made",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"
