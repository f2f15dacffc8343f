"""Small picture files for the tests, written by Pillow and by hand."""

import io
import struct
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageCms

NAME = b"Erika Mustermann"


def scene(height: int = 40, width: int = 56, channels: int = 3, seed: int = 1) -> NDArray[np.uint8]:
    """A gradient with noise, so that every coefficient of a JPEG is in use."""
    rng = np.random.default_rng(seed)
    ramp = np.linspace(0, 200, width)[None, :, None] + np.linspace(0, 40, height)[:, None, None]
    return np.clip(ramp + rng.normal(0, 12, (height, width, channels)), 0, 255).astype(np.uint8)


def picture(pixels: NDArray[Any]) -> Image.Image:
    return Image.fromarray(pixels[:, :, 0] if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels)


def jpeg(pixels: NDArray[np.uint8] | None = None, **options: Any) -> bytes:
    file = io.BytesIO()
    picture(scene() if pixels is None else pixels).save(file, "JPEG", quality=90, **options)
    return file.getvalue()


def png(pixels: NDArray[Any] | None = None, **options: Any) -> bytes:
    file = io.BytesIO()
    picture(scene() if pixels is None else pixels).save(file, "PNG", **options)
    return file.getvalue()


@cache
def profile() -> bytes:
    """A real sRGB profile, as LittleCMS writes it."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def exif(orientation: int, artist: bytes = b"") -> bytes:
    """A TIFF block with an orientation and, behind it, an artist."""
    body = struct.pack("<4sIH", b"II*\0", 8, 2)
    body += struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    return body + struct.pack("<HHIII", 0x013B, 2, len(artist) + 1, 8 + 2 + 24 + 4, 0) + artist + b"\0"


def segment(marker: int, payload: bytes) -> bytes:
    return b"\xff" + bytes([marker]) + (len(payload) + 2).to_bytes(2, "big") + payload


def with_segments(data: bytes, *segments: bytes) -> bytes:
    """A JPEG with segments put in behind SOI and the JFIF segment that Pillow writes."""
    assert data[2:4] == b"\xff\xe0"
    start = 4 + int.from_bytes(data[4:6], "big")
    return data[:start] + b"".join(segments) + data[start:]


def chunk(kind: bytes, payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + kind + payload + zlib.crc32(kind + payload).to_bytes(4, "big")


def with_chunks(data: bytes, *chunks: bytes) -> bytes:
    """A PNG with chunks put in behind its header."""
    return data[:33] + b"".join(chunks) + data[33:]


def hand_made_png(width: int, height: int, rows: bytes, *, depth: int = 8, colour: int = 0) -> bytes:
    """A PNG with exactly these scanlines (each with its filter byte), whether they fit the header or not."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def pixels_of(data: bytes) -> NDArray[Any]:
    """What Pillow, the outside witness, decodes; orientation is not obeyed."""
    with Image.open(io.BytesIO(data)) as opened:
        return np.asarray(opened)


def resized_jpeg(data: bytes, *, width: int, height: int) -> bytes:
    """The same JPEG with other dimensions in its frame header."""
    at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def damaged(data: st.DataObject, whole: Sequence[bytes]) -> bytes:
    """One of these files with a few bytes changed, and perhaps cut off."""
    file = bytearray(data.draw(st.sampled_from(whole)))
    flips = st.tuples(st.integers(0, len(file) - 1), st.integers(0, 255))
    for at, value in data.draw(st.lists(flips, max_size=6)):
        file[at] = value
    return bytes(file[: data.draw(st.one_of(st.just(len(file)), st.integers(0, len(file))))])
