"""Label maps as NIfTI-1, single file (.nii.gz): a picture is a volume of width × height × 1 voxels.

The first index runs along the picture's x axis, the second down its y axis. The affine says that x grows to the left
and y to the back (the header's own axes are right, anterior, superior, so both are negative): these are the axes that
ITK gives a plain picture, so that a map is shown as its photograph is in ITK-SNAP, 3D Slicer and SimpleITK. They are
the picture's axes, not the patient's: the codes say "aligned to another file".

Where the size of a pixel is not known, it is 1 and the unit unknown. Written by hand: 348 bytes and the labels.
"""

import gzip
import io
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.formats.label_colours import label_colour

LABELS = "labels.txt"
_HEADER = struct.Struct("<i10s18sihcb8h3f4h8f3fh2b4f2i80s24s2h6f12f16s4s")
_FIRST_VOXEL = 352  # after the header, and four bytes that say that nothing comes between
_TYPES = {np.dtype(np.uint8): (2, 8), np.dtype(np.uint16): (512, 16)}
_LABELS_INTENT = 1002
_ALIGNED_TO_ANOTHER_FILE = 2
_MILLIMETRES, _UNKNOWN_UNIT = 2, 0
_LEVEL = 6


def write_nifti(
    labels: NDArray[np.uint8] | NDArray[np.uint16], *, mm_per_px: tuple[float, float] | None, name: str
) -> bytes:
    """Of an H × W label map; `name`: what is labelled, kept up to 15 bytes. The same map gives the same bytes."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=out, mtime=0) as file:
        file.write(_header(labels, mm_per_px, name))
        file.write(bytes(_FIRST_VOXEL - _HEADER.size))
        file.write(labels.astype(labels.dtype.newbyteorder("<"), copy=False).tobytes())
    return out.getvalue()


def _header(labels: NDArray[np.uint8] | NDArray[np.uint16], mm_per_px: tuple[float, float] | None, name: str) -> bytes:
    height, width = labels.shape
    code, bits = _TYPES[labels.dtype]
    across, down = mm_per_px or (1.0, 1.0)
    unit = _MILLIMETRES if mm_per_px else _UNKNOWN_UNIT
    return _HEADER.pack(
        _HEADER.size,
        *(b"", b"", 0, 0, b"r", 0),
        *(3, width, height, 1, 1, 1, 1, 1),
        *(0.0, 0.0, 0.0, _LABELS_INTENT, code, bits, 0),
        *(1.0, across, down, 1.0, 0.0, 0.0, 0.0, 0.0),
        *(_FIRST_VOXEL, 1.0, 0.0, 0, 0, unit),
        *(0.0, 0.0, 0.0, 0.0, 0, 0),
        _cut(f"{name}: 0 outside, names of the labels in {LABELS}", 79),
        _cut(LABELS, 23),
        *(_ALIGNED_TO_ANOTHER_FILE, _ALIGNED_TO_ANOTHER_FILE),
        *(0.0, 0.0, 1.0, 0.0, 0.0, 0.0),  # half a turn about the third axis, no offset
        *(-across, 0.0, 0.0, 0.0),
        *(0.0, -down, 0.0, 0.0),
        *(0.0, 0.0, 1.0, 0.0),
        _cut(name, 15),
        b"n+1",
    )


def _cut(text: str, longest: int) -> bytes:
    return text.encode("ascii", "replace")[:longest]


def label_file(names: Sequence[str]) -> bytes:
    """The names of labels 1, 2, …, as ITK-SNAP reads them: number, colour, opacity, visible, mesh, name."""
    lines = ["# IDX  R G B  A  VIS MSH  LABEL", '0  0 0 0  0  0 0  "Background"']
    for number, name in enumerate(names, start=1):
        colour = " ".join(map(str, label_colour(number)))
        told = name.replace('"', "'")
        lines.append(f'{number}  {colour}  1  1 1  "{told}"')
    return ("\n".join(lines) + "\n").encode()
