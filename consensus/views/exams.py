"""The exam of a study: set up, given to candidates, and who passed; for candidates their own result alone."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.errors import DomainError, NotVisible
from annotator.models import Membership, Role, Study, User
from annotator.services.assignments import Rule, request_assignment
from annotator.services.qualifying import ask_for_qualification, qualify
from annotator.views.base import StudyView, put_right
from consensus.exam_words import limit_words, marks_shown, measure_heads, said_words
from consensus.models import Exam
from consensus.selectors.exams import (
    ADMITTED_AS,
    Candidate,
    candidates_of,
    errors_shown,
    exam_of,
    is_stale,
    limits_of,
    sat_by,
    truth_of,
    unqualified,
)
from consensus.services.exams import admit, hand_in, mark_again, set_up_exam
from consensus.views.exam_form import ExamForm


class ExamView(StudyView):
    may = May.MANAGE

    def exam(self) -> Exam:
        found = exam_of(self.study)
        if found is None:
            raise NotVisible("not_found", _("The study has no exam."))
        return found

    def candidate(self, exam: Exam, public_id: str) -> Membership:
        row = Membership.objects.filter(study=exam.held_in, public_id=public_id, role=Role.GRADER)
        found = row.select_related("user").first()
        if found is None:
            raise NotVisible("not_found", _("There is no such candidate."))
        return found

    def back(self) -> HttpResponse:
        return redirect("study_exam", self.study.public_id)


class StudyExam(ExamView):
    """The form while there is no exam, then the table of candidates."""

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        exam = exam_of(self.study)
        if exam is not None:
            return render(request, "consensus/exam.html", self.context(**_table(exam, self.user)))
        return self._form(ExamForm(study=self.study, user=self.user))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = ExamForm(request.POST, study=self.study, user=self.user)
        if not form.is_valid():
            return self._form(form, status=400)
        exam = put_right(form, lambda: set_up_exam(study=self.study, actor=self.user, **form.wish()))
        if exam is None:
            return self._form(form, status=409)
        messages.success(
            request, _("The exam is set up. Put its images and their known answers in, then invite candidates.")
        )
        return self.back()

    def _form(self, form: ExamForm, status: int = 200) -> HttpResponse:
        return render(self.request, "consensus/exam_setup.html", self.context(form=form), status=status)


def _table(exam: Exam, user: User) -> dict[str, Any]:
    candidates, truth = candidates_of(exam), truth_of(exam)
    results = [one.result for one in candidates if one.result]
    return {
        "exam": exam,
        "manages_exam": May.MANAGE in access.rights(user, exam.held_in),
        "images": exam.held_in.cases.count(),
        "truth": truth,
        "stale": is_stale(truth, candidates),
        "limits": [
            {
                "role": Role(role).label,
                "words": [limit_words(exam.study, limit) for limit in limits_of(exam, Role(role))],
            }
            for role in ADMITTED_AS
        ],
        "measures": measure_heads(exam),
        "rows": [_row(exam, one) for one in candidates],
        "counts": {
            "candidates": len(candidates),
            "handed_in": len(results),
            "passed": sum(result.passed_as_grader for result in results),
            "not_given": sum(one.progress.total == 0 and one.membership.active for one in candidates),
        },
        "closed_to_candidates": exam.held_in.state == Study.State.SETUP,
        "unqualified": list(unqualified(exam.study)),
    }


def _row(exam: Exam, one: Candidate) -> dict[str, Any]:
    return {
        "candidate": one,
        "marks": marks_shown(exam, one.result) if one.result else [],
        "roles": [
            {"key": role.value, "label": role.label, "admitted": role in one.admitted}
            for role in ADMITTED_AS
            if role in one.admitted or role in one.admissible
        ],
    }


class ExamGive(ExamView):
    """Everybody who is a candidate gets all cases of the exam, in an order of their own."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        exam = self.exam()
        held_in = access.study_for(self.user, exam.held_in.public_id, May.MANAGE)
        job = request_assignment(study=held_in, rule=Rule(None), actor=self.user)
        return redirect("job", job.public_id)


class ExamMarkAgain(ExamView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        changed = mark_again(exam=self.exam(), actor=self.user)
        words = ngettext(
            "Marked again; %(count)s candidate passed or failed otherwise than before.",
            "Marked again; %(count)s candidates passed or failed otherwise than before.",
            changed,
        )
        messages.success(request, words % {"count": changed})
        return self.back()


class ExamAdmit(ExamView):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        exam = self.exam()
        candidate, role = self.candidate(exam, member_id), request.POST.get("role", "")
        if role not in (Role.GRADER, Role.ADJUDICATOR):
            raise DomainError("bad_role", _("Choose a role."), field="role")
        admit(exam=exam, candidate=candidate, role=Role(role), actor=self.user)
        messages.success(request, _("%(name)s is admitted.") % {"name": candidate.user.name})
        return self.back()


class ExamWaive(ExamView):
    """Somebody who needs no exam, with a reason."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member = Membership.objects.filter(study=self.study, public_id=member_id).select_related("user").first()
        if member is None:
            raise NotVisible("not_found", _("There is no such person in this study."))
        qualify(membership=member, words=request.POST.get("reason", "").replace("\x00", ""), actor=self.user)
        messages.success(request, _("%(name)s can be given cases.") % {"name": member.user.name})
        return self.back()


class ExamRequired(ExamView):
    """Whether the exam is asked for; taken back with a reason."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        self.exam()
        asked = request.POST.get("asked") == "yes"
        reason = request.POST.get("reason", "").replace("\x00", "")
        ask_for_qualification(study=self.study, asked=asked, actor=self.user, reason=reason)
        return self.back()


class OwnExam(StudyView):
    """A candidate hands the exam in and sees pass or fail, and the own errors if the exam shows them."""

    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        sat = [self._sat(exam, one) for exam, one in sat_by(self.user, self.study)]
        if not sat:
            raise NotVisible("not_found", _("There is no exam in this study."))
        return render(request, "consensus/own_exam.html", self.context(sat=sat))

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        wanted = request.POST.get("exam", "")
        for exam, one in sat_by(self.user, self.study):
            if exam.public_id == wanted:
                hand_in(exam=exam, candidate=one.membership, actor=self.user)
                return redirect("own_exam", study_id)
        raise NotVisible("not_found", _("There is no exam in this study."))

    def _sat(self, exam: Exam, one: Candidate) -> dict[str, Any]:
        errors = [
            {
                "number": error["number"],
                "url": reverse("read", args=[error["assignment"]]),
                **said_words(self.study, error),
            }
            for error in errors_shown(exam, one)
        ]
        return {"exam": exam, "candidate": one, "errors": errors}


def exam_facts(user: User, study: Study) -> list[dict[str, str]]:
    """What a candidate, or an organiser, is told on the pages of the exam's study."""
    held = list(Exam.objects.filter(held_in=study).select_related("study").order_by("pk"))
    if not held:
        return []
    url = reverse("own_exam", args=[study.public_id])
    facts = []
    for exam in held if May.MANAGE in access.rights(user, study) else []:
        if May.MANAGE in access.rights(user, exam.study):
            words = _("This study is the entrance exam of “%(name)s”.") % {"name": exam.study.name}
            there = reverse("study_exam", args=[exam.study.public_id])
            facts.append({"words": words, "tone": "info", "url": there, "label": _("Candidates and their results")})
    for _exam, one in sat_by(user, study):
        if one.result is not None:
            facts.append({"words": _("Your exam is marked."), "tone": "info", "url": url, "label": _("See the result")})
        elif one.finished:
            words = _("All cases of the exam are submitted.")
            facts.append({"words": words, "tone": "info", "url": url, "label": _("Hand it in")})
    return facts
