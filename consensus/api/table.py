"""The senior's table: the queue, one case of it, and the decisions about it."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Door
from annotator.api.schema import documented
from annotator.api.workbench import LARGEST_DRAFT, LargeJSON
from annotator.api.workbench_asked import LeaseAsked, ReleaseAsked, TabAsked
from annotator.models import Case
from consensus.api import asked as shapes
from consensus.api import shown
from consensus.selectors.queue import ORDERS, QueueAsked, left_to_decide, queue_of, rows_of
from consensus.selectors.standing import STATES
from consensus.selectors.table import table_case
from consensus.services.accepting import accept_cases, acceptable_cases
from consensus.services.deciding import Decision, Drawn, ExcludedReading, decide
from consensus.services.deferring import defer_case
from consensus.services.leases import lease_of, release_lease, take_lease
from consensus.services.letters import draw_letters
from consensus.services.previewing import preview
from consensus.services.runs import request_run
from consensus.services.sending_back import send_case_back
from consensus.services.tracing import trace_case
from consensus.services.undoing import undo_decision

REFUSES = [400, 404, 409]
FILTERS = [
    OpenApiParameter("order", enum=list(ORDERS)),
    OpenApiParameter("target", description="A target's key."),
    OpenApiParameter("state", enum=list(STATES)),
    OpenApiParameter("grader", description="A grader's letter."),
    OpenApiParameter("stratum", description="key:value"),
]


class TableDoor(Door):
    def case(self, study_id: str, case_id: str, may: May = May.SEE_READINGS) -> Case:
        study = self.study(study_id, may)
        case = access.case_for(self.user, study, case_id)
        case.study = study
        return case

    def told(self, case: Case, tab: str) -> Response:
        """The case as it now is, in the queue's present order."""
        draw_letters(study=case.study)
        asked = QueueAsked(**self.asked_for(shapes.QueueFilters))
        told = table_case(self.user, case, asked)
        lease = lease_of(told.review, self.user, tab, timezone.now())
        return Response(shown.TableCaseShown(told, context={"lease": lease, "steps": told.recipe.review.steps}).data)


class Queue(TableDoor):
    @documented(
        "table_queue",
        "Cases in order of disagreement",
        answer=shown.QueueRowShown(many=True),
        refuses=[400, 404],
        parameters=FILTERS,
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_READINGS)
        page, pages = self.page_of(queue_of(study, QueueAsked(**self.asked_for(shapes.QueueFilters))))
        answer = pages.get_paginated_response(shown.QueueRowShown(rows_of(self.user, page), many=True).data)
        answer.data["left"] = left_to_decide(study)
        return answer


class Run(TableDoor):
    @documented(
        "table_run",
        "Fuse the readings of the whole study",
        takes=shapes.RunAsked,
        answer=shown.JobStarted,
        status=202,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.FUSE)
        job = request_run(study=study, actor=self.user, **self.asked(shapes.RunAsked))
        return Response(shown.JobStarted(job).data, status=202)


class OneCase(TableDoor):
    @documented(
        "table_case",
        "One case with all its readings and references",
        answer=shown.TableCaseShown,
        refuses=[400, 404],
        parameters=[*FILTERS, OpenApiParameter("tab", description="The window that asks.")],
    )
    def get(self, request: Request, study_id: str, case_id: str) -> Response:
        tab = TabAsked(data={"tab": request.query_params.get("tab", "")})
        tab.is_valid(raise_exception=True)
        return self.told(self.case(study_id, case_id), tab.validated_data["tab"])


class Lease(TableDoor):
    @documented(
        "table_lease", "Open the case in this window", takes=LeaseAsked, answer=shown.TableLeaseShown, refuses=REFUSES
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        return Response(shown.TableLeaseShown(take_lease(case=case, actor=self.user, **self.asked(LeaseAsked))).data)

    @documented(
        "table_release", "Close the case in this window", takes=ReleaseAsked, answer=None, status=204, refuses=REFUSES
    )
    def delete(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        release_lease(case=case, actor=self.user, **self.asked(ReleaseAsked))
        return Response(status=204)


class Decide(TableDoor):
    parser_classes = [LargeJSON]

    def body_limit(self) -> int:
        return LARGEST_DRAFT

    @documented(
        "table_decide",
        "Accept, leave readings out, or adjust: all targets named, or none",
        takes=shapes.DecideAsked,
        answer=shown.TableCaseShown,
        refuses=[*REFUSES, 413],
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        asked = self.asked(shapes.DecideAsked)
        decisions = [_decision(each) for each in asked["decisions"]]
        decide(case=case, actor=self.user, tab=asked["tab"], decisions=decisions, comment=asked["comment"])
        return self.told(case, asked["tab"])


def _decision(asked: dict[str, Any]) -> Decision:
    excluded = [ExcludedReading(**each) for each in asked["excluded"]]
    return Decision(**{**asked, "excluded": excluded, "adjusted": _drawn(asked["adjusted"])})


def _drawn(asked: dict[str, Any] | None) -> Drawn | None:
    if asked is None:
        return None
    spur = asked["traced_from"]
    return Drawn(asked["content"], asked["masks"], None if spur is None else (spur["x"], spur["y"]))


class Preview(TableDoor):
    @documented(
        "table_preview",
        "What the vote would be without some readings",
        takes=shapes.PreviewAsked,
        answer=shown.PreviewShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        places = [
            (one["position"], one["target"], one["excluded"]) for one in self.asked(shapes.PreviewAsked)["decisions"]
        ]
        return Response(shown.PreviewShown({"references": preview(case=case, places=places)}).data)


class Trace(TableDoor):
    @documented(
        "table_trace",
        "The surfaces of a chamber angle, traced in its picture; nothing is kept",
        takes=shapes.TraceAsked,
        answer=shown.TraceShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        asked = self.asked(shapes.TraceAsked)
        spur = (asked["spur"]["x"], asked["spur"]["y"])
        lines = trace_case(case=case, position=asked["position"], measure=asked["measure"], spur=spur)
        return Response(shown.TraceShown({"lines": lines}).data)


class Defer(TableDoor):
    @documented(
        "table_defer", "Put the case off", takes=shapes.DeferAsked, answer=shown.TableCaseShown, refuses=REFUSES
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        asked = self.asked(shapes.DeferAsked)
        defer_case(case=case, actor=self.user, **asked)
        return self.told(case, asked["tab"])


class Undo(TableDoor):
    @documented(
        "table_undo",
        "Take the last decision back, by a new version",
        takes=shapes.UndoAsked,
        answer=shown.TableCaseShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        asked = self.asked(shapes.UndoAsked)
        undo_decision(case=case, actor=self.user, **asked)
        return self.told(case, asked["tab"])


class SendBack(TableDoor):
    @documented(
        "table_send_back",
        "Have one grader read the case again",
        takes=shapes.SendBackAsked,
        answer=shown.TableCaseShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, case_id: str) -> Response:
        case = self.case(study_id, case_id, May.DECIDE)
        asked = self.asked(shapes.SendBackAsked)
        send_case_back(case=case, actor=self.user, **asked)
        return self.told(case, asked["tab"])


class Accept(TableDoor):
    @documented(
        "table_accept",
        "Accept all cases whose graders agree this far; without dry_run false they are only listed",
        takes=shapes.AcceptAsked,
        answer=shown.AcceptedShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.DECIDE)
        asked = self.asked(shapes.AcceptAsked)
        wish = {"study": study, "above": asked["above"], "target": asked["target"]}
        if asked["dry_run"]:
            cases = acceptable_cases(**wish)
        else:
            cases = accept_cases(**wish, actor=self.user, only=asked["cases"], reason=asked["reason"])
        return Response(shown.AcceptedShown({"cases": cases}).data)
