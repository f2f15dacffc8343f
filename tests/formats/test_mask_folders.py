"""Folders of masks and label pictures from elsewhere: what they say, and what is refused instead of guessed."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.annotation_workers import FILES_PER_BATCH, Sizes, Task, read_items
from annotator.formats.annotation_files import FORMATS
from annotator.formats.marks import Mark, Unusable, Wanted
from annotator.formats.tree import open_tree
from annotator.geometry.runs import decode
from protocols import PUBLISHED
from tests.geometry.pictures import mask

DISC = mask("..##.", ".###.", "..#..")


def saved(picture: Image.Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    picture.save(out, format=kind)
    return out.getvalue()


def grey(values: object, kind: str = "PNG") -> bytes:
    return saved(Image.fromarray(np.asarray(values, np.uint8)), kind)


def read(
    folder: Path, files: dict[str, bytes], *, form: str = "masks", only: str = "", protocol: str = "refuge"
) -> list[Mark | Unusable]:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    targets = [target for target in PUBLISHED[protocol].targets if only in ("", target.key)]
    with open_tree(folder, least_depth=99) as tree:
        return list(FORMATS[form].read(tree, Wanted(targets, lambda _name: None)))


def the_mark(found: list[Mark | Unusable]) -> Mark:
    (mark,) = found
    assert isinstance(mark, Mark), mark
    return mark


def drawn(mark: Mark) -> object:
    assert mark.masks is not None
    assert mark.size is not None
    return [decode(toggles, *mark.size).tolist() for toggles in mark.masks]


def fault(found: list[Mark | Unusable]) -> str:
    (refused,) = found
    assert isinstance(refused, Unusable), refused
    return str(refused.fault)


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF"])
@pytest.mark.parametrize("high", [1, 255])
def test_a_mask_of_two_values_is_read_from_every_format(kind: str, high: int, tmp_path: Path) -> None:
    mark = the_mark(read(tmp_path, {f"disc/T0001.{kind.lower()}": grey(DISC * high, kind)}))

    assert (mark.image, mark.target, mark.size, mark.grader) == ("T0001", "disc", (5, 3), "")
    assert drawn(mark) == [DISC.tolist()]


def test_a_mask_of_one_bit_is_read(tmp_path: Path) -> None:
    assert drawn(the_mark(read(tmp_path, {"disc/a.png": saved(Image.fromarray(DISC))}))) == [DISC.tolist()]


def test_where_the_structure_is_black_the_mask_is_turned_round(tmp_path: Path) -> None:
    mark = the_mark(read(tmp_path, {"disc/a.png": grey(~DISC * 255)}, form="dark-masks"))

    assert drawn(mark) == [DISC.tolist()]


def test_an_anti_aliased_mask_is_refused_with_its_values(tmp_path: Path) -> None:
    said = fault(read(tmp_path, {"disc/a.png": grey([[0, 64, 255], [0, 128, 255]])}))

    assert "4 values (0, 64, 128, 255)" in said
    assert "2 pixels are neither 0 nor 255" in said


@pytest.mark.parametrize(
    ("values", "said"), [([[7, 255]], "none of them is 0"), ([[7, 7]], "Every pixel of the picture is 7")]
)
def test_values_that_do_not_tell_what_is_outside_are_refused(values: object, said: str, tmp_path: Path) -> None:
    assert said in fault(read(tmp_path, {"disc/a.png": grey(values)}))


def paletted(indices: object, colours: list[int]) -> bytes:
    picture = Image.fromarray(np.asarray(indices, np.uint8)).convert("P")
    picture.frombytes(np.asarray(indices, np.uint8).tobytes())
    picture.putpalette(colours)
    return saved(picture)


def test_a_palette_counts_by_its_indices_where_the_background_is_the_darkest(tmp_path: Path) -> None:
    red_on_black = paletted(DISC, [0, 0, 0, 128, 0, 0])

    assert drawn(the_mark(read(tmp_path, {"disc/a.png": red_on_black}))) == [DISC.tolist()]


@pytest.mark.parametrize(
    ("indices", "colours"),
    [([[0, 1, 1]], [255, 255, 255, 0, 0, 0]), ([[0, 1, 2]], [0, 0, 0, 9, 9, 9, 20, 20, 20])],
)
def test_a_palette_that_can_be_read_in_two_ways_is_refused(indices: object, colours: list[int], tmp_path: Path) -> None:
    told = fault(read(tmp_path, {"disc/a.png": paletted(indices, colours)}))

    assert told.startswith("The picture has a palette")


@pytest.mark.parametrize("path", ["Anna/disc/a.png", "disc/Anna/a.png"])
def test_folders_of_graders_are_recognised_beside_those_of_targets(path: str, tmp_path: Path) -> None:
    mark = the_mark(read(tmp_path, {f"masks/{path}": grey(DISC * 255)}))

    assert (mark.grader, mark.target) == ("Anna", "disc")


def test_where_one_target_was_chosen_its_folder_is_not_needed(tmp_path: Path) -> None:
    assert the_mark(read(tmp_path, {"a.png": grey(DISC * 255)}, only="cup")).target == "cup"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a.png", "No folder of the file's path names a target"),
        ("macula/a.png", "“macula” is not a target"),
        ("disc/cup/a.png", "two targets, disc and cup"),
        ("disc/notes.txt", "not one of those"),
        ("fovea/a.png", "not marked as an area"),
    ],
)
def test_a_file_that_cannot_be_placed_is_named_with_the_reason(path: str, said: str, tmp_path: Path) -> None:
    assert said in fault(read(tmp_path, {path: grey(DISC * 255)}))


def test_of_an_exported_archive_only_the_masks_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, {"masks/cup/c0001.png": grey(DISC * 255), "manifest.json": b"{}"})

    assert the_mark(found).target == "cup"


def test_each_number_of_a_label_picture_is_an_object(tmp_path: Path) -> None:
    mark = the_mark(read(tmp_path, {"glands/a.png": grey([[0, 3, 3], [7, 0, 3]])}, protocol="glas"))

    assert drawn(mark) == [mask(".##", "..#").tolist(), mask("...", "#..").tolist()]


def test_objects_without_numbers_are_refused(tmp_path: Path) -> None:
    files = {"glands/a.png": grey([[255, 0, 255]])}

    assert "2 separate parts" in fault(read(tmp_path, files, protocol="glas"))


def test_folders_that_enclose_everything_are_passed_over(tmp_path: Path) -> None:
    assert the_mark(read(tmp_path, {"a/b/Anna/disc/a.png": grey(DISC * 255)})).grader == "Anna"


def test_a_file_in_too_many_folders_is_refused(tmp_path: Path) -> None:
    found = read(tmp_path, {"disc/a.png": grey(DISC * 255), "x/y/disc/b.png": grey(DISC * 255)})

    assert "more folders" in fault(found[1:])


def test_a_part_of_the_files_is_read_as_the_whole_would_be(tmp_path: Path) -> None:
    """Several processes read a part each; which folder is meant can be told only from all of them."""
    names = [f"p{number:02}" for number in range(FILES_PER_BATCH)]
    files = {f"{folder}/{name}.png": grey(DISC * 255) for folder in ("masks/disc", "readings/disc/A") for name in names}
    read(tmp_path, files)
    task = Task(tmp_path, "masks", PUBLISHED["refuge"], Sizes(dict.fromkeys(names, (5, 3))))

    apart = [item for item, _runs in read_items(task, workers=2)]

    assert len(apart) == len(names)
    assert apart == [item for item, _runs in read_items(task, workers=0)]
