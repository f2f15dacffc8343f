"""A grader's worklist and one case of it. Everything here is addressed by the grader's own assignment."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import Conflict
from annotator.markdown import render_markdown
from annotator.models import Assignment, Study
from annotator.selectors.studies import DONE, grader_share
from annotator.selectors.work import has_hidden_repeats, own_cases, photographs, place_of, targets_of
from annotator.services.opening import refuse_unopened, start_reading
from annotator.views.base import SignedInView, StudyView

PER_PAGE = 50


class WorklistPage(StudyView):
    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        wanted = request.GET.get("state", "")
        own = own_cases(self.user, self.study)
        if self.study.state == Study.State.SETUP:
            own = own.none()
        shown = {"unread": own.exclude(DONE), "submitted": own.filter(DONE)}.get(wanted)
        page: Page[Assignment] = Paginator(own if shown is None else shown, PER_PAGE).get_page(request.GET.get("page"))
        context = self.context(
            page=page,
            tiles=_tiles(page, None if shown is None else own, self.study),
            progress=grader_share(self.user, self.study),
            following=own.exclude(DONE).first(),
            filters=_filters(wanted),
            narrowed=wanted in {"unread", "submitted"},
        )
        return render(request, "work/worklist.html", context)


@dataclass(frozen=True)
class Tile:
    """A case as the worklist shows it."""

    assignment: Assignment
    url: str
    thumbnail: str
    title: str


def _tiles(page: "Page[Assignment]", of: "QuerySet[Assignment] | None", study: Study) -> list[Tile]:
    """A case keeps its number in a narrowed list: its place among all own cases, `of`."""
    rows = list(page.object_list)
    if of is None:
        numbers = {row.pk: number for number, row in enumerate(rows, start=page.start_index())}
    else:
        numbers = {pk: number for number, pk in enumerate(of.values_list("pk", flat=True), start=1)}
    with_pictures = not has_hidden_repeats(study)
    return [
        Tile(
            assignment=row,
            url=reverse("read", args=[row.public_id]),
            thumbnail=reverse("read_thumbnail", args=[row.public_id, 1]) if with_pictures else "",
            title=_("Case %(number)s") % {"number": numbers[row.pk]},
        )
        for row in rows
    ]


def _filters(wanted: str) -> list[dict[str, Any]]:
    options = [("", _("All")), ("unread", _("To be read")), ("submitted", _("Submitted"))]
    return [{"name": "state", "label": _("Show"), "value": wanted, "options": options}]


class ReadCase(SignedInView):
    """The page on which a case is read. What is asked and answered comes over the API; the instructions stand here,
    because only markup that the server itself has made safe is put on a page."""

    def get(self, request: HttpRequest, assignment_id: str) -> HttpResponse:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        rows = photographs(assignment)
        if not rows:
            raise Conflict("no_image", _("This case has no image."))
        if request.method == "GET" and not _is_only_fetched_ahead(request):
            start_reading(assignment=assignment, actor=self.user)
        study = assignment.grader.study
        targets = targets_of(study, graded_only=True)
        wanted = request.GET.get("photograph", "")
        current = next((row for row in rows if str(row.position) == wanted), rows[0])
        context = {
            "study": study,
            "assignment": assignment,
            "place": place_of(self.user, assignment),
            "positions": [row.position for row in rows],
            "current": current,
            "targets": [(target, render_markdown(target.instructions, headings_from=4)) for target in targets],
        }
        return render(request, "work/read.html", context)


def _is_only_fetched_ahead(request: HttpRequest) -> bool:
    """A browser may load the next case before anybody looks at it."""
    return "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
