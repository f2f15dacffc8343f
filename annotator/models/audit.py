"""The log: append-only, one chain per study, each row sealed with a key that is not in the database."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models.constraints import SHA256
from annotator.models.study import Study


class AuditEvent(models.Model):
    chain = models.CharField(max_length=24)  # a study's public id, or "system"
    number = models.PositiveBigIntegerField()
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, blank=True, related_name="audit_events")
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    action = models.CharField(_("what"), max_length=60)
    subject = models.CharField(_("of what"), max_length=120, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    previous_digest = models.CharField(max_length=64, validators=[SHA256])
    digest = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        verbose_name = _("audit event")
        ordering = ["chain", "number"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="audit_number_is_unique_in_chain"),
            models.CheckConstraint(condition=Q(number__gte=1), name="audit_number_starts_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.chain} {self.number} {self.action}"

    def sealed_fields(self) -> dict[str, Any]:
        """Everything in the row that a reader relies on."""
        return {
            "chain": self.chain,
            "number": self.number,
            "study": self.study_id,
            "at": self.at.isoformat(),
            "actor": self.actor_id,
            "action": self.action,
            "subject": self.subject,
            "before": self.before,
            "after": self.after,
        }


class AuditHead(models.Model):
    """How long a chain is and what its last row's digest is, so that a cut-off end is found."""

    chain = models.CharField(max_length=24, unique=True)
    count = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, validators=[SHA256])
    seal = models.CharField(max_length=64, validators=[SHA256])

    def __str__(self) -> str:
        return f"{self.chain}: {self.count}"
