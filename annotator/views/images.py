"""The image list and one image, for people who see all work."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Eye, Image, Study
from annotator.selectors.studies import images_of
from annotator.selectors.work import ListedImage, image_neighbours, listed_images
from annotator.views.base import StudyView

PER_PAGE = 50
LONGEST_SEARCH = 100


class StudyImages(StudyView):
    may = May.SEE_ALL_WORK

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        context = self.context()
        shown = {
            "search": request.GET.get("q", "").strip()[:LONGEST_SEARCH],
            "side": _one_of(request.GET.get("eye", ""), Eye.Side.values),
            "state": _one_of(request.GET.get("state", ""), ["assigned", "unassigned"]),
        }
        images = images_of(self.study, with_names="see_original_names" in context["rights"], **shown)
        page: Page[Image] = Paginator(images, PER_PAGE).get_page(request.GET.get("page"))
        as_list = request.GET.get("view") == "list"
        context |= {
            "page": page,
            "tiles": [_tile(self.study, row) for row in listed_images(list(page.object_list))],
            "as_list": as_list,
            "columns": _columns(names="see_original_names" in context["rights"]),
            "filters": _filters(**shown),
            "q": shown["search"],
            "narrowed": any(shown.values()),
            "keep": {"view": "list"} if as_list else {},
            "found": ngettext("%(count)s image", "%(count)s images", page.paginator.count)
            % {"count": f"{page.paginator.count:,}"},
        }
        return render(request, "work/images.html", context)


@dataclass(frozen=True)
class Tile:
    """An image as the grid and the list show it; worded here, because templates translate slowly."""

    row: ListedImage
    url: str
    thumbnail: str
    title: str
    note: str


def _tile(study: Study, row: ListedImage) -> Tile:
    image = row.image
    size = f"{image.width} × {image.height}"
    side = _side(image) if image.eye and image.eye.side != Eye.Side.UNKNOWN else ""
    named = {"number": row.case_number or "–", "subject": image.subject.pseudonym}
    return Tile(
        row=row,
        url=reverse("image", args=[study.public_id, image.public_id]),
        thumbnail=reverse("image_thumbnail", args=[image.public_id]),
        title=_("Case %(number)s · %(subject)s") % named,
        note=f"{side} · {size}" if side else size,
    )


def _one_of(value: str, known: list[str]) -> str:
    return value if value in known else ""


def _columns(*, names: bool) -> list[dict[str, str]]:
    original = [{"label": _("Original name"), "kind": "optional"}] if names else []
    return [
        {"label": _("Picture"), "kind": "check"},
        {"label": _("Case"), "kind": "num"},
        {"label": _("Subject")},
        {"label": _("Eye")},
        {"label": _("Size"), "kind": "num"},
        {"label": _("Device"), "kind": "optional"},
        *original,
        {"label": _("Read"), "kind": "grow"},
    ]


def _filters(*, search: str, side: str, state: str) -> list[dict[str, Any]]:
    states = [("", _("All")), ("assigned", _("Assigned")), ("unassigned", _("Not assigned"))]
    return [
        {"name": "eye", "label": _("Eye"), "value": side, "options": [("", _("All")), *Eye.Side.choices]},
        {"name": "state", "label": _("Assignment"), "value": state, "options": states},
    ]


class ImagePage(StudyView):
    may = May.SEE_ALL_WORK

    def get(self, request: HttpRequest, study_id: str, image_id: str) -> HttpResponse:
        visible = access.images_visible_to(self.user).filter(study=self.study, public_id=image_id)
        image = visible.select_related("subject", "eye", "added_by").prefetch_related("case_images__case").first()
        if image is None:
            raise NotVisible("not_found", _("There is no such image, or it is not yours to see."))
        context = self.context()
        [row] = listed_images([image])
        facts = _facts(row)
        if "see_original_names" in context["rights"]:
            facts += _organisers_facts(image)
        context |= {"image": image, "row": row, "facts": facts, "neighbours": image_neighbours(image)}
        context["list_url"] = reverse("study_images", args=[self.study.public_id])
        return render(request, "work/image.html", context)


def _facts(row: ListedImage) -> list[tuple[str, str]]:
    image = row.image
    return [
        (_("Case"), str(row.case_number or "–")),
        (_("Subject"), image.subject.pseudonym),
        (_("Eye"), _side(image)),
        (_("Photograph of the eye"), str(image.order_in_eye)),
        (_("Size"), _("%(width)s × %(height)s pixels") % {"width": image.width, "height": image.height}),
        (_("Depth"), _depth(image)),
        (_("Pixel size"), _pixel_size(image)),
        (_("Device"), image.device or "–"),
        (_("Read"), _("%(done)s of %(total)s graders") % {"done": row.read.done, "total": row.read.total}),
    ]


def _side(image: Image) -> str:
    return str(image.eye.get_side_display()) if image.eye else "–"


def _depth(image: Image) -> str:
    return _("%(bits)s bits, channels: %(channels)s") % {"bits": image.bits, "channels": image.channels}


def _pixel_size(image: Image) -> str:
    if image.um_per_px_x is None or image.um_per_px_y is None:
        return _("not known")
    return _("%(x)s × %(y)s µm") % {"x": f"{image.um_per_px_x:g}", "y": f"{image.um_per_px_y:g}"}


def _organisers_facts(image: Image) -> list[tuple[str, str]]:
    return [
        (_("Original name"), image.original_name),
        (_("SHA-256 of the original"), image.sha256),
        *([(_("Frame of the file"), str(image.frame))] if image.original_name.endswith(f"#{image.frame}") else []),
        (
            _("File"),
            _("%(format)s, %(bytes)s bytes") % {"format": image.get_format_display(), "bytes": f"{image.byte_count:,}"},
        ),
        (_("Added by"), str(image.added_by)),
    ]
