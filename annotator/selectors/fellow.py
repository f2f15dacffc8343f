"""The fellow eye: the other eye of the same subject, where the recipe lets graders look at it."""

from annotator.models import Assignment, Eye, Image
from annotator.selectors.recipes import recipe_of

OTHER = {Eye.Side.RIGHT.value: Eye.Side.LEFT.value, Eye.Side.LEFT.value: Eye.Side.RIGHT.value}


def fellow_of(assignment: Assignment) -> Image | None:
    """The first photograph of the other eye; None where the recipe forbids it, or no such eye is in the study."""
    if not recipe_of(assignment.grader.study).viewer.fellow_eye:
        return None
    own = Image.objects.filter(case_images__case=assignment.case_id).order_by("case_images__position")
    subject, side = own.values_list("subject", "eye__side").first() or (None, None)
    if side not in OTHER:
        return None
    fellows = Image.objects.filter(study=assignment.grader.study_id, subject=subject, eye__side=OTHER[side])
    return fellows.order_by("order_in_eye", "pk").first()
