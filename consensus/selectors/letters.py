"""What graders are called at the senior's table."""

from dataclasses import dataclass

from annotator.models import Membership, Study
from annotator.selectors.recipes import recipe_of
from consensus.models import GraderLetter
from protocols.names import LineStyle

COLOURS = 8
LINES = tuple(LineStyle)


@dataclass(frozen=True)
class GraderShown:
    """Letter, colour and line style are the same in every case of the study."""

    grader_id: int
    code: str
    number: int
    name: str | None  # only where the recipe reveals names to seniors

    @property
    def colour(self) -> int:
        return (self.number - 1) % COLOURS

    @property
    def line(self) -> str:
        return LINES[(self.number - 1) % len(LINES)].value


def letters_of(study: Study) -> dict[int, str]:
    """Grader (membership id) → letter."""
    return {row.grader_id: row.letter for row in GraderLetter.objects.filter(study=study)}


def graders_shown(study: Study, *, reveal: bool = False) -> list[GraderShown]:
    """Everybody who has a letter, in the order of the letters; `reveal` for somebody who looks after people anyway."""
    reveals = reveal or recipe_of(study).review.reveals_names
    rows = GraderLetter.objects.filter(study=study).select_related("grader__user").order_by("number")
    return [
        GraderShown(row.grader_id, row.letter, row.number, row.grader.user.name if reveals else None) for row in rows
    ]


def grader_of_letter(study: Study, letter: str) -> Membership | None:
    rows = GraderLetter.objects.filter(study=study).select_related("grader")
    return next((row.grader for row in rows if row.letter == letter), None)
