"""Tables of annotations: as our export writes them, as spreadsheet programs save them, and as they should not be."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats import csv_marks
from annotator.formats.csv_marks import read_csv_marks, read_exported_readings, read_pixel_csv_marks
from annotator.formats.marks import Mark, Reader, Wanted
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.geometry.runs import encode
from consensus.exporting.given import Readings
from consensus.exporting.record import Agreed, Given, Photograph, Record, Writer
from consensus.exporting.tables import Tables
from protocols.names import Kind
from tests.formats.trees import FOVEA, parted, reasons, tree, wanted


def marks(text: str | bytes, name: str = "points.csv", read: Reader = read_csv_marks) -> list[Mark]:
    found, faults = parted(read(tree({name: text}), wanted()))
    assert faults == []
    return found


def faults(text: str | bytes, name: str = "points.csv") -> list[tuple[int | None, str]]:
    return [(line, code) for _file, line, _item, code in reasons(read_csv_marks(tree({name: text}), wanted()))]


def test_points_are_taken_as_they_stand_or_shifted_where_they_name_pixels() -> None:
    (point,) = marks("image,target,x,y\nA.jpg,fovea,10.25,7\n")
    assert (point.image, point.target, point.answer, point.point) == ("A.jpg", "fovea", "present", (10.25, 7.0))
    assert marks("image,target,x,y,pixel_index\na,fovea,10,7,1\n")[0].point == (10.5, 7.5)
    assert marks("image,target,x,y\na,fovea,10,7\n", read=read_pixel_csv_marks)[0].point == (10.5, 7.5)
    assert marks("image,target,x,y,pixel_index\na,fovea,10,7,0\n", read=read_pixel_csv_marks)[0].point == (10.0, 7.0)


def test_the_target_may_be_named_by_the_file_or_by_the_columns() -> None:
    assert marks("image,grader,x,y\na,Ann,1,2\n", "given/fovea.csv")[0].grader == "Ann"
    assert marks("ImgName,Fovea_X,Fovea_Y\na.jpg,1.5,2\n", "Fovea_location.csv")[0].point == (1.5, 2.0)
    both = marks(
        "file;grade;optic disc cx;optic disc cy;optic disc a;optic disc b;optic disc theta deg\na;RG;5;6;3;2;10\n"
    )
    assert {mark.target: mark.ellipse or mark.label for mark in both} == {
        "disc": Ellipse(5, 6, 3, 2, 10),
        "grade": "rg",
    }
    found, _none = parted(read_csv_marks(tree({"macula.csv": "image,x,y\na,1,2\n"}), wanted({"macula": "fovea"})))
    assert found[0].target == "fovea"


def test_labels_are_known_by_key_name_or_what_the_protocols_files_write() -> None:
    table = (
        "image,grader,label,signs,confidence\na,1,RG,notching;Haemorrhage,0.8\nb,1,not referable,,\nc,1,Ungradable,,\n"
    )
    one, two, three = marks(table, "grade.csv")
    assert (one.label, one.signs, one.confidence) == ("rg", ("notching", "haemorrhage"), 0.8)
    assert (two.label, two.answer) == ("nrg", "present")
    assert (three.label, three.answer) == ("", "ungradable")


def test_a_line_is_drawn_through_its_points_by_their_number() -> None:
    (line,) = marks("image,target,number,x,y\na,cornea,2,3,4\na,cornea,1,1,2\na,cornea,3,5,6\n")
    assert line.line == ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_separators_and_encodings_are_seen(separator: str, encoding: str, ends: str) -> None:
    lines = (("image", "target", "x", "y"), ("Müller 1.jpg", "fovea", "10.5", "7.25"))
    text = ends.join(separator.join(line) for line in lines) + ends
    (point,) = marks(text.encode(encoding))
    assert (point.image, point.point) == ("Müller 1.jpg", (10.5, 7.25))


def test_a_decimal_comma_is_read_where_the_table_shows_that_it_is_one() -> None:
    shown = "image;target;x;y\na;fovea;10,5;1,234\n"
    assert marks(shown)[0].point == (10.5, 1.234)
    assert marks('image,target,x,y\na,fovea,"0,125","7"\n')[0].point == (0.125, 7.0)


def test_a_comma_that_may_separate_thousands_is_refused() -> None:
    assert faults("image;target;x;y\na;fovea;1,234;2,500\n") == [(2, "ambiguous_comma")]
    assert faults("image;target;x;y\na;fovea;12,5;7\nb;fovea;12.5;7\n") == [(2, "ambiguous_comma")]


def test_a_table_in_latin_1_with_decimal_commas_is_refused_line_by_line() -> None:
    table = "image;target;x;y\nMüller.jpg;fovea;10,5;7,25\nplain.jpg;fovea;1,5;2\nGröße.jpg;fovea;3,5;4\n"
    found, bad = parted(read_csv_marks(tree({"a.csv": table.encode("latin-1")}), wanted()))
    assert [(one.where.file, one.where.line, one.fault.code) for one in bad] == [
        ("a.csv", 2, "not_utf8"),
        ("a.csv", 4, "not_utf8"),
    ]
    assert [(mark.image, mark.point) for mark in found] == [("plain.jpg", (1.5, 2.0))]
    assert faults("größe;target\n1;2\n".encode("latin-1")) == [(1, "not_utf8")]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("", "1 no_header"),
        ("image,target,x,y\n", "None no_rows"),
        ("target,x,y\nfovea,1,2\n", "1 missing_column"),
        ("image,file,x,y\na,a,1,2\n", "1 repeated_column"),
        ("image,x,x,y\na,1,1,2\n", "1 repeated_column"),
        ("image,target,colour\na,fovea,red\n", "1 no_answer_column"),
        ("image,x,y\na,1,2\n", "1 no_target"),
        ("image,target,x,y\na,nose,1,2\n,fovea,1,2\na,,1,2\n", "2 bad_choice, 3 empty_cell, 4 empty_cell"),
        ("image,target,x,y\na,fovea,1\n", "2 wrong_width"),
        ("image,target,x,y\na,fovea,1,\nb,fovea,one,2\n", "2 empty_cell, 3 not_a_number"),
        ("image,target,x,y\na,fovea,nan,1\nb,fovea,1e999,1\n", "2 not_a_number, 3 not_a_number"),
        ("image,target,x,y\na,fovea,1e8,1\nb,fovea,1,-1e8\n", "2 out_of_range, 3 out_of_range"),
        ("image,target,x,y\na,fovea,１,1\nb,fovea,1_0,1\n", "2 not_a_number, 3 not_a_number"),
        ("image,target,answer\na,fovea,perhaps\nb,fovea,present\n", "2 bad_choice, 3 nothing_marked"),
        ("image,target,x,y,answer\na,fovea,1,2,not-visible\n", "2 marked_and_not"),
        ("image,target,x,y,visible\na,fovea,1,2,0\nb,fovea,1,2,maybe\n", "3 bad_choice, 2 marked_and_not"),
        ("image,target,x,y\na,fovea,1,2\nA.JPG,fovea,1,3\n", "3 other_answer"),
        ("image,target,x,y\na,cornea,1,2\n", "2 empty_cell"),
        ("image,target,number,x,y\na,cornea,1,1,2\na,cornea,3,1,2\n", "2 missing_vertex"),
        ("image,target,number,x,y\na,cornea,1.5,1,2\n", "2 bad_number"),
        ("image,target,cx,cy,a,b,theta_deg\na,disc,1,2,0,3,0\nb,disc,1,2,3,3,\n", "2 bad_number, 3 empty_cell"),
        ("image,target,label,sign\na,grade,blue,\nb,grade,RG,spot\n", "2 bad_choice, 3 bad_choice"),
        ("image,target,label,confidence\na,grade,RG,1.5\n", "2 out_of_range"),
        ("image,target,x,y,pixel_index\na,fovea,1,2,x\n", "2 bad_choice"),
        ('image,target,x,y\na,fovea,"1,2\n', "2 malformed"),
        ("image,target\0,x,y\na,fovea,1,2\n", "1 not_text"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(table: str, expected: str) -> None:
    assert ", ".join(f"{line} {code}" for line, code in faults(table)) == expected


def test_of_two_lines_that_differ_neither_counts_and_the_same_said_twice_is_one() -> None:
    found, _bad = parted(read_csv_marks(tree({"fovea.csv": "image,x,y\na,1,2\na.png,1,3\n"}), wanted()))
    assert found == []
    assert len(marks("image,x,y\na,1,2\na.png,1,2\n", "fovea.csv")) == 1


def test_a_utf_16_file_cut_in_the_middle_is_refused() -> None:
    assert faults("image,target,x,y\na,fovea,1,2".encode("utf-16")[:-1]) == [(2, "not_text")]


@settings(max_examples=200)
@given(st.binary(max_size=80) | st.text(alphabet='image,targetxy;\t"\n\r0123.,-eénan ', max_size=80).map(str.encode))
def test_no_bytes_bring_the_reader_down(data: bytes) -> None:
    head = b"image,target,x,y,number,label,cx,cy,a,b,theta_deg\n"
    for table in (data, head + data, b"\xff\xfe" + data):
        list(read_csv_marks(tree({"fovea.csv": table}), wanted()))


PHOTOGRAPH = Photograph("-odd, name", "", False, True, 1, 1, "s", "R", 40, 30, None, None, "", "jpg", "")
SAID: tuple[dict[str, Any], ...] = (
    {"target": "disc", "kind": Kind.ELLIPSE, "answer": "present", "ellipse": Ellipse(1 / 3, 7.1, 5.5, 3.25, -33.3)},
    {"target": "fovea", "kind": Kind.POINT, "answer": "present", "point": (0.1 + 0.2, 29.7)},
    {"target": "grade", "kind": Kind.LABEL, "answer": "present", "label": "rg", "signs": ("haemorrhage", "notching")},
)
WITHOUT: tuple[dict[str, Any], ...] = (
    {"target": "disc", "kind": Kind.ELLIPSE, "answer": "not-visible"},
    {"target": "fovea", "kind": Kind.POINT, "answer": "cannot-be-determined"},
    {"target": "grade", "kind": Kind.LABEL, "answer": "ungradable"},
)
LINE = {"target": "cornea", "kind": Kind.POLYLINE, "answer": "present", "line": ((1.1, 2.2), (3.3, 4.4), (5.5, 2.0))}

NO_LINE = {"target": "cornea", "kind": Kind.POLYLINE, "answer": "cannot-be-determined"}


def written(writer: Writer, agreed: list[Agreed]) -> dict[str, bytes]:
    entries = [*writer.add(Record(PHOTOGRAPH, None, agreed)), *writer.finish()]
    return {entry.path: entry.content() if callable(entry.content) else entry.content.read() for entry in entries}


def shown(mark: Mark) -> dict[str, Any]:
    facts = {"answer": mark.answer, "ellipse": mark.ellipse, "point": mark.point, "line": mark.line}
    known = {fact: value for fact, value in facts.items() if value is not None}
    return known | {"label": mark.label, "signs": mark.signs, "target": mark.target}


def expected(said: dict[str, Any]) -> dict[str, Any]:
    return {"label": "", "signs": ()} | {fact: value for fact, value in said.items() if fact != "kind"}


@pytest.mark.parametrize("answers", [SAID, WITHOUT, (LINE,)])
def test_the_tables_of_an_export_come_back_as_they_were(answers: tuple[dict[str, Any], ...]) -> None:
    agreed = [Agreed(**said, state="agreed", version=1, rule="majority", source="vote") for said in answers]
    found, bad = parted(read_csv_marks(tree(written(Tables((), lambda _record: {}), agreed)), wanted()))
    assert bad == []
    assert {mark.image for mark in found} == {"-odd, name"}
    by_target = {mark.target: shown(mark) for mark in found}
    assert by_target == {said["target"]: expected(said) for said in answers}


def test_the_readings_of_an_export_come_back_by_the_letters_of_their_graders() -> None:
    agreed = []
    for present, absent in zip((*SAID, LINE), (*WITHOUT, NO_LINE), strict=True):
        given_by = [Given(**present, grader="A", confidence=0.7), Given(**absent, grader="B", reason="left-out")]
        agreed.append(Agreed(**present, state="agreed", version=1, rule="majority", given=given_by))
    found, bad = parted(read_exported_readings(tree(written(Readings(), agreed)), wanted()))
    assert bad == []
    told = {(mark.target, mark.grader): (shown(mark), mark.confidence) for mark in found}
    by_a = {(said["target"], "A"): (expected(said), 0.7) for said in (*SAID, LINE)}
    assert told == by_a | {(said["target"], "B"): (expected(said), None) for said in (*WITHOUT, NO_LINE)}


def test_the_areas_of_an_exported_reading_come_from_its_pictures() -> None:
    cup = rasterise_ellipse(Ellipse(20, 15, 9, 5, 20), 40, 30)
    glands = (encode(rasterise_ellipse(Ellipse(8, 8, 4, 3, 0), 40, 30)), encode(np.eye(30, 40, 20, dtype=np.bool_)))
    one = Given(target="cup", kind=Kind.MASK, answer="present", masks=(encode(cup),), grader="A", confidence=0.25)
    none = Given(target="cup", kind=Kind.MASK, answer="absent", grader="B")
    two = Given(target="glands", kind=Kind.OBJECTS, answer="present", masks=glands, grader="A")
    agreed = [
        Agreed(target="cup", kind=Kind.MASK, answer="present", state="", version=1, rule="", given=[one, none]),
        Agreed(target="glands", kind=Kind.OBJECTS, answer="present", state="", version=1, rule="", given=[two]),
    ]
    found, bad = parted(read_exported_readings(tree(written(Readings(), agreed)), wanted()))
    assert bad == []
    by_key = {(mark.target, mark.grader): mark for mark in found}
    assert by_key["cup", "B"].answer == "absent"
    assert by_key["cup", "A"].confidence == 0.25
    assert by_key["cup", "A"].size == (40, 30)
    for key, masks in ((("cup", "A"), (encode(cup),)), (("glands", "A"), glands)):
        assert all(np.array_equal(*pair) for pair in zip(by_key[key].masks or (), masks, strict=True))


def test_of_an_export_only_the_tables_of_answers_are_read() -> None:
    archive = {"images.csv": "image,part\na,\n", "tables/measures.csv": "image,vcdr\na,0.5\n", "METHODS.md": "#"}
    archive["decisions/adjudications.csv"] = "image,target,label,grader,said,followed\na,grade,rg,A,nrg,0\n"
    archive["readings/answers.csv"] = "image,target,grader,answer,label\na,grade,A,present,nrg\n"
    archive["tables/labels.csv"] = "image,target,answer,label\na,grade,present,rg\n"
    found, bad = parted(read_csv_marks(tree(archive), wanted()))
    assert [(mark.label, mark.grader) for mark in found] == [("rg", "")]
    assert bad == []


def test_a_file_that_is_no_table_is_named() -> None:
    files = {"notes.docx": b"PK", "images/a.jpg": b"", "fovea.csv": b"image,x,y\na,1,2\n"}
    assert reasons(read_csv_marks(tree(files), wanted())) == [("notes.docx", None, "", "not_read")]


def test_where_one_target_was_chosen_nothing_needs_to_name_it() -> None:
    only = Wanted((FOVEA,), lambda _name: None)
    assert parted(read_csv_marks(tree({"any.csv": "image,x,y\na,1,2\n"}), only))[0][0].target == "fovea"


def test_of_a_table_that_breaks_off_or_is_too_long_nothing_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "image,x,y\n" + "".join(f"a{number},1.5,2\n" for number in range(5))
    broken = parted(read_csv_marks(tree({"fovea.csv": rows + 'b,"12,5",2\nc,"1\n'}), wanted()))
    assert (broken[0], [one.fault.code for one in broken[1]]) == ([], ["malformed"])
    monkeypatch.setattr(csv_marks, "MOST_LINES", 4)
    long = parted(read_csv_marks(tree({"fovea.csv": rows, "grade.csv": "image,label\na,RG\n"}), wanted()))
    assert (long[0], [one.fault.code for one in long[1]]) == ([], ["too_many_rows"])
