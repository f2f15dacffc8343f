"""Forms of the instructions. They only parse; services decide."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import TargetExample


class InstructionsForm(forms.Form):
    instructions = forms.CharField(
        label=_("Instructions"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text=_("Markdown: # heading, **bold**, *italic*, - list, 1. numbered list, [words](address), tables."),
    )
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class ExampleForm(forms.Form):
    file = forms.FileField(
        label=_("Picture"),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,.tif,.tiff,.bmp,.dcm"}),
        help_text=_("JPEG, PNG, TIFF, BMP or DICOM. What the file says about the patient is removed."),
    )
    caption = forms.CharField(
        label=_("Caption"), max_length=TargetExample._meta.get_field("caption").max_length, required=False
    )
