"""The protocols' own files read into answers; `tests/consensus/test_round_trip.py` has all five there and back."""

from pathlib import Path

import numpy as np
import pytest

from annotator.formats.file_names import stem
from annotator.formats.grey_picture import write_grey
from annotator.formats.layout_marks import read_layout
from annotator.formats.marks import Mark, Unusable, Wanted
from annotator.formats.tree import FileTree
from annotator.geometry.runs import decode
from protocols import PUBLISHED
from tests.geometry.pictures import mask

REFUGE = [[255, 128, 0], [128, 128, 255]]


def grey(values: object) -> bytes:
    return write_grey(np.asarray(values, np.uint8))


def read(protocol: str, files: dict[str, bytes], *images: str) -> list[Mark | Unusable]:
    recipe = PUBLISHED[protocol]
    tree = FileTree(Path("in"), {name: (lambda data=data: data) for name, data in files.items()})  # type: ignore[misc]
    wanted = Wanted(recipe.targets, lambda name: (3, 2) if stem(name) in images else None, recipe=recipe)
    return list(read_layout(tree, wanted))


def said(found: list[Mark | Unusable]) -> list[object]:
    return [
        str(one.fault) if isinstance(one, Unusable) else (one.image, one.target, one.label or one.point or one.answer)
        for one in found
    ]


@pytest.mark.parametrize("folder", ["segmentation", "layout/training/segmentation", "Disc_Cup_Masks/Glaucoma"])
def test_a_disc_contains_its_cup_wherever_the_pictures_lie(folder: str) -> None:
    cup, disc = read("refuge", {f"{folder}/T1.bmp": grey(REFUGE)})

    drawn = {}
    for mark in (cup, disc):
        assert isinstance(mark, Mark)
        drawn[mark.target] = decode((mark.masks or ())[0], 3, 2).tolist()
    assert drawn == {"cup": mask("..#", "...").tolist(), "disc": mask(".##", "##.").tolist()}


def test_a_value_that_the_protocol_does_not_name_is_refused() -> None:
    (refused,) = said(read("refuge", {"segmentation/T1.bmp": grey([[255, 100, 0]])}))

    assert refused == "The picture has 1 values that the protocol does not name, the first 100; it names 0, 128, 255."


def test_tables_are_known_by_their_columns_too_and_half_a_pixel_is_added() -> None:
    found = said(read("refuge", {"my fovea.csv": b"ImageName,Fovea_X,Fovea_Y\nT1.jpg,4,7.5\n"}))

    assert found == [("T1", "fovea", (4.5, 8.0))]


def test_a_submission_s_likelihoods_are_no_labels() -> None:
    found = said(read("refuge", {"classification.csv": b"FileName,Glaucoma Risk\nT1.jpg,1\nT2.jpg,0.7\n"}))

    assert found[0] == ("T1", "glaucoma", "glaucoma")
    assert "“0.7” is not allowed" in str(found[1])


def test_a_missing_picture_means_an_absent_lesion_where_other_lesions_have_pictures() -> None:
    table = {"classification.csv": b"FileName,AMD Risk\nA1.jpg,1\nA2.jpg,0\n"}

    without = said(read("adam", table))
    found = said(read("adam", table | {"lesions/drusen/A1.png": grey([[0, 255, 255]])}))

    assert without == [("A1", "amd", "amd"), ("A2", "amd", "no-amd")]
    assert ("A2", "drusen", "absent") in found
    assert ("A1", "scar", "absent") in found
    assert ("A1", "drusen", "absent") not in found


def test_a_fovea_written_as_not_there_is_not_visible() -> None:
    assert said(read("adam", {"fovea.csv": b"FileName,Fovea_X,Fovea_Y\nA1.jpg,0,0\n"})) == [
        ("A1", "fovea", "not-visible")
    ]


def test_photographs_beside_the_annotations_are_passed_over_and_other_files_named() -> None:
    files = {"train_1.bmp": b"the photograph", "train_1_anno.bmp": grey([[0, 1, 2]]), "readme.txt": b"read me"}

    found = said(read("glas", files, "train_1"))

    assert found == ["This file is not one of those that the format is made of.", ("train_1", "glands", "present")]
