"""One case of a scored submission for programs, and for the page that shows it: both sides, as they were scored."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.api.door import Door
from annotator.api.schema import documented
from annotator.errors import Conflict
from annotator.formats.case_answers import CaseAnswers
from annotator.geometry import mask_text, runs
from evaluation.access import case_of, seat_for, submission_of
from evaluation.api.shapes import ScoredCaseShown
from evaluation.selectors.results import lines_of_case, present_card
from evaluation.services.one_case import both_sides


class OneCase(Door):
    @documented("scored_case", "One case, the reference beside what was sent in", answer=ScoredCaseShown, refuses=[404])
    def get(self, request: Request, challenge_id: str, submission_id: str, name: str) -> Response:
        seat = seat_for(self.user, challenge_id)
        submission = submission_of(seat, submission_id)
        row = case_of(seat, submission, name)
        card = present_card(submission)
        if card is None:
            raise Conflict("not_scored", _("This submission is not scored yet."))
        sides = both_sides(submission=submission, card=card, row=row)
        told = {
            "name": row.name,
            "width": row.image.width,
            "height": row.image.height,
            "labels": sides.reference.labels,
            "values": lines_of_case(card.cases, row.name),
            "reference": _told(sides.reference),
            "submission": _told(sides.submission),
        }
        return Response(ScoredCaseShown(told).data)


def _told(side: CaseAnswers) -> dict[str, Any]:
    return {
        "areas": [
            {"target": key, "masks": [mask_text.write(runs.pack(one), side.width, side.height) for one in masks]}
            for key, masks in side.masks.items()
        ],
        "points": [{"target": key, "x": at[0], "y": at[1]} for key, at in side.points.items() if at is not None],
        "lines": [{"target": key, "points": [list(at) for at in line]} for key, line in side.lines.items()],
    }
