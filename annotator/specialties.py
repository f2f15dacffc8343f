"""What an adjudicator is a specialist of: a word or two, told apart neither by case nor by blanks."""

import unicodedata

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Role
from annotator.names import JOINERS, UNSEEN
from annotator.spreadsheet import refuse_formula

LONGEST_SPECIALTY = 60


def compared(specialty: str) -> str:
    """Two that are compared to the same are one specialty."""
    return " ".join(specialty.split()).casefold()


def checked_specialty(specialty: str, role: Role | str) -> str:
    """As it is stored; only an adjudicator has one."""
    specialty = " ".join(specialty.split())
    if not specialty:
        return ""
    if role != Role.ADJUDICATOR:
        raise DomainError("no_specialty_here", _("Only an adjudicator has a specialty."), field="specialty")
    if len(specialty) > LONGEST_SPECIALTY:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_SPECIALTY}
        raise DomainError("too_long", message, field="specialty")
    if any(unicodedata.category(one) in UNSEEN and one not in JOINERS for one in specialty):
        message = _("The specialty holds a character that cannot be seen.")
        raise DomainError("bad_character", message, field="specialty")
    refuse_formula(specialty, field="specialty")
    return specialty
