"""`manage.py score glas`, on files alone."""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from evaluation.metrics.objects import ObjectSums, object_sums
from evaluation.metrics.registry import METRICS
from protocols.glas import GLAS
from protocols.scoring_names import EditionKey
from tests.evaluation.glas_golden import GOLDEN, KEYS, MEAN, POOLED, REFERENCE
from tests.evaluation.label_pictures import labels

Run = Callable[..., Any]
Pictures = Mapping[str, NDArray[Any]]
NOTHING = labels("....", "....", "....")
GLAND = labels("11..", "....", "....")
ONE = {"a_anno.png": GLAND}


def write(folder: Path, pictures: Pictures) -> Path:
    folder.mkdir(exist_ok=True)
    for name, pixels in pictures.items():
        Image.fromarray(pixels).save(folder / name)
    return folder


@pytest.fixture
def sides(tmp_path: Path) -> Callable[..., tuple[object, ...]]:
    """The options that name both sides, written to files."""

    def make(reference: Pictures, submission: Pictures) -> tuple[object, ...]:
        there = write(tmp_path / "reference", reference)
        return ("--reference", there, "--submission", write(tmp_path / "submission", submission))

    return make


@pytest.fixture
def golden(sides: Run) -> tuple[object, ...]:
    reference = {f"{name}_anno.png": REFERENCE for name in GOLDEN}
    made: tuple[object, ...] = sides(reference, {f"{name}_anno.png": one.candidate for name, one in GOLDEN.items()})
    return made


def test_the_paper_pools_over_all_images(run: Run, golden: tuple[object, ...]) -> None:
    answer = run("score", "glas", *golden)

    assert (answer["protocol"], answer["edition"], answer["n_cases"]) == ("glas", "paper", 4)
    assert list(answer["metrics"]) == list(KEYS)
    assert answer["metrics"] == pytest.approx(POOLED, abs=5e-8)
    assert any("pools" in note for note in answer["notes"])
    assert "ci" not in answer


def test_the_code_averages_over_images(run: Run, golden: tuple[object, ...]) -> None:
    answer = run("score", "glas", *golden, "--edition", "published")

    assert answer["edition"] == "published"
    assert answer["metrics"] == pytest.approx(MEAN, abs=5e-8)
    for case in answer["cases"]:
        expected = GOLDEN[case["case"]]
        assert list(case) == ["case", "f1", "tp", "fp", "fn", "object_dice", "object_hausdorff", "ari"]
        assert (case["tp"], case["fp"], case["fn"]) == expected.found
        assert [case[key] for key in KEYS[:3]] == pytest.approx(
            [expected.f1, expected.object_dice, expected.object_hausdorff], rel=1e-10
        )


def test_an_image_found_by_exactly_half_is_told_by_the_edition(run: Run, golden: tuple[object, ...]) -> None:
    answer = run("score", "glas", *golden)

    half = next(case for case in answer["cases"] if case["case"] == "g4_exact_half")
    assert (half["f1"], half["tp"], half["fp"], half["fn"]) == (1.0, 2, 0, 0)


@pytest.mark.parametrize("edition", list(EditionKey))
@pytest.mark.parametrize("by_subject", [False, True])
def test_intervals_pool_anew_what_is_drawn(
    run: Run, golden: tuple[object, ...], edition: EditionKey, by_subject: bool
) -> None:
    """Each resample is drawn here one after the other, and its images are pooled as if they were all there is."""
    owners = [0, 1, 0, 2] if by_subject else [0, 1, 2, 3]
    if by_subject:
        lines = [f"{name},p{owner}" for name, owner in zip(GOLDEN, owners, strict=True)]
        (Path(str(golden[1])) / "subjects.csv").write_text("\n".join(["name,subject", *lines]))
    images = [object_sums(REFERENCE, one.candidate) for one in GOLDEN.values()]
    rng = np.random.default_rng(7)
    drawn: dict[str, list[float]] = {key: [] for key in KEYS}
    for _resample in range(50):
        units = rng.integers(0, max(owners) + 1, max(owners) + 1)
        sums = ObjectSums.joined(
            [image for unit in units for image, own in zip(images, owners, strict=True) if own == unit]
        )
        for metric in GLAS.scoring.tracks[0].metrics:
            rule = METRICS[metric.rule(edition)]
            drawn[metric.key].append(float(rule.value(rule.summarise(sums, np.ones((1, len(sums)))))[0]))

    answer = run("score", "glas", *golden, "--edition", edition.value, "--bootstrap", 50, "--seed", 7)

    for key in KEYS:
        assert answer["ci"][key] == pytest.approx(np.percentile(drawn[key], [2.5, 97.5]).tolist())


def test_endings_case_depth_and_an_archive_do_not_matter(run: Run, golden: tuple[object, ...], tmp_path: Path) -> None:
    plain = run("score", "glas", *golden)["metrics"]
    other = tmp_path / "other"
    write(other, {f"{name.upper()}_ANNO.BMP": one.candidate.astype(np.uint8) for name, one in GOLDEN.items()})
    with zipfile.ZipFile(tmp_path / "reference.zip", "w") as archive:
        for name in GOLDEN:
            archive.write(Path(str(golden[1])) / f"{name}_anno.png", f"testA/{name}_anno.png")
        archive.writestr("__MACOSX/testA/._g1_plain_anno.png", b"left behind")

    answer = run("score", "glas", "--reference", tmp_path / "reference.zip", "--submission", other)

    assert answer["metrics"] == plain
    assert answer["cases"][0]["case"] == "g1_plain"


def test_only_label_pictures_are_read(run: Run, sides: Run) -> None:
    both = sides({**ONE, "a.png": NOTHING}, {**ONE, "overlay.png": np.zeros((9, 9, 3), dtype=np.uint8)})

    answer = run("score", "glas", *both)

    assert answer["n_cases"] == 1
    assert any("a.png" in note for note in answer["notes"])
    assert any("overlay.png" in note for note in answer["notes"])


def test_labels_of_a_palette_are_its_indices(run: Run, sides: Run, tmp_path: Path) -> None:
    both = sides({"a_anno.png": labels("1122")}, {})
    picture = Image.fromarray(labels("2233").astype(np.uint8)).convert("P")
    picture.putdata([2, 2, 3, 3])
    picture.putpalette([255, 0, 0] * 256)  # all of one colour
    picture.save(tmp_path / "submission" / "a_anno.png")

    assert run("score", "glas", *both)["metrics"] == {"f1": 1, "object_dice": 1, "object_hausdorff": 0, "ari": 1}


def test_images_with_one_side_empty_count_and_are_noted(run: Run, sides: Run) -> None:
    """One gland of two pixels found, one missed, one invented, one image empty on both sides; the diagonal is 5."""
    names = [f"{letter}_anno.png" for letter in "abcd"]
    reference = dict(zip(names, (GLAND, GLAND, NOTHING, NOTHING), strict=True))
    submission = dict(zip(names, (GLAND, NOTHING, GLAND, NOTHING), strict=True))

    answer = run("score", "glas", *sides(reference, submission))

    assert (answer["metrics"]["f1"], answer["metrics"]["object_dice"]) == (0.5, 0.5)
    assert answer["metrics"]["object_hausdorff"] == pytest.approx(2.5)
    assert [case["object_hausdorff"] for case in answer["cases"]] == [0, 5, 5, 0]
    assert [case["f1"] for case in answer["cases"]] == [1, 0, 0, 1]
    assert any(
        note.startswith("2 of 4 images have objects on one side only (1 in the reference, 1 in")
        for note in answer["notes"]
    )


PERFECT = {"f1": 1, "object_dice": 1, "object_hausdorff": 0, "ari": 1}
EVERY_PIXEL = np.arange(1, 65536, dtype=np.uint16).reshape(257, 255)


@pytest.mark.parametrize(
    ("reference", "candidate", "expected"),
    [
        (labels("."), labels("."), PERFECT),
        (labels("1"), labels("7"), PERFECT),
        (labels("1"), labels("."), {"f1": 0, "object_dice": 0, "object_hausdorff": 2**0.5, "ari": 1}),
        (np.full((50, 60), 1, dtype=np.uint8), np.full((50, 60), 255, dtype=np.uint8), PERFECT),
        (EVERY_PIXEL, EVERY_PIXEL[:, ::-1].copy(), PERFECT),
    ],
    ids=["one empty pixel", "one pixel", "one pixel missed", "one object everywhere", "every pixel an object"],
)
def test_the_smallest_and_fullest_pictures_are_scored(
    run: Run, sides: Run, reference: NDArray[Any], candidate: NDArray[Any], expected: dict[str, float]
) -> None:
    """The last one turned over: 65,535 objects of one pixel, all found, though their labels differ."""
    both = sides({"a_anno.png": reference}, {"a_anno.tif": candidate})

    assert run("score", "glas", *both)["metrics"] == pytest.approx(expected)


def test_a_whole_set_without_candidates_is_the_worst(run: Run, sides: Run) -> None:
    both = sides(ONE, {"a_anno.png": NOTHING})

    for edition in EditionKey:
        found = run("score", "glas", *both, "--edition", edition.value)["metrics"]
        assert (found["f1"], found["object_dice"], found["object_hausdorff"]) == (0, 0, 5)


def test_grades_tell_the_metrics_apart(run: Run, golden: tuple[object, ...]) -> None:
    grades = "Grade,name\nBenign,G1_plain\nbenign,g2_missed_gt\nmalignant,g3_extra_seg\nmalignant,g4_exact_half\n"
    (Path(str(golden[1])) / "grades.csv").write_text(grades)

    notes = run("score", "glas", *golden, "--edition", "published")["notes"]

    assert any(note.startswith("Of 2 benign images: f1 0.8333, object_dice 0.6588") for note in notes)
    assert any(note.startswith("Of 2 malignant images: f1 0.6500") for note in notes)


COLOUR = np.zeros((3, 4, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("reference", "submission", "said"),
    [
        (ONE, {"a_anno.png": COLOUR}, "submission/a_anno.png: The picture is in colour"),
        ({"a_anno.png": COLOUR}, ONE, "reference/a_anno.png: The picture is in colour"),
        (ONE, {"a_anno.png": labels("11..")}, "submission/a_anno.png: The mask has 4 × 1 pixels"),
        ({**ONE, "b_anno.png": GLAND}, ONE, "submission: “b” is missing"),
        (ONE, {**ONE, "b_anno.png": GLAND}, "submission/b_anno.png: “b” is not among the cases"),
        (ONE, {**ONE, "A_anno.tif": GLAND}, "a_anno.png: “a” has another file, “A_anno.tif”"),
        (ONE, {**ONE, "_anno.png": GLAND}, "submission/_anno.png: There is no place for such a file here"),
        (ONE, {"a.png": GLAND}, "submission: There is nothing in it that can be scored"),
        ({"a.png": GLAND}, ONE, "submission: The reference has nothing to compare it with"),
    ],
)
def test_bad_pictures_are_refused_by_name(
    refusal: Run, sides: Run, reference: Pictures, submission: Pictures, said: str
) -> None:
    assert said in refusal("score", "glas", *sides(reference, submission))


def test_a_damaged_picture_is_refused_by_name(refusal: Run, sides: Run, tmp_path: Path) -> None:
    both = sides(ONE, {})
    (tmp_path / "submission" / "a_anno.bmp").write_bytes(b"BM and then nothing")

    assert "submission/a_anno.bmp: " in refusal("score", "glas", *both)


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ("name,grade\na,benign\nb,benign\n", "grades.csv, line 3: “b” is not among the cases"),
        ("name,grade\nA,odd\n", "grades.csv, line 2: “odd” is not allowed in column “grade”"),
        ("name,grade\na,\n", "grades.csv, line 2: The cell in column “grade” is empty"),
        ("name\na\n", "grades.csv, line 1: The column “grade” is missing"),
        ("name,grade\na,benign\nA,benign\n", "grades.csv, line 3: “A” was named in line 2"),
    ],
)
def test_bad_grades_are_refused_by_line(refusal: Run, sides: Run, tmp_path: Path, grades: str, said: str) -> None:
    both = sides(ONE, ONE)
    (tmp_path / "reference" / "grades.csv").write_text(grades)

    assert said in refusal("score", "glas", *both)


def test_grades_of_some_images_only_are_refused(refusal: Run, golden: tuple[object, ...]) -> None:
    (Path(str(golden[1])) / "grades.csv").write_text("name,grade\ng1_plain,benign\n")

    assert "grades.csv: “g2_missed_gt” is missing" in refusal("score", "glas", *golden)
