"""What is asked about a file of annotations before it is looked at."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.annotation_wish import ImportWish
from annotator.formats.annotation_files import FORMATS
from annotator.models import Membership, Role, Study, Target
from annotator.services.annotation_uploads import LONGEST_SOURCE
from annotator.views.assignment_form import Choice

GRADER, FOLDERS, REFERENCES = "grader", "folders", "references"


class AnnotationForm(forms.Form):
    purpose = forms.ChoiceField(label=gettext_lazy("What are they?"), widget=forms.RadioSelect, initial=GRADER)
    grader = forms.CharField(
        label=gettext_lazy("Grader"),
        required=False,
        max_length=120,
        help_text=gettext_lazy(
            "A code of this study, such as G1, or a name. Somebody who is not in the study becomes one of its graders, "
            "under a code like all others, but can never sign in."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "graders"}),
    )
    format = forms.ChoiceField(label=gettext_lazy("Format"), initial="masks")
    target = forms.ChoiceField(
        label=gettext_lazy("Target"),
        required=False,
        help_text=gettext_lazy("Take this one only; then folders need not name it."),
    )
    called = forms.CharField(
        label=gettext_lazy("Names in the files"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("Where the files call targets otherwise: NAME=TARGET, separated by commas."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=LONGEST_SOURCE,
        help_text=gettext_lazy("Who made the annotations, with what and when; kept with them and told in exports."),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("A .zip or .tar.gz of the folder, or a single CSV, JSON or XML file."),
    )

    def of(self, study: Study) -> "AnnotationForm":
        targets = Target.objects.filter(study=study).order_by("position")
        self.fields["purpose"].choices = purposes()  # type: ignore[attr-defined]
        self.fields["format"].choices = [(one.name, _(one.title)) for one in FORMATS.values()]  # type: ignore[attr-defined]
        every = [("", _("All that the files name")), *((row.key, _(row.name)) for row in targets)]
        self.fields["target"].choices = every  # type: ignore[attr-defined]
        return self

    def clean_called(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for pair in filter(None, (part.strip() for part in self.cleaned_data["called"].split(","))):
            name, equals, target = (word.strip() for word in pair.rpartition("="))
            if not equals or not name or not target:
                raise forms.ValidationError(_("Write NAME=TARGET, such as optic_disc=disc."))
            found[name] = target
        return found

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("purpose") == GRADER and not (said.get("grader") or "").strip():
            self.add_error("grader", _("Name the grader."))
        return said

    def wish(self) -> ImportWish:
        said = self.cleaned_data
        return ImportWish(
            format=said["format"],
            as_reference=said["purpose"] == REFERENCES,
            grader=said["grader"].strip() if said["purpose"] == GRADER else "",
            by_folder=said["purpose"] == FOLDERS,
            target=said["target"],
            called=said["called"],
        )


def purposes() -> list[tuple[str, Choice]]:
    return [
        (GRADER, Choice(_("Readings of one grader"), _("Somebody of this study, or somebody who read elsewhere"))),
        (FOLDERS, Choice(_("Readings of several graders"), _("Folders or columns say whose each answer is"))),
        (REFERENCES, Choice(_("References"), _("What was agreed on elsewhere; it is not voted on"))),
    ]


def graders_offered(study: Study) -> list[tuple[str, str]]:
    rows = Membership.objects.filter(study=study, role=Role.GRADER).select_related("user").order_by("pk")
    return [(row.code, row.user.name) for row in rows]


class ConfirmForm(forms.Form):
    """To carry out what was looked at."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    without_rejected = forms.BooleanField(label=gettext_lazy("Import the others without them"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("Why are references that stand replaced?"), max_length=LONGEST_SOURCE, required=False
    )
