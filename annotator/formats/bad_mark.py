"""Why an annotation from elsewhere is not taken over."""

from annotator.formats.fault import Fault, gettext_noop
from protocols.names import Kind

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
    "other_size": gettext_noop(
        "The annotation is of a picture of %(width)s × %(height)s pixels, the photograph has %(image_width)s × "
        "%(image_height)s."
    ),
    "other_kind": gettext_noop("“%(target)s” is answered by %(wanted)s; the file has %(found)s."),
    "several_areas": gettext_noop("The file has %(count)s areas for “%(target)s”, which is one area."),
    "unknown_label": gettext_noop("“%(label)s” is not an answer to “%(target)s”; answers are %(allowed)s."),
    "unknown_answer": gettext_noop("“%(answer)s” is not an answer to “%(target)s”."),
    "does_not_fit": gettext_noop("The answer does not fit the photograph: %(detail)s."),
    "nothing_said": gettext_noop("The file names the photograph but holds no answer."),
    "unknown_image": gettext_noop("No image of the study is called “%(name)s”."),
    "several_images": gettext_noop("%(count)s images of the study are called “%(name)s”."),
    "look_again": gettext_noop("The study's images have changed since the file was looked at. Look at it again."),
    "not_graded": gettext_noop("“%(target)s” is not answered by graders; it can come in as a reference only."),
    "no_grader": gettext_noop("Neither folder nor file says which grader this is of."),
    "several_graders": gettext_noop("%(count)s graders of the study are called “%(name)s”; use their codes."),
    "bad_grader": gettext_noop("“%(name)s” cannot be a grader's name: %(detail)s"),
    "twice": gettext_noop("The same photograph and target are answered again in %(other)s."),
    "read_here": gettext_noop("%(grader)s has read this case here; what a person has submitted is not replaced."),
    "begun_here": gettext_noop("%(grader)s has begun to read this case here."),
    "taken_away": gettext_noop("This case was taken away from %(grader)s."),
    "set_aside": gettext_noop("The imported reading of %(grader)s was set aside; it is not replaced."),
    "used": gettext_noop("The imported reading of %(grader)s is part of a reference already; it is not replaced."),
    "decided_here": gettext_noop("A person has decided about this reference; it is not replaced by an import."),
    "other_values": gettext_noop(
        "The picture has %(count)s values that the protocol does not name, the first %(found)s; it names %(values)s."
    ),
    "other_label": gettext_noop("The table says what “%(target)s” is not, and leaves open which of the others it is."),
    "too_many_objects": gettext_noop("The picture holds %(count)s objects; the most that is taken is %(limit)s."),
}

KINDS = {
    Kind.ELLIPSE: gettext_noop("an ellipse"),
    Kind.MASK: gettext_noop("an area"),
    Kind.OBJECTS: gettext_noop("objects"),
    Kind.POINT: gettext_noop("a point"),
    Kind.POLYLINE: gettext_noop("a line"),
    Kind.LABEL: gettext_noop("a label"),
}


class BadMark(Fault):
    """An answer, or the file of one, that says nothing that could be taken over."""


def bad_mark(code: str, **params: object) -> BadMark:
    return BadMark(code, MESSAGES[code], params)
