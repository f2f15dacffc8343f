"""Why an archive, one of its members or a file in a folder is refused."""

from annotator.formats.fault import Fault, gettext_noop

MESSAGES = {
    "not_an_archive": gettext_noop("The file is not a .zip, .tar or .tar.gz archive."),
    "corrupt": gettext_noop("The archive is damaged: %(detail)s."),
    "truncated": gettext_noop("The archive ends too early."),
    "unsafe_name": gettext_noop("The archive holds “%(member)s”, a name that leaves its folder or is not allowed."),
    "special_file": gettext_noop("The archive holds “%(member)s”, a link or special file; only plain files are taken."),
    "encrypted": gettext_noop("The archive holds “%(member)s”, which is encrypted."),
    "unsupported_compression": gettext_noop("“%(member)s” is packed by a method that is not supported."),
    "duplicate_name": gettext_noop("The archive holds “%(member)s” twice (upper and lower case count as the same)."),
    "too_many_members": gettext_noop("The archive holds more than %(limit)s files."),
    "member_too_large": gettext_noop("“%(member)s” has more than %(limit)s bytes."),
    "archive_too_large": gettext_noop("The archive unpacks to more than %(limit)s bytes; reached at “%(member)s”."),
    "compression_bomb": gettext_noop("“%(member)s” unpacks to more than %(limit)s times the size of the archive."),
    "symlink": gettext_noop("“%(member)s” is a link; only plain files are taken."),
    "not_regular": gettext_noop("“%(member)s” is not a plain file."),
    "no_grader_folder": gettext_noop("The file does not lie in a grader's folder."),
    "no_masks": gettext_noop("There is no mask in it."),
    "repeated_image": gettext_noop("The grader has two masks of this image."),
    "bad_name": gettext_noop("“%(member)s” has a name with characters that are not allowed."),
}


class BadArchive(Fault):
    """An archive that is not unpacked, or a file in a folder that is not followed."""


def bad_archive(code: str, **params: object) -> BadArchive:
    return BadArchive(code, MESSAGES[code], params)
