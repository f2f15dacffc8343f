"""Contours as text files, one for each photograph, structure and expert; scikit-image is the witness."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage.draw import polygon as drawn_by_skimage

from annotator.formats.contour_marks import read_contour_marks
from annotator.formats.marks import Mark
from annotator.geometry.runs import decode
from tests.formats.trees import SIZE, parted, reasons, tree, wanted

WIDTH, HEIGHT = SIZE
TRIANGLE = "3.2 4.1\n30.7 8.3\n12.4 25.9\n"


def marks(name: str, text: str | bytes = TRIANGLE) -> list[Mark]:
    found, bad = parted(read_contour_marks(tree({name: text}), wanted({"od": "disc"})))
    assert bad == []
    return found


@pytest.mark.parametrize(
    ("name", "image", "target", "grader"),
    [
        ("RET002OD_disc_exp1.txt", "RET002OD", "disc", "exp1"),
        ("Contours/RET002OD_cup_exp2.txt", "RET002OD", "cup", "exp2"),
        ("a_b_optic_disc_exp_2.TXT", "a_b", "disc", "exp_2"),
        ("RET002OD_cup.txt", "RET002OD", "cup", ""),
        ("RET002_OD_Ann.txt", "RET002", "disc", "Ann"),
        ("cup/Ann/RET002.txt", "RET002", "cup", "Ann"),
        ("cup/one_two.txt", "one_two", "cup", ""),
    ],
)
def test_the_name_tells_photograph_structure_and_grader(name: str, image: str, target: str, grader: str) -> None:
    (mark,) = marks(name)
    assert (mark.image, mark.target, mark.grader, mark.where.file) == (image, target, grader, name)


corners = st.lists(st.tuples(st.floats(0, WIDTH - 1), st.floats(0, HEIGHT - 1)), min_size=3, max_size=8, unique=True)


@given(corners)
def test_the_area_is_the_one_that_the_dataset_s_own_way_of_drawing_gives(points: list[tuple[float, float]]) -> None:
    """skimage.draw.polygon on rows and columns; what lies exactly on an edge is left out of the comparison."""
    text = io.BytesIO()
    np.savetxt(text, points, fmt="%.17g")
    (mark,) = marks("a_cup_e.txt", text.getvalue())
    ours = decode((mark.masks or ())[0], *SIZE)
    theirs = np.zeros_like(ours)
    theirs[drawn_by_skimage([y for _x, y in points], [x for x, _y in points], ours.shape)] = True
    rows, columns = np.nonzero(ours != theirs)
    for x, y in zip(columns.tolist(), rows.tolist(), strict=True):
        assert min(_distance((x, y), points[at - 1], points[at]) for at in range(len(points))) < 1e-6


def _distance(place: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    point, one, step = np.array(place), np.array(start), np.subtract(end, start)
    along = np.clip((point - one) @ step / max(step @ step, 1e-300), 0, 1)
    return float(np.linalg.norm(point - one - along * step))


def test_a_square_by_hand() -> None:
    """Corners on the middles of pixels 2 and 5: these pixels lie on the border and belong to it."""
    (mark,) = marks("a_cup_e.txt", "# x y\n2,3\n5,3\n5;6\n2\t6\n\n")
    expected = np.zeros((HEIGHT, WIDTH), np.bool_)
    expected[3:7, 2:6] = True
    assert np.array_equal(decode((mark.masks or ())[0], *SIZE), expected)


def test_for_a_line_the_contour_is_the_line() -> None:
    (mark,) = marks("a_cornea_e.txt", "1 2\n3 4\n")
    assert mark.line == ((1.5, 2.5), (3.5, 4.5))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a_nose_e.txt", TRIANGLE, "None no_target"),
        ("a_disc_cup.txt", TRIANGLE, "None two_targets"),
        ("a_cup_e.xlsx", TRIANGLE, "None not_read"),
        ("FundusImages/RET002OD.jpg", "", ""),
        ("a_cup_e.txt", "", "None few_points"),
        ("a_cup_e.txt", "1 2\n3 4\n", "None few_points"),
        ("a_cup_e.txt", "x y\n1 2\n3\n1 2 3\n4 5\n", "1 not_a_place, 3 not_a_place, 4 not_a_place"),
        ("a_cup_e.txt", "1,5 2,5\n1 2\n3 4\n", "1 not_a_place"),
        ("a_cup_e.txt", "nan 1\n1e999 2\n1e9 3\n", "1 not_a_place, 2 not_a_place, 3 not_a_place"),
        ("a_cup_e.txt", "1 2\n3 4\n5 6\né 7\n".encode("latin-1"), "4 not_a_place"),
        ("a_cup_e.txt", "1 2\n" * 100_001, "None too_many_points"),
        ("a_cornea_e.txt", "1 2\n", "None few_points"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(name: str, text: str | bytes, expected: str) -> None:
    found = reasons(read_contour_marks(tree({name: text}), wanted()))
    assert ", ".join(f"{line} {code}" for _file, line, _item, code in found) == expected


@given(st.binary(max_size=60))
def test_no_bytes_bring_the_reader_down(data: bytes) -> None:
    list(read_contour_marks(tree({"a_cup_e.txt": data, "b_cup.txt": b"1 2\n3 4\n" + data}), wanted()))
