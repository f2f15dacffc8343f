"""The client on a real archive: what it gives is what stands in the files, read by other means."""

from __future__ import annotations

import csv
import io
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from quorum_client import Dataset, Ellipse, Missing, Point

from tests.client.archives import EXAMPLES
from tests.consensus.exported import CASES

pytestmark = pytest.mark.django_db  # the archive is made by the house
SOURCE = (EXAMPLES / "load_dataset.py").read_text()
FIVE_LINES = SOURCE[SOURCE.index("from quorum_client") :].replace("\n\n", "\n")


@pytest.fixture
def dataset(exported: Path) -> Dataset:
    return Dataset(exported / "all.zip")


def rows(exported: Path, path: str) -> list[dict[str, str]]:
    text = zipfile.ZipFile(exported / "all.zip").read(path).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_every_file_is_what_the_manifest_says(dataset: Dataset, exported: Path) -> None:
    names = zipfile.ZipFile(exported / "all.zip").namelist()
    assert dataset.verify() == len(names) - 1  # the manifest itself is not in it
    assert len(dataset) == CASES
    assert dataset.targets == {"disc": "ellipse", "cup": "ellipse", "fovea": "point", "glaucoma": "label"}


def test_masks_have_the_areas_that_were_measured(dataset: Dataset, exported: Path) -> None:
    measured = {row["image"]: row for row in rows(exported, "tables/measures.csv")}
    for photograph in dataset:
        for target in ("disc", "cup"):
            mask = photograph.mask(target)
            assert mask.shape == (photograph.height, photograph.width)
            assert mask.sum() == int(measured[photograph.name][f"area_px:{target}"]) > 0
            np.testing.assert_array_equal(photograph.label_map(target), mask.astype(np.uint8))
        assert photograph.measures()["vcdr"] == float(measured[photograph.name]["vcdr"])


def test_points_ellipses_and_labels_are_those_of_the_tables(dataset: Dataset, exported: Path) -> None:
    points = {row["image"]: Point(float(row["x"]), float(row["y"])) for row in rows(exported, "tables/points.csv")}
    labels = {row["image"]: row["label"] for row in rows(exported, "tables/labels.csv")}
    assert {one.name: one.point("fovea") for one in dataset} == points
    assert {one.name: one.label("glaucoma") for one in dataset} == labels
    assert set(labels.values()) == {"glaucoma", "no-glaucoma"}


def drawn(ellipse: Ellipse, width: int, height: int) -> Any:
    """Pixels whose middles lie inside."""
    x, y = np.meshgrid(np.arange(width) + 0.5 - ellipse.cx, np.arange(height) + 0.5 - ellipse.cy)
    turn = np.deg2rad(ellipse.theta_deg)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    return (along / ellipse.a) ** 2 + (across / ellipse.b) ** 2 <= 1


def test_an_ellipse_of_a_reading_covers_the_reading_s_mask(dataset: Dataset) -> None:
    for photograph in dataset:
        readings = photograph.readings("disc")
        assert list(readings) == ["A", "B", "C"]
        for reading in readings.values():
            ellipse = reading.ellipse()
            assert isinstance(ellipse, Ellipse)
            np.testing.assert_array_equal(reading.mask(), drawn(ellipse, photograph.width, photograph.height))


def test_a_reading_that_was_left_out_says_why(dataset: Dataset) -> None:
    left_out = {
        (photograph.name, letter): reading.left_out
        for photograph in dataset
        for letter, reading in photograph.readings("disc").items()
        if reading.left_out
    }
    assert list(left_out.values()) == ["failed"]


def test_votes_are_the_sum_of_the_readings_that_took_part(dataset: Dataset) -> None:
    for photograph in dataset:
        votes, graders = photograph.votes("disc")
        took_part = [one for one in photograph.readings("disc").values() if not one.left_out]
        assert graders == len(took_part)
        np.testing.assert_array_equal(votes, np.sum([one.mask() for one in took_part], axis=0))
        posterior = photograph.posterior("disc")
        assert 0 <= posterior[votes == 0].max() < 0.5 < posterior[votes == graders].min() <= 1


def test_pictures_have_the_pixels_of_their_files(dataset: Dataset, exported: Path) -> None:
    archive = zipfile.ZipFile(exported / "all.zip")
    for photograph in dataset:
        plain = np.asarray(Image.open(archive.open(f"images/{photograph.name}.png")))
        np.testing.assert_array_equal(photograph.image(), plain)


def test_an_unpacked_archive_is_the_same(dataset: Dataset, exported: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(exported / "all.zip").extractall(tmp_path)
    other = Dataset(tmp_path)
    assert [one.name for one in other] == [one.name for one in dataset]
    for one in dataset:
        np.testing.assert_array_equal(other[one.name].mask("cup"), one.mask("cup"))


def test_of_a_hidden_part_only_pictures_are_there(exported: Path) -> None:
    dataset = Dataset(exported / "halves.zip")
    assert [one.name for one in dataset] == ["training-0001", "training-0002"]
    assert dataset.part("onsite") == []
    assert [one.name for one in dataset.withheld] == ["onsite-0001", "onsite-0002"]
    hidden = dataset.withheld[0]
    assert hidden.image().shape[:2] == (hidden.height, hidden.width)
    for ask in (hidden.mask, hidden.point, hidden.label, hidden.readings):
        asked: Callable[[str], Any] = ask
        with pytest.raises(Missing):
            asked("disc")


def test_the_example_loads_a_dataset_in_five_lines(example: Callable[..., list[str]], exported: Path) -> None:
    assert len(FIVE_LINES.splitlines()) == 5
    printed = example("load_dataset", exported / "all.zip")
    assert len(printed) == CASES
    assert printed[0].startswith("c0001 (24, 32")


@pytest.mark.parametrize("guide", ["clients/python/README.md", "docs/client.md", "docs/export.md"])
def test_the_guides_show_these_five_lines(guide: str) -> None:
    shown = FIVE_LINES.replace("sys.argv[1]", '"mine.zip"')
    assert textwrap.indent(shown, "    ") in (EXAMPLES.parents[2] / guide).read_text()
