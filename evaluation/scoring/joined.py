"""What ensembles of the best entries reach, from the answers that entries gave case by case.

Masks are not among these: their ensembles vote by pixels (`ensembles.majority_masks`) and are scored like a submission.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.metrics.evidence import Evidence, Numbers, Points, Scored
from evaluation.scoring.ensembles import ENSEMBLES, best_first
from evaluation.scoring.resampling import Question, answer
from protocols.scoring_names import EnsembleRule

_ANSWERS: Mapping[type[Evidence], str] = {Scored: "score", Points: "candidate"}
"""Where evidence keeps what the candidate said."""
_RULES: Mapping[type[Evidence], tuple[EnsembleRule, ...]] = {
    Scored: (EnsembleRule.MEAN_LIKELIHOOD, EnsembleRule.MEAN_NORMALISED_LIKELIHOOD),
    Points: (EnsembleRule.MEAN_POINT,),
}


@dataclass(frozen=True, eq=False)
class Ensembles:
    """`values[M − 1]`: the metric of the best M entries together, by the metric itself; `order`: who they are."""

    rule: EnsembleRule
    order: tuple[int, ...]
    values: Numbers


def join(
    asked: Sequence[Question | None], values: Numbers, rules: Sequence[EnsembleRule], *, higher: bool
) -> Ensembles | None:
    """One metric of ensembles of every size, by the first of the rules that fits; entries without a value take no part.

    None where no rule joins what the metric looks at, or fewer than two entries have a value.
    """
    order = [place for place in best_first(values, higher=higher).tolist() if np.isfinite(values[place])]
    questions = [question for place in order if (question := asked[place]) is not None]
    if len(questions) < 2:
        return None
    kind = type(questions[0].evidence)
    fitting = [rule for rule in rules if rule in _RULES.get(kind, ())]
    if not fitting:
        return None
    given = np.array([getattr(question.evidence, _ANSWERS[kind]) for question in questions])
    joined = ENSEMBLES[fitting[0]](given)
    first = questions[0]
    reached = [answer(replace(first, evidence=replace(first.evidence, **{_ANSWERS[kind]: own}))) for own in joined]
    return Ensembles(fitting[0], tuple(order), np.array(reached))
