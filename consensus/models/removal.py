"""Graders who were removed, with all that is needed to take it back."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Case, Membership, Round, Study
from annotator.models.constraints import both_or_neither


class Removal(models.Model):
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="removals")
    grader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="removals")
    reason = models.TextField(_("reason"))
    removed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    removed_at = models.DateTimeField(auto_now_add=True)
    readings = models.JSONField()  # set aside, by row number
    withdrawn = models.JSONField()  # assignments taken away, with the state that they had
    was_active = models.BooleanField(default=True)  # had not left before; only then the grader comes back
    cases = models.ManyToManyField(Case, related_name="removals")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    taken_back_at = models.DateTimeField(null=True, blank=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("removal of a grader")
        verbose_name_plural = _("removals of graders")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="removal_has_a_reason"),
            both_or_neither(Q(taken_back_at__isnull=True), Q(taken_back_by__isnull=True), "taking_back_has_a_person"),
            models.UniqueConstraint(
                fields=["grader"], condition=Q(taken_back_at__isnull=True), name="one_removal_in_force"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.grader} {self.removed_at:%Y-%m-%d}"
