"""The plan of a split as a form: one row per part. It only parses; services decide."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.errors import DomainError
from annotator.names import LONGEST_NAME, checked_name
from consensus.services.splitting import LARGEST_SEED
from consensus.splitting.asked import Asked, AskedPart
from protocols.scoring_names import SplitUnit

ROWS = 12
AMOUNT = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*(%?)\s*")
FACTS = ("amount", "device", "leaves_out", "wanted")  # what a row can say besides its name
COUNTED = re.compile(r"(.+?)[\s:]+(\d+)")


@dataclass(frozen=True)
class Variable:
    """By which cases can be told apart: what people call it, and the values that cases have, with their names."""

    key: str
    name: str
    values: Mapping[str, str]

    @property
    def allowed(self) -> str:
        """How its values can be written."""
        known = sorted(self.values.items())
        return ", ".join(key if key.casefold() == name.casefold() else f"{key} ({name})" for key, name in known)

    def is_called(self, word: str) -> bool:
        return word.casefold() in ("", self.key.casefold(), self.name.casefold())

    def value(self, word: str) -> str | None:
        """The value itself, or the one of that name."""
        if word in self.values:
            return word
        return next((key for key, name in self.values.items() if word.casefold() == name.casefold()), None)


class SplitForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    unit = forms.ChoiceField(label=_("Kept together"), choices=[], widget=forms.RadioSelect)
    stratify_by = forms.MultipleChoiceField(
        label=_("Balanced by"),
        choices=[],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Every part gets the same share of each value."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_("The same seed draws the same split again; another one draws another."),
    )

    def __init__(self, *args: Any, variables: Mapping[str, str], each: SplitUnit, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices("stratify_by", list(variables.items()))
        alone = gettext("Nothing: a subject may be in two parts")
        self._choices("unit", [(SplitUnit.SUBJECT.value, gettext("All cases of a subject")), (each.value, alone)])

    def _choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def asked(self, parts: tuple[AskedPart, ...]) -> Asked:
        said = self.cleaned_data
        return Asked(SplitUnit(said["unit"]), parts, tuple(said["stratify_by"]), said["seed"])


class PartForm(forms.Form):
    """An empty row is no part. `keys`: names of parts that the recipe knows, with its keys for them."""

    part = forms.CharField(label=_("Part"), max_length=60, required=False)
    amount = forms.CharField(label=_("Cases or share"), max_length=20, required=False)
    device = forms.ChoiceField(label=_("Only of this device"), choices=[], required=False)
    leaves_out = forms.CharField(label=_("Leaves out"), max_length=200, required=False)
    wanted = forms.CharField(label=_("More or fewer of"), max_length=200, required=False)

    def __init__(
        self, *args: Any, devices: list[str], variables: Sequence[Variable], keys: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._variables, self._keys = variables, keys
        device = self.fields["device"]
        assert isinstance(device, forms.ChoiceField)
        device.choices = [("", gettext("Any")), *((one, one) for one in devices if one)]
        if not variables:
            del self.fields["leaves_out"], self.fields["wanted"]

    def clean_part(self) -> str:
        said: str = self.cleaned_data["part"]
        try:
            return checked_name(said, missing="") if said else ""
        except DomainError as refusal:
            raise forms.ValidationError(refusal.message) from None

    def clean_amount(self) -> tuple[int | None, float | None]:
        said = self.cleaned_data["amount"]
        if not said:
            return None, None
        found = AMOUNT.fullmatch(said)
        number = float(found[1].replace(",", ".")) if found else 0.0
        if found is None or number <= 0 or (not found[2] and not number.is_integer()):
            raise forms.ValidationError(_("Give a number such as 400, or a share such as “33.3 %”."))
        return (None, number / 100) if found[2] else (int(number), None)

    def clean_leaves_out(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._value(word) for word in _words(self.cleaned_data["leaves_out"]))

    def clean_wanted(self) -> tuple[tuple[str, str, int], ...]:
        wanted = []
        for word in _words(self.cleaned_data["wanted"]):
            found = COUNTED.fullmatch(word)
            if found is None:
                raise forms.ValidationError(_("Give a value and a number, such as RG 1600."))
            wanted.append((*self._value(found[1].strip()), int(found[2])))
        return tuple(wanted)

    def _value(self, word: str) -> tuple[str, str]:
        """`variable = value`, or the value alone where only one variable has it."""
        variable, _equals, value = (part.strip() for part in word.rpartition("="))
        named = [(one.key, one.value(value)) for one in self._variables if one.is_called(variable)]
        holders = [(key, known) for key, known in named if known is not None]
        if len(holders) != 1:
            message = (
                _("“%(word)s” is not a value of one variable.")
                if not holders
                else _("“%(word)s” is a value of several variables: write variable = value.")
            )
            raise forms.ValidationError(message, params={"word": word})
        return holders[0]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if (
            "part" not in self.errors
            and not said.get("part")
            and any(self.data.get(self.add_prefix(name)) for name in FACTS)
        ):
            self.add_error("part", _("Name this part."))
        if said.get("part") and said.get("amount") == (None, None):
            self.add_error("amount", _("Say how many cases it gets."))
        return said

    def asked_part(self, taken: set[str]) -> AskedPart | None:
        said = self.cleaned_data
        if not said["part"]:
            return None
        size, share = said["amount"]
        name = said["part"]
        key = self._keys.get(name) or slugify(name)[:56] or "part"
        key = next(one for one in (key, *(f"{key}-{n}" for n in range(2, 99))) if one not in taken)
        taken.add(key)
        return AskedPart(key, name, size, share, said["device"], said.get("leaves_out", ()), said.get("wanted", ()))


def _words(said: str) -> list[str]:
    return [word.strip() for word in said.split(",") if word.strip()]


def said_of(part: AskedPart) -> dict[str, str]:
    """A part as its row says it."""
    share = f"{100 * (part.share or 0):.4f}".rstrip("0").rstrip(".")
    return {
        "part": part.name,
        "amount": str(part.size) if part.size is not None else f"{share} %",
        "device": part.device,
        "leaves_out": ", ".join(f"{variable} = {value}" for variable, value in part.leaves_out),
        "wanted": ", ".join(f"{variable} = {value} {about}" for variable, value, about in part.wanted),
    }
