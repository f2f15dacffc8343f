"""The table of clinical truth: read whole, or every fault in it named by its line."""

from annotator.formats.truth_csv import TruthTable, read_truth

WORDS = {"glaucoma": {"1": "glaucoma", "glaucoma": "glaucoma", "0": "no-glaucoma", "no glaucoma": "no-glaucoma"}}
ALLOWED = {"glaucoma": "glaucoma (1), no-glaucoma (0)"}


def read(text: str) -> TruthTable:
    return read_truth(text.encode(), WORDS, ALLOWED)


def faults(text: str) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.code) for fault in read(text).faults]


def test_answers_are_read_as_the_protocol_s_files_write_them_or_by_name() -> None:
    table = read("Case, GLAUCOMA\n1,1\n2,No glaucoma\n3,\n")
    assert table.named_by == "case"
    assert [(row.name, row.values) for row in table.rows] == [
        ("1", {"glaucoma": "glaucoma"}),
        ("2", {"glaucoma": "no-glaucoma"}),
        ("3", {}),
    ]


def test_an_image_is_named_without_folder_ending_or_capitals() -> None:
    assert [row.name for row in read("image,glaucoma\nTrain/G0001.JPG,1\n").rows] == ["g0001"]


def test_every_bad_line_is_named() -> None:
    found = faults("case,glaucoma\n1,perhaps\n2,1\n2,0\n,1\n4,1,5\n")
    assert found == [(2, "bad_choice"), (4, "repeated_case"), (5, "empty_cell"), (6, "wrong_width")]


def test_a_wrong_answer_is_told_with_its_column_and_what_is_allowed() -> None:
    (fault,) = read("case,glaucoma\n7,perhaps\n").faults
    assert str(fault) == "“perhaps” is not allowed in column “glaucoma”; allowed are glaucoma (1), no-glaucoma (0)."


def test_a_header_that_cannot_be_meant_is_refused() -> None:
    assert faults("case,disc\n1,1\n") == [(1, "unknown_column"), (1, "missing_column")]
    assert faults("glaucoma\n1\n") == [(1, "missing_column")]
    assert faults("case;glaucoma\n1;1\n") == [(1, "separator")]
    assert faults("case,image,glaucoma\n1,a,1\n") == [(1, "repeated_column")]
    assert faults("case,glaucoma,glaucoma\n1,1,1\n") == [(1, "repeated_column")]
    assert faults("") == [(1, "no_header")]
    assert faults("case,glaucoma\n") == [(None, "no_rows")]
