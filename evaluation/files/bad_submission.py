"""Why a submission does not fit its reference."""

from annotator.formats.bad_table import BadTable
from annotator.formats.fault import gettext_noop

MESSAGES = {
    "two_files": gettext_noop("“%(other)s” is there for the same purpose; only one can be."),
    "only_here": gettext_noop("The reference has nothing to compare it with."),
    "nothing_scored": gettext_noop("There is nothing in it that can be scored."),
    "not_expected": gettext_noop("There is no place for such a file here."),
    "needed": gettext_noop("There is no “%(file)s”, which is needed."),
    "extra_case": gettext_noop("“%(name)s” is not among the cases of the reference."),
    "missing_case": gettext_noop("“%(name)s” is missing, a case of the reference."),
    "repeated_case": gettext_noop("“%(name)s” has another file, “%(other)s”."),
    "bad_value": gettext_noop("The picture holds the value %(value)s; allowed are %(allowed)s."),
    "undetermined": gettext_noop("“%(name)s” is not determined, but the reference is."),
    "other_length": gettext_noop("The list has %(found)s entries, the reference %(expected)s cases."),
}


class BadSubmission(BadTable):
    """With the line, where it is about one of a table."""


def bad_submission(code: str, line: int | None = None, /, **params: object) -> BadSubmission:
    return BadSubmission(code, MESSAGES[code], params, line)
