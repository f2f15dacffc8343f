"""Why a picture is refused."""

from annotator.formats.fault import Fault, gettext_noop

MESSAGES = {
    "empty": gettext_noop("The file is empty."),
    "file_too_large": gettext_noop("The file has more than %(limit)s bytes."),
    "not_an_image": gettext_noop("The file is not a JPEG, PNG, TIFF, BMP or DICOM picture."),
    "unsupported_format": gettext_noop("This kind of picture is not supported: %(kind)s."),
    "other_kind": gettext_noop("The name ends in %(ending)s, but the file is a %(kind)s picture."),
    "too_large": gettext_noop(
        "The picture claims %(width)s × %(height)s pixels; the most that is taken is %(max_side)s per side and "
        "%(max_pixels)s in all."
    ),
    "too_many_frames": gettext_noop(
        "The file claims %(frames)s pictures; the most that is taken is %(max_frames)s, with %(max_pixels)s pixels in "
        "all."
    ),
    "burned_in": gettext_noop(
        "The file says that something about the patient is written into the picture itself (Burned In Annotation)."
    ),
    "recognizable": gettext_noop(
        "The file says that the patient can be recognised in the picture (Recognizable Visual Features)."
    ),
    "other_eye": gettext_noop(
        "The file says that it shows the other eye: %(found)s, not %(said)s (R: right, L: left)."
    ),
    "zero_size": gettext_noop("The picture claims a width or height of zero."),
    "truncated": gettext_noop("The file ends before the picture is complete."),
    "corrupt": gettext_noop("The picture is damaged: %(detail)s."),
    "not_a_mask": gettext_noop("The file is not a PNG, BMP or TIFF picture."),
    "not_grey": gettext_noop("The picture is not grey: its channels differ."),
    "colour_labels": gettext_noop(
        "The picture is in colour; labels are one number for each pixel, in grey or as indices of a palette."
    ),
    "other_size": gettext_noop(
        "The mask has %(width)s × %(height)s pixels, another of the same image %(other_width)s × %(other_height)s."
    ),
    "unreadable": gettext_noop("The file could not be read: %(detail)s."),
}


class BadPicture(Fault):
    """A file that is not taken in as a picture."""


def bad_picture(code: str, **params: object) -> BadPicture:
    return BadPicture(code, MESSAGES[code], params)
