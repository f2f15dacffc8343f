"""Assignment: choose the rule, look at what it would give, confirm."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.access import May
from annotator.models import Membership, Role, Round, Study
from annotator.selectors.readings import round_standings
from annotator.selectors.recipes import recipe_of
from annotator.selectors.reminders import REST
from annotator.selectors.repeats import repeats_by_grader
from annotator.selectors.studies import members_of
from annotator.selectors.work import graders_per_case
from annotator.selectors.workload import to_be_read_by, workload
from annotator.services.assignments import Plan, plan_assignments, request_assignment, rule_of
from annotator.services.repeats import draw_repeats
from annotator.views.assignment_form import AssignForm
from annotator.views.base import StudyView, put_right


@dataclass(frozen=True)
class Share:
    """One grader's row of the preview."""

    member: Membership
    has: int
    gets: int

    @property
    def total(self) -> int:
        return self.has + self.gets


class StudyAssign(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        if "rule" not in request.GET:
            return self._page(AssignForm(initial=AssignForm.initial_for(rule_of(self.study))))
        form = AssignForm(request.GET)
        plan = None
        if form.is_valid():
            plan = put_right(form, lambda: plan_assignments(study=self.study, **form.wish()))
        return self._page(form, plan)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = AssignForm(request.POST)
        if not form.is_valid():
            return self._page(form, status=400)
        job = put_right(form, lambda: request_assignment(study=self.study, actor=self.user, **form.wish()))
        if job is None:
            return self._page(form, status=409)
        return redirect("job", job.public_id)

    def _page(self, form: AssignForm, plan: Plan | None = None, status: int = 200) -> HttpResponse:
        graders = [member for member in members_of(self.study) if member.role == Role.GRADER and member.active]
        per_case = graders_per_case(self.study)
        context = self.context(
            form=form,
            plan=plan,
            shares=[] if plan is None else _shares(plan, graders),
            lack=self._lack(len(graders)),
            protocol_rule=_rule_in_words(per_case),
            loads=_loads(self.study),
            repeats=_repeats(self.study),
            rounds=[(row, _shared_out(row.round)) for row in round_standings(self.study)],
        )
        return render(self.request, "work/assign.html", context, status=status)

    def _lack(self, graders: int) -> dict[str, str] | None:
        """What has to be there before anything can be assigned."""
        if not self.study.cases.exists():
            url = reverse("study_upload", args=[self.study.public_id])
            return {
                "title": _("There are no images yet"),
                "text": _("Cases are made from images."),
                "url": url,
                "label": _("Upload images"),
            }
        if graders == 0:
            url = reverse("study_people", args=[self.study.public_id])
            return {
                "title": _("There are no graders yet"),
                "text": _("Invite the people who will read."),
                "url": url,
                "label": _("Invite graders"),
            }
        return None


def _loads(study: Study) -> list[dict[str, Any]]:
    """The workload of every grader who has one; late where a date is set and the pace does not meet it."""
    today, by = timezone.localdate(), to_be_read_by(study)
    rows = []
    for load in workload(study):
        if load.left or load.read:
            rows.append(
                {
                    "load": load,
                    "per_day": f"{load.per_day:.1f}",
                    "done": load.done_on(today),
                    "late": load.is_late(today, by),
                    "may_remind": _may_remind(load.member),
                }
            )
    return rows


def _may_remind(member: Membership) -> bool:
    return member.reminded_at is None or member.reminded_at <= timezone.now() - REST


def _repeats(study: Study) -> dict[str, Any] | None:
    """None where the recipe asks for none."""
    asked = recipe_of(study).repeats
    if not asked.share:
        return None
    return {"asked": asked, "percent": f"{100 * asked.share:g}", "rows": repeats_by_grader(study)}


class StudyRepeats(StudyView):
    """Those that are due, now instead of within six hours."""

    may = May.MANAGE

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        count = draw_repeats(study=self.study, actor=self.user)
        said = ngettext("%(count)s case comes back.", "%(count)s cases come back.", count) % {"count": count}
        messages.success(request, said if count else _("No case is due yet."))
        return redirect("study_assign", study_id)


def _shares(plan: Plan, graders: list[Membership]) -> list[Share]:
    by_code = sorted(graders, key=lambda member: (len(member.code), member.code))
    return [Share(member, plan.held.get(member.pk, 0), len(plan.new.get(member.pk, []))) for member in by_code]


def _shared_out(round: Round) -> str:
    """How a round was shared out, in words; nothing of one that was not, or that is none of the main ones."""
    if not round.planned:
        return ""
    words = _rule_in_words(round.graders_per_case)
    return _("%(rule)s, subjects apart") % {"rule": words} if round.subjects_apart else words


def _rule_in_words(per_case: int | None) -> str:
    if per_case is None:
        return _("every grader reads every case")
    return _("%(count)s graders per case") % {"count": per_case}
