"""Pictures as files. Every request, also one that ends in "not modified", passes the role filter first."""

from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from annotator import access
from annotator.errors import NotVisible
from annotator.imaging.pipeline import SERVED, THUMBNAIL
from annotator.models import Assignment, CaseImage, Image
from annotator.selectors.fellow import fellow_of
from annotator.services.opening import note_fellow_seen, refuse_unopened
from annotator.services.renditions import for_looking, open_mirrored, open_rendition
from annotator.views.base import SignedInView

ENDINGS = {"image/jpeg": "jpg", "image/png": "png"}


def send_picture(
    request: HttpRequest,
    *,
    address: str,
    rendition: str,
    sha256: str,
    served_format: str,
    frame: int = 1,
    for_pages: bool = False,
    mirrored: bool = False,
) -> HttpResponseBase:
    """The file under a name and a tag made from its address alone.

    Neither may depend on the content: two assignments of one image must look like two images. There is no
    Last-Modified for the same reason. `no-cache` makes the browser ask each time, so that a leaver sees nothing more.
    `for_pages`: 16 bits as a browser can show them.
    """
    tag = f'"{salted_hmac("quorum.picture", f"{address}/{rendition}", algorithm="sha256").hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        unchanged["ETag"], unchanged["Cache-Control"] = headers["ETag"], headers["Cache-Control"]
        return unchanged
    media_type = "image/jpeg" if rendition == THUMBNAIL else f"image/{served_format}"
    name = f"{address.replace('/', '-')}.{ENDINGS[media_type]}"
    file = (open_mirrored if mirrored else open_rendition)(name=rendition, sha256=sha256, frame=frame)
    if for_pages:
        file = for_looking(file)
    return FileResponse(file, content_type=media_type, filename=name, headers=headers)


class ImageFile(SignedInView):
    """A picture by its image's own address: for people who see all work."""

    rendition = SERVED
    for_pages = False

    def get(self, request: HttpRequest, image_id: str) -> HttpResponseBase:
        image = access.images_visible_to(self.user).filter(public_id=image_id).first()
        if image is None:
            raise NotVisible("not_found", _("There is no such image, or it is not yours to see."))
        return _send_image(request, image, image.public_id, self.rendition, for_pages=self.for_pages)


class ImageThumbnail(ImageFile):
    rendition = THUMBNAIL


class ImageView(ImageFile):
    """As pages show it that only look at it."""

    for_pages = True


class ReadImage(SignedInView):
    """A picture by the grader's own assignment and its place in the case."""

    rendition = SERVED

    def get(self, request: HttpRequest, assignment_id: str, position: int) -> HttpResponseBase:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        rows = CaseImage.objects.filter(case=assignment.case_id, position=position).select_related("image")
        row = rows.first()
        if row is None:
            raise NotVisible("not_found", _("The case has no such image."))
        return _send_read(request, row.image, assignment, str(position), self.rendition)


class ReadThumbnail(ReadImage):
    rendition = THUMBNAIL


class ReadFellow(SignedInView):
    """The fellow eye of a grader's own case, where the recipe allows to look at it."""

    def get(self, request: HttpRequest, assignment_id: str) -> HttpResponseBase:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        image = fellow_of(assignment)
        if image is None:
            raise NotVisible("not_found", _("There is no fellow eye to look at."))
        note_fellow_seen(assignment)
        return _send_read(request, image, assignment, "fellow", SERVED)


class ExampleFile(SignedInView):
    """A picture of the instructions, for everybody in the study."""

    def get(self, request: HttpRequest, example_id: str) -> HttpResponseBase:
        example = access.examples_visible_to(self.user).filter(public_id=example_id).first()
        if example is None:
            raise NotVisible("not_found", _("There is no such example."))
        facts: dict[str, Any] = {"sha256": example.sha256, "served_format": example.served_format}
        return send_picture(request, address=example.public_id, rendition=SERVED, for_pages=True, **facts)


def _send_read(
    request: HttpRequest, image: Image, assignment: Assignment, place: str, rendition: str
) -> HttpResponseBase:
    """The way round in which the assignment shows it."""
    address = f"{assignment.public_id}/{place}"
    return send_picture(request, address=address, rendition=rendition, mirrored=assignment.mirrored, **_facts(image))


def _send_image(
    request: HttpRequest, image: Image, address: str, rendition: str, *, for_pages: bool = False
) -> HttpResponseBase:
    address = f"{address}/view" if for_pages else address
    return send_picture(request, address=address, rendition=rendition, for_pages=for_pages, **_facts(image))


def _facts(image: Image) -> dict[str, Any]:
    return {"sha256": image.sha256, "frame": image.frame, "served_format": image.served_format}
