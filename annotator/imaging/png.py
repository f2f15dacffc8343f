"""PNG files: what they claim, what may be shown of them, and their pixels.

Taken: grey, colour and palette files of up to 8 bits per sample with or without transparency, and 16-bit grey, whose
samples are kept. Refused: animations, 16 bits with colour or alpha, a transparent shade of grey in other than 8 bits.
"""

import io
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.colour_profile import MAX_PROFILE_BYTES, checked_profile
from annotator.imaging.limits import check_size
from annotator.imaging.orientation import UPRIGHT, orientation_of
from annotator.imaging.png_chunks import SIGNATURE, Chunk, chunks
from annotator.imaging.png_scanlines import check_scanlines

GREY, RGB, PALETTE, GREY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
_DEPTHS = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16), RGB_ALPHA: (8, 16)}
_SAMPLES = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGB_ALPHA: 4}
# The payload sizes of the chunks that are kept; a chunk of another size is no such chunk, so it is dropped.
_COLOUR_SIZES = {b"gAMA": {4}, b"cHRM": {32}, b"sRGB": {1}, b"sBIT": {1, 2, 3, 4}}
_PALETTE_KINDS = (b"PLTE", b"tRNS")
_PROFILE_NAME = b"ICC profile"


@dataclass(frozen=True)
class PngFile:
    """A PNG whose chunks are in order and whose scanlines are whole; its pixels are not decoded yet."""

    width: int
    height: int
    bits: int
    """8 or 16: the depth of the samples that decoding gives; files of 1, 2 and 4 bits are spread to 8."""
    colour: int
    transparent: bool
    orientation: int
    profile: bytes | None
    colour_chunks: tuple[Chunk, ...]
    clean: bytes
    """The same picture without metadata, colour information apart."""


def read_png(data: bytes) -> PngFile:
    """Read the chunks of `data` (which begins with the signature); BadPicture when they make no whole picture."""
    found = list(chunks(data))
    header = found[0]
    if header.kind != b"IHDR" or len(header.payload) != 13:
        raise bad_picture("corrupt", detail="the first chunk is not a header")
    width, height, depth, colour, interlaced = _read_header(header.payload)
    if any(chunk.kind in (b"acTL", b"fcTL", b"fdAT") for chunk in found):
        raise bad_picture("unsupported_format", kind="animated PNG")
    _check_order(found, colour)
    if colour == GREY and depth != 8 and any(chunk.kind == b"tRNS" for chunk in found):
        raise bad_picture("unsupported_format", kind=f"PNG with a transparent shade of grey in {depth} bits")
    check_scanlines(
        [chunk.payload for chunk in found if chunk.kind == b"IDAT"],
        width=width,
        height=height,
        bits_per_pixel=depth * _SAMPLES[colour],
        interlaced=interlaced,
    )
    profile = _read_profile(found)
    colour_chunks = tuple(_colour_chunks(found, profile))
    palette = [chunk for chunk in found if chunk.kind in _PALETTE_KINDS]
    return PngFile(
        width=width,
        height=height,
        bits=16 if depth == 16 else 8,
        colour=colour,
        transparent=any(chunk.kind == b"tRNS" for chunk in palette),
        orientation=next((orientation_of(c.payload) for c in found if c.kind == b"eXIf"), UPRIGHT),
        profile=profile,
        colour_chunks=colour_chunks,
        clean=assembled([header, *colour_chunks, *palette, *(c for c in found if c.kind in (b"IDAT", b"IEND"))]),
    )


def decode_png(file: PngFile) -> NDArray[Any]:
    """All pixels, H × W × channels, in 8 or 16 bits; palettes and transparency are written out as colours and alpha."""
    try:
        # Not Image.open: it would try every other format, and its own bomb limit is lower than ours.
        with PngImagePlugin.PngImageFile(io.BytesIO(file.clean)) as picture:
            picture.load()
            _check_palette_indices(picture)
            pixels = np.asarray(_written_out(picture, file))
    except (OSError, SyntaxError, ValueError, EOFError, zlib.error) as error:
        raise bad_picture("corrupt", detail=str(error)) from None
    return pixels.reshape(file.height, file.width, -1)


def encode_png(pixels: NDArray[Any], colour_chunks: Iterable[Chunk] = ()) -> bytes:
    """A lossless PNG of H × W × channels samples in 8 or 16 bits, with the given colour information."""
    plain = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels).save(plain, "PNG", compress_level=4)
    header, *rest = chunks(plain.getvalue())
    return assembled([header, *colour_chunks, *rest])


def profile_chunk(profile: bytes) -> Chunk:
    """The profile under a constant name: the name in the file is free text."""
    return Chunk(b"iCCP", _PROFILE_NAME + b"\0\0" + zlib.compress(profile))


def assembled(kept: Iterable[Chunk]) -> bytes:
    return SIGNATURE + b"".join(chunk.encoded() for chunk in kept)


def _read_header(payload: bytes) -> tuple[int, int, int, int, bool]:
    width, height = int.from_bytes(payload[:4], "big"), int.from_bytes(payload[4:8], "big")
    depth, colour, compression, filtering, interlace = payload[8:]
    if depth not in _DEPTHS.get(colour, ()) or compression or filtering or interlace > 1:
        raise bad_picture("corrupt", detail="the header names a kind of PNG that does not exist")
    check_size(width, height)
    if depth == 16 and colour != GREY:
        raise bad_picture("unsupported_format", kind="PNG with 16 bits per colour")
    return width, height, depth, colour, interlace == 1


def _check_order(found: list[Chunk], colour: int) -> None:
    """Header and palette stand once, the palette before the pixels, and the pixels without a gap."""
    kinds = [chunk.kind for chunk in found]
    if any(kinds.count(kind) > 1 for kind in (b"IHDR", *_PALETTE_KINDS)):
        raise bad_picture("corrupt", detail="a chunk that may stand once stands twice")
    if b"IDAT" not in kinds:
        raise bad_picture("truncated")
    first = kinds.index(b"IDAT")
    if any(kind == b"IDAT" for kind in kinds[first + kinds.count(b"IDAT") :]):
        raise bad_picture("corrupt", detail="something stands between the pixels")
    if any(kind in kinds[first:] for kind in _PALETTE_KINDS) or (colour == PALETTE and b"PLTE" not in kinds):
        raise bad_picture("corrupt", detail="the palette is missing or out of place")
    for chunk in found:
        if chunk.kind == b"PLTE" and (len(chunk.payload) % 3 or not 3 <= len(chunk.payload) <= 768):
            raise bad_picture("corrupt", detail="the palette has a wrong length")
        if chunk.kind == b"tRNS" and not _is_transparency(chunk.payload, colour):
            raise bad_picture("corrupt", detail="the transparency does not fit the kind of PNG")
        if chunk.kind[:1].isupper() and chunk.kind not in (b"IHDR", b"PLTE", b"IDAT", b"IEND"):
            raise bad_picture("unsupported_format", kind="PNG with an unknown critical chunk")


def _is_transparency(payload: bytes, colour: int) -> bool:
    sizes = {GREY: range(2, 3), RGB: range(6, 7), PALETTE: range(1, 257)}.get(colour, range(0))
    return len(payload) in sizes


def _read_profile(found: list[Chunk]) -> bytes | None:
    for chunk in found:
        name, separator, rest = chunk.payload.partition(b"\0")
        if chunk.kind == b"iCCP" and separator and 1 <= len(name) <= 79 and rest[:1] == b"\0":
            try:
                return checked_profile(zlib.decompressobj().decompress(rest[1:], MAX_PROFILE_BYTES))
            except zlib.error:
                return None
    return None


def _colour_chunks(found: list[Chunk], profile: bytes | None) -> Iterable[Chunk]:
    """What decides how samples become colours, each once and in the place the specification gives it."""
    for kind, sizes in _COLOUR_SIZES.items():
        yield from [chunk for chunk in found if chunk.kind == kind and len(chunk.payload) in sizes][:1]
    if profile:
        yield profile_chunk(profile)


def _check_palette_indices(picture: Image.Image) -> None:
    if picture.mode == "P" and picture.palette is not None:
        colours = len(picture.palette.palette) // len(picture.palette.mode)
        if int(np.asarray(picture).max()) >= colours:
            raise bad_picture("corrupt", detail="a pixel names a colour that is not in the palette")


def _written_out(picture: Image.Image, file: PngFile) -> Image.Image:
    if file.bits == 16:
        return picture
    grey = file.colour in (GREY, GREY_ALPHA)
    alpha = file.transparent or file.colour in (GREY_ALPHA, RGB_ALPHA)
    mode = ("LA" if alpha else "L") if grey else ("RGBA" if alpha else "RGB")
    return picture if picture.mode == mode else picture.convert(mode)
