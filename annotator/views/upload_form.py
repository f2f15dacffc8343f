"""What the organiser says about all files of one upload. It only parses; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import Eye, Image, Study, Subject
from annotator.services.images import Facts
from protocols.names import CaseUnit
from protocols.recipe_data import from_data


class BatchFacts(forms.Form):
    side = forms.ChoiceField(label=_("Eye"), choices=Eye.Side.choices, required=False, initial=Eye.Side.UNKNOWN)
    subject = forms.CharField(
        label=_("Subject"),
        max_length=Subject._meta.get_field("pseudonym").max_length,
        required=False,
        help_text=_("A pseudonym, if all files are of one subject. Left empty, each file is a subject of its own."),
    )
    device = forms.CharField(label=_("Device"), max_length=Image._meta.get_field("device").max_length, required=False)
    um_per_px = forms.FloatField(
        label=_("µm per pixel"), min_value=1e-3, max_value=1e4, required=False, help_text=_("Left empty: not known.")
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if from_data(study.recipe).case.unit is CaseUnit.EYE:
            self.fields["subject"].help_text = _(
                "A pseudonym. Photographs of the same subject and eye form one case. Left empty, each file is a case."
            )

    def facts(self, name: str) -> Facts:
        """What is known about the file of this name."""
        said = self.cleaned_data
        return Facts(
            subject=said["subject"],
            side=said["side"] or Eye.Side.UNKNOWN,
            device=said["device"],
            um_per_px_x=said["um_per_px"],
            um_per_px_y=said["um_per_px"],
        )
