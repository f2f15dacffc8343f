"""A picture as a mirror shows it, in a file of the same kind as the one that is served of it otherwise."""

import io

import numpy as np
from PIL import Image, JpegImagePlugin

from annotator.imaging.jpeg import decode_jpeg, read_jpeg, with_profile
from annotator.imaging.jpeg_segments import DHT, DRI, SOI, segments
from annotator.imaging.png import decode_png, encode_png, read_png

_ALL_COLOURS_KEPT = 0  # Pillow's word for 4:4:4
_USUAL_CODES = bytes.fromhex("0102030004110512213141061351610722")  # the table of T.81, K.3.3.2, begins so


def mirrored(served: bytes) -> bytes:
    """Left and right exchanged. A PNG loses nothing. A JPEG is written with the tables, the colour sampling, the kind
    of codes and the restarts of the one it is made from, so that neither its size, its look nor its make tells: where
    blocks meet blocks, which is where the width is a multiple of theirs, hardly a sample changes, and elsewhere it is
    written once more as coarsely as before."""
    return _mirrored_jpeg(served) if served.startswith(SOI) else _mirrored_png(served)


def _mirrored_png(served: bytes) -> bytes:
    file = read_png(served)
    # The number of significant bits belongs to the kind of PNG that was read, not to the one that is written.
    colours = [chunk for chunk in file.colour_chunks if chunk.kind != b"sBIT"]
    return encode_png(np.ascontiguousarray(decode_png(file)[:, ::-1]), colours)


def _mirrored_jpeg(served: bytes) -> bytes:
    file = read_jpeg(served)
    pixels = np.ascontiguousarray(decode_jpeg(file)[:, ::-1])
    with JpegImagePlugin.JpegImageFile(io.BytesIO(file.clean)) as former:
        tables = [former.quantization[number] for number in sorted(former.quantization)]
        sampling, progressive = JpegImagePlugin.get_sampling(former), "progressive" in former.info
    codes = b"".join(segment.payload for segment in segments(file.clean) if segment.marker == DHT)
    restarts = [int.from_bytes(segment.payload, "big") for segment in segments(file.clean) if segment.marker == DRI]
    written = io.BytesIO()
    Image.fromarray(pixels[:, :, 0] if file.channels == 1 else pixels).save(
        written,
        "JPEG",
        qtables=tables[: 1 if file.channels == 1 else None],
        subsampling=max(sampling, _ALL_COLOURS_KEPT),
        progressive=progressive,
        optimize=_USUAL_CODES not in codes,
        restart_marker_blocks=restarts[0] if restarts else 0,
    )
    return with_profile(written.getvalue(), file.profile)
