"""A mask as it travels: `WIDTHxHEIGHT:DIGEST:RUNS`, the runs packed and in base64.

The text says of which picture it is and what must come out of it, so that runs of another picture, or runs that were
damaged on their way, never pass for the mask that was drawn. The digest is the one of `runs.digest`.
"""

import base64
import re

from annotator.geometry import runs

_FORM = re.compile(r"([1-9][0-9]{0,9})x([1-9][0-9]{0,9}):([0-9a-f]{64}):([0-9A-Za-z+/]+=*)", re.ASCII)
_RUNS_ALONE = re.compile(r"[0-9A-Za-z+/]+=*", re.ASCII)


def write(packed: bytes, width: int, height: int) -> str:
    """The text of packed runs; its digest is made from what comes out of them."""
    return write_proved(packed, runs.digest(runs.unpack(packed, width, height), width, height), width, height)


def write_proved(packed: bytes, digest: str, width: int, height: int) -> str:
    """The text of packed runs whose digest has been compared with what comes out of them."""
    return f"{width}x{height}:{digest}:{base64.b64encode(packed).decode()}"


def read(text: str, width: int, height: int) -> tuple[bytes, str]:
    """Packed runs and the digest that they must have; ValueError for another form or a mask of another picture."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError("the mask is not written as WIDTHxHEIGHT:DIGEST:RUNS")
    size = int(form[1]), int(form[2])
    if size != (width, height):
        raise ValueError(f"the mask is of {size[0]} × {size[1]} pixels, the picture of {width} × {height}")
    try:
        return base64.b64decode(form[4], validate=True), form[3]
    except ValueError:
        raise ValueError("the runs of the mask are not valid base64") from None


def is_runs_alone(text: str) -> bool:
    """Whether this is the form of before, which said neither size nor digest."""
    return _RUNS_ALONE.fullmatch(text) is not None
