"""What the organiser says about all files of one upload. It only parses; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.errors import DomainError
from annotator.formats.fault import Fault
from annotator.formats.name_pattern import MAX_PATTERN, Guess, NamePattern
from annotator.models import Eye, Image, Study, Subject
from annotator.selectors.recipes import recipe_of
from annotator.services.intake_desk import Facts
from protocols.names import CaseUnit

LONGEST_PSEUDONYM = Subject._meta.get_field("pseudonym").max_length or 0


class BatchFacts(forms.Form):
    side = forms.ChoiceField(label=_("Eye"), choices=Eye.Side.choices, required=False, initial=Eye.Side.UNKNOWN)
    device = forms.CharField(label=_("Device"), max_length=Image._meta.get_field("device").max_length, required=False)
    um_per_px = forms.FloatField(
        label=_("µm per pixel"), min_value=1e-3, max_value=1e4, required=False, help_text=_("Left empty: not known.")
    )
    subject = forms.CharField(
        label=_("Subject"),
        max_length=LONGEST_PSEUDONYM,
        required=False,
        help_text=_("A pseudonym, if all files are of one subject. Left empty, each file is a subject of its own."),
    )
    pattern = forms.CharField(
        label=_("Pattern of the file names"),
        max_length=MAX_PATTERN,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "{subject}_{eye}_{position}"}),
        help_text=_(
            "If the names say more, for example P017_OD_1.jpg. What stands at {subject} becomes the pseudonym, which "
            "seniors see: never a patient's name."
        ),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if recipe_of(study).case.unit is CaseUnit.EYE:
            self.fields["subject"].help_text = _(
                "A pseudonym. Photographs of the same subject and eye form one case. Left empty, each file is a case."
            )

    def clean_pattern(self) -> NamePattern | None:
        if not self.cleaned_data["pattern"]:
            return None
        try:
            return NamePattern(self.cleaned_data["pattern"])
        except Fault as fault:
            why = gettext(fault.message) % fault.params
            raise forms.ValidationError(_("This pattern cannot be used: %(fault)s."), params={"fault": why}) from None

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("subject") and said.get("pattern"):
            self.add_error("pattern", _("Give either one subject or a pattern."))
        return said

    def facts(self, name: str) -> Facts:
        """What is known about the file of this name."""
        said = self.cleaned_data
        guess = _guess(said["pattern"], name) if said["pattern"] else Guess(said["subject"], None, None)
        return Facts(
            subject=guess.subject,
            side=guess.eye or said["side"] or Eye.Side.UNKNOWN,
            order=guess.position,
            device=said["device"],
            um_per_px_x=said["um_per_px"],
            um_per_px_y=said["um_per_px"],
        )


def _guess(pattern: NamePattern, name: str) -> Guess:
    """A name that does not fit is refused: silently taken, its picture would stand under a subject of its own. It is
    this file's fault, so that the others go on."""
    guess = pattern.guess(name)
    if guess is None or not 1 <= len(guess.subject) <= LONGEST_PSEUDONYM:
        raise DomainError("name_does_not_fit", gettext("The file name does not fit the pattern."), field="file")
    return guess
