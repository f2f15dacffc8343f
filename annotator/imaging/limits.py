"""How large a picture may be. Read from the header and enforced before a single pixel is decoded."""

from annotator.imaging.bad_picture import bad_picture

MAX_BYTES = 512 * 1024 * 1024
MAX_SIDE = 20_000
MAX_PIXELS = 150_000_000
MAX_FRAMES = 1000  # of one file; each becomes a photograph of its own


def check_size(width: int, height: int) -> None:
    """Refuse an empty grid and a decompression bomb."""
    if width == 0 or height == 0:
        raise bad_picture("zero_size")
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise bad_picture("too_large", width=width, height=height, max_side=MAX_SIDE, max_pixels=MAX_PIXELS)
