"""A case on the senior's table: who has it open, whether it was put off, and how far its graders disagree."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models import Case, Membership, Reading
from annotator.models.constraints import SHA256, both_or_neither
from consensus.models.run import ConsensusRun


class CaseReview(models.Model):
    """One row per case that was fused. The numbers are rewritten with the references, in the same transaction."""

    case = models.OneToOneField(Case, on_delete=models.PROTECT, related_name="review")
    run = models.ForeignKey(ConsensusRun, on_delete=models.PROTECT, related_name="reviews")  # the last that wrote here
    readings = models.ManyToManyField(Reading, related_name="+")  # on which the present references rest
    rules_digest = models.CharField(max_length=64, validators=[SHA256])
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    tab = models.CharField(max_length=40, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    deferred_at = models.DateTimeField(null=True, blank=True)
    deferred_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    deferred_note = models.TextField(blank=True)
    references_open = models.PositiveSmallIntegerField(default=0)  # not decided by anybody yet
    measures = models.JSONField(default=dict, blank=True)  # of the whole case, such as the cup-to-disc ratio
    gci = models.FloatField(null=True, blank=True)
    distance_px = models.FloatField(null=True, blank=True)
    vcdr_spread = models.FloatField(null=True, blank=True)
    label_split = models.FloatField(null=True, blank=True)
    disagreement = models.FloatField(default=0)

    class Meta:
        verbose_name = _("review of a case")
        verbose_name_plural = _("reviews of cases")
        indexes = [models.Index(fields=["-disagreement"], name="by_disagreement")]
        constraints = [
            both_or_neither(Q(holder__isnull=True), Q(until__isnull=True), "table_lease_has_holder_and_end"),
            both_or_neither(Q(holder__isnull=True), Q(tab=""), "table_lease_has_a_window"),
            both_or_neither(Q(deferred_at__isnull=True), Q(deferred_by__isnull=True), "putting_off_has_a_person"),
            models.CheckConstraint(condition=Q(disagreement__range=(0, 1)), name="disagreement_from_0_to_1"),
        ]

    def __str__(self) -> str:
        return str(self.case)


class GraderLetter(models.Model):
    """How a grader is called at the senior's table: A, B, … drawn by lot, so that it says nothing about the person."""

    grader = models.OneToOneField(Membership, on_delete=models.PROTECT, related_name="table_letter")
    study = models.ForeignKey("annotator.Study", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="letter_is_unique_in_study")]

    def __str__(self) -> str:
        return self.letter

    @property
    def letter(self) -> str:
        """1 is A, 26 is Z, 27 is AA."""
        letters, rest = "", self.number
        while rest:
            rest, place = divmod(rest - 1, 26)
            letters = chr(ord("A") + place) + letters
        return letters
