"""A submission is scored in the background: read, one pure call, written as a scorecard that never changes."""

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.bad_file import BadFile
from annotator.formats.plain import plain
from annotator.models import Job, User
from annotator.services.audit import record
from evaluation import code_version
from evaluation.models import Scorecard, Submission
from evaluation.scoring import kept, note
from evaluation.scoring.scorecard import Scorecard as Computed
from evaluation.scoring.scorecard import score
from evaluation.services.archives import archive_path
from evaluation.services.ranking import make_leaderboard
from evaluation.services.reference_files import Yardstick, opened_archive, refusal_of, yardstick_of

if TYPE_CHECKING:
    from annotator.services.job_run import Progress


def run_scoring_job(job: Job, progress: "Progress") -> dict[str, Any]:
    """What came of it stands in the scorecard; the job itself is seen by people who must not know it."""
    rows = Submission.objects.select_related("phase__version", "phase__challenge__study", "team")
    submission = rows.get(public_id=job.arguments["submission"])
    make_scorecard(submission=submission, actor=job.owner, progress=progress)
    make_leaderboard(phase=submission.phase)
    return {"submission": submission.public_id}


def make_scorecard(*, submission: Submission, actor: User, progress: "Progress") -> Scorecard:
    """Of the phase's present version; if it was scored against it by this program already, that one is given."""
    phase = submission.phase
    version, edition, program = phase.version, phase.challenge.edition, code_version.of_scoring()
    key = {"submission": submission, "version": version, "edition": edition, "code_version": program}
    known = Scorecard.objects.filter(**key).first()
    if known is not None:
        return known
    computed, evidence = _computed(yardstick_of(phase), submission, progress)
    with transaction.atomic():
        progress.report(1, 1)  # whoever no longer holds the job writes nothing
        card, is_new = Scorecard.objects.get_or_create(
            **key,
            defaults={
                "version_digest": version.digest,
                "metrics": plain(computed.metrics),
                "intervals": plain({name: [one.low, one.high] for name, one in computed.intervals.items()}),
                "cases": plain(computed.cases),
                "notes": [note.kept(one) for one in computed.notes],
                "evidence": evidence,
            },
        )
        if is_new:
            after = {
                "team": submission.team.name,
                "phase": phase.name,
                "number": submission.number,
                "version": version.number,
                "code_version": program,
            }
            study = phase.challenge.study
            record(action="submission.scored", actor=actor, study=study, subject=submission.public_id, after=after)
    return card


def _computed(yardstick: Yardstick, submission: Submission, progress: "Progress") -> tuple[Computed, bytes]:
    statistics = yardstick.recipe.scoring.statistics

    def tell(done: int, total: int) -> None:
        if done == total or done % 10 == 0:
            progress.report(done, total + 1)

    try:
        place = archive_path(submission.sha256)
        with opened_archive(yardstick.recipe, place, submission.file_name) as theirs:
            findings = yardstick.findings(yardstick.reference(), theirs, tell)
    except BadFile as fault:
        raise refusal_of(fault) from None
    except OSError:
        raise DomainError("archive_missing", _("The archive of this submission cannot be read.")) from None
    card = score(yardstick.recipe, yardstick.edition, findings, resamples=statistics.resamples, seed=statistics.seed)
    return card, kept.pack(findings)
