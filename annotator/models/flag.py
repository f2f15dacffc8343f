"""A grader's question to the organiser about one case ("wrong eye?"), and what came back."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.assignment import Assignment
from annotator.models.constraints import both_or_neither
from annotator.models.people import User


class Flag(models.Model):
    """Open until an organiser closes it, with an answer or without one. A case has at most one open flag per grader."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="flags")
    comment = models.TextField(_("comment"))
    raised_at = models.DateTimeField()
    answer = models.TextField(_("answer"), blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)  # when the grader saw that it was closed

    class Meta:
        verbose_name = _("flag")
        ordering = ["raised_at", "pk"]
        indexes = [models.Index(fields=["closed_at", "raised_at"], name="open_flags_by_age")]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(closed_at__isnull=True), name="one_open_flag_per_assignment"
            ),
            models.CheckConstraint(condition=~Q(comment=""), name="flag_has_a_comment"),
            both_or_neither(Q(closed_at__isnull=True), Q(closed_by__isnull=True), "closing_has_a_person"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=False) | (Q(answer="") & Q(seen_at__isnull=True)),
                name="only_a_closed_flag_is_answered_and_seen",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} {self.comment[:40]}"
