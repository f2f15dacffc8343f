"""Label Studio's JSON: per cent, turned ellipses, packed brush strokes (its own converter is the witness), people."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats.label_studio_marks import read_label_studio_marks
from annotator.formats.marks import Mark
from annotator.formats.rle_pack import opacity, painted
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import decode
from tests.formats.anything import changed
from tests.formats.trees import SIZE, parted, reasons, tree, wanted

FIXTURE = Path(__file__).parent.parent / "fixtures" / "label_studio.json"
PACKED = {case["name"]: case for case in json.loads(FIXTURE.read_text())["cases"]}
WIDTH, HEIGHT = SIZE


def result(kind: str, label: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    facts = {"original_width": WIDTH, "original_height": HEIGHT, "image_rotation": 0, "from_name": "tag", "id": "r1"}
    return {**facts, "type": kind, "value": {**value, kind: [label]}, **more}


def choice(tag: str, *words: str) -> dict[str, Any]:
    return {"type": "choices", "from_name": tag, "id": "c1", "value": {"choices": list(words)}}


def document(*results: dict[str, Any], image: str = "/data/upload/3/0a1b2c3d-a.jpg", by: Any = 7) -> list[Any]:
    annotation = {"id": 11, "completed_by": by, "was_cancelled": False, "result": list(results)}
    return [{"id": 5, "data": {"image": image, "note": "left eye"}, "annotations": [annotation], "predictions": []}]


def read(found: Any, known: str = "a") -> Any:
    sizes = wanted(size_of=lambda name: SIZE if name.rsplit(".", 1)[0] == known else None)
    return read_label_studio_marks(tree({"export.json": json.dumps(found)}), sizes)


def marks(found: Any) -> list[Mark]:
    usable, bad = parted(read(found))
    assert bad == []
    return usable


@pytest.mark.parametrize("name", PACKED)
def test_packed_pictures_are_unpacked_as_the_converter_does(name: str) -> None:
    case = PACKED[name]
    values, lengths = zip(*case["opacity"], strict=True)
    found = opacity(case["rle"], case["width"], case["height"])
    assert np.array_equal(found.ravel(), np.repeat(values, lengths))


def test_words_that_differ_are_unpacked_too() -> None:
    """By hand: 8 words of 8 bits, lengths of 1 to 4 bits; 7 words that differ and then one that is repeated once."""
    bits = f"{8:032b}" + f"{7:05b}" + "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
    bits += "0" + "00" + f"{6:03b}" + "".join(f"{word:08b}" for word in (1, 2, 3, 4, 5, 6, 7))
    bits += "1" + "00" + f"{0:03b}" + f"{200:08b}"
    packed = [int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8)]
    assert opacity(packed, 2, 1).tolist() == [[4, 200]]


def test_a_stroke_is_where_it_is_at_least_half_as_opaque_as_anywhere() -> None:
    fading = np.array([[0, 40, 127, 128, 255]], np.uint8)
    assert painted(fading).tolist() == [[False, False, False, True, True]]
    assert painted(fading // 2).tolist() == [[False, False, False, True, True]]
    assert not painted(np.zeros((2, 2), np.uint8)).any()


def test_a_brush_comes_over_to_the_last_pixel() -> None:
    (mark,) = marks(document(result("brushlabels", "Cup", {"format": "rle", "rle": PACKED["disc"]["rle"]})))
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    assert np.array_equal(decode((mark.masks or ())[0], *SIZE), np.hypot(columns - 18.3, rows - 14.1) < 9)
    assert (mark.image, mark.grader, mark.size) == ("a.jpg", "7", SIZE)
    assert mark.where.item == "task 5, annotation 11, result r1"


def test_an_ellipse_lies_around_its_centre_and_is_turned_in_pixels() -> None:
    """By hand: 50 % of 40 and of 30 pixels is (20, 15); 10 % of 40 is 4, 20 % of 30 is 6; turned in pixels, the radii
    stay 4 and 6, whatever the picture's shape."""
    value = {"x": 50, "y": 50, "radiusX": 10, "radiusY": 20, "rotation": 30}
    (mark,) = marks(document(result("ellipselabels", "disc", value)))
    assert mark.ellipse == Ellipse(20, 15, 4, 6, 30)


def test_polygons_lines_and_key_points_are_per_cent_of_width_and_height() -> None:
    corners = [[5, 10], [15, 10], [15, 20], [5, 20]]
    (cup,) = marks(document(result("polygonlabels", "cup", {"points": corners, "closed": True})))
    expected = np.zeros((HEIGHT, WIDTH), np.bool_)
    expected[3:6, 2:6] = True
    assert np.array_equal(decode((cup.masks or ())[0], *SIZE), expected)
    (line,) = marks(document(result("polygonlabels", "cornea", {"points": corners[:2], "closed": False})))
    assert line.line == ((2.0, 3.0), (6.0, 3.0))
    (point,) = marks(document(result("keypointlabels", "fovea", {"x": 25, "y": 50, "width": 0.5})))
    assert point.point == (10.0, 15.0)


def test_a_drawing_whose_label_stands_in_an_entry_of_its_own_is_read_once() -> None:
    value = {"x": 25, "y": 50, "width": 0.5}
    both = [result("keypoint", "", value), result("labels", "fovea", value)]
    del both[0]["value"]["keypoint"]
    assert [mark.point for mark in marks(document(*both))] == [(10.0, 15.0)]
    del both[1]
    both[0]["from_name"] = "fovea"
    assert [mark.target for mark in marks(document(*both))] == ["fovea"]


def test_choices_answer_the_target_that_their_tag_is_called_like() -> None:
    (mark,) = marks(document(choice("grade", "Referable", "notching")))
    assert (mark.target, mark.label, mark.signs) == ("grade", "rg", ("notching",))
    assert marks(document(choice("visibility", "NRG")))[0].target == "grade"
    (hidden,) = marks(document(choice("fovea", "Not visible")))
    assert (hidden.answer, hidden.point) == ("not-visible", None)


@pytest.mark.parametrize(
    ("by", "grader"),
    [(None, ""), (7, "7"), ({"id": 7, "email": "ann@example.org"}, "ann@example.org"), ({"id": 3}, "3")],
)
def test_annotators_are_told_apart(by: Any, grader: str) -> None:
    assert marks(document(choice("grade", "RG"), by=by))[0].grader == grader


@pytest.mark.parametrize(
    "image",
    [
        "a.jpg",
        "https://example.org/x/a.jpg?token=1",
        "/data/local-files/?d=fundus/a.jpg",
        "s3://bucket/b/a.JPG",
        "/data/upload/3/0a1b2c3d-a.jpg",
        "C:\\pictures\\a.jpg",
    ],
)
def test_the_picture_is_the_last_part_of_its_address(image: str) -> None:
    assert marks(document(choice("grade", "RG"), image=image))[0].image.casefold() == "a.jpg"


def test_a_name_that_looks_uploaded_but_is_the_study_s_own_stays() -> None:
    (mark,) = parted(read(document(choice("grade", "RG")), known="0a1b2c3d-a"))[0]
    assert mark.image == "0a1b2c3d-a.jpg"


BRUSH = PACKED["disc"]["rle"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (result("rectanglelabels", "cup", {"x": 1, "y": 1, "width": 2, "height": 2}), "other_shape"),
        (result("polygonlabels", "car", {"points": [[1, 1], [2, 2], [3, 1]]}), "unknown_target"),
        (result("polygonlabels", "cup", {"points": [[1, 1], [2, 2]]}), "few_points"),
        (result("polygonlabels", "cup", {"points": [[1], [2, 2], [3, 3]]}), "bad_field"),
        (result("polygonlabels", "cup", {"points": [[float("nan"), 1], [2, 2], [3, 3]]}), "bad_number"),
        (result("ellipselabels", "disc", {"x": 1, "y": 1, "radiusX": 0, "radiusY": 1}), "bad_number"),
        (result("ellipselabels", "disc", {"x": 1, "y": 1, "radiusX": 1}), "bad_number"),
        (result("keypointlabels", "fovea", {"x": "1", "y": 1}), "bad_number"),
        (result("keypointlabels", "fovea", {"x": 1, "y": 1}, image_rotation=90), "turned"),
        (result("brushlabels", "cup", {"rle": BRUSH[:-20]}), "bad_runs"),
        (result("brushlabels", "cup", {"rle": [*BRUSH[:4], 300, *BRUSH[5:]]}), "bad_runs"),
        (result("brushlabels", "cup", {"rle": [255] * 40}), "bad_runs"),
        (result("brushlabels", "cup", {"rle": PACKED["long"]["rle"]}), "bad_runs"),
        (result("brushlabels", "cup", {"rle": []}), "bad_runs"),
        (result("brushlabels", "cup", {}), "bad_field"),
        (choice("grade", "RG", "NRG"), "not_one_answer"),
        (choice("grade", "blue"), "not_one_answer"),
        (choice("weather", "rain"), "unknown_target"),
        ({"type": "textarea", "id": "t", "value": {"text": ["x"]}, "from_name": "note"}, "other_shape"),
    ],
)
def test_what_is_wrong_is_named_by_task_annotation_and_result(entry: dict[str, Any], code: str) -> None:
    ((_file, _line, item, found),) = reasons(read(document(entry)))
    assert item.startswith("task 5, annotation 11, result ")
    assert found == code


def test_whole_annotations_and_tasks_can_be_refused() -> None:
    point = result("keypointlabels", "fovea", {"x": 1, "y": 1})
    assert reasons(read(document({**point, "original_width": 30})))[0][3] == "other_size"
    assert reasons(read(document(point, {**point, "original_width": 30})))[0][3] == "bad_field"
    assert reasons(read(document(point, image="no picture")))[0][2:] == ("task 5", "no_picture")
    skipped = document()
    skipped[0]["annotations"][0]["was_cancelled"] = True
    assert reasons(read(skipped))[0][2:] == ("task 5, annotation 11", "cancelled")
    assert reasons(read({"annotations": []}))[0][3] == "other_format"
    assert reasons(read([{"id": 1}]))[0][3] == "other_format"


@settings(max_examples=150)
@given(st.data())
def test_no_value_in_any_place_brings_the_reader_down(data: st.DataObject) -> None:
    whole = document(
        result("brushlabels", "cup", {"rle": BRUSH}),
        result("ellipselabels", "disc", {"x": 50, "y": 50, "radiusX": 10, "radiusY": 20, "rotation": 30}),
        result("polygonlabels", "glands", {"points": [[5, 10], [15, 10], [15, 20]], "closed": True}),
        choice("grade", "RG"),
        by={"id": 1, "email": "a@example.org"},
    )
    list(read(changed(copy.deepcopy(whole), data)))
