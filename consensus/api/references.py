"""The references of a version for programs, photograph by photograph, under the names that an export gives them."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, the_one
from annotator.api.schema import documented
from annotator.geometry import mask_text, runs
from consensus.api.datasets import DatasetDoor
from consensus.exporting.record import Agreed, Photograph, Record
from consensus.exporting.tables import axes
from consensus.fusion.stored import ELLIPSE_FIELDS
from consensus.models import DatasetVersion, Split
from consensus.models.reference import ReferenceState
from consensus.selectors.exported import Depth, exported_photographs, records
from consensus.services.exporting import note_fetch, usually_withheld
from protocols.names import Kind


class ReferenceFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    split = serializers.CharField(required=False, default="", allow_blank=True, max_length=16)
    key = serializers.BooleanField(required=False, default=False)


class PlaceShown(serializers.Serializer[Any]):
    x = serializers.FloatField(help_text="In pixels; the middle of the first pixel is 0.5.")
    y = serializers.FloatField()


class EllipseShown(serializers.Serializer[Any]):
    cx = serializers.FloatField()
    cy = serializers.FloatField()
    a = serializers.FloatField(help_text="Semi-axes, in pixels.")
    b = serializers.FloatField()
    theta_deg = serializers.FloatField(help_text="Clockwise on the screen, from the x axis to the first semi-axis.")


class ReferenceShown(serializers.Serializer[Any]):
    target = serializers.CharField()
    kind = serializers.ChoiceField(choices=[kind.value for kind in Kind])
    answer = serializers.CharField(help_text="present, absent, …")
    state = serializers.ChoiceField(choices=ReferenceState.choices)
    rule = serializers.CharField(allow_blank=True)
    masks = serializers.ListField(
        child=serializers.CharField(),
        help_text="WIDTHxHEIGHT:DIGEST:RUNS; one for an area, one for each object, none where there is nothing.",
    )
    ellipse = EllipseShown(allow_null=True)
    point = PlaceShown(allow_null=True)
    line = PlaceShown(many=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    signs = serializers.ListField(child=serializers.CharField())


class ReferencedShown(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="As the files of an export are called; with a split numbered by lot.")
    part = serializers.CharField(allow_blank=True)
    withheld = serializers.BooleanField(help_text="True: of a hidden part; no references are told.")
    image = serializers.CharField(allow_null=True, help_text="Id of the image; null where withheld.")
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    references = ReferenceShown(many=True)


class References(DatasetDoor):
    @documented(
        "references",
        "The references of a version; hidden parts of a split are withheld unless the key is asked for",
        answer=ReferencedShown(many=True),
        refuses=[400, 404],
        parameters=[
            OpenApiParameter("split", description="Id of a split of the version: its photographs, by its names."),
            OpenApiParameter("key", bool, description="Tell the references of hidden parts too."),
        ],
    )
    def get(self, request: Request, study_id: str, version_id: str) -> Response:
        version = self.version(study_id, version_id, May.EXPORT)
        asked = self.asked_for(ReferenceFilters)
        split = the_one(version.splits.all(), public_id=asked["split"]) if asked["split"] else None
        withheld = [] if asked["key"] else usually_withheld(version, split)
        page, pages = self.page_of(exported_photographs(version, split, withheld))
        told = [
            _photograph(one.image.public_id, record)
            for one, record in zip(page, records(version, page, Depth()), strict=True)
        ]
        self._note(version, split, withheld)
        return pages.get_paginated_response(ReferencedShown(told, many=True).data)

    def _note(self, version: DatasetVersion, split: Split | None, withheld: list[str]) -> None:
        note_fetch(version=version, split=split, withheld=withheld, actor=self.user)


def _photograph(image: str, record: Record) -> dict[str, Any]:
    one: Photograph = record.photograph
    told = {"name": one.name, "part": one.part, "withheld": one.withheld, "width": one.width, "height": one.height}
    agreed = [_reference(each, *record.size) for each in record.agreed]
    return {**told, "image": None if one.withheld else image, "references": agreed}


def _reference(one: Agreed, width: int, height: int) -> dict[str, Any]:
    return {
        "target": one.target,
        "kind": one.kind.value,
        "answer": one.answer,
        "state": one.state,
        "rule": one.rule,
        "masks": [mask_text.write(runs.pack(mask), width, height) for mask in one.masks],
        "ellipse": None if one.ellipse is None else dict(zip(ELLIPSE_FIELDS, axes(one), strict=True)),
        "point": None if one.point is None else {"x": one.point[0], "y": one.point[1]},
        "line": [{"x": x, "y": y} for x, y in one.line],
        "label": one.label,
        "signs": list(one.signs),
    }
