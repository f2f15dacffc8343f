"""What was made from an original, opened for sending; made again where it is missing."""

from typing import BinaryIO

from annotator.imaging.intake import take_in
from annotator.imaging.pipeline import SERVED, THUMBNAIL
from annotator.services.images import image_store


def open_rendition(*, name: str, sha256: str) -> BinaryIO:
    """The rendition's bytes. A backup holds originals only, so after a restore the first look makes it again."""
    store = image_store()
    try:
        return store.open_rendition(name, sha256)
    except FileNotFoundError:
        with store.open(sha256) as original:
            intake = take_in(original.read(), sha256=sha256)
        store.put_rendition(SERVED, sha256, intake.served)
        store.put_rendition(THUMBNAIL, sha256, intake.thumbnail)
        return store.open_rendition(name, sha256)
