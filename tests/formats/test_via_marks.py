"""VGG Image Annotator, versions 2 and 3: projects, exported JSON and CSV, written as the programs write them."""

import copy
import csv
import io
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats.marks import Mark
from annotator.formats.via_marks import read_via_marks
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import decode
from tests.formats.anything import changed
from tests.formats.trees import SIZE, parted, reasons, tree, wanted

SQUARE = {"name": "polygon", "all_points_x": [2, 6, 6, 2], "all_points_y": [3, 3, 8, 8]}


def region(drawn: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    return {"shape_attributes": drawn, "region_attributes": attributes or {"structure": "cup"}}


def document(*regions: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    return {"a.jpg1234": {"filename": "a.jpg", "size": 1234, "regions": list(regions), "file_attributes": attributes}}


def read(found: Any, name: str = "via.json") -> Any:
    return read_via_marks(tree({name: found if isinstance(found, str) else json.dumps(found)}), wanted())


def marks(found: Any, name: str = "via.json") -> list[Mark]:
    usable, bad = parted(read(found, name))
    assert bad == []
    return usable


def square(mark: Mark) -> bool:
    expected = np.zeros(SIZE[::-1], np.bool_)
    expected[3:8, 2:6] = True
    return np.array_equal(decode((mark.masks or ())[0], *SIZE), expected)


def test_exports_projects_and_the_regions_of_version_1_are_read() -> None:
    (mark,) = marks(document(region(SQUARE)))
    assert (mark.image, mark.target, mark.where.item) == ("a.jpg", "cup", "a.jpg: region 1")
    assert square(mark)
    assert square(marks({"_via_settings": {}, "_via_img_metadata": document(region(SQUARE)), "_via_attributes": {}})[0])
    numbered = document()
    numbered["a.jpg1234"]["regions"] = {"0": region(SQUARE)}
    assert square(marks(numbered)[0])


def test_an_ellipse_is_turned_by_radians_clockwise_on_the_screen() -> None:
    """A quarter turn is π/2: what lay along x points down."""
    drawn = {"name": "ellipse", "cx": 20, "cy": 15, "rx": 9, "ry": 4, "theta": math.pi / 2}
    (mark,) = marks(document(region(drawn, structure="disc")))
    assert mark.ellipse == Ellipse(20, 15, 9, 4, 90)


def test_circles_points_and_lines_are_read_where_they_stand() -> None:
    found = marks(
        document(
            region({"name": "circle", "cx": 20, "cy": 15, "r": 5}, structure="disc"),
            region({"name": "point", "cx": 7, "cy": 8}, structure="fovea"),
            region({"name": "polyline", "all_points_x": [1, 3], "all_points_y": [2, 4]}, kind="cornea"),
        )
    )
    assert [one.ellipse or one.point or one.line for one in found] == [
        Ellipse(20, 15, 5, 5, 0),
        (7.0, 8.0),
        ((1.0, 2.0), (3.0, 4.0)),
    ]


def test_ticked_boxes_name_a_target_and_attributes_of_the_file_answer_one() -> None:
    assert square(marks(document(region(SQUARE, structure={"cup": True, "disc": False})))[0])
    assert square(marks(document(region(SQUARE, cup=True, note="")))[0])
    (mark,) = marks(document(grade="RG", caption="an eye"))
    assert (mark.target, mark.label) == ("grade", "rg")
    assert marks(document(fovea={"not visible": True}))[0].answer == "not-visible"


def test_the_csv_of_version_2_says_the_same() -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    of_region = ("region_count", "region_id", "region_shape_attributes", "region_attributes")
    writer.writerow(("filename", "file_size", "file_attributes", *of_region))
    for number, drawn in enumerate([SQUARE, {"name": "point", "cx": 7, "cy": 8}]):
        called = json.dumps({"structure": ["cup", "fovea"][number]})
        writer.writerow(["a.jpg", 1, json.dumps({"grade": "RG"}), 2, number, json.dumps(drawn), called])
    writer.writerow(["b.jpg", 1, "{}", 0, 0, "{}", "{}"])
    cup, fovea, grade = marks(out.getvalue(), "via.csv")
    assert square(cup)
    assert (fovea.point, fovea.where.item, grade.label) == ((7.0, 8.0), "a.jpg: line 3", "rg")
    bad = out.getvalue() + "c.jpg,1,{},0,0,{,{}\nd.jpg,1\n"
    assert [(line, code) for _file, line, _item, code in reasons(read(bad, "via.csv"))] == [
        (5, "not_json"),
        (6, "wrong_width"),
    ]


VERSION_3: dict[str, Any] = {
    "project": {"pid": "x"},
    "attribute": {
        "1": {"aname": "structure", "type": 4, "options": {"0": "cup", "1": "fovea"}},
        "2": {"aname": "grade", "type": 1},
    },
    "file": {"1": {"fid": "1", "fname": "a.jpg", "type": 2}},
    "view": {"1": {"fid_list": ["1"]}},
    "metadata": {
        "m1": {"vid": "1", "flg": 0, "z": [], "xy": [7, 2, 3, 6, 3, 6, 8, 2, 8], "av": {"1": "0"}},
        "m2": {"vid": "1", "flg": 0, "z": [], "xy": [1, 7.5, 8.25], "av": {"1": "1"}},
        "m3": {"vid": "1", "flg": 0, "z": [], "xy": [], "av": {"2": "RG"}},
        "m4": {"vid": "1", "flg": 0, "z": [], "xy": [4, 20, 15, 9, 4], "av": {"1": "disc"}},
    },
}


def test_version_3_keeps_drawings_views_and_files_apart() -> None:
    cup, fovea, disc, grade = marks(VERSION_3)
    assert square(cup)
    assert (fovea.point, disc.ellipse, grade.label) == ((7.5, 8.25), Ellipse(20, 15, 9, 4, 0), "rg")
    assert cup.where.item == "a.jpg: m1"
    several = copy.deepcopy(VERSION_3)
    several["view"]["1"]["fid_list"] = ["1", "1"]
    assert {code for *_where, code in reasons(read(several))} == {"no_picture"}


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (region({"name": "rect", "x": 1, "y": 1, "width": 2, "height": 2}), "other_shape"),
        (region({"name": ["x"]}), "other_shape"),
        (region(SQUARE, structure="car"), "unknown_target"),
        (region(SQUARE, note=""), "unknown_target"),
        (region(SQUARE, one="cup", two="disc"), "two_targets"),
        (region({**SQUARE, "all_points_y": [1]}), "odd_numbers"),
        (region({**SQUARE, "all_points_x": [1, 2], "all_points_y": [1, 2]}), "few_points"),
        (region({**SQUARE, "all_points_x": [1, 2, 3, None]}), "bad_number"),
        (region({**SQUARE, "all_points_x": 7}), "bad_field"),
        (region({"name": "circle", "cx": 1, "cy": 1, "r": -1}), "bad_number"),
        (region({"name": "ellipse", "cx": 1, "cy": 1, "rx": 1, "ry": 1, "theta": 1e7}), "bad_number"),
        (region({"name": "point", "cx": float("inf"), "cy": 1}, structure="fovea"), "bad_number"),
    ],
)
def test_what_is_wrong_is_named_by_picture_and_region(one: dict[str, Any], code: str) -> None:
    assert reasons(read(document(one))) == [("via.json", None, "a.jpg: region 1", code)]


def test_files_and_pictures_that_cannot_be_used_are_named() -> None:
    assert reasons(read([]))[0][3] == "other_format"
    assert reasons(read({"a": {"filename": "a.jpg"}}))[0][3] == "other_format"
    assert reasons(read({"a": {"filename": "", "regions": []}})) == [("via.json", None, "a", "bad_name")]
    assert reasons(read({"a": {"filename": "a.jpg", "regions": [3]}})) == [("via.json", None, "a", "bad_field")]
    twice = {**document(region(SQUARE)), "other": {"filename": "A.png", "regions": []}}
    assert [code for *_where, code in reasons(read(twice))] == ["repeated_picture", "repeated_picture"]
    assert reasons(read(document(grade="blue"))) == [("via.json", None, "a.jpg: grade", "not_one_answer")]
    assert reasons(read("filename,x\na,b\n", "via.csv"))[0][3] == "other_format"


@settings(max_examples=150)
@given(st.data())
def test_no_value_in_any_place_brings_the_reader_down(data: st.DataObject) -> None:
    whole = document(region(SQUARE), region({"name": "ellipse", "cx": 1, "cy": 1, "rx": 1, "ry": 1}), grade="RG")
    list(read(changed(copy.deepcopy(whole), data)))
    list(read(changed(copy.deepcopy(VERSION_3), data)))
