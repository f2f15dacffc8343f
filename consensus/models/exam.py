"""Entrance exams. The images of known truth are a study of their own, so that nothing of an exam can get into the
dataset, and one exam can admit to several studies."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models import Membership, Role, Study
from annotator.models.constraints import SHA256


class Exam(models.Model):
    """What has to be passed before somebody is given cases of `study`. Limits by role, as a recipe writes them."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.OneToOneField(Study, on_delete=models.PROTECT, related_name="exam")
    held_in = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="admits_to")
    limits = models.JSONField(_("limits"))
    shows_errors = models.BooleanField(_("candidates see their errors"), default=False)
    set_up_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    set_up_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("exam")
        constraints = [models.CheckConstraint(condition=~Q(study=F("held_in")), name="exam_is_a_study_of_its_own")]

    def __str__(self) -> str:
        return f"{self.held_in} → {self.study}"


class ExamResult(models.Model):
    """A candidate's exam as it was handed in and marked. Frozen; when the truth is corrected a further one is made."""

    exam = models.ForeignKey(Exam, on_delete=models.PROTECT, related_name="results")
    candidate = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="exam_results")
    number = models.PositiveSmallIntegerField()
    handed_in_at = models.DateTimeField()
    marks = models.JSONField()  # by role: limit, value, interval, images, met
    errors = models.JSONField(default=list, blank=True)  # case, photograph, target, said, truth
    passed_as_grader = models.BooleanField()
    passed_as_adjudicator = models.BooleanField()
    images = models.PositiveIntegerField()
    truth_digest = models.CharField(max_length=64, validators=[SHA256])

    class Meta:
        verbose_name = _("exam result")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "candidate", "number"], name="exam_result_number_is_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="exam_result_number_starts_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.candidate} {self.number}"

    def passed_as(self, role: str) -> bool:
        return self.passed_as_adjudicator if role == Role.ADJUDICATOR else self.passed_as_grader
