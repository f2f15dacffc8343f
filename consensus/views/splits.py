"""Splitting a version: the plan, what it would give, and the pages of splits that were kept."""

import csv
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import DomainError
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from consensus.models import DatasetVersion, Split
from consensus.selectors.datasets import version_of
from consensus.selectors.split_facts import CaseFacts, facts_of, variables_of
from consensus.selectors.splits import cases_of, split_of
from consensus.services.splitting import Drawing, draw_split, make_split
from consensus.splitting.asked import Asked, AskedPart, as_published, made_whole
from consensus.views.split_form import ROWS, PartForm, SplitForm, Variable, said_of
from consensus.views.split_tables import balance_shown, plan_rows
from consensus.views.words import value_name
from protocols.scoring_names import SplitUnit


class NewSplitPage(StudyView):
    """The protocol's own split is proposed. A preview draws it; keeping it draws the same once more and writes it."""

    may = May.FREEZE

    def get(self, request: HttpRequest, study_id: str, version_id: str) -> HttpResponse:
        version = version_of(self.study, version_id)
        facts = facts_of(version)
        labels = {pair for one in facts.values() for pair in one.values.items()}
        proposed = as_published(recipe_of(self.study), len(facts), {one.device for one in facts.values()}, labels)
        known = variables_of(version, facts.values())
        initial = {
            "name": _("As in the paper"),
            "unit": proposed.unit.value,
            "stratify_by": [key for key in proposed.stratify_by if key in known],
            "seed": proposed.seed,
        }
        rows = [said_of(part) for part in proposed.parts]
        desk = _Desk(version, facts)
        return self._shown(desk, desk.form(initial=initial), desk.part_forms(rows=rows))

    def post(self, request: HttpRequest, study_id: str, version_id: str) -> HttpResponse:
        version = version_of(self.study, version_id)
        desk = _Desk(version, facts_of(version))
        form, rows = desk.form(request.POST), desk.part_forms(request.POST)
        asked = desk.asked(form, rows)
        if asked is None:
            return self._shown(desk, form, rows, status=400)
        try:
            drawing = draw_split(version, asked)
            if "keep" in request.POST:
                if request.POST.get("seen", drawing.digest()) == drawing.digest():
                    wish = {"version": version, "name": form.cleaned_data["name"], "asked": asked}
                    split = make_split(actor=self.user, **wish)
                    messages.success(request, _("The split was made."))
                    return redirect("split", study_id, split.public_id)
                form.add_error(None, _("The plan was changed after the preview. This is what it gives now."))
        except DomainError as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return self._shown(desk, form, rows, status=refusal.status)
        return self._shown(desk, form, rows, asked, drawing, status=409 if form.errors else 200)

    def _shown(
        self,
        desk: "_Desk",
        form: SplitForm,
        rows: list[PartForm],
        asked: Asked | None = None,
        drawing: Drawing | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """With what it gives where it could be drawn."""
        context = self.context(version=desk.version, form=form, rows=rows, variables=desk.variables)
        if asked and drawing:
            balance = balance_shown(recipe_of(self.study), asked, drawing.report)
            context |= {"balance": balance, "seen": drawing.digest()}
        return render(self.request, "consensus/split_new.html", context, status=status)


class _Desk:
    """The forms of one version, which know its variables, values and devices."""

    def __init__(self, version: DatasetVersion, facts: dict[int, CaseFacts]) -> None:
        self.version, self._recipe = version, recipe_of(version.study)
        self._names = {key: _(name) for key, name in variables_of(version, facts.values()).items()}
        self._devices = sorted({one.device for one in facts.values()})
        found: dict[str, set[str]] = {}
        for one in facts.values():
            for key, value in one.values.items():
                found.setdefault(key, set()).add(value)
        self.variables = [
            Variable(key, name, {value: value_name(self._recipe, key, value) for value in found[key] if value})
            for key, name in self._names.items()
        ]

    def form(self, data: Any = None, initial: dict[str, Any] | None = None) -> SplitForm:
        unit = self._recipe.split.unit
        each = unit if unit is not SplitUnit.SUBJECT else SplitUnit.IMAGE
        return SplitForm(data, initial=initial, variables=self._names, each=each)

    def part_forms(self, data: Any = None, rows: list[dict[str, str]] | None = None) -> list[PartForm]:
        keys = {part.name: part.key for part in self._recipe.split.parts}
        return [
            PartForm(
                data,
                initial=rows[at] if rows and at < len(rows) else None,
                prefix=f"part{at}",
                devices=self._devices,
                variables=self.variables,
                keys=keys,
            )
            for at in range(_rows(data, rows))
        ]

    def asked(self, form: SplitForm, rows: list[PartForm]) -> Asked | None:
        """None where something could not be understood; the forms say what."""
        if not all([form.is_valid(), *(row.is_valid() for row in rows)]):
            return None
        taken: set[str] = set()
        parts: list[AskedPart] = []
        for row in rows:
            part = row.asked_part(taken)
            if part is not None and part.name in [other.name for other in parts]:
                row.add_error("part", _("Two parts have the same name."))
                return None
            parts += [part] if part is not None else []
        return form.asked(made_whole(parts))


def _rows(data: Any, rows: list[dict[str, str]] | None) -> int:
    """As many as are filled in, and one more."""
    if data is None:
        return min(ROWS, len(rows or ()) + 1)
    filled = [at for at in range(ROWS) if data.get(f"part{at}-part")]
    sent = [at for at in range(ROWS) if f"part{at}-part" in data]
    return min(ROWS, max(max(sent, default=0), max(filled, default=0) + 1) + 1)


class SplitPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, split_id: str) -> HttpResponse:
        split = split_of(self.study, split_id)
        recipe, asked = recipe_of(self.study), Asked.from_data(split.plan)
        context = self.context(
            split=split,
            version=split.version,
            plan=[(_("Kept together"), Split.Unit(split.unit).label), *plan_rows(asked, recipe)],
            balance=balance_shown(recipe, asked, split.report),
        )
        return render(request, "consensus/split.html", context)


class SplitTable(StudyView):
    """Which case is in which part, as a file."""

    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, split_id: str) -> HttpResponse:
        split = split_of(self.study, split_id)
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="split-{split.version.number}-{split.number}.csv"'
        writer = csv.writer(answer)
        writer.writerow(["case", "id", "part"])
        writer.writerows(cases_of(split))
        return answer
