"""LabelMe: a JSON file for each picture, written as the program writes it."""

import base64
import copy
import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from annotator.formats.labelme_marks import read_labelme_marks
from annotator.formats.marks import Mark
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import decode
from tests.formats.anything import changed
from tests.formats.trees import SIZE, parted, reasons, tree, wanted

WIDTH, HEIGHT = SIZE
SQUARE = [[2.0, 3.0], [6.0, 3.0], [6.0, 8.0], [2.0, 8.0]]


def shape(label: str, points: Any, kind: str = "polygon", **more: Any) -> dict[str, Any]:
    return {"label": label, "points": points, "group_id": None, "shape_type": kind, "flags": {}, "mask": None, **more}


def document(*shapes: Any, **more: Any) -> dict[str, Any]:
    picture = {"imagePath": "..\\a.jpg", "imageData": None, "imageHeight": HEIGHT, "imageWidth": WIDTH}
    return {"version": "5.5.0", "flags": {}, "shapes": list(shapes), **picture, **more}


def read(found: Any) -> Any:
    return read_labelme_marks(tree({"a.json": json.dumps(found)}), wanted())


def marks(found: Any) -> list[Mark]:
    usable, bad = parted(read(found))
    assert bad == []
    return usable


def png(mask: np.ndarray) -> str:
    out = io.BytesIO()
    Image.fromarray(mask).save(out, format="PNG")
    return base64.b64encode(out.getvalue()).decode()


def test_a_polygon_has_the_pixels_whose_centres_it_holds() -> None:
    (mark,) = marks(document(shape("cup", SQUARE)))
    expected = np.zeros((HEIGHT, WIDTH), np.bool_)
    expected[3:8, 2:6] = True
    assert np.array_equal(decode((mark.masks or ())[0], *SIZE), expected)
    assert (mark.size, mark.where.item) == (SIZE, "shape 1")


@pytest.mark.parametrize("samples", [np.bool_, np.uint8])
def test_a_mask_begins_at_the_first_of_its_points_and_ends_at_the_second(samples: Any) -> None:
    inside = np.array([[0, 1, 1], [1, 0, 1]], np.bool_)
    told = png(inside) if samples is np.bool_ else png(inside.astype(np.uint8) * 255)
    (mark,) = marks(document(shape("cup", [[5.0, 7.0], [7.0, 8.0]], "mask", mask=told)))
    expected = np.zeros((HEIGHT, WIDTH), np.bool_)
    expected[7:9, 5:8] = inside
    assert np.array_equal(decode((mark.masks or ())[0], *SIZE), expected)


def test_circles_points_and_lines_are_read_where_they_stand() -> None:
    """The place (23, 19) lies 3 to the right of and 4 below the centre, so that the radius is 5."""
    found = marks(
        document(
            shape("disc", [[20, 15], [23, 19]], "circle"),
            shape("fovea", [[7.25, 8.5]], "point"),
            shape("cornea", [[1, 2], [3, 4], [5, 2]], "linestrip"),
        )
    )
    assert [one.ellipse or one.point or one.line for one in found] == [
        Ellipse(20, 15, 5, 5, 0),
        (7.25, 8.5),
        ((1.0, 2.0), (3.0, 4.0), (5.0, 2.0)),
    ]


def test_areas_of_one_label_are_united_and_objects_stay_apart() -> None:
    other = [[4, 4], [10, 4], [10, 6], [4, 6]]
    (cup,) = marks(document(shape("cup", SQUARE), shape("cup", other)))
    (glands,) = marks(document(shape("glands", SQUARE), shape("glands", other)))
    assert int(decode((cup.masks or ())[0], *SIZE).sum()) == 20 + 12 - 4
    assert len(glands.masks or ()) == 2


def test_a_flag_of_the_picture_is_a_label() -> None:
    (mark,) = marks(document(flags={"Referable": True, "notching": True, "Not referable": False}))
    assert (mark.target, mark.label, mark.signs) == ("grade", "rg", ("notching",))
    assert reasons(read(document(flags={"sunny": True})))[0][2:] == ("flags", "unknown_target")


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (shape("cup", SQUARE, "rectangle"), "other_shape"),
        (shape("car", SQUARE), "unknown_target"),
        (shape("", SQUARE), "bad_name"),
        (shape("cup", SQUARE[:2]), "few_points"),
        (shape("cup", [[1], [2, 3], [4, 5]]), "bad_field"),
        (shape("cup", [[1, float("nan")], [2, 3], [4, 5]]), "bad_number"),
        (shape("disc", [[1, 1]], "circle"), "few_points"),
        (shape("disc", [[1, 1], [1, 1]], "circle"), "bad_number"),
        (shape("fovea", [[1, 1], [2, 2]], "points"), "several"),
        (shape("fovea", [], "point"), "few_points"),
        (shape("cornea", [[1, 1]], "linestrip"), "few_points"),
        (shape("cup", [[5, 7], [7, 8]], "mask"), "bad_field"),
        (shape("cup", [[5, 7], [7, 8]], "mask", mask="!"), "bad_runs"),
        (shape("cup", [[5, 7], [7, 8]], "mask", mask="AAAA"), "not_a_mask"),
        (shape("cup", [[5, 7], [7, 8]], "mask", mask=png(np.ones((3, 3), np.bool_))), "bad_runs"),
        (shape("cup", [[38, 7], [40, 9]], "mask", mask=png(np.ones((3, 3), np.bool_))), "bad_runs"),
        (shape("cup", [[-1, 7], [1, 9]], "mask", mask=png(np.ones((3, 3), np.bool_))), "bad_number"),
        (7, "bad_field"),
    ],
)
def test_what_is_wrong_is_named_by_its_shape(one: Any, code: str) -> None:
    ((file, _line, item, found),) = reasons(read(document(one)))
    assert (file, item, found) == ("a.json", "shape 1", code)


def test_a_file_of_another_kind_or_size_is_refused() -> None:
    assert reasons(read([]))[0][3] == "other_format"
    assert reasons(read({"shapes": []}))[0][3] == "other_format"
    assert reasons(read(document(shape("cup", SQUARE), imageWidth=HEIGHT)))[0][3] == "other_size"
    assert reasons(read(document(imageWidth=10**12)))[0][3] == "bad_number"


@settings(max_examples=150)
@given(st.data())
def test_no_value_in_any_place_brings_the_reader_down(data: st.DataObject) -> None:
    inside = shape("cup", [[5, 7], [7, 9]], "mask", mask=png(np.ones((3, 3), np.bool_)))
    whole = document(shape("glands", SQUARE), inside, shape("disc", [[20, 15], [23, 19]], "circle"), flags={"RG": True})
    list(read(changed(copy.deepcopy(whole), data)))
