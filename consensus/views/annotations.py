"""Annotations from elsewhere: sent in, looked at entry by entry, and taken over as a whole."""

import csv
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.access import May
from annotator.errors import DomainError, NotVisible
from annotator.formats.annotation_files import FORMATS
from annotator.formats.bad_mark import KINDS
from annotator.formats.cells import safe_cell
from annotator.models import AnnotationImport
from annotator.selectors.annotation_match import WRITTEN, Outcome, Verdict, tallies
from annotator.services.annotation_readings import verdict_counts
from annotator.services.annotation_uploads import drop, request_look, spool_of, wish_of
from annotator.views.base import StudyView, put_right
from annotator.views.listing import chosen, page_of
from annotator.views.taking_files import TakesFiles, archive_limit, reopened
from annotator.views.words import link_to
from consensus.services.annotations import Plan, plan_of, request_import
from consensus.views.annotation_form import AnnotationForm, ConfirmForm, graders_offered
from consensus.words import annotation_words

HEAD = ("file", "line", "entry", "image", "case", "photograph", "target", "grader", "outcome", "reason")
PER_PAGE = 25
MOST_REASONS = 8  # kinds of rejection told with their numbers
LISTED = 25  # imports of before


class ImportsPage(TakesFiles, StudyView):
    may = May.MANAGE

    def most_bytes(self) -> int:
        return archive_limit()

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self._page(AnnotationForm().of(self.study))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = AnnotationForm(request.POST, request.FILES).of(self.study)
        row = put_right(form, lambda: self._looked_at(form)) if form.is_valid() else None
        if row is None:
            return self._page(form, status=400)
        return redirect("annotation_import", study_id, row.public_id)

    def _looked_at(self, form: AnnotationForm) -> AnnotationImport:
        file = form.cleaned_data["file"]
        return request_look(
            study=self.study,
            actor=self.user,
            wish=form.wish(),
            source=form.cleaned_data["source"],
            file_name=str(file.name),
            content=reopened(file)(),
        )

    def _page(self, form: AnnotationForm, status: int = 200) -> HttpResponse:
        rows = AnnotationImport.objects.filter(study=self.study).select_related("actor", "looking", "applying")
        context = self.context(
            form=form,
            graders=graders_offered(self.study),
            formats=[{"title": _(one.title), "layout": _(one.layout), "name": one.name} for one in FORMATS.values()],
            rows=[_listed(row) for row in rows[:LISTED]],
            limit_mb=archive_limit() // 1024 // 1024,
        )
        return render(self.request, "consensus/annotations.html", context, status=status)


class _OneImport(StudyView):
    may = May.MANAGE

    def row(self, import_id: str) -> AnnotationImport:
        rows = AnnotationImport.objects.filter(study=self.study, public_id=import_id)
        row = rows.select_related("actor", "looking", "applying").first()
        if row is None:
            raise NotVisible("not_found", _("There is no such import."))
        row.study = self.study
        return row


class ImportPage(_OneImport):
    def get(self, request: HttpRequest, study_id: str, import_id: str) -> HttpResponse:
        return self._page(self.row(import_id), ConfirmForm())

    def post(self, request: HttpRequest, study_id: str, import_id: str) -> HttpResponse:
        row, form = self.row(import_id), ConfirmForm(request.POST)
        job = (
            put_right(form, lambda: request_import(row=row, actor=self.user, **form.cleaned_data))
            if (form.is_valid())
            else None
        )
        if job is None:
            return self._page(row, form, status=400)
        return redirect("annotation_import", study_id, import_id)

    def _page(self, row: AnnotationImport, form: ConfirmForm, status: int = 200) -> HttpResponse:
        job = row.applying or row.looking
        going_on = job is not None and not job.finished
        looked = not going_on and row.applied_at is None and spool_of(row).is_whole
        plan = plan_of(row) if looked else None
        context = self.context(
            row=row,
            about=_listed(row),
            purpose=_purpose(row),
            as_reference=wish_of(row).as_reference,
            form=form,
            job=job,
            going_on=going_on,
            job_url=link_to("api_job", job.public_id) if job is not None and going_on else "",
            kind=_("Importing") if row.applying else _("Looking at the file"),
            failed=job.error if job is not None and job.finished and row.applied_at is None else "",
            plan=self._plan(plan) if plan is not None else None,
        )
        return render(self.request, "consensus/annotation_import.html", context, status=status)

    def _plan(self, plan: Plan) -> dict[str, Any]:
        counts = verdict_counts(plan.outcomes)
        usual = Verdict.REJECTED if counts[Verdict.REJECTED] else ""
        asked = self.request.GET.get("outcome")
        verdict = usual if asked is None else chosen(self.request, "outcome", list(Verdict))
        shown = [one for one in plan.outcomes if verdict in ("", one.verdict)]
        page = page_of(self.request, shown, per_page=PER_PAGE)  # type: ignore[arg-type]
        words = _verdict_words()
        written = sum(one.verdict in WRITTEN for one in plan.outcomes)
        return {
            "digest": plan.digest,
            "needs_reason": plan.needs_reason,
            "counts": [(words[name], count, name) for name, count in counts.items()],
            "rejected": counts[Verdict.REJECTED],
            "written": written,
            "all_rejected": counts[Verdict.REJECTED] == len(plan.outcomes) > 0,
            "reasons": _reasons(plan.outcomes),
            "tallies": [_tally(one) for one in tallies(plan.outcomes)],
            "page": page,
            "rows": [_row(one) for one in page.object_list],
            "filters": [
                {
                    "name": "outcome",
                    "label": _("Outcome"),
                    "value": verdict,
                    "options": [("", _("All entries")), *((one.value, words[one]) for one in Verdict)],
                }
            ],
            "found": ngettext("%(count)s entry", "%(count)s entries", len(shown)) % {"count": f"{len(shown):,}"},
        }


class ImportTable(_OneImport):
    """Every entry with what would become of it, as a file."""

    def get(self, request: HttpRequest, study_id: str, import_id: str) -> HttpResponse:
        plan = plan_of(self.row(import_id))
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="annotations.csv"'
        writer = csv.writer(answer)
        writer.writerow(HEAD)
        for one in plan.outcomes:
            told = _row(one)
            cells = [told[name] for name in HEAD[:-2]]
            words = [safe_cell(cell) if isinstance(cell, str) else cell for cell in cells]
            writer.writerow([*words, one.verdict.value, safe_cell(told["reason"])])
        return answer


class DropImport(_OneImport):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, import_id: str) -> HttpResponse:
        row = self.row(import_id)
        if row.applying is not None and not row.applying.finished:
            raise DomainError("going_on", _("This file is being imported already."))
        drop(row)
        messages.success(request, _("The file was removed; nothing was imported."))
        return redirect("annotation_imports", study_id)


def fault_words(outcome: Outcome) -> str:
    if outcome.fault is None:
        return ""
    _code, message, params = outcome.fault
    named = {name: _(value) if value in KINDS.values() else value for name, value in params.items()}
    return _(message) % named


def _reasons(outcomes: list[Outcome]) -> list[tuple[int, str]]:
    """How often each kind of fault was found, the most frequent first, with the words of its first entry."""
    by_code: dict[str, list[Outcome]] = {}
    for one in outcomes:
        if one.fault is not None:
            by_code.setdefault(one.fault[0], []).append(one)
    found = [(len(some), fault_words(some[0])) for some in by_code.values()]
    return sorted(found, key=lambda one: -one[0])[:MOST_REASONS]


def _verdict_words() -> dict[str, str]:
    return {
        Verdict.NEW: _("New"),
        Verdict.SAME: _("The same as before"),
        Verdict.REPLACES: _("Replaces"),
        Verdict.REJECTED: _("Rejected"),
    }


TONES = {Verdict.NEW: "ok", Verdict.SAME: "neutral", Verdict.REPLACES: "warn", Verdict.REJECTED: "danger"}


def _row(outcome: Outcome) -> dict[str, Any]:
    item, photograph = outcome.item, outcome.photograph
    return {
        "file": item.file,
        "line": item.line if item.line is not None else "",
        "entry": item.entry,
        "place": item.place,
        "image": item.image,
        "case": photograph.case.number if photograph is not None else "",
        "photograph": photograph.position if photograph is not None else "",
        "target": item.target,
        "target_name": _(outcome.target.name) if outcome.target is not None else item.target,
        "grader": outcome.grader,
        "outcome": _verdict_words()[outcome.verdict],
        "tone": TONES[outcome.verdict],
        "reason": fault_words(outcome),
    }


def _tally(one: Any) -> dict[str, Any]:
    return {
        "grader": one.grader,
        "target": one.target,
        "counts": [one.counts[verdict] for verdict in Verdict],
        "share": None if one.share is None else one.share * 100,
    }


def _purpose(row: AnnotationImport) -> str:
    wish = wish_of(row)
    if wish.as_reference:
        return _("References")
    return _("Readings of several graders") if wish.by_folder else _("Readings of %(name)s") % {"name": wish.grader}


def _listed(row: AnnotationImport) -> dict[str, Any]:
    known = FORMATS.get(row.format)
    return {
        "row": row,
        "format": _(known.title) if known is not None else row.format,
        "purpose": _purpose(row),
        "words": annotation_words(row.counts) if row.counts is not None else "",
        "waits": row.applied_at is None and spool_of(row).is_whole,
    }
