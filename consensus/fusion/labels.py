"""Labels become one label."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class LabelState(StrEnum):
    AGREED = "agreed"
    MAJORITY = "majority"
    TIE = "tie"
    ADJUDICATED = "adjudicated"
    NEEDS_ADJUDICATION = "needs-adjudication"


@dataclass(frozen=True)
class LabelVote:
    """The agreed label, None where there is none yet."""

    label: str | None
    state: LabelState


_ROUNDING = 1e-9


def majority_label(labels: Sequence[str], more_than: float = 0.5) -> LabelVote:
    """The label that more than half of the graders gave, or more than another share of at least half; without one it
    is a tie."""
    if not labels:
        raise ValueError("labels is empty: nobody has read the case")
    label, votes = Counter(labels).most_common(1)[0]
    if votes <= max(more_than, 0.5) * len(labels) + _ROUNDING:
        return LabelVote(None, LabelState.TIE)
    return LabelVote(label, LabelState.AGREED if votes == len(labels) else LabelState.MAJORITY)


def two_plus_adjudicator(labels: Sequence[str], adjudicator: str | None) -> LabelVote:
    """Two equal labels stand; otherwise the adjudicator decides (AIROGS)."""
    if len(labels) > 2:
        raise ValueError(f"labels holds {len(labels)} readings, expected at most 2")
    if len(labels) == 2 and labels[0] == labels[1]:
        return LabelVote(labels[0], LabelState.AGREED)
    if adjudicator is not None:
        return LabelVote(adjudicator, LabelState.ADJUDICATED)
    return LabelVote(None, LabelState.NEEDS_ADJUDICATION)


def agreed_by_all(labels: Sequence[str]) -> LabelVote:
    """At least two equal labels and no other; anything else is the adjudicator's to decide."""
    if len(labels) >= 2 and len(set(labels)) == 1:
        return LabelVote(labels[0], LabelState.AGREED)
    return LabelVote(None, LabelState.NEEDS_ADJUDICATION)
