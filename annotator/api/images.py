"""Images of a study: the list, one image's facts, and the upload of one picture."""

import io
import math
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Asked, Door, PlainJSON, the_one
from annotator.api.schema import documented
from annotator.api.shapes import StudyNamed
from annotator.imaging.limits import MAX_BYTES
from annotator.models import Image
from annotator.models.image import EyeSide
from annotator.selectors.studies import images_of
from annotator.services.intake_desk import Facts
from annotator.services.uploads import Duplicate, Opener, take_upload

FORM_OVERHEAD = 64 * 1024  # the other fields and the boundaries of a multipart body


class Finite(serializers.FloatField):
    """A number above zero; Python's float() would also read "nan" and "inf"."""

    def to_internal_value(self, data: Any) -> float:
        number = super().to_internal_value(data)
        if not (math.isfinite(number) and number > 0):
            raise serializers.ValidationError(_("This must be a number above zero."))
        return number


class UploadAsked(Asked):
    ignored = frozenset({"csrfmiddlewaretoken"})

    file = serializers.FileField(help_text="A JPEG, PNG, TIFF, BMP or DICOM file.", allow_empty_file=True)
    subject = serializers.CharField(required=False, default="", allow_blank=True, max_length=64)
    eye = serializers.ChoiceField(choices=EyeSide.choices, required=False, default=EyeSide.UNKNOWN)
    order = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=1000)
    device = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)
    um_per_px_x = Finite(required=False, allow_null=True, default=None)
    um_per_px_y = Finite(required=False, allow_null=True, default=None)


class ImageFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    side = serializers.ChoiceField(choices=EyeSide.choices, required=False, default="", allow_blank=True)
    state = serializers.ChoiceField(choices=["assigned", "unassigned"], required=False, default="", allow_blank=True)


class ImageShown(serializers.ModelSerializer[Image]):
    """`original_name` is there for organisers only."""

    id = serializers.CharField(source="public_id", read_only=True)
    subject = serializers.CharField(source="subject.pseudonym", read_only=True)
    eye = serializers.ChoiceField(choices=EyeSide.choices, source="eye.side", read_only=True, allow_null=True)
    order = serializers.IntegerField(source="order_in_eye", read_only=True)
    case = serializers.SerializerMethodField(help_text="The number of its case in the study.")
    url = serializers.SerializerMethodField()
    thumbnail_url = serializers.SerializerMethodField()
    original_name = serializers.CharField(read_only=True, required=False)

    class Meta:
        model = Image
        fields = [
            "id",
            "subject",
            "eye",
            "order",
            "case",
            "width",
            "height",
            "bits",
            "channels",
            "format",
            "byte_count",
            "sha256",
            "frame",
            "um_per_px_x",
            "um_per_px_y",
            "device",
            "added_at",
            "url",
            "thumbnail_url",
            "original_name",
        ]
        read_only_fields = fields

    def get_url(self, image: Image) -> str:
        return reverse("image_file", args=[image.public_id])

    def get_thumbnail_url(self, image: Image) -> str:
        return reverse("image_thumbnail", args=[image.public_id])

    def get_case(self, image: Image) -> int | None:
        return next((place.case.number for place in image.case_images.all()), None)

    def to_representation(self, image: Image) -> Any:
        shown = super().to_representation(image)
        if not self.context.get("with_names"):
            del shown["original_name"]
        return shown


class ImageOfStudyShown(ImageShown):
    study = StudyNamed(read_only=True)

    class Meta(ImageShown.Meta):
        fields = ["study", *ImageShown.Meta.fields]
        read_only_fields = fields


class UploadAnswered(serializers.Serializer[Any]):
    image = ImageShown()
    duplicate = serializers.BooleanField(help_text="True: the study had this picture already; nothing was added.")


class Images(Door):
    parser_classes = [MultiPartParser, PlainJSON]

    def body_limit(self) -> int:
        return min(MAX_BYTES, int(settings.UPLOAD_LIMIT_MB) * 1024**2) + FORM_OVERHEAD

    @documented(
        "images_list",
        "The images of a study",
        answer=ImageShown(many=True),
        refuses=[400, 404],
        parameters=[
            OpenApiParameter("search", description="In pseudonym, device, id; for organisers in file names too."),
            OpenApiParameter("side", enum=EyeSide.values),
            OpenApiParameter("state", enum=["assigned", "unassigned"]),
        ],
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_ALL_WORK)
        with_names = May.SEE_ORIGINAL_NAMES in access.rights(self.user, study)
        found = images_of(study, with_names=with_names, **self.asked_for(ImageFilters))
        return self.listed(found, ImageShown, {"with_names": with_names})

    @documented(
        "images_upload",
        "Add one picture",
        takes={"multipart/form-data": UploadAsked},
        answer=UploadAnswered,
        status=201,
        also={200: UploadAnswered},
        refuses=[400, 404, 409, 413, 507],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(UploadAsked)
        upload: UploadedFile[bytes] = asked.pop("file")
        facts = Facts(side=asked.pop("eye"), **asked)
        outcome = take_upload(
            study=study,
            name=upload.name or "",
            content=_opener(upload),
            facts=facts,
            actor=self.user,
        )
        duplicate = isinstance(outcome, Duplicate)
        image = outcome.image if isinstance(outcome, Duplicate) else outcome
        shown = UploadAnswered({"image": image, "duplicate": duplicate}, context={"with_names": True})
        return Response(shown.data, status=200 if duplicate else 201)


def _opener(upload: "UploadedFile[bytes]") -> Opener:
    """Opens the content afresh each time: a large upload lies in a file, a small one in memory."""
    if isinstance(upload, TemporaryUploadedFile):
        return lambda: open(upload.temporary_file_path(), "rb")
    content = upload.read()
    return lambda: io.BytesIO(content)


class OneImage(Door):
    @documented("images_read", "The facts of one image", answer=ImageOfStudyShown, refuses=[404])
    def get(self, request: Request, image_id: str) -> Response:
        visible = access.images_visible_to(self.user).select_related("study", "subject", "eye")
        image = the_one(visible, public_id=image_id)
        with_names = May.SEE_ORIGINAL_NAMES in access.rights(self.user, image.study)
        return Response(ImageOfStudyShown(image, context={"with_names": with_names}).data)
