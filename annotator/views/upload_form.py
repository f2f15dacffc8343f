"""What the organiser says about all files of one upload. It only parses; services decide."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.errors import DomainError
from annotator.formats.name_pattern import MAX_PATTERN
from annotator.models import Eye, Study
from annotator.selectors.recipes import recipe_of
from annotator.services.batches import Batch, Said
from annotator.services.images import LONGEST_DEVICE, LONGEST_PSEUDONYM, check_facts
from annotator.services.intake_desk import Facts
from protocols.names import CaseUnit


class BatchFacts(forms.Form):
    side = forms.ChoiceField(label=_("Eye"), choices=Eye.Side.choices, required=False, initial=Eye.Side.UNKNOWN)
    device = forms.CharField(label=_("Device"), max_length=LONGEST_DEVICE, required=False)
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

    metadata = forms.FileField(
        label=_("Table of the images"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=_(
            "A CSV file with a line for each image: file, subject, eye, position, device, um_per_px_x, um_per_px_y, "
            "stratum:NAME. It comes before the pattern, and the pattern before what is said for all files."
        ),
    )
    batch: Batch
    refusal: DomainError | None = None

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if recipe_of(study).case.unit is CaseUnit.EYE:
            self.fields["subject"].help_text = _(
                "A pseudonym. Photographs of the same subject and eye form one case. Left empty, each file is a case."
            )

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("subject") and said.get("pattern"):
            self.add_error("pattern", _("Give either one subject or a pattern."))
        if not self.errors:
            try:
                self._check()
            except DomainError as refusal:
                self.refusal = refusal
                self.add_error(refusal.field, refusal.message)
        return said

    def _check(self) -> None:
        said = self.cleaned_data
        table = said["metadata"]
        self.batch = Batch(
            Said(
                subject=said["subject"],
                side=said["side"] or Eye.Side.UNKNOWN,
                device=said["device"],
                um_per_px=said["um_per_px"],
                pattern=said["pattern"],
                table=None if table is None else table.read(),
            )
        )
        # What holds for all files is refused at its field, and not for each of them.
        check_facts(name="", facts=Facts(subject=said["subject"], device=said["device"]))
