"""One act that makes references: a study is fused in the background, a case decided, a discussion ended, or clinical
truth imported."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.ids import new_public_id
from annotator.models import Job, Study
from annotator.models.constraints import SHA256, both_or_neither, one_of


class RunKind(models.TextChoices):
    STUDY = "study", _("Whole study")
    CASE = "case", _("One case")
    IMPORT = "import", _("Import")
    DISCUSSION = "discussion", pgettext_lazy("consensus run", "Discussion")


class ConsensusRun(models.Model):
    """By which rules and which program references were made; a study's run is carried out by a job."""

    Kind = RunKind

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="consensus_runs")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, null=True, blank=True, related_name="consensus_run")
    recipe_digest = models.CharField(max_length=64, validators=[SHA256])
    rules = models.JSONField(_("rules"))
    estimates = models.JSONField(default=dict, blank=True)  # by target: prior and graders' confusion, over all cases
    code_version = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cases_total = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("consensus run")
        ordering = ["-pk"]
        constraints = [
            one_of("kind", RunKind, "run_kind_is_known"),
            both_or_neither(Q(kind="study"), Q(job__isnull=False), "study_run_has_a_job"),
        ]

    def __str__(self) -> str:
        return f"{self.study} {self.public_id}"
