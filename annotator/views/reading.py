"""The page on which a grader reads a case. Everything here is addressed by the grader's own assignment."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator import access
from annotator.errors import Conflict
from annotator.markdown import render_markdown
from annotator.models import Study, Target
from annotator.selectors.work import photographs, place_of, targets_of
from annotator.services.opening import refuse_unopened, start_reading
from annotator.views.base import SignedInView


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
        wanted = request.GET.get("photograph", "")
        current = next((row for row in rows if str(row.position) == wanted), rows[0])
        context = {
            "study": study,
            "case_id": assignment.public_id,
            "place": place_of(self.user, assignment),
            "positions": [row.position for row in rows],
            "current": current,
            "image_url": reverse("read_image", args=[assignment.public_id, current.position]),
            "read_url": reverse("read", args=["ASSIGNMENT"]),
            "api_url": "/api/v1/me/assignments/",
            "targets": instructions_of(study),
        }
        return render(request, "work/read.html", context)


def instructions_of(study: Study) -> list[tuple[Target, str]]:
    """What is asked of graders, each with its instructions as safe markup."""
    targets = targets_of(study, graded_only=True)
    return [(target, render_markdown(target.instructions, headings_from=4)) for target in targets]


def _is_only_fetched_ahead(request: HttpRequest) -> bool:
    """A browser may load the next case before anybody looks at it."""
    return "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
