"""Who reads which case, in which round, in which order."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id, new_seed
from annotator.models.case import Case
from annotator.models.constraints import both_or_neither, one_of
from annotator.models.people import Membership
from annotator.models.study import Study


class RoundKind(models.TextChoices):
    MAIN = "main", _("Main reading")
    EXAM = "exam", _("Exam")
    REPEAT = "repeat", _("Hidden repeats")
    REGRADE = "regrade", _("Re-grading")
    SEND_BACK = "send_back", _("Sent back")
    ADJUDICATION = "adjudication", _("Adjudication")


class Round(models.Model):
    Kind = RoundKind

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="rounds")
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices, default=Kind.MAIN)
    number = models.PositiveSmallIntegerField(_("number"))
    seed = models.PositiveIntegerField(default=new_seed)  # every grader's own order can be made again from it
    opens = models.DateTimeField(_("opens"), null=True, blank=True)
    closes = models.DateTimeField(_("closes"), null=True, blank=True)
    # How the round is shared out, once it has been; `graders_per_case` empty: every grader reads every case.
    planned = models.BooleanField(default=False)
    graders_per_case = models.PositiveSmallIntegerField(null=True, blank=True)
    subjects_apart = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("round")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="round_number_is_unique_in_study"),
            one_of("kind", RoundKind, "round_kind_is_known"),
            models.CheckConstraint(
                condition=Q(opens__isnull=True) | Q(closes__isnull=True) | Q(closes__gt=F("opens")),
                name="round_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"


class AssignmentState(models.TextChoices):
    WAITING = "waiting", _("Not begun")
    STARTED = "started", _("Begun")
    SUBMITTED = "submitted", _("Submitted")
    WITHDRAWN = "withdrawn", _("Taken away")


class Assignment(models.Model):
    """One grader, one case, one round. Everything a grader sees is addressed by `public_id`, so that a hidden repeat of
    a case looks like any other case."""

    State = AssignmentState

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    grader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="assignments")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="assignments")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="assignments")
    repeat_of = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="repeats")
    mirrored = models.BooleanField(default=False)
    position = models.PositiveIntegerField()
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    lease_holder = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    skipped_at = models.DateTimeField(null=True, blank=True)  # put off by the grader; a submission clears it
    fellow_seen_at = models.DateTimeField(null=True, blank=True)  # when the other eye was first looked at
    submitted_at = models.DateTimeField(null=True, blank=True)
    # What the grader writes to the organiser, as it stands; a submission freezes a copy. Overwritten like a draft.
    comment = models.TextField(blank=True)
    comment_version = models.PositiveIntegerField(default=0)

    request = models.TextField(blank=True)  # why a senior sent the case back to this grader

    class Meta:
        verbose_name = _("assignment")
        ordering = ["position"]
        indexes = [models.Index(fields=["grader", "state", "position"], name="worklist")]
        constraints = [
            # Two constraints because NULLs are distinct: one for first readings, one for repeats.
            models.UniqueConstraint(
                fields=["grader", "case", "round"], condition=Q(repeat_of__isnull=True), name="one_first_reading"
            ),
            models.UniqueConstraint(fields=["grader", "case", "round", "repeat_of"], name="one_repeat_of_a_reading"),
            models.UniqueConstraint(fields=["grader", "round", "position"], name="position_is_unique_for_grader"),
            one_of("state", AssignmentState, "assignment_state_is_known"),
            both_or_neither(Q(lease_holder=""), Q(lease_until__isnull=True), "lease_has_holder_and_end"),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False), name="submission_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.public_id
