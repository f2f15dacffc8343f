"""Why a file of drawings made with another program, or a drawing in it, is not taken over."""

from collections.abc import Mapping

from annotator.formats.fault import Fault, gettext_noop

MESSAGES = {
    "too_large": gettext_noop("The file has more than %(limit)s bytes."),
    "too_full": gettext_noop("The file holds more than %(limit)s values or lists; divide it."),
    "not_json": gettext_noop("The file is not JSON: %(detail)s."),
    "not_xml": gettext_noop("The file is not XML: %(detail)s."),
    "unsafe_xml": gettext_noop("The file defines entities or refers to other files, which an annotation never needs."),
    "other_format": gettext_noop("The file is not of this format: “%(field)s” is missing or of another kind."),
    "bad_field": gettext_noop("“%(field)s” is missing or of another kind."),
    "bad_number": gettext_noop("“%(field)s” holds something that is not a number, or one that is far too large."),
    "bad_name": gettext_noop("“%(field)s” is no name: it is empty, too long or holds control characters."),
    "odd_numbers": gettext_noop("There are %(count)s numbers, but x and y come in pairs."),
    "few_points": gettext_noop("There are %(count)s points; %(least)s are needed."),
    "too_many_points": gettext_noop("There are more than %(limit)s points, or they cross the picture too often."),
    "not_a_place": gettext_noop("“%(text)s” is not two numbers, x and y."),
    "bad_runs": gettext_noop("The run lengths make no mask: %(detail)s."),
    "runs_of_other_size": gettext_noop(
        "The mask is of %(width)s × %(height)s pixels, its picture of %(image_width)s × %(image_height)s."
    ),
    "other_size": gettext_noop(
        "The annotation is of a picture of %(width)s × %(height)s pixels, the photograph has %(image_width)s × "
        "%(image_height)s."
    ),
    "no_size": gettext_noop("The file does not say how large the picture is."),
    "unknown_picture": gettext_noop("The file lists no picture with the number “%(number)s”."),
    "repeated_number": gettext_noop("Two entries of the file have the number “%(number)s”."),
    "repeated_picture": gettext_noop("The file lists two pictures called “%(name)s”."),
    "unknown_category": gettext_noop("The file lists no category with the number “%(number)s”."),
    "other_shape": gettext_noop("A drawing of the kind “%(kind)s” is not taken over."),
    "several": gettext_noop("%(count)s drawings say where “%(target)s” is; there is only one."),
    "mixed": gettext_noop("The drawings of “%(target)s” are of several kinds."),
    "not_one_answer": gettext_noop("It does not give one answer to “%(target)s”; answers are %(allowed)s."),
    "turned": gettext_noop("The picture was turned by %(degrees)s degrees when it was drawn on; this is not followed."),
    "cancelled": gettext_noop("The annotator has skipped this picture."),
    "no_picture": gettext_noop("It cannot be told which picture is meant."),
    "no_drawing": gettext_noop("There is no drawing in it."),
}


class BadShape(Fault):
    """A file, or a drawing in it, from which nothing can be taken over."""


def bad_shape(code: str, **params: object) -> BadShape:
    return BadShape(code, MESSAGES[code], params)


class BadLine(BadShape):
    """In a file of lines, with the line's number from 1."""

    def __init__(self, code: str, message: str, params: Mapping[str, object] | None, line: int) -> None:
        super().__init__(code, message, params)
        self.line = line
        self.args = (code, message, self.params, line)


def bad_line(code: str, line: int, /, **params: object) -> BadLine:
    return BadLine(code, MESSAGES[code], params, line)
