"""CVAT for images: a file written by hand, its conventions worked out on paper, and what must not be believed."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats import xml_file
from annotator.formats.cvat_marks import read_cvat_marks
from annotator.formats.marks import Mark
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from annotator.geometry.runs import decode
from tests.formats.trees import SIZE, parted, reasons, tree, wanted

WIDTH, HEIGHT = SIZE
RG = '<attribute name="a">RG</attribute>'
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><task><id>1</id></task></meta>'


def document(*drawn: str, name: str = "a.jpg", width: object = WIDTH, height: object = HEIGHT) -> str:
    image = f'<image id="0" name="{name}" width="{width}" height="{height}">{"".join(drawn)}</image>'
    return f"{HEAD}{image}</annotations>"


def marks(text: str | bytes) -> list[Mark]:
    found, bad = parted(read_cvat_marks(tree({"annotations.xml": text}), wanted()))
    assert bad == []
    return found


def faults(text: str | bytes) -> list[tuple[str, str]]:
    return [(item, code) for _file, _line, item, code in reasons(read_cvat_marks(tree({"a.xml": text}), wanted()))]


def rows(*lines: str) -> np.ndarray:
    return np.array([[character == "#" for character in line] for line in lines])


def test_a_mask_is_a_box_read_row_by_row_beginning_with_the_background() -> None:
    """1 background, 2 marked, 1 + 1 background over the end of the row, 3 marked: by hand .## / ..# / ##."""
    (mark,) = marks(
        document('<mask label="cup" source="manual" rle="1, 2, 2, 3, 1" left="5" top="7" width="3" height="3"/>')
    )
    expected = np.zeros((HEIGHT, WIDTH), np.bool_)
    expected[7:10, 5:8] = rows(".##", "..#", "##.")
    assert np.array_equal(decode((mark.masks or ())[0], *SIZE), expected)
    assert (mark.image, mark.target, mark.size) == ("a.jpg", "cup", SIZE)
    assert mark.where.item == "a.jpg: mask 1"


def test_a_mask_that_begins_with_a_marked_pixel_has_an_empty_first_run() -> None:
    (mark,) = marks(document('<mask label="cup" rle="0, 4" left="38" top="28" width="2" height="2"/>'))
    assert decode((mark.masks or ())[0], *SIZE)[28:, 38:].all()


def test_an_ellipse_is_turned_clockwise_on_the_screen() -> None:
    """A long ellipse turned by 45 degrees runs from upper left to lower right, as y grows downwards."""
    shape = '<ellipse label="disc" cx="20.00" cy="15.00" rx="10.00" ry="2.00" rotation="45.00" z_order="0"/>'
    (mark,) = marks(document(shape))
    assert mark.ellipse == Ellipse(20, 15, 10, 2, 45)
    inside = decode(ellipse_toggles(mark.ellipse, *SIZE), *SIZE)
    assert inside[20, 25]
    assert not inside[10, 25]


@pytest.mark.parametrize("turn", [0, 30, 90, 140, 300])
def test_an_ellipse_covers_what_opencv_draws_for_the_same_angle(turn: int) -> None:
    """CVAT itself makes masks of ellipses with OpenCV, in whole pixels whose centres have whole numbers."""
    (mark,) = marks(document(f'<ellipse label="cup" cx="20.5" cy="15.5" rx="11" ry="5" rotation="{turn}"/>'))
    ours = decode((mark.masks or ())[0], *SIZE)
    theirs = cv2.ellipse(np.zeros((HEIGHT, WIDTH), np.uint8), (20, 15), (11, 5), turn, 0, 360, 1, -1).astype(bool)
    assert (ours & ~theirs).sum() == 0  # OpenCV's also takes pixels that the outline only touches
    assert (ours & theirs).sum() / (ours | theirs).sum() > 0.8


def test_polygons_lines_points_and_skeletons_are_read_where_they_stand() -> None:
    found = marks(
        document(
            '<polygon label="Cup" points="2.00,3.00;6.00,3.00;6.00,8.00;2.00,8.00"/>',
            '<polyline label="cornea" points="1.50,2.25;3.00,4.00"><attribute name="x">y</attribute></polyline>',
            '<skeleton label="eye"><points label="fovea" outside="0" points="7.25,8.00"/>'
            '<points label="nose" outside="1" points="0,0"/></skeleton>',
        )
    )
    cup, cornea, fovea = found
    assert decode((cup.masks or ())[0], *SIZE)[3:8, 2:6].all()
    assert int(decode((cup.masks or ())[0], *SIZE).sum()) == 20
    assert cornea.line == ((1.5, 2.25), (3.0, 4.0))
    assert fovea.point == (7.25, 8.0)


def test_drawings_of_one_label_are_united_and_objects_stay_apart() -> None:
    two = ["1,1;3,1;3,3;1,3", "2,2;5,2;5,4;2,4"]
    (cup,) = marks(document(*(f'<polygon label="cup" points="{points}"/>' for points in two)))
    (glands,) = marks(document(*(f'<polygon label="glands" points="{points}"/>' for points in two)))
    assert int(decode((cup.masks or ())[0], *SIZE).sum()) == 4 + 6 - 1
    assert [int(decode(mask, *SIZE).sum()) for mask in glands.masks or ()] == [4, 6]


def test_tags_answer_by_their_attributes_or_by_their_own_name() -> None:
    ticked = '<attribute name="label">RG</attribute><attribute name="notching">true</attribute>'
    (mark,) = marks(document(f'<tag label="grade" source="manual">{ticked}</tag>'))
    assert (mark.target, mark.label, mark.signs) == ("grade", "rg", ("notching",))
    assert marks(document('<tag label="Not referable"/>'))[0].label == "nrg"
    (hidden,) = marks(document('<tag label="fovea"><attribute name="answer">not visible</attribute></tag>'))
    assert (hidden.target, hidden.answer) == ("fovea", "not-visible")


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        ('<box label="cup" xtl="1" ytl="1" xbr="2" ybr="2"/>', "other_shape"),
        ('<cuboid label="cup"/>', "other_shape"),
        ('<polygon label="car" points="1,1;2,2;3,1"/>', "unknown_target"),
        ('<polygon points="1,1;2,2;3,1"/>', "bad_name"),
        ('<polygon label="cup" points="1,1;2,2"/>', "few_points"),
        ('<polygon label="cup" points="1,1;2;3,1"/>', "bad_number"),
        ('<polygon label="cup" points=""/>', "bad_number"),
        ('<polygon label="cup" points="nan,1;2,2;3,1"/>', "bad_number"),
        ('<polygon label="cup" points="1e99,1;2,2;3,1"/>', "bad_number"),
        ('<polygon label="cup" points="１,1;2,2;3,1"/>', "bad_number"),
        ('<ellipse label="disc" cx="1" cy="1" rx="0" ry="2"/>', "bad_number"),
        ('<ellipse label="disc" cx="1" cy="1" rx="2"/>', "bad_number"),
        ('<mask label="cup" rle="1, 2" left="0" top="0" width="2" height="2"/>', "bad_runs"),
        ('<mask label="cup" rle="1, -2, 5" left="0" top="0" width="2" height="2"/>', "bad_number"),
        ('<mask label="cup" rle="" left="0" top="0" width="2" height="2"/>', "bad_number"),
        ('<mask label="cup" rle="4" left="-1" top="0" width="2" height="2"/>', "bad_number"),
        ('<mask label="cup" rle="4" left="39" top="0" width="2" height="2"/>', "runs_of_other_size"),
        ('<mask label="cup" rle="999999999" left="0" top="0" width="9999999" height="9999999"/>', "runs_of_other_size"),
        ('<points label="fovea" points="1,1;2,2"/>', "several"),
        ('<tag label="grade"/>', "not_one_answer"),
        (
            '<tag label="grade"><attribute name="a">RG</attribute><attribute name="b">NRG</attribute></tag>',
            "not_one_answer",
        ),
        ('<tag label="weather"/>', "unknown_target"),
        ('<points label="cup" points="1,1"/><polygon label="cup" points="1,1;2,2;3,1"/>', "mixed"),
    ],
)
def test_what_is_wrong_is_named_by_picture_and_drawing(drawn: str, code: str) -> None:
    ((item, found),) = faults(document(drawn))
    assert item.startswith("a.jpg: ")
    assert found == code


def test_pictures_that_cannot_be_placed_are_named() -> None:
    drawn = '<polygon label="cup" points="1,1;2,2;3,1"/>'
    assert faults(document(drawn, width=HEIGHT, height=WIDTH)) == [("a.jpg: polygon 1", "other_size")]
    assert faults(document(drawn, width="many")) == [("image 0", "bad_number")]
    assert faults(document(drawn, name="")) == [("image 0", "bad_name")]
    image = f'<image id="{{}}" name="{{}}" width="{WIDTH}" height="{HEIGHT}">{drawn}</image>'
    twice = HEAD + image.format(0, "a.jpg") + image.format(1, "b/A.png") + "</annotations>"
    assert faults(twice) == [("image 0", "repeated_picture"), ("image 1", "repeated_picture")]
    assert faults(HEAD + '<track id="3" label="cup"/></annotations>') == [("track 3", "other_shape")]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_xml"),
        ("<annotations>", "not_xml"),
        ("{}", "not_xml"),
        ("<other/>", "other_format"),
        (BOMB + "<annotations>&b;</annotations>", "unsafe_xml"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><annotations/>', "unsafe_xml"),
        ('<?xml version="1.0" encoding="nonsense"?><annotations/>', "not_xml"),
        ("<annotations>" + "<a>" * 50_000, "not_xml"),
    ],
)
def test_a_file_that_is_something_else_or_a_trap_is_refused_as_a_whole(text: str, code: str) -> None:
    assert faults(text) == [("", code)]


def test_a_file_nested_without_end_is_read_or_refused_like_any_other() -> None:
    assert faults("<annotations>" + "<a>" * 50_000 + "</a>" * 50_000 + "</annotations>") == []


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_file, "MAX_ELEMENTS", 500)
    assert faults("<annotations>" + "<a/>" * 1500 + "</annotations>") == [("", "too_full")]
    many = " ".join(f'k{number}=">"' for number in range(300))
    assert faults(f"<annotations><image {many}/></annotations>") == [("", "too_full")]


WHOLE = document(
    '<mask label="cup" rle="1, 2, 2, 3, 1" left="5" top="7" width="3" height="3"/>',
    '<ellipse label="disc" cx="20.00" cy="15.00" rx="10.00" ry="2.00" rotation="45.00"/>',
    '<points label="fovea" points="1,1"/><tag label="grade"><attribute name="label">RG</attribute></tag>',
).encode()


@settings(max_examples=150)
@given(st.integers(0, len(WHOLE)), st.integers(0, 20), st.binary(max_size=12))
def test_no_damage_brings_the_reader_down(at: int, gone: int, put: bytes) -> None:
    list(read_cvat_marks(tree({"a.xml": WHOLE[:at] + put + WHOLE[at + gone :]}), wanted()))
