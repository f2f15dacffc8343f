"""A challenge is opened on a study's frozen dataset, with the phases of its recipe."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Image, Study, User
from annotator.names import checked_name
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from consensus.models import DatasetVersion, Split
from consensus.selectors.answers import answers_of
from evaluation.files.layouts import LAYOUTS
from evaluation.models import Challenge, Phase, PhaseCase
from evaluation.models.challenge import CountsChoice
from evaluation.selectors.answers import scored_files
from evaluation.selectors.phases import cases_of_part
from evaluation.services.secrecy import leak, refuse_leaks
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey

LONGEST_RULES = 10_000


@dataclass(frozen=True)
class PhasePlan:
    key: str
    name: str
    version: DatasetVersion
    opens_at: datetime
    closes_at: datetime
    split: Split | None = None
    part: str = ""
    limit: int | None = None
    counts: str = CountsChoice.LAST
    weight: float = 0.0
    shows_results: bool = False
    shows_references: bool = False


def may_be_opened(study: Study) -> str:
    """Why a challenge cannot be opened on the study; empty where it can."""
    if study.protocol not in LAYOUTS:
        return _("Nothing is known of how submissions to this protocol are scored.")
    if not DatasetVersion.objects.filter(study=study).exists():
        return _("Freeze a version of the dataset first: it gives the references.")
    return ""


def open_challenge(
    *, study: Study, actor: User, name: str, edition: str, plans: Sequence[PhasePlan], rules: str = ""
) -> Challenge:
    """Every phase is proved to be scorable before anything is written."""
    if why_not := may_be_opened(study):
        raise Conflict("not_scorable", why_not)
    name = checked_name(name, missing=_("Give the challenge a name."))
    if len(rules) > LONGEST_RULES:
        raise DomainError("rules_too_long", _("The rules are too long."), field="rules")
    recipe = recipe_of(study)
    if not plans:
        raise DomainError("no_phase", _("Choose at least one phase."))
    if len(plans) == 1:  # a phase by itself is not weighed against another
        plans = [replace(plans[0], weight=0.0)]
    _check_weights(recipe, EditionKey(edition), plans)
    images = {plan.key: _checked_cases(plan, recipe) for plan in plans}
    _refuse_leaks(study, plans, images)
    names = _drawn_names({case for cases in images.values() for case in cases})
    with transaction.atomic():
        challenge = _created(study, actor, name, edition, rules)
        for position, plan in enumerate(plans, start=1):
            _write_phase(challenge, position, plan, images[plan.key], names)
        after = {"name": name, "edition": edition, "phases": [plan.name for plan in plans]}
        record(action="challenge.opened", actor=actor, study=study, subject=challenge.public_id, after=after)
    return challenge


def check_window(opens_at: datetime, closes_at: datetime) -> None:
    if closes_at <= opens_at:
        raise DomainError("bad_window", _("A phase must close after it opens."), field="closes_at")


def _check_weights(recipe: Recipe, edition: EditionKey, plans: Sequence[PhasePlan]) -> None:
    """Phases are weighed where the recipe weighs them; together they make 1."""
    total = sum(plan.weight for plan in plans)
    weighed = any(ranking.phases for ranking in recipe.scoring.rankings_in(edition))
    if total and not weighed:
        raise DomainError("not_weighed", _("This protocol does not weigh phases against each other."), field="weight")
    if total and abs(total - 1) > 1e-9:
        raise DomainError("bad_weights", _("The weights of the phases must sum to 1."), field="weight")


def _checked_cases(plan: PhasePlan, recipe: Recipe) -> dict[int, int]:
    check_window(plan.opens_at, plan.closes_at)
    if plan.split is not None and plan.split.version_id != plan.version.pk:
        raise DomainError("other_version", _("The split is of another version."), field="split")
    cases = cases_of_part(plan.version, plan.split, plan.part, recipe)
    images = Image.objects.filter(pk__in=cases.values()).select_related("subject")
    scored_files(recipe, answers_of(plan.version, [(str(image.pk), image) for image in images]))
    return cases


def _refuse_leaks(study: Study, plans: Sequence[PhasePlan], images: Mapping[str, Mapping[int, int]]) -> None:
    """Among the new phases, and beside those that are there."""
    for plan in plans:
        cases, shows = images[plan.key].keys(), plan.shows_references
        refuse_leaks(study=study, name=plan.name, shows=shows, closes_at=plan.closes_at, cases=cases)
        for other in plans:
            if shows and not other.shows_references and cases & images[other.key].keys():
                raise leak(plan.name, other.name)


def _drawn_names(cases: set[int]) -> dict[int, str]:
    """T0001, T0002 … by lot: the order in which cases came may tell what they are."""
    order = sorted(cases)
    secrets.SystemRandom().shuffle(order)
    width = max(4, len(str(len(order))))
    return {case: f"T{number:0{width}d}" for number, case in enumerate(order, start=1)}


def _created(study: Study, actor: User, name: str, edition: str, rules: str) -> Challenge:
    try:
        with transaction.atomic():
            return Challenge.objects.create(
                study=study, name=name, edition=edition, rules=rules.strip(), created_by=actor
            )
    except IntegrityError:
        message = _("There is already a challenge of this name.")
        raise Conflict("name_taken", message, field="name") from None


def _write_phase(
    challenge: Challenge, position: int, plan: PhasePlan, cases: Mapping[int, int], names: Mapping[int, str]
) -> None:
    phase = Phase.objects.create(
        challenge=challenge,
        position=position,
        key=plan.key,
        name=checked_name(plan.name, missing=_("Give the phase a name.")),
        version=plan.version,
        split=plan.split,
        part=plan.part,
        opens_at=plan.opens_at,
        closes_at=plan.closes_at,
        limit=plan.limit,
        counts=plan.counts,
        weight=plan.weight,
        shows_results=plan.shows_results or plan.shows_references,
        shows_references=plan.shows_references,
    )
    PhaseCase.objects.bulk_create(
        [PhaseCase(phase=phase, case_id=case, image_id=image, name=names[case]) for case, image in cases.items()],
        batch_size=500,
    )
