"""The truth about background work. A Celery message only rings the bell; this row says what is to be done."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import one_of
from annotator.models.study import Study


class JobState(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


class Job(models.Model):
    State = JobState

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    kind = models.CharField(_("kind"), max_length=40)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, null=True, blank=True, related_name="jobs")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="jobs")
    arguments = models.JSONField(default=dict)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.QUEUED)
    steps_done = models.PositiveIntegerField(default=0)
    steps_total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(
        max_length=120, blank=True
    )  # which attempt holds the job: host, process, its start and a random part
    heartbeat = models.DateTimeField(null=True, blank=True)
    cancel_asked = models.BooleanField(default=False)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="jobs_to_ring")]
        constraints = [
            one_of("state", JobState, "job_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state="running") | (Q(heartbeat__isnull=False) & ~Q(worker="")),
                name="running_job_has_a_heartbeat",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running"], finished_at__isnull=True)
                | Q(state__in=["done", "failed", "cancelled"], finished_at__isnull=False),
                name="finished_job_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"

    @property
    def finished(self) -> bool:
        return self.finished_at is not None
