"""The metadata table for an import."""

import csv
import io
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats.bad_table import BadTable
from annotator.formats.cells import safe_cell
from annotator.formats.metadata_csv import ImageRow, read_metadata

FULL = """\
File, Subject ,EYE,position,device,um_per_px_x,um_per_px_y,stratum:site,label:Glaucoma
a.jpg,S1,OD,1,Zeiss Visucam,7.3,7.25,Rotterdam,yes
b/b.jpg,S1,os,1,,,,,
"""


def faults(text: str) -> list[tuple[int | None, str]]:
    table = read_metadata(text.encode())
    assert table.rows == ()
    return [(fault.line, fault.code) for fault in table.faults]


def test_a_full_table_is_read() -> None:
    assert read_metadata(FULL.encode()).rows == (
        ImageRow(2, "a.jpg", "S1", "R", 1, "Zeiss Visucam", 7.3, 7.25, {"site": "Rotterdam"}, {"Glaucoma": "yes"}),
        ImageRow(3, "b/b.jpg", "S1", "L", 1),
    )


@pytest.mark.parametrize(
    "change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t + "\n,,,,,,,,\n"]
)
def test_byte_order_mark_line_ends_and_empty_lines_change_nothing(change: object) -> None:
    assert callable(change)
    assert read_metadata(change(FULL).encode()) == read_metadata(FULL.encode())


def test_a_table_with_the_file_column_alone_is_enough() -> None:
    assert read_metadata(b"file\na.jpg\n").rows == (ImageRow(2, "a.jpg"),)


@pytest.mark.parametrize(
    ("written", "read"), [("R", "R"), ("od", "R"), ("L", "L"), ("OS", "L"), ("", None), (" r ", "R")]
)
def test_eyes_are_read_in_both_notations(written: str, read: str | None) -> None:
    assert read_metadata(f"file,eye\na.jpg,{written}\n".encode()).rows[0].eye == read


def test_all_faults_are_reported_with_their_lines() -> None:
    text = (
        "file,subject,eye,position,um_per_px_x,um_per_px_y\n"
        "a.jpg,S1,OU,1,7,7\n"
        ",S2,R,1,,\n"
        "c.jpg,=cmd(),R,0,-1,nan\n"
        "d.jpg,S3\n"
        "A.JPG,S4,R,1,inf,7\n"
    )
    assert faults(text) == [
        (2, "bad_choice"),
        (3, "missing_file"),
        (4, "bad_number"),
        (4, "bad_number"),
        (4, "formula"),
        (4, "bad_position"),
        (5, "wrong_width"),
        (6, "bad_number"),
        (6, "repeated_file"),
    ]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", [(1, "no_header")]),
        ("subject,eye", [(1, "missing_column")]),
        ("file,patient", [(1, "unknown_column")]),
        ("file,stratum:", [(1, "unknown_column")]),
        ("file,", [(1, "unknown_column")]),
        ("file,File ", [(1, "repeated_column")]),
        ("file;eye", [(1, "separator")]),
        ("patient,eye,EYE", [(1, "unknown_column"), (1, "repeated_column"), (1, "missing_column")]),
    ],
)
def test_a_wrong_header_is_refused(header: str, expected: list[tuple[int, str]]) -> None:
    assert faults(header + "\n") == expected


def test_a_wrong_column_and_a_wrong_line_are_reported_together() -> None:
    assert faults("file,patient,eye\na.jpg,x,Q\n") == [(1, "unknown_column"), (2, "bad_choice")]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", " =", "＝"])
@pytest.mark.parametrize("column", ["file", "subject", "device", "stratum:site", "label:x"])
def test_a_text_that_starts_like_a_formula_is_refused(start: str, column: str) -> None:
    header = "file" if column == "file" else f"file,{column}"
    line = f"{start}1" if column == "file" else f"a.jpg,{start}1"
    assert (2, "formula") in faults(f"{header}\n{line}\n")


@pytest.mark.parametrize("kind", ["stratum", "label"])
def test_a_name_that_starts_like_a_formula_is_refused(kind: str) -> None:
    """It stands in the tables that are written about its groups."""
    assert faults(f"file,{kind}:=1+1\na.jpg,new\n") == [(1, "formula")]


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "1e999", "7,3", "abc", "0x10", "１", "1_000", "infinity"])
def test_a_scale_that_is_no_number_above_zero_is_refused(value: str) -> None:
    assert faults(f'file,um_per_px_x,um_per_px_y\na.jpg,"{value}",7\n') == [(2, "bad_number")]


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "x", "10000"])
def test_a_position_that_is_no_whole_number_from_1_is_refused(value: str) -> None:
    assert faults(f"file,position\na.jpg,{value}\n") == [(2, "bad_position")]


def test_a_scale_needs_both_directions() -> None:
    assert faults("file,um_per_px_x,um_per_px_y\na.jpg,7,\n") == [(2, "half_a_scale")]


def test_two_files_in_the_same_place_of_an_eye_conflict() -> None:
    assert faults("file,subject,eye,position\na,S1,R,1\nb,S1,L,1\nc,S1,OD,1\n") == [(4, "conflicting_rows")]


def test_files_without_a_position_do_not_conflict() -> None:
    assert read_metadata(b"file,subject,eye\na,S1,R\nb,S1,R\n").faults == ()


@pytest.mark.parametrize("column", ["subject", "device", "label:x"])
def test_a_text_that_is_too_long_is_refused(column: str) -> None:
    assert faults(f"file,{column}\na.jpg,{'x' * 201}\n") == [(2, "too_long")]


def test_latin_1_is_named_with_its_line() -> None:
    table = read_metadata("file,device\na.jpg,Zeiss\nb.jpg,Gerät\n".encode("latin-1"))
    assert [(fault.code, fault.line) for fault in table.faults] == [("not_utf8", 3)]
    assert "UTF-8" in str(table.faults[0])


def test_a_spreadsheet_file_is_not_a_table() -> None:
    assert [code for _, code in faults("PK\x03\x04\0\0")] == ["not_text"]


def test_lines_are_counted_through_quoted_line_breaks() -> None:
    assert faults('file,subject\n"a.jpg","S\n1"\nb.jpg,=x\n') == [(2, "control_character"), (4, "formula")]


def test_an_open_quote_is_malformed() -> None:
    assert [code for _, code in faults('file\n"a.jpg\n')] == ["malformed"]


def test_faults_keep_their_line_between_processes() -> None:
    (fault,) = read_metadata(b"file,patient\n").faults
    copy = pickle.loads(pickle.dumps(fault))
    assert isinstance(copy, BadTable)
    assert (copy.code, copy.line, str(copy)) == ("unknown_column", 1, "The column “patient” is not known.")


@settings(max_examples=200)
@given(
    st.one_of(
        st.binary(max_size=80), st.text(max_size=80).map(lambda text: ("file,eye\n" + text).encode("utf-8", "replace"))
    )
)
def test_any_bytes_give_rows_or_faults_but_never_an_error(data: bytes) -> None:
    table = read_metadata(data)
    assert not (table.rows and table.faults)
    assert all(str(fault) for fault in table.faults)


@pytest.mark.parametrize(
    ("text", "safe"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("\tx", "'\tx"), (" -x", "' -x"), ("S-1", "S-1"), ("", "")]
)
def test_written_cells_are_never_formulas(text: str, safe: str) -> None:
    assert safe_cell(text) == safe


@given(st.text(max_size=20))
def test_a_safe_cell_survives_a_csv_round_trip(text: str) -> None:
    cell = safe_cell(text)
    file = io.StringIO(newline="")
    csv.writer(file).writerow([cell, "end"])
    assert next(csv.reader(io.StringIO(file.getvalue(), newline="")))[0] == cell
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_the_list_of_an_exported_archive_is_a_table_too() -> None:
    head = "image,part,withheld,case,photograph,subject,side,width,height,um_per_px_x,um_per_px_y,device"
    head += ",original_sha256,frame"
    lines = ["c0001,,0,1,1,P1,R,32,24,5,6,Canon,00,1", "c0002,,1,,,,,32,24,,,,,", "c0003,,0,3,1,P3,U,32,24,,,,01,1"]
    table = read_metadata("\n".join([head + ",stratum:age", *(line + ",old" for line in lines)]).encode())
    assert not table.faults
    assert [(row.file, row.subject, row.eye, row.position) for row in table.rows] == [
        ("c0001", "P1", "R", None),
        ("c0002", None, None, None),
        ("c0003", "P3", None, None),
    ]
    assert (table.rows[0].um_per_px_y, table.rows[0].device, table.rows[0].strata) == (6, "Canon", {"age": "old"})


def test_what_an_export_tells_is_no_column_of_another_table() -> None:
    assert [fault.code for fault in read_metadata(b"file,width\na.png,3\n").faults] == ["unknown_column"]
