"""What is known of graders from all cases of a study together, where a rule needs it."""

from annotator.models import Case, Revision, Study, Target
from annotator.selectors.recipes import recipe_of
from consensus.fusion.estimate import Estimate, Rating, estimate_from
from consensus.fusion.registry import is_estimated
from consensus.models import ConsensusRun, ReferenceInput
from consensus.selectors.letters import letters_of
from consensus.selectors.taking_part import readings_awaited, readings_taking_part
from protocols.recipe import Recipe
from protocols.targets import Target as Asked


def estimated_targets(recipe: Recipe) -> list[Asked]:
    return [target for target in recipe.targets if is_estimated(target)]


def newest_estimates(study: Study) -> ConsensusRun | None:
    """The last run that looked at all cases together; None, without a query, where no rule asks for it."""
    if not estimated_targets(recipe_of(study)):
        return None
    return ConsensusRun.objects.filter(study=study, kind=ConsensusRun.Kind.STUDY).exclude(estimates={}).first()


def latest_estimates(study: Study) -> dict[str, Estimate]:
    """By target."""
    run = newest_estimates(study)
    return {} if run is None else {key: estimate_from(data) for key, data in run.estimates.items()}


def ratings_of(study: Study, target: str) -> list[Rating]:
    """Every label in the cases that have all their readings, but for those that a senior has left out."""
    waiting = Case.objects.filter(pk__in=readings_awaited().filter(case__study=study).values("case"))
    row = Target.objects.get(study=study, key=target)
    left = ReferenceInput.objects.filter(
        reference__target=row, reference__following__isnull=True, reference__case__study=study, included=False
    )
    rows = (
        Revision.objects.filter(target=row, reading__in=readings_taking_part().filter(assignment__case__study=study))
        .exclude(label="")
        .exclude(reading__assignment__case__in=waiting)
        .exclude(pk__in=left.values("revision"))
        .order_by("pk")
    )
    letters = letters_of(study)
    said = rows.values_list("image_id", "reading__assignment__grader_id", "label")
    return [(image, letters[grader], label) for image, grader, label in said]
