"""16-bit grey as pages show it that have no window and level: a browser would keep the upper eight bits, which are
nearly black for most cameras."""

import numpy as np

from annotator.imaging.brightness import brightness
from annotator.imaging.png import encode_png
from annotator.imaging.png_chunks import SIGNATURE

HEAD_BYTES = 25
_DEPTH_AT = 24
_TAIL = 0.005  # as in static/src/core/grey.ts, so that a page shows what the reading page shows first


def is_deep(head: bytes) -> bool:
    """Whether a picture as it is served has 16 bits, by its first HEAD_BYTES."""
    return head.startswith(SIGNATURE) and head[_DEPTH_AT : _DEPTH_AT + 1] == b"\x10"


def in_eight_bits(served: bytes) -> bytes:
    """A PNG with the samples from the 0.5th to the 99.5th percentile (nearest rank) spread from black to white."""
    samples = brightness(served)
    counts = np.cumsum(np.bincount(samples.ravel(), minlength=65_536))
    low, high = (int(np.searchsorted(counts, max(1, np.ceil(samples.size * part)))) for part in (_TAIL, 1 - _TAIL))
    if high <= low:
        low, high = int(samples.min()), max(int(samples.max()), int(samples.min()) + 1)
    table = np.clip((np.arange(65_536) - low) / (high - low), 0, 1) * 255
    return encode_png(np.round(table).astype(np.uint8)[samples][:, :, np.newaxis])
