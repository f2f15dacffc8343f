"""What a page says about the people of a study."""

from django.utils.translation import gettext as _

from annotator.recipe_words import said
from annotator.selectors.specialties import Unmet


def unmet_words(unmet: Unmet) -> str:
    """Nobody has a specialty that the recipe asks for."""
    targets = ", ".join(said(name) for name in unmet.targets)
    words = _(
        "The protocol asks for adjudicators of the specialty “%(specialty)s” for %(targets)s, and nobody who can "
        "adjudicate has it. Until somebody does, these disputes go to every adjudicator."
    )
    return words % {"specialty": unmet.specialty, "targets": targets}
