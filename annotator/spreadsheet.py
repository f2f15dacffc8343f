"""Text that a spreadsheet would run when somebody opens an export."""

from django.utils.translation import gettext as _

from annotator.errors import DomainError

FORMULA_STARTS = ("=", "+", "-", "@")


def refuse_formula(text: str, *, field: str) -> None:
    """Refused at the door, so that no export has to alter names; see OWASP, "CSV Injection"."""
    if text.lstrip().startswith(FORMULA_STARTS):
        message = _("“%(text)s” begins like a formula. Begin it with a letter or a digit.")
        raise DomainError("formula", message % {"text": text.strip()[:40]}, field=field)
