"""Forms of the overview pages; they only parse, the services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.models import Study


class DescriptionForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For the people of the study. Graders see it too: say nothing here about diagnoses or numbers."),
    )


class SettingsForm(DescriptionForm):
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Nobody can mend a hidden field, so its fault is told above the form."""
        if "version" in self.errors:
            self.add_error(None, gettext("The form was not complete. Reload the page and try once more."))
        return self.cleaned_data


class StateForm(forms.Form):
    version = forms.IntegerField(min_value=1)
    state = forms.ChoiceField(choices=Study.State.choices)


class DuplicateForm(forms.Form):
    name = forms.CharField(label=_("Name of the new study"), max_length=120)
    with_people = forms.BooleanField(
        label=_("Take the people along"),
        required=False,
        help_text=_("Everybody who is active keeps the same role in the new study."),
    )


class AccountForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_("Organisers of your studies see it; other graders never do."),
    )
    wants_reminders = forms.BooleanField(
        label=_("Letters when cases wait"),
        required=False,
        help_text=_("At most one every few days, when a round ends soon or you have not read for a week."),
    )
