"""Areas become one area: the rules by name, over the runs of equal votes."""

from collections.abc import Callable, Mapping

from annotator.geometry.runs import Toggles
from consensus.fusion import masks
from consensus.fusion.staple import staple
from consensus.fusion.votes import Votes
from protocols.names import ConsensusRule, TieRule
from protocols.targets import Consensus

AreaRule = Callable[[Votes, Consensus], Toggles]


def _majority(votes: Votes, consensus: Consensus) -> Toggles:
    return masks.majority(votes, consensus.ties or TieRule.BACKGROUND, consensus.more_than)


def _staple(votes: Votes, _consensus: Consensus) -> Toggles:
    if len(votes.pixels_by_pattern[0]) == 1:
        return masks.union(votes)  # all empty or all full: nothing to estimate, and nothing to doubt
    return staple(votes).reference


AREA_RULES: Mapping[ConsensusRule, AreaRule] = {
    ConsensusRule.MAJORITY: _majority,
    ConsensusRule.STAPLE: _staple,
    ConsensusRule.UNION: lambda votes, _consensus: masks.union(votes),
    ConsensusRule.INTERSECTION: lambda votes, _consensus: masks.intersection(votes),
    ConsensusRule.MEAN_SHAPE: lambda votes, _consensus: masks.mean_shape(votes),
}
