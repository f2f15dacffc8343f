"""Why an annotation from elsewhere is not taken over."""

from annotator.formats.fault import Fault, gettext_noop

MESSAGES = {
    "not_read": gettext_noop("This file is not one of those that the format is made of."),
    "no_target": gettext_noop("No folder of the file's path names a target of the study."),
    "unknown_target": gettext_noop("“%(name)s” is not a target of the study."),
    "not_an_area": gettext_noop("“%(target)s” is not marked as an area, so that no picture can tell it."),
    "two_targets": gettext_noop("The file's folders name two targets, %(first)s and %(second)s."),
    "too_deep": gettext_noop("The file lies in more folders than those of a target and a grader."),
    "not_binary": gettext_noop(
        "The picture is not a binary mask: it has %(count)s values (%(values)s), and %(pixels)s pixels are neither 0 "
        "nor %(high)s. It may be anti-aliased or scaled; save it without smoothing."
    ),
    "no_background": gettext_noop("The picture is not a binary mask: its values are %(values)s, none of them is 0."),
    "one_shade": gettext_noop("Every pixel of the picture is %(value)s; a mask is 0 outside and 1 or 255 inside."),
    "palette": gettext_noop(
        "The picture has a palette from which it cannot be told what is marked: index 0 must be the darkest colour in "
        "use and stand for the background, and one other index for the structure."
    ),
    "unnumbered": gettext_noop(
        "The picture has one value, %(value)s, in %(count)s separate parts; objects need a number each."
    ),
    "too_many_objects": gettext_noop("The picture holds %(count)s objects; the most that is taken is %(limit)s."),
}


class BadMark(Fault):
    """An answer, or the file of one, that says nothing that could be taken over."""


def bad_mark(code: str, **params: object) -> BadMark:
    return BadMark(code, MESSAGES[code], params)
