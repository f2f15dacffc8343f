"""The run lengths of packed BMP files (RLE8 and RLE4)."""

import numpy as np
from numpy.typing import NDArray

from annotator.imaging.bad_picture import bad_picture

_END_OF_LINE, _END, _MOVE = 0, 1, 2


def unpacked(packed: bytes, width: int, height: int, *, nibbles: bool) -> NDArray[np.uint8]:
    """Indices of the palette, the first stored row first; what is jumped over is colour 0.

    BadPicture when a run leaves its row or the end is not said.
    """
    picture = np.zeros((height, width), np.uint8)
    at, x, y = 0, 0, 0
    while at + 2 <= len(packed):
        count, value = packed[at], packed[at + 1]
        at += 2
        if count == 0 and value == _END:
            return picture
        if count == 0 and value == _END_OF_LINE:
            x, y = 0, y + 1
        elif count == 0 and value == _MOVE:
            if at + 2 > len(packed):
                break
            x, y, at = x + packed[at], y + packed[at + 1], at + 2
            if x > width or y >= height:
                raise bad_picture("corrupt", detail="a run leaves the picture")
        else:
            if count:
                run = _repeated(value, count, nibbles)
            else:
                stored = (value + 1) // 2 if nibbles else value
                if at + stored > len(packed):
                    break
                run = _literal(packed[at : at + stored], value, nibbles)
                at += stored + stored % 2
            if y >= height or x + len(run) > width:
                raise bad_picture("corrupt", detail="a run leaves the picture")
            picture[y, x : x + len(run)] = run
            x += len(run)
    raise bad_picture("truncated")


def _repeated(value: int, count: int, nibbles: bool) -> NDArray[np.uint8]:
    pair = [value >> 4, value & 15] if nibbles else [value, value]
    return np.resize(np.array(pair, np.uint8), count)


def _literal(stored: bytes, count: int, nibbles: bool) -> NDArray[np.uint8]:
    found = np.frombuffer(stored, np.uint8)
    return np.stack([found >> 4, found & 15], axis=1).reshape(-1)[:count] if nibbles else found
