"""One case of a scored submission: what the reference says of it, and what the team sent in."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.bad_file import BadFile
from annotator.formats.case_answers import CaseAnswers
from annotator.selectors.recipes import recipe_of
from consensus.selectors.answers import answers_of
from evaluation.files.one_case import submitted
from evaluation.models import PhaseCase, Scorecard, Submission
from evaluation.services.archives import archive_path
from evaluation.services.reference_files import opened_archive, refusal_of


@dataclass(frozen=True)
class BothSides:
    reference: CaseAnswers
    submission: CaseAnswers


def both_sides(*, submission: Submission, card: Scorecard, row: PhaseCase) -> BothSides:
    """As they were scored; the archive is read, nothing is written. `row.image.subject` must be loaded."""
    recipe, image = recipe_of(submission.phase.challenge.study), row.image
    (reference,) = answers_of(card.version, [(row.name, image)])
    try:
        with opened_archive(recipe, archive_path(submission.sha256), submission.file_name) as theirs:
            sent = submitted(recipe, theirs, row.name, image.width, image.height)
    except BadFile as fault:
        raise refusal_of(fault) from None
    except OSError:
        raise DomainError("archive_missing", _("The archive of this submission cannot be read.")) from None
    return BothSides(reference, sent)
