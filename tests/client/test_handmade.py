"""What the client makes of an archive that the eye can check, and of one that is damaged."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from quorum_client import Damaged, Dataset, Missing, QuorumError

from tests.client.archives import IMAGES, handmade, manifest_of, packed, png


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return packed(tmp_path / "mine.zip", handmade())


def unpacked(archive: Path) -> Path:
    folder = archive.with_suffix("")
    zipfile.ZipFile(archive).extractall(folder)
    return folder


@pytest.mark.parametrize("form", ["packed", "unpacked"])
def test_numbered_objects_lines_labels_signs_and_facts_come_as_they_are(archive: Path, form: str) -> None:
    with Dataset(archive if form == "packed" else unpacked(archive)) as dataset:
        (photograph,) = dataset
        assert photograph.label_map("glands").tolist() == [[1, 1, 0, 0], [0, 0, 0, 300]]
        assert photograph.mask("glands").tolist() == [[True, True, False, False], [False, False, False, True]]
        assert photograph.mask("glands").dtype == np.bool_
        assert photograph.line("iris").tolist() == [[0.5, 0.5], [1.5, 0.5], [3.5, 1.5]]
        assert photograph.label("grade") is None
        assert photograph.signs("grade") == ["notching", "thinning"]
        assert photograph.image().tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
        assert (photograph.subject, photograph.device, photograph.um_per_px) == ("S1", "Scanner", (0.5, 0.25))
        assert dataset.targets == {"glands": "objects", "iris": "polyline"}
        assert dataset.verify() == 7


def test_a_structure_that_cannot_be_seen_has_no_pixels_and_its_word(tmp_path: Path) -> None:
    rows = (
        "image,target,version,state,answer",
        "train-0001,disc,1,automatic,not-visible",
        "train-0001,cup,1,a,present",
    )
    told = "\n".join(rows).encode()
    with Dataset(packed(tmp_path / "mine.zip", {**handmade(), "decisions/references.csv": told})) as dataset:
        photograph = dataset["train-0001"]
        assert photograph.mask("disc").tolist() == [[False] * 4] * 2
        assert photograph.label_map("disc").tolist() == [[0] * 4] * 2
        assert photograph.answer("disc") == "not-visible"
        with pytest.raises(Missing, match=r"masks/cup/train-0001.png"):
            photograph.mask("cup")


def test_a_hidden_part_is_known_by_its_pixels_and_by_nothing_else(archive: Path) -> None:
    with Dataset(archive) as dataset:
        assert [one.name for one in dataset] == ["train-0001"]
        assert dataset.parts == ["test", "train"]
        assert dataset.part("test") == []
        (hidden,) = dataset.withheld
        assert hidden.image()[0, 0] == 1
        with pytest.raises(Missing, match=r"masks/glands/test-0001.png"):
            hidden.mask("glands")


def test_what_is_missing_is_named(archive: Path) -> None:
    with Dataset(archive) as dataset:
        photograph = dataset["train-0001"]
        with pytest.raises(Missing, match=r"masks/drusen/train-0001.png"):
            photograph.mask("drusen")
        with pytest.raises(Missing, match=r"no tables/points.csv"):
            photograph.point("fovea")
        with pytest.raises(Missing, match=r"tables/lines.csv has no line for train-0001 and cornea"):
            photograph.line("cornea")
        with pytest.raises(Missing, match=r"readings/answers.csv"):
            photograph.readings("glands")
        with pytest.raises(Missing, match=r"c0009"):
            dataset["c0009"]
        with pytest.raises(Missing, match=r"no part training"):
            dataset.part("training")


def test_a_damaged_file_is_named_when_it_is_read_and_the_others_stay_readable(tmp_path: Path) -> None:
    files = handmade()
    manifest = manifest_of(files)
    other = files | {"masks/glands/train-0001.png": png(np.zeros((2, 4), np.uint16))}
    with Dataset(packed(tmp_path / "mine.zip", other, manifest)) as dataset:
        assert dataset["train-0001"].image().shape == (2, 4)
        with pytest.raises(Damaged, match=r"masks/glands/train-0001.png"):
            dataset["train-0001"].mask("glands")
        with pytest.raises(Damaged, match=r"masks/glands/train-0001.png"):
            dataset.verify()


@pytest.mark.parametrize("fault", ["longer", "gone", "another size", "no picture"])
def test_each_kind_of_damage_names_its_file(tmp_path: Path, fault: str) -> None:
    path = "images/train-0001.png"
    files = handmade()
    if fault == "another size":
        files[path] = png(np.zeros((3, 3), np.uint8))
    if fault == "no picture":
        files[path] = b"not a picture"
    manifest = manifest_of(files)
    if fault == "longer":
        files[path] += b"\0" * 100
    if fault == "gone":
        del files[path]
    with Dataset(packed(tmp_path / "mine.zip", files, manifest)) as dataset, pytest.raises(Damaged, match=path):
        dataset["train-0001"].image()


def test_a_manifest_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_bytes(b"secret")
    folder = tmp_path / "mine"
    folder.mkdir()
    inside = {"images.csv": IMAGES.encode()}
    (folder / "images.csv").write_bytes(inside["images.csv"])
    for way in ("../secret.csv", str(tmp_path / "secret.csv")):
        (folder / "manifest.json").write_bytes(manifest_of(inside | {way: b"secret"}))
        with Dataset(folder) as dataset, pytest.raises(Damaged, match=r"leads out of the folder"):
            dataset.files.read(way)


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_what_is_no_export_says_so(tmp_path: Path, content: bytes | None) -> None:
    place = tmp_path / "mine.zip"
    if content is not None:
        place.write_bytes(content)
    with pytest.raises(QuorumError, match=r"mine\.zip"):
        Dataset(place)
    with pytest.raises(Damaged, match=r"manifest.json"):
        Dataset(packed(tmp_path / "other.zip", {}, b'{"format": "coco"}'))


def test_memory_does_not_grow_with_the_number_of_pictures(tmp_path: Path) -> None:
    big = png(np.zeros((1000, 1000), np.uint8))

    def peak(count: int) -> int:
        rows = "".join(f"c{number},,0,{number},1,S,,1000,1000,,,,\n" for number in range(count))
        files = {"images.csv": (IMAGES + rows).encode()} | {f"images/c{number}.png": big for number in range(count)}
        with Dataset(packed(tmp_path / f"{count}.zip", files)) as dataset:
            tracemalloc.start()
            total = sum(int(one.image().size) for one in dataset)
            highest = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert total == count * 1_000_000
        return highest

    assert peak(12) < peak(3) * 1.2


def test_the_client_loads_without_the_house() -> None:
    """As somebody has it who installed the client alone."""
    program = "import sys, quorum_client; print(sorted({'django', 'annotator', 'cv2', 'scipy'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "clients/python/src")},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
