"""What is known of one case, ready to be written into a protocol's own files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.geometry.runs import Toggles

Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class CaseAnswers:
    """By target: `masks` (one for an area, one per object; none where it is absent), `points` in the house's own
    coordinates (None where the point cannot be determined), `labels` by the keys of their options, `lines` as drawn,
    and `measures` in the recipe's unit by the target they start from (None where nothing can be measured)."""

    name: str
    width: int
    height: int
    subject: str = ""
    masks: Mapping[str, Sequence[Toggles]] = field(default_factory=dict)
    points: Mapping[str, Place | None] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, Sequence[Place]] = field(default_factory=dict)
    measures: Mapping[str, float | None] = field(default_factory=dict)
