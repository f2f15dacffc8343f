"""Challenges for programs: what there is, sending in, and what came of it."""

from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.door import Asked, Door, PlainJSON
from annotator.api.images import FORM_OVERHEAD
from annotator.api.schema import documented
from annotator.errors import Conflict
from annotator.views.taking_files import archive_limit
from evaluation.access import Seat, challenges_visible_to, phase_of, seat_for, submission_of
from evaluation.api.shapes import ChallengeShown, LeaderboardShown, ScorecardShown, SubmissionShown, WorkShown
from evaluation.models import Scorecard, Submission
from evaluation.scoring.note import restored
from evaluation.selectors.results import present_card, present_cards, state_of
from evaluation.selectors.standings import board_of
from evaluation.services.submitting import LONGEST_NOTE, submit, withdraw


class SubmitAsked(Asked):
    ignored = frozenset({"csrfmiddlewaretoken"})

    file = serializers.FileField(help_text="A .zip in the protocol's own layout.")
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_NOTE)


class ChallengeDoor(Door):
    def seat(self, challenge_id: str) -> Seat:
        return seat_for(self.user, challenge_id)


class Challenges(Door):
    @documented("challenges", "Challenges you take part in or oversee", answer=ChallengeShown(many=True))
    def get(self, request: Request) -> Response:
        rows = challenges_visible_to(self.user).select_related("study").prefetch_related("phases").order_by("-pk")
        return self.listed(rows, ChallengeShown)


class OneChallenge(ChallengeDoor):
    @documented("challenge", "A challenge and its phases", answer=ChallengeShown, refuses=[404])
    def get(self, request: Request, challenge_id: str) -> Response:
        return Response(ChallengeShown(self.seat(challenge_id).challenge).data)


class Submissions(ChallengeDoor):
    @documented(
        "submissions",
        "Submissions, the latest first; a team sees its own",
        answer=SubmissionShown(many=True),
        refuses=[404],
    )
    def get(self, request: Request, challenge_id: str) -> Response:
        seat = self.seat(challenge_id)
        page, pages = self.page_of(seat.submissions().order_by("-pk"))
        cards = present_cards(page)
        told = [SubmissionShown(_told(seat, one, cards.get(one.pk))).data for one in page]
        return pages.get_paginated_response(told)


class Submit(ChallengeDoor):
    parser_classes = [MultiPartParser, PlainJSON]

    def body_limit(self) -> int:
        return archive_limit() + FORM_OVERHEAD

    @documented(
        "submit",
        "Send in an archive; it is checked at once and scored in the background",
        takes={"multipart/form-data": SubmitAsked},
        answer=SubmissionShown,
        status=201,
        refuses=[400, 404, 409, 413, 507],
    )
    def post(self, request: Request, challenge_id: str, phase_id: str) -> Response:
        seat = self.seat(challenge_id)
        team, phase = seat.require_team(), phase_of(seat.challenge, phase_id)
        asked = self.asked(SubmitAsked)
        file: UploadedFile[bytes] = asked["file"]
        made = submit(
            phase=phase,
            team=team,
            actor=self.user,
            content=cast(BinaryIO, file),
            file_name=file.name or "",
            note=asked["note"],
        )
        submission = submission_of(seat, made.public_id)
        return Response(SubmissionShown(_told(seat, submission, None)).data, status=201)


class PhaseLeaderboard(ChallengeDoor):
    @documented("leaderboard", "How a phase's entries are ranked", answer=LeaderboardShown, refuses=[404])
    def get(self, request: Request, challenge_id: str, phase_id: str) -> Response:
        seat = self.seat(challenge_id)
        phase = phase_of(seat.challenge, phase_id)
        seat.require_results(phase)
        board = board_of(phase)
        entries = board.content["entries"] if board else []
        bands = board.content.get("bands", []) if board else []
        told = {"is_present": bool(board and board.is_present), "entries": entries, "bands": bands}
        return Response(LeaderboardShown(told).data)


class OneSubmission(ChallengeDoor):
    @documented("submission", "One submission", answer=SubmissionShown, refuses=[404])
    def get(self, request: Request, challenge_id: str, submission_id: str) -> Response:
        seat = self.seat(challenge_id)
        submission = submission_of(seat, submission_id)
        return Response(SubmissionShown(_told(seat, submission, present_card(submission))).data)


class Withdraw(ChallengeDoor):
    @documented("submission_withdraw", "Withdraw a submission", answer=SubmissionShown, refuses=[404, 409])
    def post(self, request: Request, challenge_id: str, submission_id: str) -> Response:
        seat = self.seat(challenge_id)
        seat.require_team()
        withdraw(submission=submission_of(seat, submission_id), actor=self.user)
        return Response(SubmissionShown(_told(seat, submission_of(seat, submission_id), None)).data)


class SubmissionJob(ChallengeDoor):
    @documented("submission_job", "How far the scoring of a submission is", answer=WorkShown, refuses=[404])
    def get(self, request: Request, challenge_id: str, submission_id: str) -> Response:
        seat = self.seat(challenge_id)
        submission = submission_of(seat, submission_id)
        seat.require_results(submission.phase)
        return Response(WorkShown(submission.job).data)


class OneScorecard(ChallengeDoor):
    @documented("scorecard", "How a submission was scored", answer=ScorecardShown, refuses=[404, 409])
    def get(self, request: Request, challenge_id: str, submission_id: str) -> Response:
        seat = self.seat(challenge_id)
        submission = submission_of(seat, submission_id)
        seat.require_results(submission.phase)
        card = present_card(submission)
        if card is None:
            raise Conflict("not_scored", _("This submission is not scored yet."))
        return Response(ScorecardShown(_card(seat, submission, card)).data)


def _told(seat: Seat, submission: Submission, card: Scorecard | None) -> dict[str, Any]:
    state = state_of(submission, card)
    hidden = not seat.sees_results(submission.phase) and not submission.withdrawn
    return {"submission": submission, "state": "received" if hidden else state}


def _card(seat: Seat, submission: Submission, card: Scorecard) -> dict[str, Any]:
    told = {
        "protocol": seat.challenge.study.protocol,
        "edition": card.edition,
        "version": card.version.number,
        "version_digest": card.version_digest,
        "program": card.code_version,
        "made_at": card.made_at,
        "n_cases": len(card.cases),
        "metrics": card.metrics,
        "ci": card.intervals,
    }
    return told | (
        {"cases": card.cases, "notes": [str(restored(one)) for one in card.notes]}
        if seat.sees_cases(submission.phase)
        else {}
    )
