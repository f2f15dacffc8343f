"""Versions of a study's dataset: the list, one of them, and its manifest to take away."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import NotVisible
from annotator.views.base import StudyView
from annotator.views.listing import page_of
from consensus.export_words import FORMATS
from consensus.manifest import as_table, canonical, manifest
from consensus.models import Export
from consensus.selectors.adjudication import LABELS_SHOWN
from consensus.selectors.dataset_content import content_of
from consensus.selectors.datasets import (
    differences_from_now,
    exports_of,
    not_blind_in,
    signed_version,
    version_of,
    versions_of,
)
from consensus.services.exporting import archive_path
from consensus.views.dataset_words import difference_words, signed_words, target_rows
from consensus.words import held_words

EXPORTS_PER_PAGE = 25


class DatasetsPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        page = page_of(request, versions_of(self.study))
        versions = list(page.object_list)
        differences = differences_from_now(self.study, versions)
        signed = signed_version(self.study)
        rows = [
            {
                "version": version,
                "held": held_words(version.counts),
                "since": difference_words(differences[version.pk]),
                "moved": differences[version.pk].total > 0,
            }
            for version in versions
        ]
        context = self.context(page=page, rows=rows, signed_words=signed_words(signed) if signed else "")
        return render(request, "consensus/datasets.html", context)


class DatasetPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, version_id: str) -> HttpResponse:
        version = version_of(self.study, version_id)
        difference = differences_from_now(self.study, [version])[version.pk]
        may_export = May.EXPORT in access.rights(self.user, self.study)
        exports = page_of(request, exports_of(version), EXPORTS_PER_PAGE) if may_export else None
        context = self.context(
            version=version,
            targets=target_rows(
                self.study, version.counts["targets"], not_blind_in(version), not_blind_in(version, LABELS_SHOWN)
            ),
            since=difference_words(difference),
            moved=difference.total > 0,
            splits=list(version.splits.select_related("made_by").order_by("pk")),
            page=exports,
            exports=[self._row(export) for export in exports.object_list] if exports else [],
        )
        return render(request, "consensus/dataset.html", context)

    def _row(self, export: Export) -> dict[str, Any]:
        return {
            "export": export,
            "formats": [FORMATS[key].name for key in export.formats if key in FORMATS],
            "there": archive_path(export).is_file(),
            "withheld": ", ".join(part["name"] for part in _parts(export) if part["key"] in export.withheld),
        }


def _parts(export: Export) -> list[dict[str, Any]]:
    return list(export.split.plan["parts"]) if export.split else []


class DatasetManifest(StudyView):
    """Byte for byte what the version's digest is of; or the same as a table."""

    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, version_id: str, form: str) -> HttpResponse:
        version = version_of(self.study, version_id)
        told = manifest(content_of(version))
        kinds = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
        if form not in kinds:
            raise NotVisible("not_found", _("There is no such version."))
        answer = HttpResponse(canonical(told) if form == "json" else as_table(told), content_type=kinds[form])
        name = f"{self.study.protocol}-v{version.number}-manifest.{form}"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer
