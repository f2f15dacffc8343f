"""References, the agreed answers: a new version for every change, none ever overwritten."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import Case, Image, Revision, Target
from annotator.models.case import TargetKind
from annotator.models.constraints import SHA256, both_or_neither, one_of
from annotator.models.reading import PRESENT, Answer
from consensus.models.run import ConsensusRun
from protocols.names import ExclusionReason


class ReferenceState(models.TextChoices):
    IMPORTED = "imported", _("Imported")
    AUTOMATIC = "automatic", _("Automatic")
    ACCEPTED = "accepted", pgettext_lazy("reference", "Accepted")
    ADJUSTED = "adjusted", _("Adjusted")
    ADJUDICATED = "adjudicated", _("Adjudicated")
    DISCUSSED = "discussed", _("Agreed in discussion")


class ReferenceAnswer(models.TextChoices):
    """The answers of readings, and one more: the readings leave it open, and a person decides."""

    PRESENT = Answer.PRESENT.value, Answer.PRESENT.label
    NOT_VISIBLE = Answer.NOT_VISIBLE.value, Answer.NOT_VISIBLE.label
    ABSENT = Answer.ABSENT.value, Answer.ABSENT.label
    UNGRADABLE = Answer.UNGRADABLE.value, Answer.UNGRADABLE.label
    CANNOT_BE_DETERMINED = Answer.CANNOT_BE_DETERMINED.value, Answer.CANNOT_BE_DETERMINED.label
    UNDECIDED = "undecided", _("Undecided")


DECIDED = Q(state__in=["accepted", "adjusted", "adjudicated", "discussed"])
TOGETHER = Q(state="discussed", decided_at__isnull=False)  # by graders, of whom none decides alone and none is named
PIXELS = Q(kind__in=["mask", "ellipse", "objects"])
PLACED = Q(kind__in=["point", "polyline", "objects"])  # an ellipse's pixels are its reference, its axes a description


class Reference(models.Model):
    """The agreed answer to one target on one image, in one of its versions. Frozen."""

    State = ReferenceState
    Answer = ReferenceAnswer

    run = models.ForeignKey(ConsensusRun, on_delete=models.PROTECT, related_name="references")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="references")
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="+")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(_("version"))
    previous = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="following")
    restores = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=10, choices=TargetKind.choices)
    state = models.CharField(_("state"), max_length=12, choices=State.choices)
    answer = models.CharField(max_length=20, choices=Answer.choices, default=Answer.PRESENT)
    geometry = models.JSONField(null=True, blank=True)
    runs = models.BinaryField(null=True, blank=True)  # row-major run-length toggles, packed
    label = models.CharField(max_length=40, blank=True)
    signs = models.JSONField(default=list, blank=True)
    votes = models.BinaryField(null=True, blank=True)  # how many graders marked each pixel, packed
    measures = models.JSONField(default=dict, blank=True)
    inputs_digest = models.CharField(max_length=64, validators=[SHA256])
    digest = models.CharField(max_length=64, validators=[SHA256])  # of the content alone
    created_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    comment = models.TextField(blank=True)
    source = models.TextField(_("source"), blank=True)  # of imported truth: where the clinic knows it from
    displacement = models.JSONField(null=True, blank=True)  # of an adjustment: from the vote to what the senior drew

    class Meta:
        verbose_name = _("reference")
        ordering = ["case", "image", "target", "version"]
        indexes = [models.Index(fields=["case", "image", "target", "-version"], name="latest_reference")]
        constraints = [
            models.UniqueConstraint(fields=["case", "image", "target", "version"], name="reference_version_is_unique"),
            models.CheckConstraint(condition=Q(version__gte=1), name="reference_version_starts_at_one"),
            both_or_neither(Q(version=1), Q(previous__isnull=True), "first_version_follows_none"),
            one_of("kind", TargetKind, "reference_kind_is_known"),
            one_of("state", ReferenceState, "reference_state_is_known"),
            one_of("answer", ReferenceAnswer, "reference_answer_is_known"),
            both_or_neither(PRESENT & PIXELS, Q(runs__isnull=False), "drawn_references_have_runs"),
            models.CheckConstraint(
                condition=(PRESENT & PLACED & Q(geometry__isnull=False))
                | (PRESENT & Q(kind="ellipse"))
                | (~(PRESENT & PLACED) & Q(geometry__isnull=True)),
                name="placed_references_have_geometry",
            ),
            both_or_neither(PRESENT & Q(kind="label"), ~Q(label=""), "label_references_have_a_label"),
            models.CheckConstraint(
                condition=Q(decided_at__isnull=True, decided_by__isnull=True)
                | Q(decided_at__isnull=False, decided_by__isnull=False)
                | TOGETHER,
                name="decision_has_a_person",
            ),
            both_or_neither(DECIDED, Q(decided_at__isnull=False), "decided_references_have_a_decision"),
            both_or_neither(Q(state="imported"), ~Q(source=""), "imported_truth_has_a_source"),
            models.CheckConstraint(
                condition=Q(state="adjusted") | Q(displacement__isnull=True), name="only_adjustments_are_displaced"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case} {self.target} v{self.version}"

    @property
    def decided(self) -> bool:
        return self.decided_at is not None

    @property
    def stands_for(self) -> "Reference":
        """The version that was made by a run or a decision: this one, or the one that a taking back brought again."""
        return self if self.restores is None else self.restores


class Exclusion(models.TextChoices):
    """Why a reading was left out; the words are the recipes'."""

    FAILED = ExclusionReason.FAILED.value, _("Failed")
    WRONG_STRUCTURE = ExclusionReason.WRONG_STRUCTURE.value, _("Wrong structure")
    WRONG_EYE = ExclusionReason.WRONG_EYE.value, _("Wrong eye")
    ARTEFACT = ExclusionReason.ARTEFACT.value, _("Artefact")
    OTHER = ExclusionReason.OTHER.value, _("Other")


class ReferenceInput(models.Model):
    """A reading's answer that went into a reference, or was left out of it for a reason. Frozen."""

    reference = models.ForeignKey(Reference, on_delete=models.PROTECT, related_name="inputs")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    included = models.BooleanField(default=True)
    reason = models.CharField(max_length=16, choices=Exclusion.choices, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        verbose_name = _("input of a reference")
        verbose_name_plural = _("inputs of references")
        constraints = [
            models.UniqueConstraint(fields=["reference", "revision"], name="reading_once_in_a_reference"),
            both_or_neither(Q(included=True), Q(reason=""), "exclusion_has_a_reason"),
            models.CheckConstraint(condition=Q(reason__in=["", *Exclusion.values]), name="exclusion_reason_is_known"),
            models.CheckConstraint(condition=~Q(reason="other") | ~Q(note=""), name="another_reason_is_written_out"),
        ]

    def __str__(self) -> str:
        return f"{self.reference}: {self.revision}"
