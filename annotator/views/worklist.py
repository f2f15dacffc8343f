"""A grader's worklist: own cases in own order, with what is asked, skipped and done."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.further_facts import further_facts
from annotator.models import Assignment, Membership, Role, Study, User
from annotator.selectors.flags import unseen_answers
from annotator.selectors.reminders import AHEAD, REST, standing_of
from annotator.selectors.turn import to_be_read, up_to
from annotator.selectors.work import has_hidden_repeats
from annotator.selectors.worklist import Counts, FlagMark, flag_marks, worklist_cases, worklist_counts
from annotator.services.skipping import skip_case
from annotator.views.base import SignedInView, StudyView
from annotator.views.listing import chosen, page_of, searched

PER_PAGE = 24  # full rows of four or six
SHOWN = ("unread", "skipped", "flagged", "submitted")
MOST_ANSWERS = 5


@dataclass(frozen=True)
class Tile:
    """A case as the worklist shows it."""

    assignment: Assignment
    number: int
    url: str
    thumbnail: str
    title: str
    flag: FlagMark | None

    @property
    def is_submitted(self) -> bool:
        return self.assignment.state == Assignment.State.SUBMITTED

    @property
    def is_sent_back(self) -> bool:
        """By a senior, and not read again yet."""
        return bool(self.assignment.request) and not self.is_submitted


class WorklistPage(StudyView):
    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        show, sought = chosen(request, "state", SHOWN), searched(request)
        own, counts = worklist_cases(self.user, self.study), worklist_counts(self.user, self.study)
        rows = _at_place(own, sought) if sought else worklist_cases(self.user, self.study, show=show)
        page = page_of(request, rows, per_page=PER_PAGE, count=None if sought else counts.shown(show))
        found = page.paginator.count
        is_reading = self.study.state == Study.State.READING
        context = self.context(
            page=page,
            tiles=_tiles(page, own if show or sought else None, self.study),
            counts=counts,
            following=to_be_read(own).first() if is_reading else None,
            returned=_returned(own) if is_reading else [],
            answers=_answers(own, list(unseen_answers(self.user, self.study)[:MOST_ANSWERS])),
            filters=_filters(show, counts),
            search=sought,
            narrowed=bool(show or sought),
            found=ngettext("%(count)s case", "%(count)s cases", found) % {"count": f"{found:,}"},
            can_skip=is_reading,
            facts=[*_deadline(self.user, self.study), *further_facts(self.user, self.study)],
        )
        return render(request, "work/worklist.html", context)


def _deadline(user: User, study: Study) -> list[dict[str, str]]:
    """By when the cases have to be read, and whether somebody asked for it."""
    own = Membership.objects.filter(study=study, user=user, role=Role.GRADER, active=True)
    member = own.select_related("study").first()
    now = timezone.now()
    standing = standing_of(member, now) if member else None
    if member is None or standing is None or not standing.left:
        return []
    days = standing.days_left(now)
    words = []
    if member.reminded_at and member.reminded_at > now - REST:
        words.append(_("The organiser asks you to go on reading."))
    if days is not None and standing.closes is not None:
        by = {"by": date_format(timezone.localtime(standing.closes), "DATE_FORMAT"), "days": days}
        words.append(
            ngettext("To be read by %(by)s: %(days)s day left.", "To be read by %(by)s: %(days)s days left.", days) % by
        )
    soon = days is not None and days <= AHEAD.days
    return [{"words": " ".join(words), "tone": "warn" if soon else "info", "url": "", "label": ""}] if words else []


def _at_place(own: "QuerySet[Assignment]", sought: str) -> "QuerySet[Assignment]":
    """The case that stands at this place of the own order, if any."""
    place = int(sought) if sought.isdecimal() and len(sought) < 10 else 0
    pk = own.values_list("pk", flat=True)[place - 1 : place] if place else []
    return own.filter(pk__in=list(pk))


def _places(own: "QuerySet[Assignment]") -> dict[int, int]:
    return {pk: number for number, pk in enumerate(own.values_list("pk", flat=True), start=1)}


def _tiles(page: "Page[Assignment]", of: "QuerySet[Assignment] | None", study: Study) -> list[Tile]:
    """A case keeps its number in a narrowed list: its place among all own cases, `of`."""
    rows = list(page.object_list)
    if of is None:
        numbers = {row.pk: number for number, row in enumerate(rows, start=page.start_index())}
    else:
        numbers = _places(up_to(of, rows[-1])) if rows else {}
    with_pictures, marks = not has_hidden_repeats(study), flag_marks(rows)
    return [
        Tile(
            assignment=row,
            number=numbers[row.pk],
            url=reverse("read", args=[row.public_id]),
            thumbnail=reverse("read_thumbnail", args=[row.public_id, 1]) if with_pictures else "",
            title=_("Case %(number)s") % {"number": numbers[row.pk]},
            flag=marks.get(row.pk),
        )
        for row in rows
    ]


def _returned(own: "QuerySet[Assignment]") -> list[dict[str, Any]]:
    """Cases that a senior sent back; they stand last, where nobody would look for them."""
    rows = list(own.exclude(request="").exclude(state=Assignment.State.SUBMITTED)[:MOST_ANSWERS])
    places = _places(own) if rows else {}
    return [
        {"number": places[row.pk], "request": row.request, "url": reverse("read", args=[row.public_id])} for row in rows
    ]


def _answers(own: "QuerySet[Assignment]", flags: list[Any]) -> list[dict[str, Any]]:
    """What came back and has not been seen, each with its case's place."""
    places = _places(own) if flags else {}
    return [
        {
            "flag": flag,
            "number": places[flag.assignment_id],
            "url": reverse("case_flag", args=[flag.assignment.public_id]),
        }
        for flag in flags
        if flag.assignment_id in places
    ]


def _filters(show: str, counts: Counts) -> list[dict[str, Any]]:
    options = [
        ("", _("All")),
        ("unread", _("To be read (%(count)s)") % {"count": f"{counts.left:,}"}),
        ("skipped", _("Skipped (%(count)s)") % {"count": f"{counts.skipped:,}"}),
        ("flagged", _("Flagged (%(count)s)") % {"count": f"{counts.flagged:,}"}),
        ("submitted", _("Submitted (%(count)s)") % {"count": f"{counts.submitted:,}"}),
    ]
    return [{"name": "state", "label": _("Show"), "value": show, "options": options}]


class SkipCase(SignedInView):
    """Put a case off or take it up again, and back to the same part of the worklist."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, assignment_id: str) -> HttpResponse:
        assignment = access.assignment_for(self.user, assignment_id)
        skip_case(assignment=assignment, actor=self.user, skip=request.POST.get("skip") == "yes")
        asked = QueryDict(request.POST.get("back", "")[:500])
        kept = {name: asked[name] for name in ("state", "q", "page") if name in asked}
        return redirect(reverse("worklist", args=[assignment.grader.study.public_id], query=kept))
