"""Masks as row-major run-length toggles.

A mask of N = width × height pixels, read row by row, starts as background and flips at each toggle; the
toggles are strictly ascending positions in 0 … N−1. On the wire they are LEB128 varints of the first
toggle and of the differences, deflated (zlib container, as the browser's CompressionStream writes it).
"""

import hashlib
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.ellipse import Mask

Toggles = NDArray[np.int32]

_LARGEST_PIXEL_COUNT = 2**31 - 1


def encode(mask: Mask) -> Toggles:
    """Toggles of a two-dimensional mask; an empty mask has none."""
    if mask.ndim != 2 or mask.dtype != np.bool_:
        raise ValueError(f"mask is {mask.dtype} of shape {mask.shape}, expected a two-dimensional bool array")
    _pixel_count(mask.shape[1], mask.shape[0])
    flat = mask.ravel()
    toggles = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    if flat[0]:
        toggles = np.concatenate(([0], toggles))
    return toggles.astype(np.int32)


def decode(toggles: Toggles, width: int, height: int) -> Mask:
    """The mask whose toggles these are."""
    count = _check(toggles, width, height)
    lengths = _differences(np.concatenate((toggles, [count])))
    values = np.arange(len(lengths)) % 2 == 1
    mask: Mask = np.repeat(values, lengths).reshape(height, width)
    return mask


def area(toggles: Toggles, width: int, height: int) -> int:
    """Number of foreground pixels, without drawing the mask."""
    count = _check(toggles, width, height)
    ends = toggles.astype(np.int64)
    if len(ends) % 2:
        ends = np.append(ends, count)
    return int((ends[1::2] - ends[::2]).sum())


def pack(toggles: Toggles) -> bytes:
    """Toggles as bytes: varints of the differences, deflated. The same toggles always give the same bytes."""
    _check_order(toggles)
    return zlib.compress(_varints(_differences(toggles)), 6)


def unpack(packed: bytes, width: int, height: int) -> Toggles:
    """Toggles from `pack`'s bytes; ValueError names the fault of anything `pack` cannot have written.

    Strictly ascending toggles below N need at most N varint bytes, so no more than that is ever inflated.
    """
    count = _pixel_count(width, height)
    steps = _from_varints(_inflate(packed, count))
    if len(steps) > 1 and int(steps[1:].min()) == 0:
        raise ValueError("runs are not ascending: a run has length 0")
    toggles = np.cumsum(steps)
    if len(toggles) and int(toggles[-1]) >= count:
        raise ValueError(f"runs reach position {int(toggles[-1])}, past the end of {width}×{height} pixels")
    return toggles.astype(np.int32)


def digest(toggles: Toggles, width: int, height: int) -> str:
    """SHA-256 of width, height and toggles, each as little-endian 32-bit integers, in hexadecimal."""
    _check(toggles, width, height)
    header = struct.pack("<II", width, height)
    return hashlib.sha256(header + toggles.astype("<i4").tobytes()).hexdigest()


def _pixel_count(width: int, height: int) -> int:
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    if width * height > _LARGEST_PIXEL_COUNT:
        raise ValueError(f"picture of {width}×{height} pixels is beyond 32-bit positions")
    return width * height


def _check(toggles: Toggles, width: int, height: int) -> int:
    count = _pixel_count(width, height)
    _check_order(toggles)
    if len(toggles) and int(toggles[-1]) >= count:
        raise ValueError(f"toggles leave the {count} pixels of the picture")
    return count


def _check_order(toggles: Toggles) -> None:
    if toggles.ndim != 1 or not np.issubdtype(toggles.dtype, np.integer):
        raise ValueError(f"toggles is {toggles.dtype} of shape {toggles.shape}, expected a row of integers")
    if len(toggles) and int(toggles[0]) < 0:
        raise ValueError(f"toggles start at {int(toggles[0])}, before the first pixel")
    if (toggles[1:] <= toggles[:-1]).any():
        raise ValueError("toggles are not strictly ascending")


def _differences(positions: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """First position and the step to each next one."""
    steps = positions.astype(np.int64)
    steps[1:] -= positions[:-1]
    return steps


def _varints(steps: NDArray[np.int64]) -> bytes:
    """Little-endian base-128 bytes, high bit set on all but a number's last byte."""
    groups = np.stack([(steps >> shift) & 0x7F for shift in range(0, 35, 7)], axis=1).astype(np.uint8)
    length = np.searchsorted([1 << shift for shift in range(7, 35, 7)], steps, side="right") + 1
    place = np.arange(5)
    groups[place < (length - 1)[:, None]] |= 0x80
    return groups[place < length[:, None]].tobytes()


def _from_varints(raw: bytes) -> NDArray[np.int64]:
    stream = np.frombuffer(raw, dtype=np.uint8).astype(np.int64)
    if not len(stream):
        return stream
    last = np.flatnonzero(stream < 0x80)
    if not len(last) or last[-1] != len(stream) - 1:
        raise ValueError("runs end in the middle of a number")
    first = np.concatenate(([0], last[:-1] + 1))
    length = last - first + 1
    if int(length.max()) > 5:
        raise ValueError("a run is written with more than 5 bytes")
    if ((stream[last] == 0) & (length > 1)).any():
        raise ValueError("a run is written with more bytes than it needs")
    place = np.arange(len(stream)) - np.repeat(first, length)
    steps: NDArray[np.int64] = np.add.reduceat((stream & 0x7F) << (7 * place), first)
    return steps


def _inflate(packed: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        raw = inflater.decompress(packed, limit + 1)
    except zlib.error as fault:
        raise ValueError(f"mask bytes are not deflated data: {fault}") from fault
    if len(raw) > limit:
        raise ValueError(f"mask bytes inflate to more than the {limit} bytes that {limit} pixels can need")
    if not inflater.eof:
        raise ValueError("deflated mask bytes are cut short")
    if inflater.unused_data:
        raise ValueError(f"{len(inflater.unused_data)} bytes follow the deflated mask")
    return raw
