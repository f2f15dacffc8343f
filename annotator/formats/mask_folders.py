"""Folders of masks and label pictures as PNG, BMP or TIFF: `TARGET/NAME.png`, and by grader `GRADER/TARGET/NAME.png` or
`TARGET/GRADER/NAME.png`. Where a single target was chosen, `NAME.png` and `GRADER/NAME.png` do.

Of an archive that this program exported, the folder `masks` or `bmp` is read and the rest is left alone.
"""

from annotator.formats.bad_file import BadFile
from annotator.formats.bad_mark import bad_mark
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, without_ending
from annotator.formats.marks import Found, Mark, Unusable, Wanted, Where
from annotator.formats.mask_picture import read_mask, read_objects
from annotator.formats.tree import FileTree
from protocols.names import Kind
from protocols.targets import AREAS, Target

OWN = ("masks", "bmp")
DEEPEST = 2  # a folder for the target and one for the grader
ENDINGS = (".png", ".bmp", ".tif", ".tiff")


def read_mask_folders(tree: FileTree, wanted: Wanted) -> Found:
    return _read(tree, wanted, dark=False)


def read_dark_mask_folders(tree: FileTree, wanted: Wanted) -> Found:
    """The same where the structure is black on white."""
    return _read(tree, wanted, dark=True)


def mask_files(tree: FileTree) -> list[tuple[str, str]]:
    return below(tree, *OWN)


def below(tree: FileTree, *folders: str) -> list[tuple[str, str]]:
    """Name in the tree and path below the first of these folders that there is, at whatever depth; else every file by
    its own name, without the folders that enclose all of them."""
    if tree.chosen is not None:
        return [(name, tree.chosen[name]) for name in tree.names]
    for folder in folders:
        inside = [(name, path) for name in tree.names if (path := _after(name, folder)) is not None]
        if inside:
            return inside
    paths = list(tree.names)
    while paths and all(path.count("/") > DEEPEST for path in paths) and len({_outermost(path) for path in paths}) == 1:
        paths = [path.partition("/")[2] for path in paths]
    return list(zip(tree.names, paths, strict=True))


def _after(name: str, folder: str) -> str | None:
    parts = name.split("/")
    places = [place for place, part in enumerate(parts[:-1]) if folded(part) == folder]
    return "/".join(parts[places[0] + 1 :]) if places else None


def _outermost(path: str) -> str:
    return path.partition("/")[0]


def _read(tree: FileTree, wanted: Wanted, *, dark: bool) -> Found:
    for name, path in mask_files(tree):
        where = Where(name)
        try:
            if not folded(path).endswith(ENDINGS):
                raise bad_mark("not_read")
            target, grader = placed(path.split("/")[:-1], wanted)
            yield mark_of(tree.read(name), where, path, target, grader, dark=dark)
        except BadFile as refusal:
            yield Unusable(where, refusal.fault)
        except Fault as fault:
            yield Unusable(where, fault)


def placed(folders: list[str], wanted: Wanted) -> tuple[Target, str]:
    """The target and the grader that the folders of a path name."""
    if len(folders) > DEEPEST:
        raise bad_mark("too_deep")
    named = [(folder, target) for folder in folders if (target := wanted.target(folder)) is not None]
    if len(named) > 1:
        raise bad_mark("two_targets", first=named[0][0], second=named[1][0])
    if named:
        grader = next((folder for folder in folders if folder != named[0][0]), "")
        return named[0][1], grader
    if len(wanted.targets) == 1 and len(folders) < 2:
        return wanted.targets[0], "".join(folders)
    raise bad_mark("no_target") if not folders else bad_mark("unknown_target", name=folders[-1])


def mark_of(data: bytes, where: Where, path: str, target: Target, grader: str, *, dark: bool = False) -> Mark:
    image = without_ending(path.rpartition("/")[2])
    if target.kind is Kind.OBJECTS:
        masks, size = read_objects(data)
    elif target.kind in AREAS:
        mask, size = read_mask(data, dark=dark)
        masks = (mask,)
    else:
        raise bad_mark("not_an_area", target=target.key)
    return Mark(where=where, image=image, target=target.key, masks=masks, size=size, grader=grader)
