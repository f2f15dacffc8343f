"""What is shown of an original: its cleaned bytes or its thumbnail, opened for sending."""

import io
from typing import BinaryIO

from annotator.imaging.intake import served_upright, take_in
from annotator.imaging.pipeline import SERVED, keep
from annotator.services.images import image_store


def open_rendition(*, name: str, sha256: str) -> BinaryIO:
    """The rendition's bytes. An upright picture is cleaned while it is sent; what else is missing, after a restore say,
    is made again from the original."""
    store = image_store()
    try:
        return store.open_rendition(name, sha256)
    except FileNotFoundError:
        with store.open(sha256) as original:
            data = original.read()
    if name == SERVED and (clean := served_upright(data)) is not None:
        return io.BytesIO(clean)
    keep(take_in(data, sha256=sha256), data, store)
    return store.open_rendition(name, sha256)
