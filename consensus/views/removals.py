"""Removing a grader: what would happen, the deed, what came of it, and the way back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import DomainError, NotVisible
from annotator.models import Membership, Role
from annotator.views.base import StudyView
from consensus.models import Removal
from consensus.selectors.removals import changes_since, read_instead, ready_cases, removal_of, removals_of
from consensus.services.removing import preview_removal, remove_grader, take_back_removal
from consensus.views.monitor import as_csv

MOST_LISTED = 500


class RemoveGrader(StudyView):
    may = May.MANAGE

    def grader(self, public_id: str) -> Membership:
        row = Membership.objects.filter(study=self.study, public_id=public_id, role=Role.GRADER)
        found = row.select_related("user").first()
        if found is None:
            raise NotVisible("not_found", _("There is no such grader."))
        return found

    def get(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        grader = self.grader(member_id)
        removal = removal_of(grader)
        if removal is not None:
            return redirect("removal", study_id, removal.public_id)
        return self._page(grader)

    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        grader, reason = self.grader(member_id), request.POST.get("reason", "").replace("\x00", "")
        try:
            removal = remove_grader(study=self.study, grader=grader, reason=reason, actor=self.user)
        except DomainError as refusal:
            return self._page(grader, refusal, reason)
        messages.success(request, _("%(name)s was removed.") % {"name": grader.user.name})
        return redirect("removal", study_id, removal.public_id)

    def _page(self, grader: Membership, refusal: DomainError | None = None, reason: str = "") -> HttpResponse:
        preview = preview_removal(study=self.study, grader=grader)
        members = Membership.objects.filter(pk__in=preview.regrading.new).select_related("user").order_by("pk")
        context = self.context(
            grader=grader,
            preview=preview,
            shares=[(member, len(preview.regrading.new[member.pk])) for member in members],
            labels=preview.labels[:MOST_LISTED],
            listed=MOST_LISTED,
            refusal=refusal.message if refusal else "",
            reason=reason,
        )
        return render(self.request, "consensus/removal_preview.html", context, status=400 if refusal else 200)


class RemovalPage(StudyView):
    may = May.MANAGE

    def removal(self, public_id: str) -> Removal:
        found = removals_of(self.study).filter(public_id=public_id).first()
        if found is None:
            raise NotVisible("not_found", _("There is no such removal."))
        return found

    def get(self, request: HttpRequest, study_id: str, removal_id: str) -> HttpResponse:
        removal = self.removal(removal_id)
        changes = changes_since(removal)
        context = self.context(
            removal=removal,
            changes=changes[:MOST_LISTED],
            changed=len(changes),
            listed=MOST_LISTED,
            instead=read_instead(removal),
            out_of_date=len(ready_cases(removal)),
        )
        return render(request, "consensus/removal.html", context)

    def post(self, request: HttpRequest, study_id: str, removal_id: str) -> HttpResponse:
        """One action takes it back."""
        take_back_removal(removal=self.removal(removal_id), actor=self.user)
        messages.success(request, _("The removal was taken back."))
        return redirect("removal", study_id, removal_id)


class RemovalTable(RemovalPage):
    """Every reference that changed, as a CSV file."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, study_id: str, removal_id: str) -> HttpResponse:
        removal = self.removal(removal_id)
        rows = [[change.case.number, change.target, change.before, change.after] for change in changes_since(removal)]
        return as_csv(f"removal-{removal.grader.code}.csv", [["case", "target", "before", "after"], *rows])
