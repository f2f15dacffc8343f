"""A label on which graders differ goes round among them: who takes part in which turn, and what each says and why."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Membership, Revision
from annotator.models.constraints import both_or_neither
from consensus.models.reference import Reference


class DiscussionOutcome(models.TextChoices):
    AGREED = "agreed", _("All agree")
    QUORUM = "quorum", _("Enough agree")
    PASSED_ON = "passed_on", _("Passed on to the adjudicator")


class Discussion(models.Model):
    """About the version of a reference that the readings left open. It ends by itself when that version is followed by
    another, or when somebody who takes part has left; nothing is written then."""

    Outcome = DiscussionOutcome

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    reference = models.OneToOneField(Reference, on_delete=models.PROTECT, related_name="discussion")
    rounds = models.PositiveSmallIntegerField()
    quorum = models.FloatField()
    opened_at = models.DateTimeField(auto_now_add=True)
    awaits = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    awaits_since = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=10, choices=DiscussionOutcome.choices, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    result = models.OneToOneField(Reference, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    passed_on_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True)  # of an organiser who ends it

    class Meta:
        verbose_name = _("discussion")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome__in=["", *DiscussionOutcome.values]), name="discussion_outcome_is_known"
            ),
            both_or_neither(Q(outcome=""), Q(closed_at__isnull=True), "ended_discussion_has_an_outcome"),
            both_or_neither(Q(outcome=""), Q(awaits__isnull=False), "open_discussion_awaits_somebody"),
            both_or_neither(Q(outcome__in=["agreed", "quorum"]), Q(result__isnull=False), "agreement_has_a_result"),
            both_or_neither(Q(passed_on_by__isnull=True), Q(reason=""), "ending_a_discussion_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.reference}: discussion"


class Seat(models.Model):
    """One of those who discuss, with the answer that he or she came with. Turns go by `place`, drawn by lot. Frozen."""

    discussion = models.ForeignKey(Discussion, on_delete=models.PROTECT, related_name="seats")
    grader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["discussion", "place"]
        constraints = [
            models.UniqueConstraint(fields=["discussion", "grader"], name="one_seat_in_a_discussion"),
            models.UniqueConstraint(fields=["discussion", "place"], name="one_turn_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.discussion}: {self.place}"


class Statement(models.Model):
    """What somebody says in his or her turn, and why. Frozen."""

    discussion = models.ForeignKey(Discussion, on_delete=models.PROTECT, related_name="statements")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="statements")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40)
    signs = models.JSONField(default=list, blank=True)
    reason = models.TextField()
    said_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["discussion", "number"]
        constraints = [
            models.UniqueConstraint(fields=["discussion", "number"], name="statements_are_numbered"),
            models.CheckConstraint(condition=Q(number__gte=1), name="statements_start_at_one"),
            models.CheckConstraint(condition=~Q(label=""), name="statement_has_a_label"),
            models.CheckConstraint(condition=~Q(reason=""), name="statement_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.discussion}: {self.number}"
