"""Flags: a grader's page about one case, and the organiser's list of questions."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from annotator import access
from annotator.access import May
from annotator.errors import DomainError, NotVisible
from annotator.models import Assignment, Eye, Flag
from annotator.selectors.flags import CLOSED, OPEN, flags_of, study_flags
from annotator.selectors.work import has_hidden_repeats, place_of
from annotator.services.flags import LONGEST, close_flag, raise_flag, see_answers
from annotator.services.laterality import fix_flag
from annotator.services.opening import refuse_unopened
from annotator.views.base import SignedInView, StudyView, put_right
from annotator.views.listing import chosen, page_of

EVERY = "all"


class FlagForm(forms.Form):
    comment = forms.CharField(
        label=gettext_lazy("What should the organiser look at?"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("For example: wrong eye? Only the organisers see it, and the answer comes only to you."),
    )


class FlagCase(SignedInView):
    """One case's questions and answers, and a new question. Opening it is seeing the answers."""

    def get(self, request: HttpRequest, assignment_id: str) -> HttpResponse:
        assignment = self._assignment(assignment_id)
        page = self._page(assignment, FlagForm())
        if request.method == "GET":
            see_answers(assignment=assignment)
        return page

    def post(self, request: HttpRequest, assignment_id: str) -> HttpResponse:
        assignment, form = self._assignment(assignment_id), FlagForm(request.POST)
        if not form.is_valid():
            return self._page(assignment, form, status=400)
        comment = form.cleaned_data["comment"]
        if put_right(form, lambda: raise_flag(assignment=assignment, actor=self.user, comment=comment)) is None:
            return self._page(assignment, form, status=409)
        messages.success(request, _("The case is flagged. The answer will appear here and in your worklist."))
        return redirect("worklist", assignment.grader.study.public_id)

    def _assignment(self, assignment_id: str) -> Assignment:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        return assignment

    def _page(self, assignment: Assignment, form: FlagForm, status: int = 200) -> HttpResponse:
        study, flags = assignment.grader.study, flags_of(assignment)
        shows_pictures = not has_hidden_repeats(study)
        context = {
            "study": study,
            "rights": {right.name.lower(): True for right in access.rights(self.user, study)},
            "assignment": assignment,
            "place": place_of(self.user, assignment),
            "thumbnail": reverse("read_thumbnail", args=[assignment.public_id, 1]) if shows_pictures else "",
            "flags": flags,
            "form": form,
            "waits": any(flag.closed_at is None for flag in flags),
        }
        return render(self.request, "work/flag.html", context, status=status)


@dataclass(frozen=True)
class FlagRow:
    """A flag as the organiser's list shows it; the picture is the case's first."""

    flag: Flag
    thumbnail: str
    image_url: str
    side: str = ""  # of the eye; nothing where images have none


class StudyFlags(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        state = chosen(request, "state", [OPEN, CLOSED, EVERY]) or OPEN
        flags = study_flags(self.user, self.study, state="" if state == EVERY else state)
        page = page_of(request, flags)
        count = page.paginator.count
        context = self.context(
            page=page,
            rows=[_row(self.study.public_id, flag) for flag in page.object_list],
            filters=_filters(state),
            state=state,
            found=ngettext("%(count)s flag", "%(count)s flags", count) % {"count": f"{count:,}"},
            longest=LONGEST,
            sides=Eye.Side.choices[:2],
        )
        return render(request, "work/flags.html", context)


def _row(study_id: str, flag: Flag) -> FlagRow:
    first = next(iter(flag.assignment.case.case_images.all()), None)
    if first is None:
        return FlagRow(flag, "", "")
    image, eye = first.image.public_id, first.image.eye
    thumbnail, page = reverse("image_thumbnail", args=[image]), reverse("image", args=[study_id, image])
    return FlagRow(flag, thumbnail, page, eye.side if eye else "")


def _filters(state: str) -> list[dict[str, Any]]:
    options = [(OPEN, pgettext("flag", "Open")), (CLOSED, pgettext("flag", "Closed")), (EVERY, _("All"))]
    return [{"name": "state", "label": _("Show"), "value": state, "options": options}]


class OneFlag(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def flag(self, flag_id: str) -> Flag:
        flag = study_flags(self.user, self.study).filter(public_id=flag_id).first()
        if flag is None:
            raise NotVisible("not_found", _("There is no such flag."))
        return flag


class FlagFix(OneFlag):
    """The eye is corrected, and the grader told so."""

    def post(self, request: HttpRequest, study_id: str, flag_id: str) -> HttpResponse:
        flag, said = self.flag(flag_id), request.POST
        answer = said.get("answer", "").replace("\x00", "")
        fixed = fix_flag(
            flag=flag, side=said.get("side", ""), seen=said.get("seen", ""), answer=answer, actor=self.user
        )
        words = _("The eye of case %(number)s is corrected.") % {"number": flag.assignment.case.number}
        if fixed.swapped:
            others = ", ".join(str(number) for number in fixed.swapped)
            words += " " + _("The other eye, case %(numbers)s, got the former side.") % {"numbers": others}
        messages.success(request, words)
        return redirect("study_flags", study_id)


class FlagClose(OneFlag):
    """Answer, or close without a word."""

    def post(self, request: HttpRequest, study_id: str, flag_id: str) -> HttpResponse:
        flag = self.flag(flag_id)
        answer = "" if request.POST.get("how") == "close" else request.POST.get("answer", "").replace("\x00", "")
        if request.POST.get("how") != "close" and not answer.strip():
            raise DomainError("answer_missing", _("Write an answer, or close the flag without one."), field="answer")
        close_flag(flag=flag, actor=self.user, answer=answer)
        messages.success(request, _("The answer was sent.") if answer else _("The flag is closed."))
        return redirect("study_flags", study_id)
