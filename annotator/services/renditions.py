"""What is shown of an original: its cleaned bytes or its thumbnail, opened for sending."""

import contextlib
import io
from typing import BinaryIO

from annotator.imaging.eight_bits import HEAD_BYTES, in_eight_bits, is_deep
from annotator.imaging.intake import served_upright, take_in
from annotator.imaging.mirrored import mirrored
from annotator.imaging.pipeline import SERVED, THUMBNAIL, keep, of_frame
from annotator.imaging.thumbnail import is_whole
from annotator.services.images import image_store
from annotator.store import Store, StoreFull

MIRRORED = "mirrored"


def open_rendition(*, name: str, sha256: str, frame: int = 1) -> BinaryIO:
    """The rendition's bytes. An upright picture is cleaned while it is sent; what else is missing, after a restore say,
    or did not survive a power cut, is made again from the original. `frame` counts the pictures of a file from 1."""
    store, kept_name = image_store(), of_frame(name, frame)
    kept = _kept(store, kept_name, sha256, passing=name == THUMBNAIL)
    if kept is not None:
        return kept
    with store.open(sha256) as original:
        data = original.read()
    if name == SERVED and (clean := served_upright(data)) is not None:
        return io.BytesIO(clean)
    keep(take_in(data, sha256=sha256), data, store)
    return store.open_rendition(kept_name, sha256)


def open_mirrored(*, name: str, sha256: str, frame: int = 1) -> BinaryIO:
    """As `open_rendition`, with left and right exchanged. The picture is kept once it has been made, so that a second
    look takes no longer than at any other; a thumbnail is made in less time than it takes to be found."""
    store, kept_name = image_store(), of_frame(MIRRORED, frame)
    kept = _kept(store, kept_name, sha256, passing=False) if name == SERVED else None
    if kept is not None:
        return kept
    with open_rendition(name=name, sha256=sha256, frame=frame) as file:
        turned = mirrored(file.read())
    if name == SERVED:
        with contextlib.suppress(StoreFull):  # it can be shown all the same
            store.put_rendition(kept_name, sha256, turned)
    return io.BytesIO(turned)


def for_looking(served: BinaryIO) -> BinaryIO:
    """The same picture for a page that only looks at it: 16 bits as a browser can show them."""
    head = served.read(HEAD_BYTES)
    served.seek(0)
    if not is_deep(head):
        return served
    with served:
        return io.BytesIO(in_eight_bits(served.read()))


def _kept(store: Store, name: str, sha256: str, *, passing: bool) -> BinaryIO | None:
    try:
        file = store.open_rendition(name, sha256)
    except FileNotFoundError:
        return None
    if passing and not is_whole(file):
        file.close()
        store.drop_rendition(name, sha256)
        return None
    return file
