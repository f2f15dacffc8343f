"""Areas become one area: the rules by name, over the runs of equal votes."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from annotator.geometry.runs import Toggles, area
from consensus.fusion import masks
from consensus.fusion.regions import Box, marked_box
from consensus.fusion.replies import Row
from consensus.fusion.staple import NothingToEstimate, staple
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


def _staple(votes: Votes, consensus: Consensus) -> FusedArea:
    """With the region, the prior that is its mean vote, and each grader's rates; and how large a majority would be.

    Where all readings are empty, or all full, there is nothing to estimate and nothing to doubt: that is the answer.
    """
    margin = consensus.region_margin
    region = Box(0, 0, votes.width, votes.height) if margin is None else marked_box(votes, margin)
    numbers = {f"region_{name}": float(value) for name, value in asdict(region).items()}
    numbers |= {"region_px": float(region.px)}
    try:
        found = staple(votes, region)
    except NothingToEstimate:
        agreed = masks.union(votes)
        return FusedArea(agreed, {**numbers, "prior": float(len(agreed) > 0)})
    voted = area(masks.majority(votes), votes.width, votes.height)
    numbers |= {"prior": found.prior, "rounds": float(found.rounds), "majority_px": float(voted)}
    rates = {"sensitivity": found.sensitivity.tolist(), "specificity": found.specificity.tolist()}
    return FusedArea(found.reference, numbers, rates)


AREA_RULES: Mapping[ConsensusRule, AreaRule] = {
    ConsensusRule.MAJORITY: _majority,
    ConsensusRule.STAPLE: _staple,
    ConsensusRule.UNION: lambda votes, _consensus: FusedArea(masks.union(votes)),
    ConsensusRule.INTERSECTION: lambda votes, _consensus: FusedArea(masks.intersection(votes)),
    ConsensusRule.MEAN_SHAPE: lambda votes, _consensus: FusedArea(masks.mean_shape(votes)),
}
