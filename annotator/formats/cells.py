"""Cells of tables that people open in a spreadsheet program."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet program would take it for a formula.

    Source: OWASP, CSV Injection. Numbers are written as numbers and do not pass here.
    """
    return "'" + text if starts_a_formula(text) else text


def starts_a_formula(text: str) -> bool:
    """Also behind blanks, which some programs skip; a full-width = + - @ counts as its plain form."""
    return text.startswith(FORMULA_STARTS) or text.lstrip().startswith((*FORMULA_STARTS, "＝", "＋", "－", "＠"))
