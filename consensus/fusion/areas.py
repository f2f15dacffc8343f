"""Areas become one area: the rules by name, over the runs of equal votes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from annotator.geometry.runs import Toggles
from consensus.fusion import masks
from consensus.fusion.replies import Row
from consensus.fusion.staple import staple
from consensus.fusion.votes import Votes
from protocols.names import ConsensusRule, TieRule
from protocols.targets import Consensus


@dataclass(frozen=True, eq=False)
class FusedArea:
    """The agreed mask; and where it was estimated by what, of the whole and of each reply."""

    mask: Toggles
    numbers: Mapping[str, float] = field(default_factory=dict)
    per_reply: Mapping[str, Row] = field(default_factory=dict)


AreaRule = Callable[[Votes, Consensus], FusedArea]


def _majority(votes: Votes, consensus: Consensus) -> FusedArea:
    return FusedArea(masks.majority(votes, consensus.ties or TieRule.BACKGROUND, consensus.more_than))


def _staple(votes: Votes, _consensus: Consensus) -> FusedArea:
    """With the prior, the region it is the mean vote of, and each grader's rates."""
    if len(votes.pixels_by_pattern[0]) == 1:
        return FusedArea(masks.union(votes))  # all empty or all full: nothing to estimate, and nothing to doubt
    found = staple(votes)
    numbers = {"prior": found.prior, "region_px": float(votes.width * votes.height), "rounds": float(found.rounds)}
    rates = {"sensitivity": found.sensitivity.tolist(), "specificity": found.specificity.tolist()}
    return FusedArea(found.reference, numbers, rates)


AREA_RULES: Mapping[ConsensusRule, AreaRule] = {
    ConsensusRule.MAJORITY: _majority,
    ConsensusRule.STAPLE: _staple,
    ConsensusRule.UNION: lambda votes, _consensus: FusedArea(masks.union(votes)),
    ConsensusRule.INTERSECTION: lambda votes, _consensus: FusedArea(masks.intersection(votes)),
    ConsensusRule.MEAN_SHAPE: lambda votes, _consensus: FusedArea(masks.mean_shape(votes)),
}
