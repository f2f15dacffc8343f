"""A study: one agreed way of reading, applied to one set of images by one group of people."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.ids import new_public_id
from annotator.models.constraints import SHA256, one_of


class StudyState(models.TextChoices):
    SETUP = "setup", _("Being set up")
    READING = "reading", pgettext_lazy("study", "Reading")
    CLOSED = "closed", pgettext_lazy("study", "Closed")


class Study(models.Model):
    State = StudyState

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("name"), max_length=120, unique=True)
    description = models.TextField(_("description"), blank=True)
    protocol = models.CharField(_("base protocol"), max_length=20)
    recipe = models.JSONField(_("recipe"))
    recipe_digest = models.CharField(max_length=64, validators=[SHA256])
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.SETUP)
    only_qualified = models.BooleanField(_("only for those who passed an exam"), default=False)
    version = models.PositiveIntegerField(default=1)  # raised by every change of the study itself
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("study")
        verbose_name_plural = _("studies")
        ordering = ["name"]
        constraints = [
            one_of("state", StudyState, "study_state_is_known"),
            models.CheckConstraint(condition=~models.Q(name=""), name="study_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name
