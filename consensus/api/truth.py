"""Clinical truth for programs: what is known, what a table would change, and the same table imported."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, PlainJSON
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.errors import NotVisible
from consensus.selectors.truth import no_strata_words, standing_of_truth, strata_table
from consensus.services.truth import (
    LONGEST_TEXT,
    MOST_BYTES,
    Table,
    import_truth,
    needs_reason,
    plan_truth,
    uploaded_table,
)

FORM_OVERHEAD = 64 * 1024
DIGEST_LENGTH = 64


class KnownTruthShown(serializers.Serializer[Any]):
    target = serializers.CharField(source="target.row.key")
    counts = serializers.SerializerMethodField(help_text="Photographs by answer.")
    sources = serializers.ListField(child=serializers.CharField(), help_text="Where the clinic knows it from.")
    missing = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of cases without an answer.")

    def get_counts(self, one: Any) -> dict[str, int]:
        return dict(one.counts)


class TruthKnown(serializers.Serializer[Any]):
    targets = KnownTruthShown(many=True)


class TruthTableAsked(Asked):
    file = serializers.FileField(help_text="A CSV table of at most 2 MB.")


class TruthImportAsked(TruthTableAsked):
    seen = Words(min_length=DIGEST_LENGTH, max_length=DIGEST_LENGTH, help_text="The digest that the preview gave.")
    source = Words(max_length=LONGEST_TEXT, help_text="Where the clinic knows this from.")  # type: ignore[assignment]
    reason = Words(
        max_length=LONGEST_TEXT,
        allow_blank=True,
        default="",
        help_text="Why what is known changes; needed for corrections, and for everything after a sign-off.",
    )


class TruthChangeShown(serializers.Serializer[Any]):
    case = serializers.IntegerField(source="photograph.case.number")
    position = serializers.IntegerField(source="photograph.position")
    target = serializers.CharField(source="target.row.key")
    before = serializers.SerializerMethodField(help_text="null where nothing is known yet.")
    after = serializers.CharField(source="label")

    def get_before(self, change: Any) -> str | None:
        return change.before.label if change.before else None


class TruthPlanShown(serializers.Serializer[Any]):
    digest = serializers.CharField(help_text="Of what would be written; the import sends it back as `seen`.")
    sha256 = serializers.CharField(help_text="Of the table, byte for byte.")
    changes = TruthChangeShown(many=True)
    same = serializers.IntegerField(help_text="Answers that are known already.")
    corrections = serializers.IntegerField(help_text="Changes of what is known.")
    needs_reason = serializers.BooleanField()
    missing = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="By target: numbers of cases that would still have no answer.",
    )
    faults = serializers.ListField(
        child=serializers.CharField(), help_text="Every line that cannot be used; then nothing would be changed."
    )


class TruthImportedShown(serializers.Serializer[Any]):
    run = serializers.CharField(allow_null=True, help_text="null where the table says what is known already.")
    answers = serializers.IntegerField(help_text="How many were written.")


class TruthDoor(Door):
    parser_classes = [MultiPartParser, PlainJSON]

    def body_limit(self) -> int:
        return MOST_BYTES + FORM_OVERHEAD

    @staticmethod
    def table(file: "UploadedFile[bytes]") -> Table:
        return uploaded_table(file.name or "", file.size or 0, file.read)


class Truth(TruthDoor):
    @documented("truth", "What the clinic is known to say, by target", answer=TruthKnown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        return Response(TruthKnown({"targets": standing_of_truth(study)}).data)

    @documented(
        "truth_import",
        "Import the table that was looked at: the same bytes, and the digest of the preview",
        takes={"multipart/form-data": TruthImportAsked},
        answer=TruthImportedShown,
        status=201,
        refuses=[400, 404, 409, 413],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(TruthImportAsked)
        run = import_truth(study=study, actor=self.user, table=self.table(asked.pop("file")), **asked)
        told = {"run": run.public_id if run else None, "answers": run.references.count() if run else 0}
        return Response(TruthImportedShown(told).data, status=201)


class TruthPreview(TruthDoor):
    @documented(
        "truth_preview",
        "What a table would change; nothing is written",
        takes={"multipart/form-data": TruthTableAsked},
        answer=TruthPlanShown,
        refuses=[400, 404, 409, 413],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        table = self.table(self.asked(TruthTableAsked)["file"])
        plan = plan_truth(study=study, table=table)
        told = {name: getattr(plan, name) for name in ("digest", "changes", "same", "corrections", "missing", "faults")}
        asks = needs_reason(study, plan)
        return Response(TruthPlanShown({**told, "sha256": table.sha256, "needs_reason": asks}).data)


class TruthListed(TruthDoor):
    @documented(
        "truth_listed",
        "What the image list said about these targets, as a table to look at and import",
        answer=OpenApiResponse(OpenApiTypes.STR, description="The table as CSV."),
        refuses=[404],
    )
    def get(self, request: Request, study_id: str) -> HttpResponse:
        table = strata_table(self.study(study_id, May.MANAGE))
        if not table:
            raise NotVisible("no_strata", no_strata_words())
        return HttpResponse(table, content_type="text/csv; charset=utf-8")
