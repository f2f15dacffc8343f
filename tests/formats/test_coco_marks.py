"""COCO files read: as our export writes them, as others do (pycocotools is the witness), and as nobody should."""

import copy
import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as reference

from annotator.formats import json_file
from annotator.formats.coco import polygons
from annotator.formats.coco_marks import read_coco_marks
from annotator.formats.marks import Mark
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import Toggles, decode, encode
from consensus.exporting.coco import Coco
from consensus.exporting.record import Agreed, Photograph, Record
from protocols.names import Kind
from tests.formats.anything import changed
from tests.formats.trees import SIZE, TARGETS, parted, reasons, tree, wanted

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation")  # the reference's own, with NumPy 2
WIDTH, HEIGHT = SIZE
SQUARE = [2, 3, 6, 3, 6, 8, 2, 8]
BLOB = rasterise_ellipse(Ellipse(20, 15, 9, 5, 20), *SIZE)


def document(*drawn: dict[str, Any], **more: Any) -> dict[str, Any]:
    categories = [{"id": 1, "name": "cup"}, {"id": 2, "name": "glands"}, {"id": 3, "name": "fovea"}]
    image = {"id": 7, "file_name": "a.jpg", "width": WIDTH, "height": HEIGHT}
    listed = [{"id": place, "image_id": 7, "category_id": 1, **one} for place, one in enumerate(drawn, start=101)]
    return {"images": [image], "annotations": listed, "categories": categories, **more}


def read(found: Any) -> Any:
    return read_coco_marks(tree({"instances.json": json.dumps(found)}), wanted())


def marks(found: Any) -> list[Mark]:
    usable, bad = parted(read(found))
    assert bad == []
    return usable


def pixels(mark: Mark) -> list[np.ndarray]:
    return [decode(mask, *SIZE) for mask in mark.masks or ()]


def box(left: int, top: int, right: int, bottom: int) -> np.ndarray:
    mask = np.zeros((HEIGHT, WIDTH), np.bool_)
    mask[top:bottom, left:right] = True
    return mask


def by_reference(mask: np.ndarray) -> dict[str, Any]:
    told = reference.encode(np.asfortranarray(mask.astype(np.uint8)))
    return {"size": [int(side) for side in told["size"]], "counts": told["counts"].decode()}


def test_a_polygon_has_the_pixels_whose_centres_it_holds() -> None:
    (mark,) = marks(document({"segmentation": [SQUARE]}))
    assert (mark.image, mark.target, mark.size, mark.where.item) == ("a.jpg", "cup", SIZE, "101")
    assert np.array_equal(pixels(mark)[0], box(2, 3, 6, 8))


def test_areas_of_a_category_are_united_and_objects_stay_apart() -> None:
    two: list[dict[str, Any]] = [
        {"segmentation": [SQUARE, [4, 4, 10, 4, 10, 6, 4, 6]]},
        {"segmentation": by_reference(box(20, 20, 22, 30))},
    ]
    (cup,) = marks(document(*two))
    expected = box(2, 3, 6, 8) | box(4, 4, 10, 6) | box(20, 20, 22, 30)
    assert np.array_equal(pixels(cup)[0], expected)
    assert cup.where.item == "101, 102"
    (glands,) = marks(document(*({**one, "category_id": 2} for one in two)))
    assert [int(mask.sum()) for mask in pixels(glands)] == [4 * 5 + 6 * 2 - 2 * 2, 2 * 10]


@given(st.lists(st.booleans(), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT))
@settings(max_examples=40)
def test_both_kinds_of_run_lengths_are_read_as_the_reference_writes_them(bits: list[bool]) -> None:
    mask = np.array(bits).reshape(HEIGHT, WIDTH)
    packed = by_reference(mask)
    flat = np.concatenate(([False], mask.T.ravel(), [False]))
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    plain = {"size": [HEIGHT, WIDTH], "counts": np.diff([0, *edges, WIDTH * HEIGHT]).tolist()}
    for told in (packed, plain):
        (mark,) = marks(document({"segmentation": told}))
        assert np.array_equal(pixels(mark)[0], mask)


@given(st.lists(st.tuples(st.floats(0, WIDTH), st.floats(0, HEIGHT)), min_size=3, max_size=3))
def test_beside_the_reference_s_drawing_only_pixels_at_the_border_differ(corners: list[tuple[float, float]]) -> None:
    """It rounds corners to fifths of a pixel and follows edges in steps: a pixel whose centre lies farther than 0.3
    from every edge is the same in both (of 30,000 triangles the worst was 0.18)."""
    ring = [value for corner in corners for value in corner]
    (mark,) = marks(document({"segmentation": [ring]}))
    theirs = reference.decode(reference.merge(reference.frPyObjects([ring], HEIGHT, WIDTH))).astype(bool)
    rows, columns = np.nonzero(pixels(mark)[0] != theirs)
    for x, y in zip(columns + 0.5, rows + 0.5, strict=True):
        assert min(_distance((x, y), corners[at - 1], corners[at]) for at in range(3)) < 0.3


def _distance(place: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    point, one, step = np.array(place), np.array(start), np.subtract(end, start)
    along = np.clip((point - one) @ step / max(step @ step, 1e-12), 0, 1)
    return float(np.linalg.norm(point - one - along * step))


def test_a_key_point_names_a_pixel_and_one_that_is_not_labelled_says_nothing() -> None:
    (mark,) = marks(document({"category_id": 3, "keypoints": [4, 10.5, 2]}))
    assert mark.point == (4.5, 11.0)
    assert marks(document({"category_id": 3, "keypoints": [0, 0, 0]})) == []


def test_each_key_point_of_a_category_is_a_target_by_its_name() -> None:
    eye = {"id": 1, "name": "eye", "keypoints": ["nose", "fovea"]}
    found = read(document({"keypoints": [1, 1, 0, 5, 6, 1]}, categories=[eye]))
    assert [(mark.target, mark.point) for mark in parted(found)[0]] == [("fovea", (5.5, 6.5))]


@pytest.mark.parametrize("way", ["rle", "polygons"])
def test_what_our_export_writes_comes_back_to_the_last_pixel(way: str) -> None:
    ring = BLOB & ~rasterise_ellipse(Ellipse(20, 15, 3, 2, 0), *SIZE)
    glands = (encode(box(0, 0, 3, 3)), encode(box(37, 27, 40, 30)))
    said: list[tuple[str, Kind, dict[str, Any]]] = [
        ("disc", Kind.ELLIPSE, {"masks": (encode(BLOB),)}),
        ("cup", Kind.MASK, {"masks": (encode(ring),)}),
        ("glands", Kind.OBJECTS, {"masks": glands}),
        ("fovea", Kind.POINT, {"point": (7.125, 8.3)}),
    ]
    photograph = Photograph("odd é", "", False, True, 1, 1, "", "", *SIZE, None, None, "", "jpg", "")
    agreed = [
        Agreed(target=key, kind=kind, answer="present", state="", version=1, rule="", **drawn)
        for key, kind, drawn in said
    ]
    writer = Coco({}, TARGETS)
    assert list(writer.add(Record(photograph, None, agreed))) == []
    files = {entry.path: entry.content.read() for entry in writer.finish() if not callable(entry.content)}
    found = {f"coco/all-{way}.json": files[f"coco/all-{way}.json"], "images.csv": b"", "manifest.json": b"{}"}
    usable, bad = parted(read_coco_marks(tree(found), wanted()))
    assert bad == []
    assert {mark.image for mark in usable} == {"odd é.jpg"}
    for mark, (key, _kind, drawn) in zip(usable, said, strict=True):
        assert mark.target == key
        assert mark.point == pytest.approx(drawn.get("point"), abs=1e-12)
        same: tuple[Toggles, ...] = drawn.get("masks", ())
        assert all(np.array_equal(*pair) for pair in zip(mark.masks or (), same, strict=True))
    assert len(parted(read_coco_marks(tree(files), wanted()))[0]) == 4  # of two that say the same, one


@given(st.lists(st.booleans(), min_size=100, max_size=100))
def test_our_polygons_with_their_holes_come_back_to_the_last_pixel(bits: list[bool]) -> None:
    mask = np.zeros((HEIGHT, WIDTH), np.bool_)
    mask[3:13, 4:14] = np.array(bits).reshape(10, 10)
    mask[8, 9] = True
    (mark,) = marks(document({"segmentation": polygons(encode(mask), *SIZE)}))
    assert np.array_equal(pixels(mark)[0], mask)


def test_pictures_beside_are_passed_over_and_other_files_named() -> None:
    files = {"a.json": json.dumps(document({"segmentation": [SQUARE]})), "a.jpg": "", "notes.doc": ""}
    assert reasons(read_coco_marks(tree(files), wanted())) == [("notes.doc", None, "", "not_read")]


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        ({"image_id": 8}, "unknown_picture"),
        ({"image_id": None}, "bad_name"),
        ({"category_id": 9}, "unknown_category"),
        ({"category_id": [1]}, "bad_name"),
        ({}, "no_drawing"),
        ({"segmentation": [[1, 2, 3]]}, "odd_numbers"),
        ({"segmentation": [[1, 2, 3, 4]]}, "few_points"),
        ({"segmentation": [[]]}, "few_points"),
        ({"segmentation": SQUARE}, "bad_field"),
        ({"segmentation": "x"}, "bad_field"),
        ({"segmentation": [[float("nan"), 1, 2, 3, 4, 5]]}, "bad_number"),
        ({"segmentation": [[1e300, 1, 2, 3, 4, 5]]}, "bad_number"),
        ({"segmentation": [[True, 1, 2, 3, 4, 5]]}, "bad_number"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": [5, -1, 1196]}}, "bad_runs"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": [10]}}, "bad_runs"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": [10**12]}}, "bad_number"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": [1.5]}}, "bad_number"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": "é"}}, "bad_runs"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": "PPPP"}}, "bad_runs"),
        ({"segmentation": {"size": [HEIGHT, WIDTH], "counts": None}}, "bad_field"),
        ({"segmentation": {"size": [WIDTH, HEIGHT], "counts": [1200]}}, "runs_of_other_size"),
        ({"segmentation": {"size": [10**9, 10**9], "counts": [1]}}, "bad_number"),
        ({"category_id": 3, "keypoints": [1, 2]}, "bad_field"),
        ({"category_id": 3, "keypoints": [1, float("inf"), 2]}, "bad_number"),
    ],
)
def test_what_is_wrong_is_named_by_the_annotation(drawn: dict[str, Any], code: str) -> None:
    assert reasons(read(document(drawn))) == [("instances.json", None, "101", code)]


def test_half_an_answer_is_none() -> None:
    usable, bad = parted(read(document({"segmentation": [SQUARE]}, {"segmentation": [[1, 2]]})))
    assert usable == []
    assert [one.where.item for one in bad] == ["102"]


def test_two_points_for_a_target_that_is_one_are_refused() -> None:
    points = [{"category_id": 3, "keypoints": [x, 1, 2]} for x in (1, 2)]
    assert reasons(read(document(*points))) == [("instances.json", None, "101, 102", "several")]


@pytest.mark.parametrize("size", [(HEIGHT, WIDTH), (WIDTH + 1, HEIGHT), (10**6, 10**6)])
def test_a_size_that_is_not_the_photograph_s_is_refused(size: tuple[int, int]) -> None:
    image = {"id": 7, "file_name": "a.jpg", "width": size[0], "height": size[1]}
    assert reasons(read(document({"segmentation": [SQUARE]}, images=[image])))[0][3] == "other_size"


def test_of_two_pictures_with_one_name_or_number_neither_counts() -> None:
    names = ((7, "a.jpg"), (8, "x/A.png"))
    images = [{"id": key, "file_name": file, "width": WIDTH, "height": HEIGHT} for key, file in names]
    found = reasons(read(document({"segmentation": [SQUARE]}, images=images)))
    assert [(item, code) for _file, _line, item, code in found] == [
        ("image 8", "repeated_picture"),
        ("101", "unknown_picture"),
    ]
    images[1] = {**images[1], "id": 7, "file_name": "b.jpg"}
    found = reasons(read(document({"segmentation": [SQUARE]}, images=images)))
    assert [code for *_where, code in found] == ["repeated_number", "unknown_picture"]


def test_a_photograph_that_the_study_does_not_have_is_named_and_not_decoded() -> None:
    image = {"id": 7, "file_name": "unknown.jpg", "width": 20_000, "height": 7_000}
    whole = {"size": [7_000, 20_000], "counts": [0, 140_000_000]}
    tracemalloc.start()
    (mark,) = marks(document({"segmentation": whole}, images=[image]))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (mark.image, mark.masks) == ("unknown.jpg", ())
    assert most < 1_000_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_json"),
        (b"\xff\xfe{", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b'{"a":' + b"9" * 10_000 + b"}", "not_json"),
        (b"[]", "other_format"),
        (b'{"images":{},"annotations":[],"categories":[]}', "other_format"),
        (b'{"images":[],"annotations":[]}', "other_format"),
    ],
)
def test_a_file_that_is_something_else_is_refused_as_a_whole(data: bytes, code: str) -> None:
    assert reasons(read_coco_marks(tree({"a.json": data}), wanted())) == [("a.json", None, "", code)]


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "MAX_LISTS", 1000)
    monkeypatch.setattr(json_file, "MAX_VALUES", 2000)
    monkeypatch.setattr(json_file, "MAX_TEXTS", 500)
    for data in (b"[" + b"[]," * 1500 + b"0]", b"[" + b"0," * 3000 + b"0]", b"[" + b'"",' * 600 + b"0]"):
        assert reasons(read_coco_marks(tree({"a.json": data}), wanted()))[0][3] == "too_full"


@settings(max_examples=150)
@given(st.data())
def test_no_value_in_any_place_brings_the_reader_down(data: st.DataObject) -> None:
    point = {"category_id": 3, "keypoints": [1, 2, 2]}
    whole = document({"segmentation": [SQUARE]}, {"segmentation": by_reference(BLOB)}, point)
    list(read(changed(copy.deepcopy(whole), data)))


@given(st.integers(0, 1000))
def test_a_file_cut_anywhere_is_refused(end: int) -> None:
    data = json.dumps(document({"segmentation": [SQUARE]})).encode()
    found = reasons(read_coco_marks(tree({"a.json": data[: min(end, len(data) - 1)]}), wanted()))
    assert [code for *_where, code in found] == ["not_json"]
