"""An exported dataset. Tables stay in memory once they were asked for, pictures never do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorum_client.answers import Ellipse, LabelMap, Mask, Point
from quorum_client.errors import Missing
from quorum_client.files import Files
from quorum_client.pictures import decoded
from quorum_client.tables import Tables

STRATUM = "stratum:"
ENDINGS = ("jpg", "png", "tif", "tiff")
AGREED, PRESENT = "decisions/references.csv", "present"


class Dataset:
    """`Dataset("mine.zip")` or `Dataset("unpacked/")`; going through it gives the photographs whose answers it holds.

    Every file is compared with the manifest when it is read; `verify()` does so for all.
    """

    def __init__(self, place: str | Path) -> None:
        self.files = Files(place)
        self.tables = Tables(self.files)
        self.protocol = str(self.files.manifest.get("protocol", ""))
        content = self.files.manifest.get("recipe", {}).get("content", {})
        self.targets: dict[str, str] = {one["key"]: one["kind"] for one in content.get("targets", [])}
        self._photographs = {row["image"]: _photograph(self, row) for row in self.files.rows("images.csv")}

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()

    def close(self) -> None:
        self.files.close()

    def __iter__(self) -> Iterator[Photograph]:
        return (one for one in self._photographs.values() if not one.withheld)

    def __len__(self) -> int:
        return sum(1 for _photograph in self)

    def __getitem__(self, name: str) -> Photograph:
        """By its name in images.csv, also one whose answers are withheld."""
        if name not in self._photographs:
            raise Missing(f"images.csv names no {name}")
        return self._photographs[name]

    @property
    def withheld(self) -> list[Photograph]:
        """Photographs of hidden parts: known by name and size, and by their pixels where images were taken along."""
        return [one for one in self._photographs.values() if one.withheld]

    @property
    def parts(self) -> list[str]:
        """Keys of the split's parts; none without a split."""
        return sorted({one.part for one in self._photographs.values() if one.part})

    def part(self, key: str) -> list[Photograph]:
        """The photographs of a part whose answers are there."""
        if key not in self.parts:
            raise Missing(f"images.csv knows no part {key}; it has {', '.join(self.parts) or 'none'}")
        return [one for one in self if one.part == key]

    def verify(self) -> int:
        """Compares every file with `manifest.json`; how many there are."""
        return self.files.verify()


@dataclass(frozen=True, eq=False)
class Photograph:
    """One photograph with what was agreed and said about it. What the archive does not hold raises `Missing`."""

    name: str
    part: str
    withheld: bool
    width: int
    height: int
    case: int | None
    number: int | None
    subject: str
    side: str
    device: str
    um_per_px: tuple[float, float] | None
    strata: Mapping[str, str]
    _dataset: Dataset = field(repr=False)

    def image(self) -> NDArray[Any]:
        """Its pixels: (height, width, 3) in colour, (height, width) in grey."""
        files = self._dataset.files
        for ending in ENDINGS:
            if (path := f"images/{self.name}.{ending}") in files:
                return decoded(files.read(path), path, self.width, self.height)
        raise Missing(f"{files.place}: the archive holds no picture of {self.name}; export the format images too")

    def mask(self, target: str) -> Mask:
        """True where the structure was agreed to be; all objects together where there are several. False everywhere
        where it was agreed that it is absent or cannot be seen: `answer` tells which."""
        return self._area(target) > 0

    def label_map(self, target: str) -> LabelMap:
        """0 outside, and the number of each object; of a single area 1."""
        found = self._area(target)
        return found.astype(np.uint8) if found.dtype == np.bool_ else found

    def answer(self, target: str) -> str:
        """`present`, or the word that was agreed on instead, such as `absent` or `not-visible`."""
        return self._dataset.tables.row(AGREED, self.name, target)["answer"]

    def point(self, target: str) -> Point | None:
        """None where it was agreed that it cannot be seen."""
        return _point(self._dataset.tables.row("tables/points.csv", self.name, target))

    def ellipse(self, target: str) -> Ellipse | None:
        """None where it was agreed that the structure is absent."""
        return _ellipse(self._dataset.tables.row("tables/ellipses.csv", self.name, target))

    def line(self, target: str) -> NDArray[np.float64]:
        """The points of a line, one row (x, y) for each."""
        rows = self._dataset.tables.rows("tables/lines.csv", self.name, target)
        ordered = sorted(rows, key=lambda row: int(row["number"]))
        return np.array([(float(row["x"]), float(row["y"])) for row in ordered], np.float64).reshape(-1, 2)

    def label(self, target: str) -> str | None:
        """None where there is an answer but no label, such as an image that cannot be graded."""
        return self._dataset.tables.row("tables/labels.csv", self.name, target)["label"] or None

    def signs(self, target: str) -> list[str]:
        return [row["sign"] for row in self._dataset.tables.find("tables/signs.csv", self.name, target)]

    def measures(self) -> dict[str, float]:
        """What follows from the answers, such as `vcdr`; without those that could not be measured."""
        rows = self._dataset.tables.find("tables/measures.csv", self.name)
        return {key: float(value) for row in rows for key, value in row.items() if key != "image" and value}

    def votes(self, target: str) -> tuple[LabelMap, int]:
        """How many graders marked each pixel, and of how many."""
        row = self._dataset.tables.row("votes/votes.csv", self.name, target)
        return self._picture(f"votes/{target}/{self.name}.png"), int(row["graders"])

    def posterior(self, target: str) -> NDArray[np.float64]:
        """STAPLE's probability that a pixel belongs to the structure, from 0 to 1."""
        samples = self._picture(f"staple/{target}/{self.name}.png")
        return np.asarray(samples, np.float64) / np.iinfo(samples.dtype).max

    def readings(self, target: str) -> dict[str, Reading]:
        """What each grader said, by the grader's letter; also what was left out of the reference."""
        rows = self._dataset.tables.rows("readings/answers.csv", self.name, target)
        return {row["grader"]: _reading(self, row) for row in rows}

    def _area(self, target: str) -> NDArray[Any]:
        """Of a structure that cannot be seen there is no picture, only the word."""
        path = f"masks/{target}/{self.name}.png"
        if path not in self._dataset.files and AGREED in self._dataset.files:
            told = self._dataset.tables.find(AGREED, self.name, target)
            if told and told[0]["answer"] != PRESENT:
                return np.zeros((self.height, self.width), np.bool_)
        return self._picture(path)

    def _picture(self, path: str) -> NDArray[Any]:
        return decoded(self._dataset.files.read(path), path, self.width, self.height)


@dataclass(frozen=True, eq=False)
class Reading:
    """One grader's answer to one target. `left_out`: why it did not count, empty where it did."""

    target: str
    grader: str
    answer: str
    label: str | None
    confidence: float | None
    left_out: str
    _photograph: Photograph = field(repr=False)

    def mask(self) -> Mask:
        return self._picture() > 0

    def label_map(self) -> LabelMap:
        found = self._picture()
        return found.astype(np.uint8) if found.dtype == np.bool_ else found

    def point(self) -> Point | None:
        return _point(self._row())

    def ellipse(self) -> Ellipse | None:
        return _ellipse(self._row())

    def _row(self) -> Mapping[str, str]:
        tables, path = self._photograph._dataset.tables, f"readings/{self.target}.csv"
        for row in tables.rows(path, self._photograph.name):
            if row["grader"] == self.grader:
                return row
        raise Missing(f"{path} has no line for {self._photograph.name} and grader {self.grader}")

    def _picture(self) -> NDArray[Any]:
        of, path = self._photograph, f"readings/{self.target}/{self.grader}/{self._photograph.name}.png"
        if self.answer != PRESENT and path not in of._dataset.files:
            return np.zeros((of.height, of.width), np.bool_)
        return of._picture(path)


def _photograph(dataset: Dataset, row: Mapping[str, str]) -> Photograph:
    scale = row["um_per_px_x"], row["um_per_px_y"]
    return Photograph(
        name=row["image"],
        part=row["part"],
        withheld=row["withheld"] == "1",
        width=int(row["width"]),
        height=int(row["height"]),
        case=int(row["case"]) if row["case"] else None,
        number=int(row["photograph"]) if row["photograph"] else None,
        subject=row["subject"],
        side=row["side"],
        device=row["device"],
        um_per_px=(float(scale[0]), float(scale[1])) if all(scale) else None,
        strata={key[len(STRATUM) :]: value for key, value in row.items() if key.startswith(STRATUM) and value},
        _dataset=dataset,
    )


def _reading(photograph: Photograph, row: Mapping[str, str]) -> Reading:
    return Reading(
        target=row["target"],
        grader=row["grader"],
        answer=row["answer"],
        label=row["label"] or None,
        confidence=float(row["confidence"]) if row["confidence"] else None,
        left_out=row["left_out"],
        _photograph=photograph,
    )


def _point(row: Mapping[str, str]) -> Point | None:
    return Point(float(row["x"]), float(row["y"])) if row["x"] else None


def _ellipse(row: Mapping[str, str]) -> Ellipse | None:
    return Ellipse(*(float(row[name]) for name in Ellipse._fields)) if row["cx"] else None
