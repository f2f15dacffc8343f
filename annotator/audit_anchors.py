"""Places outside the log that have written down how far it went: whoever cuts it off cannot cut those off too."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Anchor:
    """Row `number` of the chain tells that `where` was made, and had this digest."""

    chain: str
    number: int
    digest: str
    where: str


Anchors = Callable[[], Iterator[Anchor]]
_asked: list[Anchors] = []


def register_anchors(anchors: Anchors) -> None:
    """Called once, by an app that is ready."""
    if anchors not in _asked:
        _asked.append(anchors)


def all_anchors() -> Iterator[Anchor]:
    for anchors in _asked:
        yield from anchors()
