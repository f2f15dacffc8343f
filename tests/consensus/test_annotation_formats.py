"""Files of every format that drawings come in become references and readings, and what is exported in one of them comes
in again as it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from annotator.formats.annotation_files import FORMATS
from annotator.models import Revision, Study, User
from consensus.models import DatasetVersion, Reference
from tests import cast
from tests.consensus import scene
from tests.consensus.arriving import arrived, drawn, laid, looked, said, square
from tests.consensus.exported import Archive, made
from tests.consensus.test_round_trip import exported_again, with_images

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]
WIDTH, HEIGHT = scene.WIDTH, scene.HEIGHT
LEFT, TOP, RIGHT, BOTTOM = 10, 8, 16, 14  # of `square(10)`, as corners between pixels
CORNERS = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)]
PICTURE = "picture-1.png"

_coco = {
    "images": [{"id": 1, "file_name": PICTURE, "width": WIDTH, "height": HEIGHT}],
    "categories": [{"id": 1, "name": "cup"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[n for at in CORNERS for n in at]]}],
}
_cvat = (
    f'<annotations><image id="0" name="{PICTURE}" width="{WIDTH}" height="{HEIGHT}">'
    f'<mask label="cup" rle="0, 36" left="{LEFT}" top="{TOP}" width="6" height="6"/></image></annotations>'
)
_per_cent = [[100 * x / WIDTH, 100 * y / HEIGHT] for x, y in CORNERS]
_studio = [
    {
        "id": 1,
        "data": {"image": f"/data/upload/1/0123abcd-{PICTURE}"},
        "annotations": [
            {
                "id": 1,
                "completed_by": {"id": 3, "email": "anna@example.org"},
                "result": [
                    {
                        "id": "r",
                        "type": "polygonlabels",
                        "original_width": WIDTH,
                        "original_height": HEIGHT,
                        "value": {"points": _per_cent, "closed": True, "polygonlabels": ["cup"]},
                    }
                ],
            }
        ],
    }
]
_outline = {"all_points_x": [x for x, _y in CORNERS], "all_points_y": [y for _x, y in CORNERS]}
_region = {"shape_attributes": {"name": "polygon", **_outline}, "region_attributes": {"structure": "cup"}}
_labelme = {
    "shapes": [{"label": "cup", "points": CORNERS, "shape_type": "polygon"}],
    "imagePath": PICTURE,
    "imageWidth": WIDTH,
    "imageHeight": HEIGHT,
}
FILES: dict[str, tuple[str, str]] = {
    "coco": ("instances.json", json.dumps(_coco)),
    "contours": ("picture-1_cup_Anna.txt", "10 8\n15 8\n15 13\n10 13\n"),  # names pixels
    "cvat": ("annotations.xml", _cvat),
    "label-studio": ("export.json", json.dumps(_studio)),
    "via": ("via.json", json.dumps({"p": {"filename": PICTURE, "regions": [_region]}})),
    "labelme": ("picture-1.json", json.dumps(_labelme)),
}


@pytest.fixture
def bare(organiser: User) -> Study:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 1, actor=organiser)
    return study


def test_every_format_of_drawings_is_tried() -> None:
    elsewhere = set(FORMATS) - {"layout", "masks", "dark-masks", "tables", "pixel-tables", "readings"}
    assert set(FILES) == elsewhere


@pytest.mark.parametrize("form", list(FILES))
def test_a_drawing_becomes_a_reference_and_a_reading(form: str, bare: Study, organiser: User, tmp_path: Path) -> None:
    name, text = FILES[form]
    place = laid(tmp_path / "in", {name: text.encode()})

    arrived(bare, organiser, place, tmp_path / "one", format=form, as_reference=True)
    arrived(bare, organiser, place, tmp_path / "two", format=form, grader="Anna Outside")

    assert np.array_equal(drawn(Reference.objects.get(case__study=bare)), square(LEFT))
    revision = Revision.objects.get(reading__assignment__round__study=bare)
    assert revision.target.key == "cup"
    assert np.array_equal(drawn(revision), square(LEFT))


@pytest.mark.parametrize("form", ["contours", "label-studio"])
def test_files_that_tell_the_grader_need_not_be_told(form: str, bare: Study, organiser: User, tmp_path: Path) -> None:
    name, text = FILES[form]
    arrived(bare, organiser, laid(tmp_path / "in", {name: text.encode()}), tmp_path / "s", format=form, by_folder=True)

    (revision,) = Revision.objects.filter(reading__assignment__round__study=bare)
    assert "anna" in revision.reading.assignment.grader.user.name.casefold()


def test_a_table_in_latin_1_is_refused_by_file_and_line(bare: Study, tmp_path: Path) -> None:
    table = "image;target;x;y\npicture-1;fovea;10,5;7,25\nGröße;fovea;1,5;2\n".encode("latin-1")
    plan, _wish, _spool = looked(
        bare, laid(tmp_path / "in", {"a.csv": table}), tmp_path / "s", format="tables", grader="A"
    )

    places = [(one.item.place, one.verdict) for one in plan.outcomes]
    assert places == [("a.csv:3", "rejected"), ("a.csv:2", "new")]
    assert "not UTF-8" in said(plan)[0][1]


@pytest.fixture
def one(version: DatasetVersion, organiser: User, tmp_path: Path) -> Archive:
    archive = made(version, organiser, formats=["coco", "tables", "masks"])
    (tmp_path / "one.zip").write_bytes(archive.content)
    return archive


def again(one: Archive, organiser: User, tmp_path: Path, form: str) -> Archive:
    names = [row["image"] for row in one.rows("images.csv")]
    second = with_images("refuge", organiser, "Second", names, (WIDTH, HEIGHT))
    return exported_again(second, organiser, tmp_path / "one.zip", tmp_path / "s", form, ["coco", "tables", "masks"])


def test_a_coco_export_comes_back_as_it_was(one: Archive, organiser: User, tmp_path: Path) -> None:
    two = again(one, organiser, tmp_path, "coco")

    written = [name for name in one.names if name.startswith("coco/")]
    assert len(written) == 2
    for name in written:
        before, after = json.loads(one.read(name)), json.loads(two.read(name))
        assert after["annotations"] == before["annotations"]
        assert after["images"] == before["images"]
    assert {name: one.read(name) for name in one.names if name.startswith("masks/")} == {
        name: two.read(name) for name in two.names if name.startswith("masks/")
    }


def test_the_tables_of_an_export_come_back_as_they_were(one: Archive, organiser: User, tmp_path: Path) -> None:
    two = again(one, organiser, tmp_path, "tables")

    for table, columns in (
        ("points", ("image", "target", "answer", "x", "y")),
        ("labels", ("image", "target", "label")),
    ):
        name = f"tables/{table}.csv"
        assert [[row[column] for column in columns] for row in two.rows(name)] == [
            [row[column] for column in columns] for row in one.rows(name)
        ]
