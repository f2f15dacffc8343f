"""Masks of several graders: a folder or a .zip with one folder per grader and equal file names inside.

No file means that the grader has not read the image; an all-zero mask is a reading. Non-zero samples are the structure.
One enclosing folder and what desktops leave behind are passed over. Only run lengths are kept, so that a whole study
fits into memory.
"""

from dataclasses import dataclass, field
from pathlib import Path

from annotator.formats.bad_archive import bad_archive
from annotator.formats.bad_file import BadFile
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem, without_ending
from annotator.formats.grey_picture import read_grey
from annotator.formats.tree import open_tree
from annotator.geometry.runs import Toggles, encode
from annotator.imaging.bad_picture import bad_picture


@dataclass
class ImageMasks:
    """The masks of one image by grader."""

    name: str
    width: int
    height: int
    masks: dict[str, Toggles] = field(default_factory=dict)


def read_grader_masks(place: Path) -> dict[str, ImageMasks]:
    """Images by their stem, in the order of their names; BadFile names the first file that cannot be used."""
    images: dict[str, ImageMasks] = {}
    with open_tree(place, least_depth=2) as tree:
        for name in tree.names:
            grader, _slash, file = name.partition("/")
            if not file or "/" in file:
                raise BadFile(tree.shown(name), bad_archive("no_grader_folder"))
            try:
                _add(images, grader, file, tree.read(name))
            except Fault as fault:
                raise BadFile(tree.shown(name), fault) from None
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
