"""Exports of a version: the list, asking for one, one of them, and its file."""

from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, the_one
from annotator.api.schema import documented
from consensus.api.datasets import DatasetDoor
from consensus.export_words import FORMATS
from consensus.models import Export
from consensus.selectors.datasets import exports_of
from consensus.sending import send_export
from consensus.services.exporting import (
    LONGEST_LICENCE,
    checked_wish,
    request_export,
    usually_withheld,
)


class ExportAsked(Asked):
    formats = serializers.ListField(child=serializers.ChoiceField(list(FORMATS)), allow_empty=False)
    split = serializers.CharField(default="", allow_blank=True, help_text="Id of a split of the version.")
    withheld = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Parts without answers; by default as the recipe says."
    )
    language = serializers.ChoiceField([code for code, _name in settings.LANGUAGES], default="en")
    licence = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_LICENCE)


class ExportShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    formats = serializers.ListField(child=serializers.CharField())
    split = serializers.CharField(source="split.public_id", allow_null=True, default=None)
    withheld = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField()
    licence = serializers.CharField()
    asked_by = serializers.CharField(source="asked_by.name")
    asked_at = serializers.DateTimeField()
    job = serializers.CharField(source="job.public_id", allow_null=True, default=None)
    program = serializers.CharField(source="code_version")
    made_at = serializers.DateTimeField(allow_null=True)
    sha256 = serializers.CharField()
    bytes = serializers.IntegerField(source="byte_count", allow_null=True)
    files = serializers.IntegerField(source="file_count", allow_null=True)


class Exports(DatasetDoor):
    @documented("exports", "Exports of a version, the latest first", answer=ExportShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str, version_id: str) -> Response:
        page, pages = self.page_of(exports_of(self.version(study_id, version_id, May.EXPORT)))
        return pages.get_paginated_response(ExportShown(page, many=True).data)

    @documented(
        "export_request",
        "Have an archive made; the one that is there already, if the same was asked for before",
        takes=ExportAsked,
        answer=ExportShown,
        status=201,
        refuses=[400, 404],
    )
    def post(self, request: Request, study_id: str, version_id: str) -> Response:
        version = self.version(study_id, version_id, May.EXPORT)
        asked = self.asked(ExportAsked)
        split = the_one(version.splits.all(), public_id=asked["split"]) if asked["split"] else None
        asked |= {"split": split, "withheld": asked.get("withheld", usually_withheld(version, split))}
        export = request_export(version=version, actor=self.user, wish=checked_wish(version, **asked))
        return Response(ExportShown(export).data, status=201)


class ExportDoor(DatasetDoor):
    def export(self, study_id: str, version_id: str, export_id: str) -> Export:
        version = self.version(study_id, version_id, May.EXPORT)
        export = the_one(exports_of(version), public_id=export_id)
        export.version = version
        return export


class OneExport(ExportDoor):
    @documented("export", "One export", answer=ExportShown, refuses=[404])
    def get(self, request: Request, study_id: str, version_id: str, export_id: str) -> Response:
        return Response(ExportShown(self.export(study_id, version_id, export_id)).data)


class ExportArchive(ExportDoor):
    @documented(
        "export_file",
        "The archive; a part of it where a range is asked for",
        answer=OpenApiTypes.BINARY,
        refuses=[404],
    )
    def get(self, request: Request, study_id: str, version_id: str, export_id: str) -> HttpResponseBase:
        export = self.export(study_id, version_id, export_id)
        return send_export(request._request, export, self.user)
