"""Versions of the dataset: the list, freezing one, one of them, and its manifest."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented, shaped
from annotator.api.workbench_asked import Words
from annotator.models import Study
from annotator.names import LONGEST_NAME
from consensus.manifest import canonical, manifest
from consensus.models import DatasetVersion
from consensus.selectors.dataset_content import content_of
from consensus.selectors.datasets import differences_from_now, versions_of
from consensus.services.freezing import LONGEST_NOTE, freeze_dataset


class FreezeAsked(Asked):
    name = Words(max_length=LONGEST_NAME)
    note = Words(max_length=LONGEST_NOTE, allow_blank=True, default="")
    incomplete = serializers.BooleanField(default=False, help_text="Leave the cases out that are still being read.")


class SignatureShown(serializers.Serializer[Any]):
    by = serializers.CharField(source="signed_by.name")
    at = serializers.DateTimeField(source="signed_at")
    meaning = serializers.CharField()


class HeldShown(serializers.Serializer[Any]):
    cases = serializers.IntegerField()
    images = serializers.IntegerField()
    references = serializers.IntegerField()
    readings = serializers.IntegerField()
    targets = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()), help_text="References by target and state."
    )


class DatasetShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    number = serializers.IntegerField()
    name = serializers.CharField()
    note = serializers.CharField()
    made_by = serializers.CharField(source="made_by.name")
    made_at = serializers.DateTimeField()
    recipe = serializers.CharField(source="recipe_digest")
    program = serializers.CharField(source="code_version")
    digest = serializers.CharField(help_text="SHA-256 of the manifest, byte for byte.")
    log_rows = serializers.IntegerField(help_text="How many rows the study's log had; 0 in a version older than this.")
    log_digest = serializers.CharField(help_text="Of the last of these rows.")
    counts = HeldShown()
    signed = serializers.SerializerMethodField()
    changed_since = serializers.SerializerMethodField(
        help_text="How many references of the study are not those of this version."
    )

    @shaped(SignatureShown(allow_null=True))
    def get_signed(self, version: DatasetVersion) -> dict[str, Any] | None:
        return SignatureShown(version).data if version.signed else None

    def get_changed_since(self, version: DatasetVersion) -> int:
        return int(self.context["differences"][version.pk].total)


class DatasetDoor(Door):
    def version(self, study_id: str, version_id: str, may: May = May.SEE_READINGS) -> DatasetVersion:
        study = self.study(study_id, may)
        version = the_one(versions_of(study), public_id=version_id)
        version.study = study
        return version

    def told(self, study: Study, version: DatasetVersion, status: int = 200) -> Response:
        context = {"differences": differences_from_now(study, [version])}
        return Response(DatasetShown(version, context=context).data, status=status)


class Datasets(DatasetDoor):
    @documented(
        "datasets", "Versions of the dataset, the latest first", answer=DatasetShown(many=True), refuses=[400, 404]
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_READINGS)
        page, pages = self.page_of(versions_of(study))
        context = {"differences": differences_from_now(study, page)}
        return pages.get_paginated_response(DatasetShown(page, many=True, context=context).data)

    @documented(
        "dataset_freeze",
        "Freeze the references, readings and images as they are now",
        takes=FreezeAsked,
        answer=DatasetShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.FREEZE)
        version = freeze_dataset(study=study, actor=self.user, **self.asked(FreezeAsked))
        return self.told(study, version, status=201)


class OneDataset(DatasetDoor):
    @documented("dataset", "One version of the dataset", answer=DatasetShown, refuses=[404])
    def get(self, request: Request, study_id: str, version_id: str) -> Response:
        version = self.version(study_id, version_id)
        return self.told(version.study, version)


class Manifest(DatasetDoor):
    @documented(
        "dataset_manifest",
        "Every image, reference and reading of a version with its digest; graders go by letters",
        answer=OpenApiTypes.OBJECT,
        refuses=[404],
    )
    def get(self, request: Request, study_id: str, version_id: str) -> HttpResponse:
        told = manifest(content_of(self.version(study_id, version_id)))
        return HttpResponse(canonical(told), content_type="application/json")  # these bytes have the version's digest
