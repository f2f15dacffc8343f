"""A file whose pictures are written anew to be shown: what its decoder hands over."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.limits import MAX_FRAMES, MAX_PIXELS, check_size
from annotator.imaging.orientation import UPRIGHT

Side = Literal["R", "L", ""]


@dataclass(frozen=True)
class Stated:
    """What a file says about its pictures and may be kept; nothing else of its metadata leaves the decoder."""

    side: Side = ""
    device: str = ""
    um_per_px_x: float | None = None
    um_per_px_y: float | None = None


@dataclass(frozen=True)
class Decoded:
    """Pictures of one size and kind, decoded one after the other while they are drawn.

    Each is H × W × channels: grey in 8 or 16 bits or colour in 8, as it is stored; `orientation` says how it is turned.
    """

    format: Literal["bmp", "tiff", "dicom"]
    frames: Iterator[NDArray[Any]]
    orientation: int = UPRIGHT
    profile: bytes | None = None
    stated: Stated = field(default_factory=Stated)


def check_frames(width: int, height: int, frames: int) -> None:
    """Refuse what a header claims before a pixel is decoded: all pictures of a file together are held to the limit."""
    check_size(width, height)
    if not 1 <= frames <= MAX_FRAMES or frames * width * height > MAX_PIXELS:
        raise bad_picture("too_many_frames", frames=frames, max_frames=MAX_FRAMES, max_pixels=MAX_PIXELS)
