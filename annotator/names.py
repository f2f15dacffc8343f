"""Names that people give to studies, versions, splits and themselves, as others will read them."""

import unicodedata

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.spreadsheet import refuse_formula

LONGEST_NAME = 120
UNSEEN = frozenset({"Cc", "Cf", "Cs"})
JOINERS = "\u200c\u200d"  # they shape letters in Persian, Hindi and other scripts


def checked_name(name: str, *, missing: str) -> str:
    """In one line, with something to see, and with nothing that turns around the text beside it.

    `missing`: what to say where there is none.
    """
    name = " ".join(name.split())
    if not name.strip(JOINERS):
        raise DomainError("name_missing", missing, field="name")
    if len(name) > LONGEST_NAME:
        message = _("A name has at most %(count)s characters.") % {"count": LONGEST_NAME}
        raise DomainError("name_too_long", message, field="name")
    if any(unicodedata.category(one) in UNSEEN and one not in JOINERS for one in name):
        raise DomainError("bad_character", _("The name holds a character that cannot be seen."), field="name")
    refuse_formula(name, field="name")
    return name
