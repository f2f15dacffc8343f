"""Areas as pictures: masks of one bit, label pictures of objects, and how the graders voted on each pixel."""

from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.formats.binary_picture import write_binary
from annotator.formats.grey_picture import write_bitmap
from annotator.formats.label_picture import label_picture_of, write_label_picture
from annotator.geometry.runs import Toggles, decode
from consensus.exporting.record import Entry, Record, Said, Writer
from consensus.exporting.sheet import Sheet
from consensus.fusion.soft import unpack_votes
from consensus.fusion.staple import staple
from consensus.fusion.votes import Votes, count_votes
from protocols.names import Kind

NOTHING: Toggles = np.zeros(0, np.int32)
FULL_SCALE = 0xFFFF  # a posterior of 1, in 16 bits


def mask_picture(said: Said, width: int, height: int) -> bytes:
    """PNG: of one bit, or the numbers of the objects."""
    if said.kind is Kind.OBJECTS:
        return write_label_picture(label_picture_of(said.masks, width, height))
    return write_binary(said.masks[0] if said.masks else NOTHING, width, height)


class Masks(Writer):
    """`masks/TARGET/NAME.png`; where it is known that nothing is there, an empty one."""

    def add(self, record: Record) -> Iterator[Entry]:
        for one in record.agreed:
            if one.is_area:
                path = f"masks/{one.target}/{record.photograph.name}.png"
                yield Entry(path, partial(mask_picture, one, *record.size))


class Bitmaps(Writer):
    """The same as BMP of 8 bits: 255 where the structure is, or the numbers of the objects while they fit."""

    def add(self, record: Record) -> Iterator[Entry]:
        for one in record.agreed:
            if one.is_area and len(one.masks) <= 0xFF:
                path = f"bmp/{one.target}/{record.photograph.name}.bmp"
                yield Entry(path, partial(_bitmap, one, *record.size))


def _bitmap(said: Said, width: int, height: int) -> bytes:
    if said.kind is Kind.OBJECTS:
        samples = label_picture_of(said.masks, width, height).astype(np.uint8)
    else:
        samples = decode(said.masks[0] if said.masks else NOTHING, width, height).astype(np.uint8) * 255
    return write_bitmap(samples)


class VoteMaps(Writer):
    """`votes/TARGET/NAME.png`: how many graders marked each pixel; the table says of how many."""

    def __init__(self) -> None:
        self._sheet = Sheet("votes/votes.csv", ("image", "target", "graders"))

    def add(self, record: Record) -> Iterator[Entry]:
        for one in record.agreed:
            if one.votes is not None:
                name = record.photograph.name
                self._sheet.add(name, one.target, unpack_votes(one.votes).graders)
                yield Entry(f"votes/{one.target}/{name}.png", partial(_vote_map, one.votes))

    def finish(self) -> Iterator[Entry]:
        yield from self._sheet.entry()


def _vote_map(packed: bytes) -> bytes:
    votes = unpack_votes(packed)
    lengths = np.diff(votes.starts, append=votes.width * votes.height)
    counts = np.repeat(votes.counts, lengths).reshape(votes.height, votes.width)
    return _png(counts.astype(np.uint8))


class Posteriors(Writer):
    """`staple/TARGET/NAME.png`: the probability that a pixel belongs to the structure, 0 to 65535, as STAPLE estimates
    it from the readings that took part; the table has the graders' rates."""

    def __init__(self) -> None:
        head = ("image", "target", "grader", "sensitivity", "specificity", "prior")
        self._sheet = Sheet("staple/staple.csv", head)

    def add(self, record: Record) -> Iterator[Entry]:
        width, height = record.size
        for one in record.agreed:
            took_part = [given for given in one.given if given.is_area and not given.reason]
            if one.kind not in (Kind.ELLIPSE, Kind.MASK) or len(took_part) < 2:
                continue
            marked = [given.masks[0] if given.masks else NOTHING for given in took_part]
            votes = count_votes(marked, width, height)
            if not 0 < int(votes.counts @ votes.lengths) < votes.graders * width * height:
                continue  # all empty or all full: nothing can be estimated
            found = staple(votes)
            for place, given in enumerate(took_part):
                rates = (float(found.sensitivity[place]), float(found.specificity[place]))
                self._sheet.add(record.photograph.name, one.target, given.grader, *rates, found.prior)
            path = f"staple/{one.target}/{record.photograph.name}.png"
            yield Entry(path, partial(_posterior_map, votes, found.posterior))

    def finish(self) -> Iterator[Entry]:
        yield from self._sheet.entry()


def _posterior_map(votes: Votes, posterior: NDArray[np.float64]) -> bytes:
    scaled = np.round(posterior * FULL_SCALE).astype(np.uint16)
    return _png(np.repeat(scaled, votes.lengths).reshape(votes.height, votes.width))


def _png(samples: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    return cv2.imencode(".png", samples)[1].tobytes()
