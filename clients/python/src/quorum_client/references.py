"""References as a server tells them."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorum_client.answers import Ellipse, LabelMap, Mask, Point
from quorum_client.errors import Damaged, Missing

AREAS = ("ellipse", "mask", "objects")


@dataclass(frozen=True, eq=False)
class Reference:
    """The agreed answer to one target on one photograph."""

    target: str
    kind: str
    answer: str
    state: str
    rule: str
    width: int
    height: int
    label: str | None
    signs: tuple[str, ...]
    point: Point | None
    ellipse: Ellipse | None
    line: tuple[Point, ...]
    texts: tuple[str, ...]

    def objects(self) -> list[Mask]:
        """One mask for each object; of a single area one."""
        if self.kind not in AREAS:
            raise Missing(f"{self.target}: a {self.kind} has no mask")
        return [decode_mask(text) for text in self.texts]

    def mask(self) -> Mask:
        """True where the structure was agreed to be; all objects together."""
        found = np.zeros((self.height, self.width), np.bool_)
        for one in self.objects():
            found |= one
        return found

    def label_map(self) -> LabelMap:
        """0 outside, and the number of each object."""
        found = np.zeros((self.height, self.width), np.uint16)
        for number, one in enumerate(self.objects(), start=1):
            found[one] = number
        return found


@dataclass(frozen=True, eq=False)
class Referenced:
    """A photograph of a version with its references, by target; none where its part is withheld."""

    name: str
    part: str
    withheld: bool
    image: str | None
    width: int
    height: int
    references: Mapping[str, Reference]

    def __getitem__(self, target: str) -> Reference:
        if target not in self.references:
            raise Missing(f"{self.name} has no reference of {target}")
        return self.references[target]


def referenced(told: Mapping[str, Any]) -> Referenced:
    size = int(told["width"]), int(told["height"])
    references = [_reference(one, *size) for one in told["references"]]
    return Referenced(
        name=told["name"],
        part=told["part"],
        withheld=told["withheld"],
        image=told["image"],
        width=size[0],
        height=size[1],
        references={one.target: one for one in references},
    )


def _reference(told: Mapping[str, Any], width: int, height: int) -> Reference:
    return Reference(
        target=told["target"],
        kind=told["kind"],
        answer=told["answer"],
        state=told["state"],
        rule=told["rule"],
        width=width,
        height=height,
        label=told["label"] or None,
        signs=tuple(told["signs"]),
        point=Point(**told["point"]) if told["point"] else None,
        ellipse=Ellipse(**told["ellipse"]) if told["ellipse"] else None,
        line=tuple(Point(**one) for one in told["line"]),
        texts=tuple(told["masks"]),
    )


def decode_mask(text: str) -> Mask:
    """`WIDTHxHEIGHT:DIGEST:RUNS`. The runs are where a mask, read row by row, begins and ends: differences as LEB128
    numbers, deflated, in base64. The digest is the SHA-256 of width, height and positions as 32-bit numbers."""
    try:
        size, digest, runs = text.split(":")
        width, height = (int(side) for side in size.split("x"))
        steps = _numbers(np.frombuffer(_inflated(base64.b64decode(runs, validate=True), width * height), np.uint8))
        toggles = np.cumsum(steps)
        if len(toggles) and (int(toggles[-1]) >= width * height or (steps[1:] <= 0).any()):
            raise ValueError("the runs leave the picture")
    except (ValueError, zlib.error) as fault:
        raise Damaged(f"a mask is not written as WIDTHxHEIGHT:DIGEST:RUNS: {fault}") from None
    told = hashlib.sha256(struct.pack("<II", width, height) + toggles.astype("<i4").tobytes())
    if told.hexdigest() != digest:
        raise Damaged(f"a mask of {width} × {height} pixels is not the one that was sent (its digest differs)")
    ends = np.concatenate(([0], toggles, [width * height]))
    values = np.arange(len(ends) - 1) % 2 == 1
    return np.repeat(values, np.diff(ends)).reshape(height, width)


def _inflated(packed: bytes, most: int) -> bytes:
    """Ascending positions in a picture of `most` pixels need no more bytes than that."""
    stream = zlib.decompressobj()
    content = stream.decompress(packed, most + 1)
    if len(content) > most or not stream.eof:
        raise ValueError("the runs are longer than the picture, or cut off")
    return content


def _numbers(content: NDArray[np.uint8]) -> NDArray[np.int64]:
    """LEB128: seven bits in each byte, the lowest first; the last byte of a number is below 128."""
    last = content < 0x80
    if len(content) and not last[-1]:
        raise ValueError("the last number is cut off")
    ends = np.flatnonzero(last)
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    if len(ends) and int((ends - starts).max()) > 4:
        raise ValueError("a number has more than 32 bits")
    places = np.arange(len(content)) - np.repeat(starts, ends - starts + 1)
    parts = (content & 0x7F).astype(np.int64) << (7 * places)
    return np.add.reduceat(parts, starts) if len(starts) else np.zeros(0, np.int64)
