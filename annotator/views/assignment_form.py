"""The choice of the assignment's rule. It only parses; services decide."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

EVERY, PER_CASE = "every", "per_case"


@dataclass(frozen=True)
class Choice:
    """A choice with a line that explains it, as the choice cards show it."""

    name: str
    description: str

    def __str__(self) -> str:
        return self.name


def _rules() -> list[tuple[str, Choice]]:
    every = Choice(gettext("Every grader reads every case"), gettext("The most readings; all graders can be compared."))
    per_case = Choice(
        gettext("A number of graders per case"), gettext("Shared out by lot, equally much for everybody.")
    )
    return [(EVERY, every), (PER_CASE, per_case)]


class AssignForm(forms.Form):
    rule = forms.ChoiceField(label=_("Rule"), choices=[], widget=forms.RadioSelect)
    graders_per_case = forms.IntegerField(label=_("Graders per case"), min_value=1, max_value=100, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rule = self.fields["rule"]
        assert isinstance(rule, forms.ChoiceField)
        rule.choices = _rules()

    @staticmethod
    def initial_for(per_case: int | None) -> dict[str, Any]:
        return {"rule": EVERY if per_case is None else PER_CASE, "graders_per_case": per_case}

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("rule") == PER_CASE and not said.get("graders_per_case") and "graders_per_case" not in self.errors:
            self.add_error("graders_per_case", _("Say how many graders read each case."))
        return said

    def per_case(self) -> int | None:
        """None: every grader reads every case."""
        return self.cleaned_data["graders_per_case"] if self.cleaned_data["rule"] == PER_CASE else None
