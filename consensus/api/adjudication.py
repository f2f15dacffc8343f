"""The adjudicator's queue: a case to be settled, and what its graders had said once it is."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.workbench_asked import TAB, ContentAsked, LeaseAsked, ReleaseAsked, TabAsked, Words
from annotator.api.workbench_shown import (
    CaseShown,
    ContentShown,
    LeaseShown,
    PhotographShown,
    Submitted,
    WorkbenchShown,
)
from annotator.errors import NotVisible
from annotator.models import Case
from annotator.selectors.workbench import Lease, Photograph, Workbench
from consensus.api.asked import WHY
from consensus.models import CaseReview
from consensus.selectors.adjudication import (
    adjudication_of,
    case_to_settle,
    is_theirs,
    next_open,
    open_cases,
    own_decisions,
)
from consensus.services.adjudicating import Verdict, adjudicate, undo_adjudication
from consensus.services.leases import lease_of, release_lease, take_lease

REFUSES = [400, 404, 409]
MOST_PHOTOGRAPHS = 20


class DisputedPhotograph(PhotographShown):
    def get_url(self, photograph: Photograph) -> str:
        return reverse("image_file", args=[photograph.image.public_id])


class DisputedCase(CaseShown):
    def to_representation(self, case: Any) -> dict[str, Any]:
        """Every photograph that is shown is to be settled; none leads to another."""
        shown = super().to_representation(case)
        return {**shown, "next_photograph_on": None, "max_photographs": MOST_PHOTOGRAPHS}


class SaidShown(serializers.Serializer[Any]):
    grader = serializers.CharField(help_text="By letter.")
    position = serializers.IntegerField()
    target = serializers.CharField()
    content = ContentShown()
    reason = serializers.CharField(help_text="Of a word in the graders' discussion; empty for what was read.")


class DisputeShown(WorkbenchShown):
    images = DisputedPhotograph(many=True)
    case = DisputedCase(source="recipe.case")
    said = serializers.SerializerMethodField(
        help_text="What graders had said; empty until you have decided, unless the recipe shows it."
    )
    labels_shown = serializers.SerializerMethodField(
        help_text="The recipe shows every adjudicator what was said, so that no decision is called blind."
    )

    seen = serializers.SerializerMethodField(
        help_text="You know what the graders said, so that a decision now is marked as not blind."
    )

    def get_seen(self, bench: Workbench) -> bool:
        return bool(self.context["seen"])

    def get_labels_shown(self, bench: Workbench) -> bool:
        return bool(self.context["shown"])

    def get_said(self, bench: Workbench) -> list[dict[str, Any]]:
        return [dict(one) for one in SaidShown(self.context["said"], many=True).data]


class DisputeRow(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    case = serializers.IntegerField(source="number")


class VerdictAsked(Asked):
    position = serializers.IntegerField(min_value=1, max_value=10_000)
    target = Words(max_length=40)
    content = ContentAsked()


class AdjudicateAsked(Asked):
    tab = serializers.RegexField(TAB)
    verdicts = serializers.ListField(child=VerdictAsked(), max_length=MOST_PHOTOGRAPHS)
    comment = Words(allow_blank=True, max_length=2000, default="")


class TakeBackAsked(ReleaseAsked):
    reason = Words(allow_blank=True, max_length=2000, default="", help_text=WHY)


class AdjudicationDoor(Door):
    def case(self, study_id: str, case_id: str) -> Case:
        study = self.study(study_id, May.ADJUDICATE)
        return case_to_settle(self.user, study, case_id)

    def told(self, case: Case, tab: str) -> Response:
        review = CaseReview.objects.filter(case=case).first()
        lease = lease_of(review, self.user, tab, timezone.now())
        found = adjudication_of(self.user, case, Lease(lease.mine, lease.until))
        if found is None:
            raise _nothing_here()
        told = {"said": found.said, "seen": found.seen, "shown": found.shown}
        return Response(DisputeShown(found.bench, context=told).data)


def _nothing_here() -> NotVisible:
    return NotVisible("not_found", _("There is nothing to settle in this case."))


class Disputes(AdjudicationDoor):
    @documented("adjudication_queue", "Cases for you to settle", answer=DisputeRow(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.ADJUDICATE)
        page, pages = self.page_of(open_cases(self.user, study))
        answer = pages.get_paginated_response(DisputeRow(page, many=True).data)
        answer.data["settled"] = own_decisions(self.user, study).values("case").distinct().count()
        return answer


class Dispute(AdjudicationDoor):
    @documented(
        "adjudication_read",
        "A case to be settled, with what its graders said after your decision, or before if the recipe shows it",
        answer=DisputeShown,
        refuses=REFUSES,
        parameters=[OpenApiParameter("tab", description="The window that asks.")],
    )
    def get(self, request: Request, study_id: str, case_id: str) -> Response:
        return self.told(self.case(study_id, case_id), self.asked_for(TabAsked)["tab"])


class DisputeLease(AdjudicationDoor):
    @documented(
        "adjudication_lease", "Open the case in this window", takes=LeaseAsked, answer=LeaseShown, refuses=REFUSES
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id)
        if not is_theirs(self.user, case):  # such as one that its graders still discuss
            raise _nothing_here()
        return Response(LeaseShown(take_lease(case=case, actor=self.user, **self.asked(LeaseAsked))).data)

    @documented(
        "adjudication_release",
        "Close the case in this window",
        takes=ReleaseAsked,
        answer=None,
        status=204,
        refuses=REFUSES,
    )
    def delete(self, request: Request, study_id: str, case_id: str) -> Response:
        release_lease(case=self.case(study_id, case_id), actor=self.user, **self.asked(ReleaseAsked))
        return Response(status=204)


class DisputeDecision(AdjudicationDoor):
    @documented(
        "adjudication_decide",
        "Settle every disputed photograph of the case",
        takes=AdjudicateAsked,
        answer=Submitted,
        status=201,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id)
        asked = self.asked(AdjudicateAsked)
        verdicts = [Verdict(**each) for each in asked["verdicts"]]
        adjudicate(case=case, actor=self.user, tab=asked["tab"], verdicts=verdicts, comment=asked["comment"])
        answer = {"number": 1, "next_unread": next_open(self.user, case.study, case)}
        return Response(Submitted(answer).data, status=201)


class DisputeUndo(AdjudicationDoor):
    @documented(
        "adjudication_undo",
        "Take your decision back, by a new version",
        takes=TakeBackAsked,
        answer=DisputeShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case, asked = self.case(study_id, case_id), self.asked(TakeBackAsked)
        undo_adjudication(case=case, actor=self.user, **asked)
        return self.told(case, asked["tab"])
