"""Why no surface could be followed."""

from enum import StrEnum


class Reason(StrEnum):
    SMALL = "small"
    OUTSIDE = "outside"
    FLAT = "flat"
    CHAMBER = "chamber"
    SPUR = "spur"
    SURFACE = "surface"


WHY = {
    Reason.SMALL: "the picture is too small",
    Reason.OUTSIDE: "the spur does not lie in its half of the picture",
    Reason.FLAT: "tissue and chamber cannot be told apart",
    Reason.CHAMBER: "no chamber is seen behind the cornea",
    Reason.SPUR: "the spur does not lie at the back of the cornea",
    Reason.SURFACE: "the surfaces cannot be followed from the chamber to the spur",
}


class UntraceableError(ValueError):
    """Nothing is guessed: whoever asked draws the lines by hand."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(WHY[reason])
        self.reason = reason
