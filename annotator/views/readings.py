"""The organiser's list of readings in force, and giving one back."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Membership, Role
from annotator.selectors.readings import readings_in_force
from annotator.services.reopening import reopen_reading
from annotator.views.base import StudyView
from annotator.views.listing import chosen, page_of, searched

COMMENT = "comment"


class StudyReadings(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        graders = Membership.objects.filter(study=self.study, role=Role.GRADER).select_related("user").order_by("pk")
        grader = chosen(request, "grader", [member.code for member in graders])
        show, sought = chosen(request, "show", [COMMENT]), searched(request)
        case = int(sought) if sought.isdecimal() and len(sought) < 10 else 0
        readings = readings_in_force(
            self.study, grader=grader, with_comment=show == COMMENT, case=case if sought else None
        )
        page = page_of(request, readings)
        count = page.paginator.count
        context = self.context(
            page=page,
            filters=_filters(grader, list(graders), show),
            search=sought,
            narrowed=bool(grader or show or sought),
            found=ngettext("%(count)s reading", "%(count)s readings", count) % {"count": f"{count:,}"},
        )
        return render(request, "work/readings.html", context)


def _filters(grader: str, graders: list[Membership], show: str) -> list[dict[str, Any]]:
    people = [("", _("Everybody")), *((member.code, f"{member.code} · {member.user}") for member in graders)]
    return [
        {"name": "grader", "label": _("Grader"), "value": grader, "options": people},
        {
            "name": "show",
            "label": _("Show"),
            "value": show,
            "options": [("", _("All")), (COMMENT, _("With a comment"))],
        },
    ]


class ReadingReopen(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, reading_id: str) -> HttpResponse:
        reading = readings_in_force(self.study).filter(assignment__public_id=reading_id).first()
        if reading is None:
            raise NotVisible("not_found", _("There is no such reading."))
        reason = request.POST.get("reason", "").replace("\x00", "")
        reopen_reading(assignment=reading.assignment, actor=self.user, reason=reason)
        messages.success(request, _("The reading was given back to its grader."))
        return redirect("study_readings", study_id)
