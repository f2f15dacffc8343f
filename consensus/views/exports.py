"""Taking a version out of the house: what to take, how far it is, and the file."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Study
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView, put_right
from annotator.views.words import link_to
from consensus import code_version
from consensus.export_words import FORMATS, offered
from consensus.exporting.layout import Lacking
from consensus.exporting.record import WITHOUT_MARKS
from consensus.models import DatasetVersion, Export, Split
from consensus.selectors.datasets import version_of
from consensus.selectors.export_facts import parts_of
from consensus.sending import file_name, send_export
from consensus.services.archive import Wish, foresee
from consensus.services.archive_documents import lacking_words
from consensus.services.exporting import (
    LONGEST_LICENCE,
    USUAL,
    archive_path,
    checked_wish,
    remove_archive,
    repeat_export,
    request_export,
    usually_withheld,
)
from consensus.use_it import INSTALL, first_program
from protocols.names import Kind

FORESEEN_AT_ONCE = 2000  # images; of more, the archive itself tells what could not be written


class ExportForm(forms.Form):
    formats = forms.MultipleChoiceField(label=gettext_lazy("What to take along"), widget=forms.CheckboxSelectMultiple)
    withheld = forms.MultipleChoiceField(
        label=gettext_lazy("Leave out the answers of"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Of these parts the archive holds names and sizes only, and the images if you take them."
        ),
    )
    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        required=False,
        max_length=LONGEST_LICENCE,
        help_text=gettext_lazy("Under which others may use it, such as CC BY 4.0. It stands in the datasheet."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def of(self, study: Study, split: Split | None) -> "ExportForm":
        """A question about parts is asked only where there are some."""
        choices = list(offered(recipe_of(study)).items())
        self.fields["formats"].choices = choices  # type: ignore[attr-defined]
        if split is None:
            del self.fields["withheld"]
        else:
            parts = [(part["key"], part["name"]) for part in split.plan["parts"]]
            self.fields["withheld"].choices = parts  # type: ignore[attr-defined]
        return self


class NewExportPage(StudyView):
    may = May.EXPORT

    def get(self, request: HttpRequest, study_id: str, version_id: str) -> HttpResponse:
        version, split = self._asked(version_id, request.GET.get("split"))
        initial = {"formats": USUAL, "withheld": usually_withheld(version, split)}
        return self._page(version, split, ExportForm(initial=initial).of(self.study, split))

    def post(self, request: HttpRequest, study_id: str, version_id: str) -> HttpResponse:
        version, split = self._asked(version_id, request.POST.get("split"))
        form = ExportForm(request.POST).of(self.study, split)
        export = put_right(form, lambda: self._request(version, split, form)) if form.is_valid() else None
        if export is None:
            return self._page(version, split, form, status=400)
        return redirect("export", study_id, export.public_id)

    def _request(self, version: DatasetVersion, split: Split | None, form: ExportForm) -> Export:
        wish = checked_wish(version, split=split, language=get_language() or "en", **form.cleaned_data)
        return request_export(version=version, actor=self.user, wish=wish)

    def _asked(self, version_id: str, split_id: str | None) -> tuple[DatasetVersion, Split | None]:
        """Without a word about it the last split, where there is one; an empty word means none."""
        version = version_of(self.study, version_id)
        if split_id is None:
            return version, version.splits.order_by("-number").first()
        split = version.splits.filter(public_id=split_id).first() if split_id else None
        if split_id and split is None:
            raise NotVisible("not_found", _("There is no such split."))
        return version, split

    def _page(self, version: DatasetVersion, split: Split | None, form: ExportForm, status: int = 200) -> HttpResponse:
        context = self.context(
            version=version,
            split=split,
            splits=list(version.splits.order_by("number")),
            form=form,
            lacking=_foreseen(version, split) if version.counts["images"] <= FORESEEN_AT_ONCE else [],
        )
        return render(self.request, "consensus/export_new.html", context, status=status)


def _foreseen(version: DatasetVersion, split: Split | None) -> list[dict[str, str]]:
    """The protocol's own files that cannot be written, of all parts."""
    found = foresee(version, Wish(("layout",), split)).lacking
    return _lacking_rows(version.study, split, found)


def _lacking_rows(study: Study, split: Split | None, lacking: Any) -> list[dict[str, str]]:
    recipe = recipe_of(study)
    names = {part.key: part.name for part in parts_of(split, ())} if split is not None else {}
    return [{"path": one.path, "part": names.get(one.part, ""), "words": lacking_words(recipe, one)} for one in lacking]


class _OneExport(StudyView):
    may = May.EXPORT

    def export(self, export_id: str) -> Export:
        rows = Export.objects.filter(version__study=self.study, public_id=export_id)
        export = rows.select_related("version", "split", "asked_by", "job").first()
        if export is None:
            raise NotVisible("not_found", _("There is no such export."))
        export.version.study = self.study
        return export


class ExportPage(_OneExport):
    def get(self, request: HttpRequest, study_id: str, export_id: str) -> HttpResponse:
        export = self.export(export_id)
        job, result = export.job, (export.job.result if export.job else None) or {}
        parts = parts_of(export.split, export.withheld) if export.split else []
        context = self.context(
            export=export,
            version=export.version,
            job=job,
            job_url=link_to("api_job", job.public_id) if job else "",
            formats=[FORMATS[key].name for key in export.formats if key in FORMATS],
            withheld=", ".join(part.name for part in parts if part.withheld),
            there=archive_path(export).is_file(),
            going_on=job is not None and not job.finished,
            same_program=export.code_version == code_version.of_export(),
            name=file_name(export),
            check=f"manage.py verify-export {file_name(export)}",
            install=INSTALL,
            program=first_program(file_name(export), export.formats, _answered(export)),
            lacking=_lacking_rows(self.study, export.split, [Lacking(**one) for one in result.get("lacking", [])]),
        )
        return render(request, "consensus/export.html", context)


def _answered(export: Export) -> dict[str, Kind]:
    """Targets of which every photograph of the version has a reference, and of areas one that the archive tells: of a
    structure that cannot be seen there is no picture, and the word for it stands in the tables."""
    version = export.version
    held = {key: sum(states.values()) for key, states in version.counts["targets"].items()}
    targets = {target.key: target.kind for target in recipe_of(version.study).targets}
    unseen: set[str] = set()
    if "tables" not in export.formats:
        words = version.references.exclude(reference__answer__in=WITHOUT_MARKS)
        unseen = set(words.values_list("reference__target__key", flat=True))
    everywhere = {key for key, count in held.items() if count >= version.counts["images"] > 0}
    return {key: kind for key, kind in targets.items() if key in everywhere - unseen}


class ExportFile(_OneExport):
    def get(self, request: HttpRequest, study_id: str, export_id: str) -> HttpResponseBase:
        return send_export(request, self.export(export_id), self.user)


class ExportAgain(_OneExport):
    """The same wish once more, where its archive is not there."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, export_id: str) -> HttpResponse:
        again = repeat_export(export=self.export(export_id), actor=self.user)
        return redirect("export", study_id, again.public_id)


class RemoveExport(_OneExport):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, export_id: str) -> HttpResponse:
        export = self.export(export_id)
        remove_archive(export=export, actor=self.user)
        messages.success(request, _("The archive was removed."))
        return redirect("dataset", study_id, export.version.public_id)
