"""What is asked when somebody makes a token."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotator.models import Scope, Study, User
from annotator.names import LONGEST_NAME
from annotator.selectors.tokens import studies_of_person
from annotator.views.assignment_form import Choice

EXPLAINED = {
    Scope.READ: _("See what you see: studies, images, your worklist, progress, challenges. No references."),
    Scope.REFERENCES: _("Fetch what was agreed and said: references, versions, splits; ask for exports and load them."),
    Scope.SUBMIT: _("Send in results to a challenge for your team, withdraw them, and read their scores."),
    Scope.GRADE: _("Answer your cases, and decide about references where you are senior or adjudicator."),
    Scope.MANAGE: _("Add images, assign, fuse, freeze, change settings; but neither invite people nor sign off."),
}
DAYS = (30, 90, 365)


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("What it is for and where it is kept, such as “notebook on the lab's server”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("May be used to"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("A token never allows more than your own roles do. Choose as little as the program needs."),
    )
    study = forms.ChoiceField(label=_("Study"), required=False)
    days = forms.ChoiceField(label=_("Valid for"), required=False)

    def of(self, person: User) -> "TokenForm":
        scopes = [(scope.value, Choice(str(scope.label), str(EXPLAINED[scope]))) for scope in Scope]
        studies = [(study.public_id, study.name) for study in studies_of_person(person)]
        days = [(str(count), ngettext("%(count)s day", "%(count)s days", count) % {"count": count}) for count in DAYS]
        self._offer("scopes", scopes)
        self._offer("study", [("", gettext("All my studies, later ones too")), *studies])
        self._offer("days", [*days, ("", gettext("Until I revoke it"))])
        return self

    def _offer(self, field: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]

    def wished(self, person: User) -> dict[str, Any]:
        """As the service takes it."""
        asked = self.cleaned_data
        study: Study | None = studies_of_person(person).filter(public_id=asked["study"]).first()
        days = int(asked["days"]) if asked["days"] else None
        return {"name": asked["name"], "scopes": asked["scopes"], "study": study, "days": days}
