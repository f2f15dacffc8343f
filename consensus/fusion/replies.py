"""What goes into a fusion and what comes out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles
from consensus.fusion.votes import Votes

PRESENT = "present"
UNDECIDED = "undecided"
"""Said of a reference only: the readings leave it open, and a person decides."""


Row = Sequence[float | bool | None]
"""One entry per reply, None where it has none."""


@dataclass(frozen=True, eq=False)
class Reply:
    """One grader's answer to one target on one image; ellipses come rasterised."""

    answer: str = PRESENT
    masks: tuple[Toggles, ...] = ()  # one for an area, one per object for objects
    point: tuple[float, float] | None = None
    label: str = ""
    signs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Measures:
    """Numbers of the whole, and those of each reply."""

    numbers: Mapping[str, float] = field(default_factory=dict)
    per_reply: Mapping[str, Row] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)  # who said what: by answer word or by label
    left_out: Sequence[Mapping[str, Any]] = ()  # objects that are not in the reference
    posterior: Mapping[str, float] = field(default_factory=dict)  # probability of each label, where it is estimated


@dataclass(frozen=True, eq=False)
class Fused:
    """The agreed answer; `votes` where pixels were voted on."""

    answer: str = PRESENT
    masks: tuple[Toggles, ...] = ()
    ellipse: Ellipse | None = None
    point: tuple[float, float] | None = None
    label: str = ""
    signs: tuple[str, ...] = ()
    votes: Votes | None = None
    measures: Measures = field(default_factory=Measures)
