"""What became of a file that was to be taken in. Facts only, so that they travel lightly between processes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from annotator.formats.fault import Fault
from annotator.imaging.decoded import Stated
from annotator.imaging.intake import Intake, MediaType

Opener = Callable[[], BinaryIO]


@dataclass(frozen=True)
class Source:
    """A file to take in: its name for the report, where its bytes are, and the eye it is said to show (R, L)."""

    name: str
    content: Path | Opener
    side: str = ""


@dataclass(frozen=True)
class Taken:
    """A file that is now in the store: one picture, or `frames` of one size and kind."""

    name: str
    sha256: str
    format: str
    width: int
    height: int
    bits: int
    channels: int
    orientation: int
    served_type: MediaType
    served_bytes: int
    original_bytes: int
    frames: int = 1
    stated: Stated = field(default_factory=Stated)


@dataclass(frozen=True)
class Known:
    """A file whose bytes were taken in before: in this run as `first`, or earlier (`first` is None)."""

    name: str
    sha256: str
    first: str | None = None


@dataclass(frozen=True)
class Rejected:
    """A file of which nothing was stored, and why (see Fault)."""

    name: str
    code: str
    message: str
    params: dict[str, object]


Outcome = Taken | Known | Rejected


def taken(name: str, intake: Intake, original_bytes: int) -> Taken:
    return Taken(
        name=name,
        sha256=intake.sha256,
        format=intake.format,
        width=intake.width,
        height=intake.height,
        bits=intake.bits,
        channels=intake.channels,
        orientation=intake.orientation,
        served_type=intake.served_type,
        served_bytes=len(intake.served),
        original_bytes=original_bytes,
        frames=1 + len(intake.further),
        stated=intake.stated,
    )


def rejected(name: str, fault: Fault) -> Rejected:
    return Rejected(name, fault.code, fault.message, fault.params)
