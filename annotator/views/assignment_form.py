"""The choice of the assignment's rule. It only parses; services decide."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.services.assignments import Rule

EVERY, PER_CASE = "every", "per_case"
MOST_FIRST = 10_000


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

    subjects_apart = forms.BooleanField(
        label=_("Keep the cases of one subject apart"),
        required=False,
        help_text=_("In nobody's list do two of them follow one another, as far as the cases allow it."),
    )
    first = forms.CharField(
        label=_("Read first"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"placeholder": "12, 40-60"}),
        help_text=_(
            "Numbers of cases that stand at the head of every list. What is assigned already stays where it is."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rule = self.fields["rule"]
        assert isinstance(rule, forms.ChoiceField)
        rule.choices = _rules()

    @staticmethod
    def initial_for(rule: Rule) -> dict[str, Any]:
        kind = EVERY if rule.graders_per_case is None else PER_CASE
        return {"rule": kind, "graders_per_case": rule.graders_per_case, "subjects_apart": rule.subjects_apart}

    def clean_first(self) -> list[int]:
        return case_numbers(self.cleaned_data["first"])

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("rule") == PER_CASE and not said.get("graders_per_case") and "graders_per_case" not in self.errors:
            self.add_error("graders_per_case", _("Say how many graders read each case."))
        return said

    def wish(self) -> dict[str, Any]:
        """As the services take it."""
        said = self.cleaned_data
        per_case = said["graders_per_case"] if said["rule"] == PER_CASE else None
        return {"rule": Rule(per_case, said["subjects_apart"]), "first": said["first"]}


def case_numbers(text: str) -> list[int]:
    """“12, 40-60” as numbers in their order."""
    numbers: set[int] = set()
    for part in text.replace("–", "-").split(","):
        ends = [end.strip() for end in part.split("-")]
        if not part.strip():
            continue
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) <= 7 for end in ends):
            raise forms.ValidationError(_("“%(part)s” is no number of a case."), params={"part": part.strip()[:40]})
        first, last = int(ends[0]), int(ends[-1])
        if last < first or last - first >= MOST_FIRST or len(numbers) > MOST_FIRST:
            raise forms.ValidationError(_("“%(part)s” is no range of cases."), params={"part": part.strip()[:40]})
        numbers |= set(range(first, last + 1))
    return sorted(numbers)
