"""The strips or tiles of a TIFF page: that they are as many as its size asks for, and lie within the file."""

from annotator.imaging import tiff_directory as tag
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.jpeg import decode_jpeg, read_jpeg
from annotator.imaging.jpeg_segments import SOI
from annotator.imaging.tiff_directory import Directory

_JPEG, _PLAIN = 7, 1
_PLANE_BY_PLANE = 2


def pieces(page: Directory) -> list[tuple[int, int]]:
    """Where each strip or tile begins, and how many bytes it has."""
    tiled = tag.TILE_OFFSETS in page.numbers
    offsets = page.numbers.get(tag.TILE_OFFSETS if tiled else tag.STRIP_OFFSETS, ())
    counts = page.numbers.get(tag.TILE_BYTES if tiled else tag.STRIP_BYTES, ())
    if len(offsets) != len(counts):
        raise bad_picture("corrupt", detail="its pieces have no length")
    return list(zip(offsets, counts, strict=True))


def check_pieces(page: Directory, data: bytes) -> None:
    """Decoders fill up what is missing; here it is found before they are asked."""
    shapes = _shapes(page)
    found = pieces(page)
    if len(found) != len(shapes):
        raise bad_picture("corrupt", detail="it has too few or too many pieces for its size")
    bits = page.one(tag.BITS, 1) * (1 if _by_plane(page) else page.one(tag.SAMPLES, 1))
    compression = page.one(tag.COMPRESSION, _PLAIN)
    for (start, count), (width, height) in zip(found, shapes, strict=True):
        needed = (width * bits + 7) // 8 * height if compression == _PLAIN else 1
        if start + count > len(data) or count < needed:
            raise bad_picture("truncated")
        if compression == _JPEG:
            _prove_jpeg(page, data[start : start + count], width, height)


def _shapes(page: Directory) -> list[tuple[int, int]]:
    """Width and height of each piece as it is stored: tiles are whole, the last strip may be lower."""
    width, height = page.one(tag.WIDTH, 0), page.one(tag.HEIGHT, 0)
    planes = page.one(tag.SAMPLES, 1) if _by_plane(page) else 1
    if tag.TILE_OFFSETS in page.numbers:
        across, down = page.one(tag.TILE_WIDTH, 0), page.one(tag.TILE_HEIGHT, 0)
        if not (0 < across <= 1 << 15 and 0 < down <= 1 << 15) or across % 16 or down % 16:
            raise bad_picture("corrupt", detail="its tiles have a size that does not exist")
        return [(across, down)] * (-(-width // across) * -(-height // down) * planes)
    rows = min(page.one(tag.ROWS_PER_STRIP, height), height)
    if not rows:
        raise bad_picture("corrupt", detail="its strips have no rows")
    return [(width, min(rows, height - top)) for _plane in range(planes) for top in range(0, height, rows)]


def _by_plane(page: Directory) -> bool:
    return page.one(tag.PLANAR, 1) == _PLANE_BY_PLANE and page.one(tag.SAMPLES, 1) > 1


def _prove_jpeg(page: Directory, piece: bytes, width: int, height: int) -> None:
    """libtiff shows a JPEG that was cut short without a word."""
    if not piece.startswith(SOI):
        raise bad_picture("corrupt", detail="a piece is no JPEG")
    tables = page.raw.get(tag.JPEG_TABLES, b"")
    inner = tables[2:-2] if tables.startswith(SOI) and tables.endswith(b"\xff\xd9") else b""
    file = read_jpeg(SOI + inner + piece[2:])
    if (file.width, file.height) != (width, height):
        raise bad_picture("corrupt", detail="a piece has another size than the page says")
    decode_jpeg(file, exact=False)
