"""What `manage.py score` does with hostile and odd input: each has a stated outcome."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.formats import tree
from tests.evaluation.challenge_files import Challenge, encoded, picture

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., Any]
RISKS = "FileName,Glaucoma Risk\nT1.jpg,1\nT2.jpg,0\n"
POINTS = "ImageName,Fovea_X,Fovea_Y\nT1.jpg,10,20\nT2.jpg,5,5\n"
COLOURED = encoded(np.arange(48, dtype=np.uint8).reshape(4, 4, 3))
DRAWN = ("..+.", ".##+", ".#++", "..+.")


@pytest.fixture
def refuge(challenge: Challenge) -> Challenge:
    challenge.write("classification.csv", RISKS).write("fovea_location.csv", POINTS)
    for name in ("T1", "T2"):
        challenge.write(f"segmentation/{name}.bmp", picture(*DRAWN, kind="BMP"))
    return challenge


def test_a_whole_exported_archive_is_scored_by_its_layout(run: Run, refuge: Challenge, tmp_path: Path) -> None:
    whole = tmp_path / "export.zip"
    reference = Path(refuge.sides[1])
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("manifest.json", "{}")
        archive.writestr("tables/labels.csv", "image\nT1\n")
        for path in (one for one in reference.rglob("*") if one.is_file()):
            archive.write(path, f"layout/{path.relative_to(reference)}")

    told = run("score", "refuge", "--reference", whole, "--submission", whole)

    assert (told["metrics"]["auc"], told["metrics"]["dice_disc"]) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + RISKS,
        RISKS.replace("\n", "\r\n"),
        RISKS.upper().replace("JPG", "jpg"),
        RISKS.replace("T1.jpg", "images/t1.PNG"),
        "note,Glaucoma Risk , fileName\nany,1,T1\n\n,0,T2\n",
    ],
    ids=["byte order mark", "CRLF", "capitals", "folder and ending", "other columns, order, blanks and lines"],
)
def test_tables_are_read_as_people_save_them(text: str, run: Run, refuge: Challenge) -> None:
    refuge.write("classification.csv", text, "submission")

    assert run("score", "refuge", *refuge.sides)["metrics"]["auc"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RISKS.replace(",", ";"), "line 1: The cells are separated by semicolons"),
        ("", "line 1: The first line must name the columns."),
        ("FileName,Glaucoma Risk\n", "The table has no line below its header."),
        ("FileName,Risk\nT1,1\nT2,0\n", "line 1: The column “glaucoma risk” is missing."),
        ("FileName,Glaucoma Risk,FILENAME\nT1,1,T1\n", "line 1: The column “filename” stands twice."),
        (RISKS + "T3.jpg,0.5\n", "line 4: “T3” is not among the cases of the reference."),
        (RISKS + "t1,0.5\n", "line 4: “t1” was named in line 2 already."),
        ("FileName,Glaucoma Risk\nT1,1\n", "“T2” is missing, a case of the reference."),
        (RISKS.replace(",1", ",nan"), "line 2: “nan” in column “glaucoma risk” is not a finite number."),
        (RISKS.replace(",1", ",-inf"), "line 2: “-inf” in column"),
        (RISKS.replace(",1", ","), "line 2: The cell in column “glaucoma risk” is empty."),
        (RISKS.replace(",1", ",1,2"), "line 2: The line has 3 cells, the header 2."),
        (RISKS.replace("T1", '"T1'), "The line is not valid CSV"),
    ],
)
def test_a_bad_table_is_named_with_its_line(text: str, said: str, refusal: Run, refuge: Challenge) -> None:
    refuge.write("classification.csv", text, "submission")

    line = refusal("score", "refuge", *refuge.sides)

    assert f"{refuge.root}/submission/classification.csv" in line
    assert said in line


def test_a_table_that_is_not_utf8_is_named(refusal: Run, refuge: Challenge) -> None:
    refuge.write("classification.csv", RISKS.encode() + b"\xff\xfe\n", "submission")

    assert "line 4: The table is not UTF-8 text." in refusal("score", "refuge", *refuge.sides)


def test_a_reference_label_is_zero_or_one(refusal: Run, refuge: Challenge) -> None:
    refuge.write("classification.csv", RISKS.replace(",1", ",0.7"), "reference")

    line = refusal("score", "refuge", *refuge.sides)

    assert "reference/classification.csv, line 2: “0.7” is not allowed in column “Glaucoma Risk”" in line


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (
            "segmentation/T1.bmp",
            picture("..+", ".##"),
            "T1.bmp: The mask has 3 × 2 pixels, another of the same image 4",
        ),
        (
            "segmentation/T1.bmp",
            COLOURED,
            "T1.bmp: The picture is not",
        ),
        ("segmentation/T1.bmp", b"", "T1.bmp: The file is empty."),
        ("segmentation/T1.bmp", picture(*DRAWN)[:60], "T1.bmp: The picture is damaged"),
        ("segmentation/T1.bmp", b"GIF89a", "T1.bmp: The file is not a PNG, BMP or TIFF picture."),
        ("segmentation/T1.png", picture(*DRAWN), "segmentation/T1.png: “T1” has another file, “segmentation/T1.bmp”."),
        ("segmentation/T3.bmp", picture(*DRAWN), "segmentation/T3.bmp: “T3” is not among the cases"),
        ("segmentation/more/T1.bmp", picture(*DRAWN), "segmentation/more/T1.bmp: There is no place for such a file"),
        ("classification_results.csv", RISKS, "classification_results.csv: “classification.csv” is there for the same"),
    ],
)
def test_a_bad_file_is_named(name: str, data: bytes, said: str, refusal: Run, refuge: Challenge) -> None:
    refuge.write(name, data, "submission")

    assert said in refusal("score", "refuge", *refuge.sides)


def test_a_missing_picture_is_named(refusal: Run, refuge: Challenge) -> None:
    refuge.remove("segmentation/T2.bmp")

    assert "submission/segmentation: “T2” is missing, a case of the reference." in refusal(
        "score", "refuge", *refuge.sides
    )


def test_a_track_that_only_the_submission_has_refuses_it(refusal: Run, refuge: Challenge) -> None:
    refuge.remove("fovea_location.csv", "reference")

    line = refusal("score", "refuge", *refuge.sides)

    assert "submission/fovea_location.csv: The reference has nothing to compare it with." in line


def test_nothing_to_score_is_said(refusal: Run, challenge: Challenge) -> None:
    challenge.write("readme.txt", "hello")

    assert "There is nothing in it that can be scored." in refusal("score", "refuge", *challenge.sides)


@pytest.mark.parametrize("prefix", ["", "my submission/"])
def test_an_archive_is_read_like_a_folder(prefix: str, run: Run, refuge: Challenge) -> None:
    left_behind = {"__MACOSX/._T1.bmp": b"x", f"{prefix}.DS_Store": b"x", f"{prefix}segmentation/.T9.bmp": b"x"}

    answer = run("score", "refuge", *refuge.packed(prefix, left_behind))

    assert set(answer["metrics"].values()) == {0.0, 1.0}
    assert not any("Not read" in note for note in answer["notes"])


def test_an_archive_of_one_track_s_folder_alone_keeps_it(run: Run, refuge: Challenge) -> None:
    refuge.remove("classification.csv")
    refuge.remove("fovea_location.csv")

    assert run("score", "refuge", *refuge.packed())["metrics"]["dice_cup"] == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [("../T9.bmp", "a name that leaves its folder"), ("/etc/T9.bmp", "a name that leaves its folder")],
)
def test_an_archive_that_leaves_its_folder_is_refused(name: str, said: str, refusal: Run, refuge: Challenge) -> None:
    line = refusal("score", "refuge", *refuge.packed(more={name: b"x"}))

    assert f"{refuge.root}/submission.zip" in line
    assert said in line


def test_an_archive_with_a_link_is_refused(refusal: Run, refuge: Challenge) -> None:
    arguments = refuge.packed()
    link = zipfile.ZipInfo("segmentation/T9.bmp")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(refuge.root / "submission.zip", "a") as packed:
        packed.writestr(link, "/etc/passwd")

    assert "a link or special file" in refusal("score", "refuge", *arguments)


def test_a_link_in_a_folder_is_not_followed(refusal: Run, refuge: Challenge) -> None:
    (refuge.root / "submission" / "segmentation" / "T9.bmp").symlink_to("/etc/passwd")

    assert "segmentation/T9.bmp" in refusal("score", "refuge", *refuge.sides)


def test_a_bomb_is_refused_before_it_is_unpacked(
    refusal: Run, refuge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "LIMITS", replace(tree.LIMITS, member_bytes=10_000))

    line = refusal("score", "refuge", *refuge.packed(more={"segmentation/T9.bmp": bytes(20_000)}))

    assert "“segmentation/T9.bmp” has more than 10000 bytes." in line


def test_an_archive_that_unpacks_to_too_much_is_refused(
    refusal: Run, refuge: Challenge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "LIMITS", replace(tree.LIMITS, total_bytes=1000))

    assert "unpacks to more than 1000 bytes" in refusal("score", "refuge", *refuge.packed())


def test_an_archive_of_too_many_files_is_refused(refusal: Run, refuge: Challenge) -> None:
    assert tree.LIMITS.members < 100_000

    many = {f"{number}.txt": b"" for number in range(tree.LIMITS.members)}

    assert "The archive holds more than 20000 files." in refusal("score", "refuge", *refuge.packed(more=many))


def test_a_file_that_is_no_archive_is_refused(refusal: Run, refuge: Challenge) -> None:
    sides = ("--reference", refuge.root / "reference", "--submission", refuge.root / "submission/classification.csv")

    assert "The file is not a .zip" in refusal("score", "refuge", *sides)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("refuge", "--submission", "."), "--reference"),
        (("refuge", "--reference", "/nowhere/at/all", "--submission", "."), "/nowhere/at/all: no such file or folder"),
        (("refuge", "--reference", ".", "--submission", ".", "--edition", "third"), "third"),
        (("refuge", "--reference", ".", "--submission", ".", "--colour"), "--colour"),
        (("refuge", "--reference", ".", "--submission", ".", "--bootstrap", "0"), "--bootstrap: “0”"),
        (("refuge", "--reference", ".", "--submission", ".", "--bootstrap", "many"), "many"),
        (("refuge", "--reference", ".", "--submission", ".", "--seed", "-1"), "--seed: “-1”"),
        (("idrid", "--reference", ".", "--submission", "."), "idrid"),
        ((), "protocol"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: tuple[str, ...], said: str, refusal: Run) -> None:
    assert said in refusal("score", *arguments)


def test_the_report_holds_the_object_the_cases_and_a_summary(run: Run, refuge: Challenge, tmp_path: Path) -> None:
    answer = run("score", "refuge", *refuge.sides, "--out", tmp_path / "made" / "report")

    report = tmp_path / "made" / "report"
    assert (report / "report.json").read_text().startswith('{\n "protocol": "refuge"')
    lines = (report / "cases.csv").read_text().splitlines()
    assert lines[0] == "case,risk,label,dice_cup,dice_disc,vcdr_reference,vcdr_candidate,distance_fovea"
    assert lines[1] == "T1,1.0,1,1.0,1.0,0.5,0.5,0.0"
    summary = (report / "summary.md").read_text()
    assert "| auc | 1.0000 | higher | Area under the ROC curve |" in summary
    assert all(note in summary for note in answer["notes"])


def test_a_refusal_writes_nothing(refusal: Run, refuge: Challenge, tmp_path: Path) -> None:
    refuge.remove("segmentation/T2.bmp")

    refusal("score", "refuge", *refuge.sides, "--out", tmp_path / "report")

    assert not (tmp_path / "report").exists()


def test_the_same_seed_draws_the_same(run: Run, refuge: Challenge) -> None:
    refuge.write("fovea_location.csv", POINTS.replace("5,5", "9,8"), "submission")
    once = run("score", "refuge", *refuge.sides, "--bootstrap", 50, "--seed", 7)

    assert run("score", "refuge", *refuge.sides, "--bootstrap", 50, "--seed", 7) == once
    assert once["ci"]["mean_distance_fovea"] == [0, 5]


def test_no_database_and_nothing_else_is_needed(refuge: Challenge, tmp_path: Path) -> None:
    place = tmp_path / "none"
    environment = os.environ | {"QUORUM_DATA_ROOT": str(place), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "score", "refuge", *map(str, refuge.sides)]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# REFUGE, edition paper, 2 cases")
    assert not place.exists() or list(place.iterdir()) == []
