"""The graders of a study are scored like models, in the background, and the scores are kept."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Job, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from consensus.agreement.icc import Interval
from consensus.models import DatasetVersion
from consensus.selectors.agreement import cases_read
from consensus.services.letters import draw_letters
from evaluation import code_version
from evaluation.models import GraderScores
from evaluation.scoring.readers import OperatingPoint, ReaderRows, together
from evaluation.scoring.scorecard import score
from evaluation.selectors.graders import (
    adjudicating_graders,
    compared,
    latest_scores,
    scored_from,
    version_to_score_by,
)
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

KIND = "score_graders"
CHUNK = 24  # cases whose readings are in memory at once
AGAINST = ("others", "reference")
EDITION = EditionKey.PAPER
Readers = dict[str, dict[str, ReaderRows]]


def request_scores(*, study: Study, actor: User) -> Job:
    if not cases_read(study):
        raise Conflict("nothing_read", _("Nobody has submitted a reading yet."))
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who ask at once take turns
        if Job.objects.filter(study=study, kind=KIND, finished_at=None).exists():
            raise Conflict("scoring_going_on", _("The graders are being scored already."))
        return request_job(kind=KIND, owner=actor, study=study, arguments={})


def run_scores_job(job: Job, progress: Any) -> dict[str, Any]:
    if job.study is None:
        raise ValueError("job has no study")
    scores = score_graders(study=job.study, actor=job.owner, tell=progress.report)
    return {"graders": len(scores.content["graders"])}


def score_graders(*, study: Study, actor: User, tell: Callable[[int, int], None]) -> GraderScores:
    """If scores of the same readings against the same references are there, those are given."""
    version = version_to_score_by(study)
    digest = scored_from(study, version)
    known = latest_scores(study)
    if known is not None and (known.inputs_digest, known.code_version) == (digest, code_version.of_graders()):
        return known
    recipe = recipe_of(study)
    letters = draw_letters(study=study)
    aside = {letters[grader] for grader in adjudicating_graders(study) if grader in letters}
    readers = _gathered(study, recipe, letters, version, tell)
    content = {
        "edition": EDITION,
        "graders": sorted({letter for part in readers.values() for letter in part}, key=lambda one: (len(one), one)),
        "adjudicators": sorted(aside),
        "against": {against: _scored(recipe, part, aside) for against, part in readers.items()},
    }
    return _kept(study, actor, version, digest, content)


def _gathered(
    study: Study,
    recipe: Recipe,
    letters: Mapping[int, str],
    version: DatasetVersion | None,
    tell: Callable[[int, int], None],
) -> Readers:
    readers: Readers = {against: {} for against in AGAINST}
    cases = cases_read(study)
    for start in range(0, len(cases), CHUNK):
        for one in compared(study, cases[start : start + CHUNK], letters, version):
            for against, beside in zip(AGAINST, (one.others, one.reference), strict=True):
                readers[against].setdefault(one.letter, ReaderRows(recipe, EDITION)).add(beside)
        tell(min(start + CHUNK, len(cases)), len(cases) + 1)
    return readers


def _scored(recipe: Recipe, readers: Mapping[str, ReaderRows], aside: Iterable[str]) -> dict[str, Any]:
    statistics = recipe.scoring.statistics
    rows = {}
    for letter, reader in readers.items():
        card = score(recipe, EDITION, reader.findings(), resamples=statistics.resamples, seed=statistics.seed)
        rows[letter] = {
            "cases": {key: len(track.cases) for key, track in reader.tracks.items()},
            "left_out": {key: track.left_out for key, track in reader.tracks.items()},
            "metrics": {key: _number(value, card.intervals.get(key)) for key, value in card.metrics.items()},
            "points": {key: _point(point) for key, point in reader.operating_points().items()},
        }
    counted = [reader for letter, reader in sorted(readers.items()) if letter not in set(aside)]
    whole = together(counted, resamples=statistics.resamples, seed=statistics.seed)
    return {
        "rows": rows,
        "together": {key: _number(value, whole.intervals.get(key)) for key, value in whole.metrics.items()},
    }


def _number(value: float, interval: Interval | None) -> list[float | None]:
    found = (value, interval.low, interval.high) if interval is not None else (value, math.nan, math.nan)
    return [float(one) if math.isfinite(one) else None for one in found]


def _point(point: OperatingPoint) -> dict[str, Any]:
    return {
        "sensitivity": _number(point.sensitivity, point.sensitivity_interval),
        "specificity": _number(point.specificity, point.specificity_interval),
        "positives": point.positives,
        "negatives": point.negatives,
    }


@transaction.atomic
def _kept(
    study: Study, actor: User, version: DatasetVersion | None, digest: str, content: dict[str, Any]
) -> GraderScores:
    scores = GraderScores.objects.create(
        study=study,
        version=version,
        created_by=actor,
        code_version=code_version.of_graders(),
        inputs_digest=digest,
        content=content,
    )
    after = {"graders": len(content["graders"]), "inputs": digest, "code_version": scores.code_version}
    record(action="graders.scored", actor=actor, study=study, subject=f"{len(content['graders'])}", after=after)
    return scores
