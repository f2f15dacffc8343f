"""Forms about people. They only parse; services decide."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import Role, User
from annotator.specialties import LONGEST_SPECIALTY


class InviteForm(forms.Form):
    email = forms.EmailField(label=_("E-mail address"), max_length=254)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.GRADER)
    specialty = forms.CharField(
        label=_("Specialty"),
        max_length=LONGEST_SPECIALTY,
        required=False,
        widget=forms.TextInput(attrs={"list": "specialties", "autocomplete": "off"}),
    )
    both_sides_reason = forms.CharField(
        label=_("Reason for reading and seeing the work of others"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is shown on the study's page and kept in the log."),
    )


class JoinForm(forms.Form):
    """A new account for the invited address."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=User._meta.get_field("name").max_length,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=512,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 10 characters; a few words that do not belong together are easy to remember."),
    )
