"""Why a table, or a line of it, is refused."""

from collections.abc import Mapping

from annotator.formats.fault import Fault, gettext_noop

MESSAGES = {
    "too_large": gettext_noop("The table has more than %(limit)s bytes."),
    "too_many_rows": gettext_noop("The table has more than %(limit)s lines."),
    "not_utf8": gettext_noop(
        "The table is not UTF-8 text. Save it as “CSV UTF-8”; other encodings garble names without a warning."
    ),
    "not_text": gettext_noop("The table is not a text file."),
    "malformed": gettext_noop("The line is not valid CSV: %(detail)s."),
    "no_header": gettext_noop("The first line must name the columns."),
    "missing_column": gettext_noop("The column “%(column)s” is missing."),
    "unknown_column": gettext_noop("The column “%(column)s” is not known."),
    "repeated_column": gettext_noop("The column “%(column)s” stands twice."),
    "wrong_width": gettext_noop("The line has %(found)s cells, the header %(expected)s."),
    "missing_file": gettext_noop("The line names no file."),
    "repeated_file": gettext_noop("The file “%(file)s” was named in line %(first)s already."),
    "conflicting_rows": gettext_noop(
        "Subject %(subject)s, eye %(eye)s, position %(position)s was given in line %(first)s already."
    ),
    "bad_choice": gettext_noop("“%(value)s” is not allowed in column “%(column)s”; allowed are %(allowed)s."),
    "bad_number": gettext_noop("“%(value)s” in column “%(column)s” is not a number above zero."),
    "bad_position": gettext_noop("“%(value)s” in column “%(column)s” is not a whole number from 1 to %(limit)s."),
    "half_a_scale": gettext_noop("Micrometres per pixel must be given for both x and y or for neither."),
    "too_long": gettext_noop("The text in column “%(column)s” is longer than %(limit)s characters."),
    "empty_cell": gettext_noop("The cell in column “%(column)s” is empty."),
    "not_a_number": gettext_noop("“%(value)s” in column “%(column)s” is not a finite number."),
    "ambiguous_comma": gettext_noop(
        "“%(value)s” in column “%(column)s”: the table does not show whether this is a decimal comma. "
        "Write numbers with a decimal point."
    ),
    "no_answer_column": gettext_noop("No column says an answer; known are %(known)s, and the names of the targets."),
    "no_target": gettext_noop(
        "Nothing says which target is meant: there is no column “target”, and neither a column nor the file bears the "
        "name of one."
    ),
    "other_answer": gettext_noop("%(file)s, line %(first)s, says something else of the same image and target."),
    "marked_and_not": gettext_noop("The answer is “%(answer)s”, but something is marked too."),
    "nothing_marked": gettext_noop("The answer says that something is marked, but the tables do not say where."),
    "missing_vertex": gettext_noop(
        "Points of the line are missing: %(found)s are there, the last has the number %(last)s."
    ),
    "no_rows": gettext_noop("The table has no line below its header."),
    "repeated_reading": gettext_noop("%(grader)s has read %(image)s in line %(first)s already."),
    "repeated_case": gettext_noop("“%(name)s” was named in line %(first)s already."),
    "separator": gettext_noop("The cells are separated by semicolons; they must be separated by commas."),
    "out_of_range": gettext_noop("“%(value)s” in column “%(column)s” is not between %(low)s and %(high)s."),
    "unknown_case": gettext_noop("“%(value)s” in column “%(column)s”: the study has no such case."),
    "several_images": gettext_noop("“%(value)s” in column “%(column)s”: several images of the study have this name."),
    "formula": gettext_noop("The text in column “%(column)s” starts like a spreadsheet formula."),
    "control_character": gettext_noop("The text in column “%(column)s” holds a line break or control character."),
}


class BadTable(Fault):
    """One fault in a table, with its line (the header is line 1; None when it is about the whole file)."""

    def __init__(self, code: str, message: str, params: Mapping[str, object] | None, line: int | None) -> None:
        super().__init__(code, message, params)
        self.line = line
        self.args = (code, message, self.params, line)


def bad_table(code: str, line: int | None, /, **params: object) -> BadTable:
    return BadTable(code, MESSAGES[code], params, line)
