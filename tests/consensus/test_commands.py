"""`manage.py consensus` and `manage.py agreement`, on files alone."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.geometry.pictures import drawing, mask

ROOT = Path(__file__).resolve().parents[2]
MASKS = {
    "ada": {"a": mask("##..", "#..."), "b": mask("....", "....")},
    "ben": {"a": mask(".##.", "#..."), "b": mask("....", "....")},
    "cleo": {"a": mask(".#..", "...#")},
}
POINTS = """Image, grader ,X,y,visible
one.jpg,ada,0,0,1
one.jpg,ben,2,0,1
ONE.png,cleo,4,3,1
two.jpg,ada,5,5,1
two.jpg,ben,,,0
"""
LABELS = "image,grader,label\n1,ada,RG\n1,ben,RG\n2,ada,RG\n2,ben,NRG\n"
Run = Callable[..., Any]


def png(pixels: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray((pixels * 255).astype(np.uint8)).save(out, format="PNG")
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for grader, images in MASKS.items():
        (tmp_path / "in" / grader).mkdir(parents=True)
        for name, pixels in images.items():
            (tmp_path / "in" / grader / f"{name}.png").write_bytes(png(pixels))
    return tmp_path / "in"


@pytest.fixture
def table(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / "in.csv").write_text(text)
        return tmp_path / "in.csv"

    return write


def picture(path: Path) -> list[str]:
    samples = np.asarray(Image.open(path))
    assert set(samples.ravel().tolist()) <= {0, 255}
    return drawing(samples == 255)


def test_masks_are_fused_among_those_who_read_the_image(run: Run, folder: Path, tmp_path: Path) -> None:
    answer = run("consensus", "masks", "--inputs", folder, "--rule", "majority", "--out", tmp_path / "out")

    graders = ["ada", "ben", "cleo"]
    assert answer == {"kind": "masks", "rule": "majority", "graders": graders, "excluded": [], "n_images": 2}
    assert picture(tmp_path / "out" / "a.png") == [".#..", "#..."]
    assert picture(tmp_path / "out" / "b.png") == ["....", "...."]


def test_an_excluded_grader_has_no_vote_and_ties_can_be_foreground(run: Run, folder: Path, tmp_path: Path) -> None:
    options = ("--exclude", "cleo", "--ties", "foreground", "--out", tmp_path / "out")

    answer = run("consensus", "masks", "--inputs", folder, "--rule", "majority", *options)

    assert (answer["graders"], answer["excluded"]) == (["ada", "ben"], ["cleo"])
    assert picture(tmp_path / "out" / "a.png") == ["###.", "#..."]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("union", ["###.", "#..#"]),
        ("intersection", [".#..", "...."]),
        ("staple", [".#..", "#..."]),
        ("mean-shape", [".#..", "#..."]),
    ],
)
def test_every_rule_for_masks_can_be_named(
    run: Run, folder: Path, tmp_path: Path, rule: str, expected: list[str]
) -> None:
    run("consensus", "masks", "--inputs", folder, "--rule", rule, "--out", tmp_path / "out")

    assert picture(tmp_path / "out" / "a.png") == expected
    assert picture(tmp_path / "out" / "b.png") == ["....", "...."]


def test_a_zip_with_one_enclosing_folder_is_read_like_the_folder(run: Run, folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for path in folder.rglob("*.png"):
            archive.write(path, f"masks/{path.relative_to(folder)}")
        archive.writestr("__MACOSX/masks/._a.png", b"left behind")

    assert run("agreement", "masks", "--inputs", tmp_path / "in.zip") == run("agreement", "masks", "--inputs", folder)


def test_points_are_fused_by_those_who_saw_the_structure(
    run: Run, table: Callable[[str], Path], tmp_path: Path
) -> None:
    answer = run("consensus", "points", "--inputs", table(POINTS), "--rule", "mean", "--out", tmp_path / "out.csv")

    assert answer["n_images"] == 2
    assert (tmp_path / "out.csv").read_text() == "image,x,y,n\none.jpg,2.0,1.0,3\ntwo.jpg,,,0\n"


def test_labels_are_fused_or_left_to_the_adjudicator(run: Run, table: Callable[[str], Path], tmp_path: Path) -> None:
    rule, out = "two-plus-adjudicator", tmp_path / "out.csv"

    run("consensus", "labels", "--inputs", table(LABELS), "--rule", rule, "--out", out)

    assert out.read_text() == "image,label,status\n1,RG,agreed\n2,,needs-adjudication\n"


def test_the_adjudicators_label_stands_where_the_graders_differ(
    run: Run, table: Callable[[str], Path], tmp_path: Path
) -> None:
    text = LABELS.replace("label\n", "label,role\n").replace("RG\n", "RG,grader\n") + "2,eve,U,adjudicator\n"
    rule, out = "two-plus-adjudicator", tmp_path / "out.csv"

    run("consensus", "labels", "--inputs", table(text), "--rule", rule, "--out", out)

    assert out.read_text() == "image,label,status\n1,RG,agreed\n2,U,adjudicated\n"


def test_agreement_of_masks_by_hand(run: Run, folder: Path) -> None:
    answer = run("agreement", "masks", "--inputs", folder)

    # Image a: pairs share 2, 1 and 1 of 4, 4 and 4 pixels; nobody marked anything on b.
    assert answer == {
        "n_images": 2,
        "n_empty": 1,
        "graders": ["ada", "ben", "cleo"],
        "gci": pytest.approx(4 / 12),
        "gci_pooled": pytest.approx(4 / 12),
        "per_image": [{"image": "a", "gci": pytest.approx(4 / 12)}, {"image": "b", "gci": None}],
        "pairwise_dice": pytest.approx({"ada|ben": 4 / 6, "ada|cleo": 2 / 5, "ben|cleo": 2 / 5}),
        "pairwise_jaccard": pytest.approx({"ada|ben": 2 / 4, "ada|cleo": 1 / 4, "ben|cleo": 1 / 4}),
    }


def test_agreement_of_points_uses_images_that_everybody_saw(run: Run, table: Callable[[str], Path]) -> None:
    text = "image,grader,x,y,visible\na,ada,0,0,1\na,ben,2,0,1\nb,ada,10,0,1\nb,ben,12,0,1\nc,ada,1,1,1\nc,ben,,,0\n"

    answer = run("agreement", "points", "--inputs", table(text))

    assert (answer["n_images"], answer["n_not_visible"], answer["graders"]) == (3, 1, ["ada", "ben"])
    assert answer["mean_distance_to_mean"] == {"ada": 1, "ben": 1}
    # Rows (0, 2) and (10, 12): R = 100, E = 0, C = 4, W = 2.
    assert answer["icc_x"] == pytest.approx(
        {"1": 98 / 102, "A,1": 100 / 104, "C,1": 1, "k": 0.98, "A,k": 100 / 102, "C,k": 1}
    )
    assert answer["icc_euclidean"] == answer["icc_x"]
    assert answer["icc_y"] == dict.fromkeys(("1", "A,1", "C,1", "k", "A,k", "C,k"))


def test_agreement_of_labels_by_hand(run: Run, table: Callable[[str], Path]) -> None:
    answer = run("agreement", "labels", "--inputs", table(LABELS + "3,ada,NRG\n"))

    assert (answer["n_images"], answer["n_complete"]) == (3, 2)
    assert answer["percent_agreement"] == 0.5
    assert answer["cohen_kappa"] == {"ada|ben": pytest.approx(0)}
    # Three RG and one NRG among four ratings: (½ − ⅝) / (1 − ⅝).
    assert answer["fleiss_kappa"] == pytest.approx(-1 / 3)


def test_a_label_without_a_place_in_the_order_is_refused(refusal: Run, table: Callable[[str], Path]) -> None:
    said = refusal("agreement", "labels", "--inputs", table(LABELS), "--order", "RG,U")
    assert said.endswith("in.csv: labels without a place in the order: NRG\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("2,0", "2,nan"), "in.csv, line 3: “nan” in column “y” is not a finite number."),
        (("ONE.png,cleo", "ONE.png,ben"), "in.csv, line 4: ben has read ONE.png in line 3 already."),
        (("visible", "seen,visible,visible"), "in.csv, line 1: The column “visible” stands twice."),
        (("grader", "reader"), "in.csv, line 1: The column “grader” is missing."),
        (("5,5,1", "5,5,2"), "in.csv, line 5: “2” is not allowed in column “visible”; allowed are 0, 1."),
        (("two.jpg,ada", ",ada"), "in.csv, line 5: The cell in column “image” is empty."),
    ],
)
def test_a_bad_row_is_refused_by_its_line_and_nothing_is_written(
    refusal: Run, table: Callable[[str], Path], tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    inputs, out = table(POINTS.replace(*change, 1)), tmp_path / "out.csv"

    assert said in refusal("consensus", "points", "--inputs", inputs, "--rule", "mean", "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("kind", "text", "rule"),
    [("points", "image,grader,x,y\na,ada,0,0\nb,ben,2,0\n", "mean"), ("labels", LABELS + "3,cleo,NRG\n", "majority")],
)
def test_an_image_that_only_excluded_graders_read_is_refused_by_its_file(
    refusal: Run, table: Callable[[str], Path], tmp_path: Path, kind: str, text: str, rule: str
) -> None:
    out, last = tmp_path / "out.csv", text.splitlines()[-1].split(",")

    said = refusal("consensus", kind, "--inputs", table(text), "--rule", rule, "--exclude", last[1], "--out", out)

    assert f"in.csv: {last[0]}: nobody who is not excluded has read it" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("masks", "--rule", "median"), "--rule median: unknown for masks"),
        (("masks", "--rule", "majority", "--exclude", "zoe"), "--exclude zoe: there is no such grader"),
        (("masks", "--rule", "majority", "--exclude", "ada", "ben", "cleo"), "--exclude: nobody is left"),
        (("masks", "--rule", "majority", "--exclude", "ada", "ben"), "b: nobody who is not excluded has read it"),
        (("masks", "--rule", "staple", "--ties", "foreground"), "--ties: only a majority"),
        (("masks",), "--rule"),
        (("shapes", "--rule", "majority"), "shapes"),
        (("masks", "--rule", "majority", "--fast"), "--fast"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(
    refusal: Run, folder: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    out = tmp_path / "out"

    assert said in refusal("consensus", *arguments, "--inputs", folder, "--out", out)
    assert not out.exists()


def test_a_mask_of_another_size_is_named(refusal: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "cleo" / "b.png").write_bytes(png(mask("...", "...")))

    said = refusal("agreement", "masks", "--inputs", folder)

    assert said == f"{folder}/cleo/b.png: The mask has 3 × 2 pixels, another of the same image 4 × 2.\n"


def test_a_file_that_is_no_picture_is_named(refusal: Run, folder: Path) -> None:
    (folder / "cleo" / "b.png").write_bytes(b"not a picture")

    assert refusal("agreement", "masks", "--inputs", folder).startswith(f"{folder}/cleo/b.png: ")


def test_a_coloured_picture_is_refused(refusal: Run, folder: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (4, 2), (255, 0, 0)).save(out, format="PNG")
    (folder / "cleo" / "b.png").write_bytes(out.getvalue())

    assert "cleo/b.png: The picture is not grey" in refusal("agreement", "masks", "--inputs", folder)


def test_a_missing_input_is_refused(refusal: Run, tmp_path: Path) -> None:
    assert refusal("agreement", "masks", "--inputs", tmp_path / "nowhere").endswith("nowhere: no such file or folder\n")


def test_the_command_line_needs_no_database_and_writes_nothing_beside_its_output(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "installation"
    environment = os.environ | {"QUORUM_DATA_ROOT": str(place), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "agreement", "masks", "--inputs", str(folder), "--json"]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["n_images"] == 2
    assert not place.exists() or list(place.iterdir()) == []


def test_the_command_line_refuses_in_one_line(tmp_path: Path) -> None:
    environment = os.environ | {"QUORUM_DATA_ROOT": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "consensus", "masks", "--rule", "majority"]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
