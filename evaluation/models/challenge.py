"""A challenge on a study's frozen dataset: phases with their windows and limits, and the cases of each by the names
under which teams know them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.ids import new_public_id
from annotator.models import Case, Image, Study
from annotator.models.constraints import one_of
from consensus.models import DatasetVersion, Split
from protocols.scoring_names import Counts, EditionKey


class EditionChoice(models.TextChoices):
    PAPER = EditionKey.PAPER.value, _("Paper: the formulas as printed")
    PUBLISHED = EditionKey.PUBLISHED.value, _("Published: the organisers' code and tables")


class CountsChoice(models.TextChoices):
    """Which of a team's submissions is ranked."""

    LAST = Counts.LAST.value, pgettext_lazy("submission", "The last one")
    BEST = Counts.BEST.value, pgettext_lazy("submission", "The best one")


class Challenge(models.Model):
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="challenges")
    name = models.CharField(_("name"), max_length=120)
    rules = models.TextField(_("rules"), blank=True)
    edition = models.CharField(_("edition"), max_length=10, choices=EditionChoice.choices)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("challenge")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="challenge_name_is_unique_in_study"),
            models.CheckConstraint(condition=~Q(name=""), name="challenge_has_a_name"),
            one_of("edition", EditionChoice, "challenge_edition_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.study}: {self.name}"


class Phase(models.Model):
    """A time window. `version` gives the references and may move on; the cases stay, see PhaseCase."""

    Counts = CountsChoice

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    challenge = models.ForeignKey(Challenge, on_delete=models.PROTECT, related_name="phases")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)  # the recipe's own phase; by it the recipe weighs phases
    name = models.CharField(_("name"), max_length=120)
    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="+")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    part = models.CharField(max_length=64, blank=True)
    opens_at = models.DateTimeField(_("opens"))
    closes_at = models.DateTimeField(_("closes"))
    limit = models.PositiveIntegerField(_("submissions of a team"), null=True, blank=True)  # None: as many as they like
    counts = models.CharField(_("what counts"), max_length=4, choices=Counts.choices, default=Counts.LAST)
    weight = models.FloatField(_("weight"), default=0.0)  # of the rank in this phase; 0: it does not enter the final
    shows_results = models.BooleanField(_("teams see their results"), default=False)
    shows_references = models.BooleanField(_("teams see single cases and references"), default=False)
    row_version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("phase")
        ordering = ["challenge", "position"]
        constraints = [
            models.UniqueConstraint(fields=["challenge", "position"], name="phase_position_is_unique"),
            models.UniqueConstraint(fields=["challenge", "key"], name="phase_key_is_unique"),
            models.CheckConstraint(condition=Q(closes_at__gt=F("opens_at")), name="phase_closes_after_it_opens"),
            models.CheckConstraint(condition=Q(limit__isnull=True) | Q(limit__gte=1), name="phase_limit_from_one"),
            models.CheckConstraint(condition=Q(weight__gte=0) & Q(weight__lte=1), name="phase_weight_is_a_share"),
            models.CheckConstraint(
                condition=Q(shows_references=False) | Q(shows_results=True), name="references_only_with_results"
            ),
            one_of("counts", CountsChoice, "phase_counts_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.challenge}: {self.name}"


class PhaseCase(models.Model):
    """A case under the name that teams know it by; drawn by lot, so that neither name nor order tells anything."""

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="cases")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="+")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=16)

    class Meta:
        ordering = ["phase", "name"]
        constraints = [
            models.UniqueConstraint(fields=["phase", "case"], name="case_once_in_a_phase"),
            models.UniqueConstraint(fields=["phase", "name"], name="case_name_is_unique_in_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.phase} {self.name}"
