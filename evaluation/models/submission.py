"""What teams send in, and how it was scored. A scorecard never changes; scoring again makes another."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Job, Team
from annotator.models.constraints import SHA256, both_or_neither
from consensus.models import DatasetVersion
from evaluation.models.challenge import EditionChoice, Phase


class Submission(models.Model):
    """An archive that was checked and taken. Its number is its place among those of the team in the phase."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField(_("number"))
    submitted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submitted_at = models.DateTimeField()
    file_name = models.CharField(_("file"), max_length=255)
    sha256 = models.CharField(max_length=64, validators=[SHA256])
    byte_count = models.PositiveBigIntegerField()
    note = models.CharField(_("note"), max_length=500, blank=True)
    job = models.ForeignKey(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="+")  # the latest
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("submission")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["phase", "team", "number"], name="submission_number_is_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="submission_number_starts_at_one"),
            both_or_neither(
                Q(withdrawn_at__isnull=True), Q(withdrawn_by__isnull=True), "submission_withdrawal_has_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team} {self.number}"

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_at is not None


class Scorecard(models.Model):
    """A submission scored against one version, by one edition and one program. Frozen."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="scorecards")
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="+")
    version_digest = models.CharField(max_length=64, validators=[SHA256])
    edition = models.CharField(max_length=10, choices=EditionChoice.choices)
    code_version = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)
    metrics = models.JSONField()  # by key; null where undefined
    intervals = models.JSONField()  # by key: low, high, and how many resamples
    cases = models.JSONField()  # one line per case, as the table of `score --out` has them
    notes = models.JSONField()
    evidence = models.BinaryField()  # what the metrics were computed from: to draw cases again with other entries

    class Meta:
        verbose_name = _("scorecard")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "version", "edition", "code_version"], name="scored_once_by_one_program"
            )
        ]

    def __str__(self) -> str:
        return f"{self.submission} {self.made_at:%Y-%m-%d}"
