"""An archive comes in parts, is looked into once it is whole, and imported when its preview is confirmed."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.errors import DomainError, TooLarge
from annotator.services.arrivals import (
    PART_BYTES,
    Arrival,
    arrival_of,
    arrived_files,
    begin_arrival,
    forget_arrival,
    import_arrival,
    take_part,
)
from annotator.services.intake_plan import plan_intake
from annotator.views.taking_files import archive_limit
from annotator.views.upload import TakesUploads
from annotator.views.upload_plan import MOST_BYTES, plan_data

LONGEST_NAME = 255
LONGEST_NUMBER = 15


class ArrivalBegin(TakesUploads):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> JsonResponse:
        arrival = begin_arrival(
            study=self.study,
            name=request.POST.get("name", "")[-LONGEST_NAME:],
            byte_count=_whole(request.POST.get("byte_count", "")),
            fingerprint=request.POST.get("fingerprint", "")[:200],
            most_bytes=archive_limit(),
            actor=self.user,
        )
        return JsonResponse(_told(arrival))


class _OfArrival(TakesUploads):
    http_method_names = ["post"]

    def arrival(self) -> Arrival:
        return arrival_of(study=self.study, key=self.kwargs["arrival_id"], actor=self.user)


class ArrivalPart(_OfArrival):
    """The bytes are the whole body; where they begin and their SHA-256 stand in the address."""

    def most_bytes(self) -> int:
        return PART_BYTES

    def post(self, request: HttpRequest, study_id: str, arrival_id: str) -> JsonResponse:
        part = request.read(PART_BYTES + 1)
        if len(part) > PART_BYTES:
            raise TooLarge("too_large", _("This request is too large."))
        offset, digest = _whole(request.GET.get("offset", "")), request.GET.get("sha256", "")
        return JsonResponse(_told(take_part(arrival=self.arrival(), offset=offset, part=part, sha256=digest)))


class ArrivalPlan(_OfArrival):
    def most_bytes(self) -> int:
        return MOST_BYTES

    def post(self, request: HttpRequest, study_id: str, arrival_id: str) -> JsonResponse:
        arrival, batch = self.arrival(), self.batch()
        files = arrived_files(arrival)
        plan = plan_intake(study=self.study, files=files, batch=batch, actor=self.user)
        return JsonResponse(plan_data(plan) | {"names": [[file.name, file.byte_count] for file in files]})


class ArrivalImport(_OfArrival):
    def most_bytes(self) -> int:
        return MOST_BYTES

    def post(self, request: HttpRequest, study_id: str, arrival_id: str) -> JsonResponse:
        job = import_arrival(arrival=self.arrival(), study=self.study, batch=self.batch(), actor=self.user)
        return JsonResponse({"job": job.public_id, "url": reverse("job", args=[job.public_id])}, status=202)


class ArrivalForget(_OfArrival):
    def post(self, request: HttpRequest, study_id: str, arrival_id: str) -> JsonResponse:
        forget_arrival(self.arrival())
        return JsonResponse({"forgotten": True})


def _told(arrival: Arrival) -> dict[str, Any]:
    return {"arrival": arrival.key, "received": arrival.received, "part_bytes": PART_BYTES}


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise DomainError("bad_number", _("A number of bytes is missing."))
    return int(text)
