"""Masks of several graders: a folder or a .zip with one folder per grader and equal file names inside.

No file means that the grader has not read the image; an all-zero mask is a reading. Non-zero samples are the structure.
One enclosing folder and what desktops leave behind are passed over. Only run lengths are kept, so that a whole study
fits into memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotator.formats.archive import members
from annotator.formats.bad_archive import BadArchive, bad_archive
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem, without_ending
from annotator.formats.folder import folder_files
from annotator.formats.grey_picture import read_grey
from annotator.geometry.runs import Toggles, encode
from annotator.imaging.bad_picture import bad_picture


@dataclass
class ImageMasks:
    """The masks of one image by grader."""

    name: str
    width: int
    height: int
    masks: dict[str, Toggles] = field(default_factory=dict)


class BadFile(ValueError):
    """A fault together with the file it was found in."""

    def __init__(self, name: str, fault: Fault) -> None:
        super().__init__(name, fault)
        self.name, self.fault = name, fault


def read_grader_masks(place: Path) -> dict[str, ImageMasks]:
    """Images by their stem, in the order of their names; BadFile names the first file that cannot be used."""
    images: dict[str, ImageMasks] = {}
    for name, data in _files(place):
        grader, _slash, file = name.partition("/")
        if not file or "/" in file:
            raise BadFile(name, bad_archive("no_grader_folder"))
        try:
            _add(images, grader, file, data)
        except Fault as fault:
            raise BadFile(name, fault) from None
    if not images:
        raise BadFile(str(place), bad_archive("no_masks"))
    return dict(sorted(images.items()))


def _add(images: dict[str, ImageMasks], grader: str, file: str, data: bytes) -> None:
    samples = read_grey(data)
    height, width = samples.shape
    image = images.setdefault(stem(file), ImageMasks(without_ending(file), width, height))
    if grader in image.masks:
        raise bad_archive("repeated_image")
    if (image.width, image.height) != (width, height):
        size = {"width": width, "height": height, "other_width": image.width, "other_height": image.height}
        raise bad_picture("other_size", **size)
    image.masks[grader] = encode(samples != 0)


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of every file, without an enclosing folder."""
    if place.is_dir():
        entries = list(folder_files(place))
        for entry in entries:
            if isinstance(entry, BadArchive):
                raise BadFile(str(entry.params.get("member", place)), entry)
        files = [entry for entry in entries if not isinstance(entry, BadArchive)]
        skip = _enclosing([file.name for file in files])
        yield from ((file.name[skip:], file.path.read_bytes()) for file in files)
        return
    try:
        skip = _enclosing([member.name for member in members(place)])
        for member in members(place):
            with member.open() as content:
                yield member.name[skip:], content.read()
    except BadArchive as fault:
        raise BadFile(str(place), fault) from None


def _enclosing(names: list[str]) -> int:
    """Length of the one folder that all files lie in, when graders' folders lie in it."""
    folders = {name.partition("/")[0] for name in names}
    inner = all(name.count("/") >= 2 for name in names)
    return len(folders.pop()) + 1 if names and inner and len(folders) == 1 else 0
