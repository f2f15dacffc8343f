"""Clinical truth: what is known, and a table that says more; looked at before anything is written."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotator.access import May
from annotator.errors import DomainError
from annotator.views.base import StudyView, put_right
from annotator.views.taking_files import TakesFiles
from consensus.selectors.truth import TruthStanding, no_strata_words, standing_of_truth, strata_table
from consensus.services.truth import (
    LONGEST_TEXT,
    MOST_BYTES,
    Change,
    Table,
    TruthPlan,
    import_truth,
    needs_reason,
    plan_truth,
    uploaded_table,
)

MOST_SHOWN = 200  # changes listed in a preview, and lines that cannot be used
MOST_NUMBERS = 40  # cases named as missing


class TruthForm(forms.Form):
    """First with a file; then, to confirm, with the same bytes, so that nothing needs to be kept between the two."""

    file = forms.FileField(
        label=gettext_lazy("Table (CSV)"), required=False, widget=forms.FileInput(attrs={"accept": ".csv,text/csv"})
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy(
            "Where the clinic knows this from; kept with every answer. For example: clinical records, visual field and "
            "intra-ocular pressure."
        ),
    )
    name = forms.CharField(widget=forms.HiddenInput, required=False, max_length=255)
    table = forms.CharField(widget=forms.HiddenInput, required=False)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    reason = forms.CharField(
        label=gettext_lazy("Why does what is known change?"), max_length=LONGEST_TEXT, required=False
    )

    def clean_table(self) -> bytes:
        try:
            return base64.b64decode(self.cleaned_data["table"], validate=True)
        except (binascii.Error, ValueError):
            raise forms.ValidationError(_("The table did not arrive whole; choose the file again.")) from None


class TruthPage(TakesFiles, StudyView):
    may = May.MANAGE

    def most_bytes(self) -> int:
        return MOST_BYTES * 2  # the second time it comes as text, which is longer

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(TruthForm())

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = TruthForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._page(form, status=400)
        if "confirm" in request.POST:
            return self._confirmed(request, form)
        table = put_right(form, lambda: self._chosen(form))
        return self._page(form, table, status=400 if table is None else 200)

    def _chosen(self, form: TruthForm) -> Table:
        if "strata" in self.request.POST:
            content = strata_table(self.study)
            if not content:
                raise DomainError("no_strata", no_strata_words())
            return Table(_("strata of the image list"), content)
        file = form.cleaned_data["file"]
        if file is None:
            raise DomainError("no_file", _("Choose a file first."), field="file")
        return uploaded_table(str(file.name), file.size, file.read)

    def _confirmed(self, request: HttpRequest, form: TruthForm) -> HttpResponse:
        said = form.cleaned_data
        table = Table(said["name"] or _("table"), said["table"])
        try:
            run = import_truth(
                study=self.study,
                actor=self.user,
                table=table,
                source=said["source"],
                reason=said["reason"],
                seen=said["seen"],
            )
        except DomainError as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return self._page(form, table, status=refusal.status)
        count = run.references.count() if run else 0
        words = ngettext("%(count)s answer was imported.", "%(count)s answers were imported.", count)
        messages.success(request, words % {"count": f"{count:,}"})
        return redirect("study_truth", self.study.public_id)

    def _page(self, form: TruthForm, table: Table | None = None, status: int = 200) -> HttpResponse:
        standing = standing_of_truth(self.study)
        plan = plan_truth(study=self.study, table=table) if table is not None else None
        context = self.context(
            form=form,
            standing=[_standing(one) for one in standing],
            columns=[one.target for one in standing],
            has_strata=bool(standing and strata_table(self.study)),
            plan=plan,
            preview=_preview(plan, {one.target.row.key: _(one.target.asked.name) for one in standing})
            if plan
            else None,
            needs_reason=plan is not None and needs_reason(self.study, plan),
            sent=_sent(table, plan, form) if table and plan and not plan.faults else None,
        )
        return render(self.request, "consensus/truth.html", context, status=status)


def _sent(table: Table, plan: TruthPlan, form: TruthForm) -> dict[str, str]:
    """What the confirmation carries, so that it is about exactly this table."""
    content = base64.b64encode(table.content).decode()
    return {"name": table.name, "table": content, "seen": plan.digest, "source": form.cleaned_data.get("source", "")}


def _preview(plan: TruthPlan, names: Mapping[str, str]) -> dict[str, Any]:
    """`names`: what people call each target."""
    count = len(plan.changes)
    return {
        "faults": plan.faults[:MOST_SHOWN],
        "more_faults": max(0, len(plan.faults) - MOST_SHOWN),
        "rows": [_row(change) for change in plan.changes[:MOST_SHOWN]],
        "more_rows": max(0, count - MOST_SHOWN),
        "missing": [(names[key], _numbers(numbers), len(numbers)) for key, numbers in plan.missing.items()],
    }


def _row(change: Change) -> dict[str, Any]:
    return {
        "case": change.photograph.case.number,
        "photograph": change.photograph.position,
        "target": _(change.target.asked.name),
        "before": change.value_before,
        "after": change.value,
    }


def _standing(one: TruthStanding) -> dict[str, Any]:
    return {
        "name": _(one.target.asked.name),
        "key": one.target.row.key,
        "counts": [(one.target.name_of(label), count) for label, count in one.counts],
        "sources": one.sources,
        "missing": _numbers(one.missing),
        "missing_count": len(one.missing),
    }


def _numbers(cases: list[int]) -> str:
    shown = ", ".join(str(number) for number in cases[:MOST_NUMBERS])
    return shown + (" …" if len(cases) > MOST_NUMBERS else "")
