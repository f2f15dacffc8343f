"""The run lengths of DICOM (PS3.5, annex G): one packed segment for each byte of a sample, the highest first."""

import itertools
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.imaging.bad_picture import bad_picture

_HEADER = 64
_NOTHING = 128


def decode_rle(stream: bytes, width: int, height: int, channels: int, sample_bytes: int) -> NDArray[Any]:
    """H × W × channels (H × W for one); BadPicture when a segment is too short or too long.

    Unpacking ends at the size of the picture, so that a stream cannot ask for more memory than its header.
    """
    if len(stream) < _HEADER:
        raise bad_picture("truncated")
    count, *starts = struct.unpack_from("<16I", stream)
    if count != channels * sample_bytes:
        raise bad_picture("corrupt", detail="it has too few or too many segments")
    bounds = [*starts[:count], len(stream)]
    if bounds[0] < _HEADER or any(start > end for start, end in itertools.pairwise(bounds)):
        raise bad_picture("corrupt", detail="its segments overlap")
    planes = [_unpacked(stream[start:end], width * height) for start, end in itertools.pairwise(bounds)]
    samples: NDArray[Any] = np.stack([np.frombuffer(plane, np.uint8) for plane in planes], axis=1)
    if sample_bytes == 2:
        samples = samples.reshape(-1, 2).view(">u2").astype(np.uint16)
    shaped = samples.reshape(height, width, channels)
    return shaped[:, :, 0] if channels == 1 else shaped


def _unpacked(packed: bytes, size: int) -> bytes:
    made = bytearray()
    at = 0
    while at < len(packed) and len(made) < size:
        head = packed[at]
        if head < _NOTHING:
            made += packed[at + 1 : at + 2 + head]
            at += 2 + head
        elif head > _NOTHING:
            made += packed[at + 1 : at + 2] * (257 - head)
            at += 2
        else:
            at += 1
    if len(made) < size:
        raise bad_picture("truncated")
    if len(made) > size:
        raise bad_picture("corrupt", detail="it holds more pixels than its header claims")
    return bytes(made)
