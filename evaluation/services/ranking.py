"""The leaderboard of a phase: entries ranked by the protocol's rule, and how far that can be trusted. It is computed
from the evidence that scorecards keep, and kept itself."""

from typing import TYPE_CHECKING, Any

from django.db import transaction

from annotator.formats.plain import plain
from annotator.models import Job, User
from annotator.selectors.recipes import recipe_of
from annotator.services.jobs import request_job
from evaluation import code_version
from evaluation.files.contest import as_object
from evaluation.models import Leaderboard, Phase, Scorecard
from evaluation.scoring import kept
from evaluation.scoring.contest import hold
from evaluation.scoring.entries import enter
from evaluation.selectors.standings import Counted, counted_of, inputs_digest
from protocols.scoring_names import EditionKey

if TYPE_CHECKING:
    from annotator.services.job_run import Progress

KIND = "rank_phase"


def request_ranking(*, phase: Phase, actor: User) -> Job:
    """Inside the transaction that made it necessary."""
    return request_job(kind=KIND, owner=actor, study=phase.challenge.study, arguments={"phase": phase.public_id})


def run_ranking_job(job: Job, progress: "Progress") -> dict[str, Any]:
    phase = Phase.objects.select_related("challenge__study").get(public_id=job.arguments["phase"])
    make_leaderboard(phase=phase)
    return {"phase": phase.name}


def make_leaderboard(*, phase: Phase) -> Leaderboard | None:
    """Of the scorecards that count now; if they were ranked by this program already, that one is given."""
    entries = counted_of(phase)
    if not entries:
        return None
    digest, program = inputs_digest(entries), code_version.of_scoring()
    known = Leaderboard.objects.filter(phase=phase, inputs_digest=digest, code_version=program).first()
    if known is not None:
        return known
    content = _content(phase, entries)
    with transaction.atomic():
        made, _is_new = Leaderboard.objects.get_or_create(
            phase=phase, inputs_digest=digest, code_version=program, defaults={"content": content}
        )
    return made


def _content(phase: Phase, entries: list[Counted]) -> dict[str, Any]:
    """As the command `compare` tells it, with the submission of each entry; empty where nothing is ranked."""
    recipe, edition = recipe_of(phase.challenge.study), EditionKey(phase.challenge.edition)
    evidence = dict(Scorecard.objects.filter(pk__in=[one.card.pk for one in entries]).values_list("pk", "evidence"))
    field = enter(recipe, edition, {one.team: kept.unpack(bytes(evidence[one.card.pk])) for one in entries})
    statistics = recipe.scoring.statistics
    try:
        contest = hold(recipe, edition, field, resamples=statistics.resamples, seed=statistics.seed)
    except ValueError:  # no ranking of the protocol can be made of these tracks alone
        return {"entries": [], "submissions": {}}
    told: dict[str, Any] = plain(as_object(field, contest))
    return told | {"submissions": {one.team: one.submission.public_id for one in entries}}
