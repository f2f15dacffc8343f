"""Before a study is fused, what its graders tend to say is estimated over all cases at once, where a rule needs it."""

from typing import Any

from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Study
from annotator.selectors.recipes import recipe_of
from consensus.fusion.estimate import FEWEST_GRADERS, Rating, estimate
from consensus.selectors.estimates import estimated_targets, ratings_of
from consensus.services.letters import draw_letters
from protocols.targets import Target


def refuse_too_few_graders(*, study: Study) -> None:
    """Two graders cannot be told apart by how they agree."""
    asked = estimated_targets(recipe_of(study))
    if asked:
        draw_letters(study=study)
    for target in asked:
        _refuse(target, ratings_of(study, target.key))


def estimate_graders(*, study: Study) -> dict[str, Any]:
    """By target, as it is kept with the run; empty where no rule asks for it."""
    asked, found = estimated_targets(recipe_of(study)), {}
    if asked:
        draw_letters(study=study)
    for target in asked:
        ratings = ratings_of(study, target.key)
        _refuse(target, ratings)
        found[target.key] = estimate(ratings, [option.key for option in target.options]).as_data()
    return found


def _refuse(target: Target, ratings: list[Rating]) -> None:
    graders = len({grader for _photograph, grader, _label in ratings})
    if graders < FEWEST_GRADERS:
        message = _("%(target)s: Dawid–Skene needs at least %(fewest)s graders; %(count)s have read.")
        told = {"target": _(target.name), "fewest": FEWEST_GRADERS, "count": graders}
        raise Conflict("too_few_graders", message % told)
