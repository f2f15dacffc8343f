"""Pages of one challenge, for its teams and for those who oversee the study."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from annotator import access
from annotator.models import Study
from annotator.views.base import SignedInView
from evaluation.access import Seat, phase_of, seat_for, submission_of
from evaluation.models import Challenge, Phase, Submission
from protocols import PUBLISHED


class ChallengeView(SignedInView):
    """`self.seat` says what this person may see."""

    seat: Seat

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        if request.user.is_authenticated:
            self.seat = seat_for(request.user, kwargs["challenge_id"])

    @property
    def challenge(self) -> Challenge:
        return self.seat.challenge

    @property
    def study(self) -> Study:
        return self.seat.challenge.study

    def phase(self, public_id: str) -> Phase:
        return phase_of(self.challenge, public_id)

    def submission(self, public_id: str) -> Submission:
        return submission_of(self.seat, public_id)

    def context(self, **more: Any) -> dict[str, Any]:
        rights = access.rights(self.user, self.study) if self.seat.oversees else frozenset()
        return {
            "challenge": self.challenge,
            "seat": self.seat,
            "study": self.study,
            "protocol_name": PUBLISHED[self.study.protocol].name,
            "rights": {right.name.lower(): True for right in rights},
            **more,
        }


def attachment(content: bytes, *, media_type: str, name: str, ending: str) -> HttpResponse:
    """A file to take away; its name is made of plain letters."""
    answer = HttpResponse(content, content_type=media_type)
    answer["Content-Disposition"] = f'attachment; filename="{slugify(name) or "quorum"}.{ending}"'
    return answer
