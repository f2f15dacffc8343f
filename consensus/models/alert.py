"""A grader has crossed a limit of the recipe, with enough cases to mean it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Membership
from annotator.models.constraints import both_or_neither


class Alert(models.Model):
    """Raised at one look; an organiser closes it with a note, and counting begins anew."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    grader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="alerts")
    target = models.CharField(max_length=40)
    measure = models.CharField(_("measure"), max_length=20)
    limit = models.FloatField(_("limit"))
    look = models.PositiveIntegerField(_("look"))  # after so many final labels, or drawings, since counting began
    rate = models.FloatField(_("value"))
    of = models.PositiveIntegerField(_("cases"))  # on which the value rests
    bound = models.FloatField(_("bound"))  # one-sided; beyond the limit
    raised_at = models.DateTimeField(_("raised"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["grader", "target", "measure"],
                condition=Q(closed_at__isnull=True),
                name="one_open_alert_of_a_limit",
            ),
            both_or_neither(Q(closed_at__isnull=True), Q(closed_by__isnull=True), "closing_an_alert_has_a_person"),
            both_or_neither(Q(closed_at__isnull=True), Q(note=""), "closing_an_alert_has_a_note"),
        ]

    def __str__(self) -> str:
        return f"{self.grader.code} {self.target}:{self.measure}"

    @property
    def key(self) -> str:
        """As the recipe's limit is called."""
        return f"{self.target}:{self.measure}"
