"""How far a phase's ranking can be trusted, as it was computed from certain scorecards. Never changed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.constraints import SHA256
from evaluation.models.challenge import Phase


class Leaderboard(models.Model):
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="leaderboards")
    made_at = models.DateTimeField(auto_now_add=True)
    code_version = models.CharField(max_length=40)
    inputs_digest = models.CharField(max_length=64, validators=[SHA256])  # of the scorecards that were ranked
    content = models.JSONField()

    class Meta:
        verbose_name = _("leaderboard")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "inputs_digest", "code_version"], name="ranked_once_by_one_program"
            )
        ]

    def __str__(self) -> str:
        return f"{self.phase} {self.made_at:%Y-%m-%d}"
