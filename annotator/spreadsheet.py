"""Text that a spreadsheet would run when somebody opens an export."""

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.cells import starts_a_formula


def refuse_formula(text: str, *, field: str) -> None:
    """Refused at the door, so that no export has to alter names; see OWASP, "CSV Injection"."""
    if starts_a_formula(text):
        message = _("“%(text)s” begins like a formula. Begin it with a letter or a digit.")
        raise DomainError("formula", message % {"text": text.strip()[:40]}, field=field)
