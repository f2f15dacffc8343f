"""Readings of one target on one image become one answer, by the rule that the recipe names.

First it is voted whether there is anything to mark; answers without a drawing then enter a vote over pixels as empty
masks and are left out of a mean of points and of a vote over labels.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotator.geometry.runs import Toggles, area
from consensus.agreement.overlap import conformity, dice_to
from consensus.fusion import labels, masks, points
from consensus.fusion.areas import AREA_RULES
from consensus.fusion.ellipses import fitted_ellipse
from consensus.fusion.estimate import Estimate, most_probable, posterior
from consensus.fusion.objects import fuse_objects
from consensus.fusion.replies import PRESENT, UNDECIDED, Fused, Measures, Reply, Row
from consensus.fusion.votes import Votes, count_votes
from protocols.names import ConsensusRule, Kind
from protocols.targets import Target

FEWEST_FOR_OUTLIERS = 3
EMPTY: Toggles = np.zeros(0, dtype=np.int32)
POINT_RULES: Mapping[ConsensusRule, Callable[[ArrayLike], points.Points]] = {
    ConsensusRule.MEAN: points.mean_point,
    ConsensusRule.MEDIAN: points.median_point,
    ConsensusRule.GEOMETRIC_MEDIAN: points.geometric_median,
}
LABEL_RULES: Mapping[ConsensusRule, Callable[[Sequence[str], float], labels.LabelVote]] = {
    ConsensusRule.MAJORITY: labels.majority_label,
    ConsensusRule.TWO_PLUS_ADJUDICATOR: lambda given, _more_than: labels.agreed_by_all(given),
}


class UnknownRule(ValueError):
    """No case can be fused by this rule on its own."""


def is_fused(target: Target) -> bool:
    """Whether readings of the target become a reference by a rule; senior's drawings and imported truth do not."""
    return target.consensus.rule not in {ConsensusRule.SENIOR_DRAWING, ConsensusRule.IMPORTED}


@dataclass(frozen=True)
class Heard:
    """Who gave each reply, and what is known of them from all cases of the study."""

    graders: Sequence[str]
    estimate: Estimate


def is_estimated(target: Target) -> bool:
    """Whether no case can be fused before all of the study were looked at together."""
    return target.consensus.rule is ConsensusRule.DAWID_SKENE


def knows(target: Target) -> bool:
    return target.consensus.rule in RULES.get(target.kind, {})


def fuse(target: Target, replies: Sequence[Reply], width: int, height: int, heard: Heard | None = None) -> Fused:
    """The agreed answer of these graders. The order of the replies does not matter."""
    if not replies:
        raise ValueError("replies is empty: nobody has read the image")
    if heard is None and not knows(target):
        raise UnknownRule(f"{target.key}: no way is known to fuse {target.kind} by {target.consensus.rule}")
    word = _voted_word(target, replies)
    if word:
        return Fused(answer=word, measures=Measures(counts=_said(replies)))
    if len(replies) < target.consensus.min_readings:
        return Fused(answer=UNDECIDED, measures=Measures(counts=_said(replies)))
    if heard is not None:
        return _estimated(target, replies, heard)
    return _BY_KIND[target.kind](target, replies, width, height)


def _said(replies: Sequence[Reply]) -> dict[str, int]:
    return dict(Counter(reply.answer for reply in replies))


def _voted_word(target: Target, replies: Sequence[Reply]) -> str:
    """The answer that takes the place of a drawing, where enough graders say so; else nothing."""
    without = sum(reply.answer != PRESENT for reply in replies)
    limit = target.consensus.not_visible_from
    enough = limit is not None and without >= limit * len(replies) - masks.ROUNDING
    return _usual_word(target, replies) if without == len(replies) or (without and enough) else ""


def _usual_word(target: Target, replies: Sequence[Reply]) -> str:
    """The most frequent answer without a drawing, of equally frequent ones the first in the recipe; "" if none."""
    counts = Counter(reply.answer for reply in replies if reply.answer != PRESENT)
    order = [str(answer) for answer in target.answers]
    ranked = sorted(counts, key=lambda word: (-counts[word], order.index(word) if word in order else len(order), word))
    return ranked[0] if ranked else ""


def _area(target: Target, replies: Sequence[Reply], width: int, height: int) -> Fused:
    drawn = [reply.masks[0] if reply.masks else EMPTY for reply in replies]
    votes = count_votes(drawn, width, height)
    voted = AREA_RULES[target.consensus.rule](votes, target.consensus)
    mask, overlap = voted.mask, _overlap(target, votes, drawn, voted.mask, replies)
    measures = replace(
        overlap,
        numbers={**overlap.numbers, **voted.numbers},
        per_reply={**overlap.per_reply, **voted.per_reply},
    )
    word = "" if len(mask) else _usual_word(target, replies)
    if word:
        return Fused(answer=word, votes=votes, measures=measures)
    fits = target.kind is Kind.ELLIPSE and len(mask) > 0
    ellipse = fitted_ellipse(mask, width, height) if fits else None
    return Fused(masks=(mask,), ellipse=ellipse, votes=votes, measures=measures)


def _overlap(
    target: Target, votes: Votes, drawn: Sequence[Toggles], mask: Toggles, replies: Sequence[Reply]
) -> Measures:
    width, height = votes.width, votes.height
    agreed, tied = conformity(votes), masks.tied(votes, target.consensus.more_than)
    numbers = {"area_px": float(area(mask, width, height)), "tied_px": float(area(tied, width, height))}
    numbers |= {"gci": agreed.gci} if agreed.unions else {}
    per_reply: dict[str, Row] = {
        "dice": dice_to(drawn, mask, width, height),
        "area_px": [float(area(one, width, height)) for one in drawn],
    }
    return Measures(numbers, per_reply, _said(replies))


def _objects(target: Target, replies: Sequence[Reply], width: int, height: int) -> Fused:
    fused = fuse_objects([reply.masks for reply in replies], width, height)
    drawn = [union(reply.masks) for reply in replies]
    votes = count_votes(drawn, width, height)
    overlap = _overlap(target, votes, drawn, union(fused.objects), replies)
    measures = Measures(
        {**overlap.numbers, "objects": float(len(fused.objects))},
        {**overlap.per_reply, "objects": [float(len(reply.masks)) for reply in replies]},
        overlap.counts,
        [{"reply": left.part[0], "object": left.part[1] + 1, "reason": left.reason} for left in fused.left_out],
    )
    word = "" if fused.objects else _usual_word(target, replies)
    if word:
        return Fused(answer=word, votes=votes, measures=measures)
    return Fused(masks=fused.objects, votes=votes, measures=measures)


def union(objects: Sequence[Toggles]) -> Toggles:
    """Objects of one reading do not overlap, so that their toggles together are those of their union, where two that
    meet at one place cancel."""
    places, times = np.unique(np.concatenate([EMPTY, *objects]), return_counts=True)
    union: Toggles = places[times % 2 == 1].astype(np.int32)
    return union


def _point(target: Target, replies: Sequence[Reply], _width: int, _height: int) -> Fused:
    seen = [reply.point for reply in replies if reply.point is not None]
    x, y = POINT_RULES[target.consensus.rule](seen).tolist()
    far = points.outliers(seen) if len(seen) >= FEWEST_FOR_OUTLIERS else np.zeros(len(seen), dtype=np.bool_)
    flags = iter(far.tolist())
    distances = [
        float(np.hypot(reply.point[0] - x, reply.point[1] - y)) if reply.point is not None else None
        for reply in replies
    ]
    per_reply: dict[str, Row] = {
        "distance_px": distances,
        "outlier": [bool(next(flags)) if reply.point is not None else None for reply in replies],
    }
    known = [distance for distance in distances if distance is not None]
    numbers = {"distance_px": max(known), "mean_distance_px": sum(known) / len(known)}
    return Fused(point=(x, y), measures=Measures(numbers, per_reply, _said(replies)))


def _label(target: Target, replies: Sequence[Reply], _width: int, _height: int) -> Fused:
    given = [reply.label for reply in replies if reply.label]
    vote = LABEL_RULES[target.consensus.rule](given, target.consensus.more_than)
    counts = Counter(given)
    measures = Measures({"share": max(counts.values()) / len(given)}, counts=dict(counts))
    if vote.label is None:
        return Fused(answer=UNDECIDED, measures=measures)
    return Fused(label=vote.label, signs=_usual_signs(vote.label, replies), measures=measures)


def _estimated(target: Target, replies: Sequence[Reply], heard: Heard) -> Fused:
    """The most probable label, with the probability of each."""
    said = [(who, reply.label) for who, reply in zip(heard.graders, replies, strict=True) if reply.label]
    shares = posterior(heard.estimate, said)
    label, counts = most_probable(shares), Counter(given for _who, given in said)
    numbers = {"share": max(counts.values()) / len(said)}
    if label is None:
        return Fused(answer=UNDECIDED, measures=Measures(numbers, counts=dict(counts), posterior=shares))
    measures = Measures({**numbers, "posterior": shares[label]}, counts=dict(counts), posterior=shares)
    return Fused(label=label, signs=_usual_signs(label, replies), measures=measures)


def _usual_signs(label: str, replies: Sequence[Reply]) -> tuple[str, ...]:
    """Ticked by more than half of those who gave the label."""
    agreeing = [reply for reply in replies if reply.label == label]
    ticked = Counter(sign for reply in agreeing for sign in reply.signs)
    return tuple(sorted(sign for sign, count in ticked.items() if 2 * count > len(agreeing)))


_BY_KIND: Mapping[Kind, Callable[[Target, Sequence[Reply], int, int], Fused]] = {
    Kind.ELLIPSE: _area,
    Kind.MASK: _area,
    Kind.OBJECTS: _objects,
    Kind.POINT: _point,
    Kind.LABEL: _label,
}
RULES: Mapping[Kind, Sequence[ConsensusRule] | Mapping[ConsensusRule, object]] = {
    Kind.ELLIPSE: AREA_RULES,
    Kind.MASK: AREA_RULES,
    Kind.OBJECTS: (ConsensusRule.MATCHED_MAJORITY,),
    Kind.POINT: POINT_RULES,
    Kind.LABEL: LABEL_RULES,
}
