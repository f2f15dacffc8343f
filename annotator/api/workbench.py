"""The grading workbench: one case with all that is needed to read it, and its saving and submitting."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.api.door import Door, PlainJSON
from annotator.api.schema import documented
from annotator.api.workbench_asked import (
    ChangeAsked,
    CommentAsked,
    LeaseAsked,
    ReleaseAsked,
    SubmissionAsked,
    TabAsked,
    WithdrawAsked,
)
from annotator.api.workbench_shown import CommentStored, DraftStored, LeaseShown, Submitted, Withdrawn, WorkbenchShown
from annotator.selectors.draft_place import draft_place
from annotator.selectors.kept import drafts_of
from annotator.selectors.workbench import next_unread, workbench_of
from annotator.services.comments import save_comment
from annotator.services.drafts import Change, save_draft
from annotator.services.leases import refuse_other_author, release_lease, take_lease
from annotator.services.opening import refuse_unopened
from annotator.services.submission import Submission, submit_drafts, withdraw_reading

LARGEST_DRAFT = 8 * 1024**2  # masks of a whole picture, in base64
REFUSES = [400, 404, 409, 413]


class OwnWorkbench(Door):
    @documented(
        "workbench_read",
        "One of your cases with its questions and your unsent work",
        answer=WorkbenchShown,
        refuses=[400, 404, 409],
        parameters=[
            OpenApiParameter("tab", description="The window that asks, to learn whether it has the case open.")
        ],
    )
    def get(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        return Response(WorkbenchShown(workbench_of(self.user, assignment, **self.asked_for(TabAsked))).data)


class LargeJSON(BaseParser):
    """JSON straight from the stream: for its own JSON parsers the framework asks for the whole body, which is cut off
    at half of what a draft may need. The door has looked at the length before."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        return PlainJSON().parse(stream, media_type, parser_context)


class OwnDraft(Door):
    parser_classes = [LargeJSON]

    def body_limit(self) -> int:
        return LARGEST_DRAFT

    @documented(
        "draft_save",
        "Save one unsent answer, or take it back",
        takes=ChangeAsked,
        answer=DraftStored,
        refuses=REFUSES,
    )
    def put(self, request: Request, assignment_id: str, position: int, target: str) -> Response:
        place = draft_place(self.user, assignment_id, position, target)
        asked = self.asked(ChangeAsked)
        refuse_other_author(self.user, asked.pop("author"))
        draft = save_draft(place=place, actor=self.user, change=Change(**asked))
        return Response(draft.as_data())


class OwnComment(Door):
    @documented(
        "comment_save",
        "Save the comment on one of your cases",
        takes=CommentAsked,
        answer=CommentStored,
        refuses=REFUSES,
    )
    def put(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        asked = self.asked(CommentAsked)
        refuse_other_author(self.user, asked.pop("author"))
        return Response(CommentStored(save_comment(assignment=assignment, actor=self.user, **asked)).data)


class OwnSubmission(Door):
    @documented(
        "workbench_submit",
        "Submit the unsent answers as a reading",
        takes=SubmissionAsked,
        answer=Submitted,
        status=201,
        refuses=REFUSES,
    )
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        asked = self.asked(SubmissionAsked)
        refuse_other_author(self.user, asked.pop("author"))
        reading = submit_drafts(assignment=assignment, actor=self.user, submission=Submission(**asked))
        answer = {"number": reading.number, "next_unread": next_unread(self.user, assignment)}
        return Response(Submitted(answer).data, status=201)


class OwnWithdrawal(Door):
    @documented(
        "workbench_withdraw",
        "Take your reading back to change it",
        takes=WithdrawAsked,
        answer=Withdrawn,
        refuses=REFUSES,
    )
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_other_author(self.user, self.asked(WithdrawAsked)["author"])
        withdraw_reading(assignment=assignment, actor=self.user)
        return Response(Withdrawn({"state": "started", "drafts": drafts_of(assignment).drafts}).data)


class OwnLease(Door):
    @documented(
        "workbench_lease",
        "Open the case in this window",
        takes=LeaseAsked,
        answer=LeaseShown,
        refuses=REFUSES,
    )
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        lease = take_lease(assignment=assignment, actor=self.user, **self.asked(LeaseAsked))
        return Response(LeaseShown(lease).data)

    @documented(
        "workbench_release",
        "Close the case in this window",
        takes=ReleaseAsked,
        answer=None,
        status=204,
        refuses=REFUSES,
    )
    def delete(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        release_lease(assignment=assignment, **self.asked(ReleaseAsked))
        return Response(status=204)
