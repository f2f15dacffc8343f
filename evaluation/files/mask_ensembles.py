"""Masks of the best entries joined by a vote, for every number of them, and scored as one submission.

The pictures of all entries are read once more, case by case in threads; of each case only a few numbers are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotator.formats.bad_file import BadFile
from annotator.formats.tree import FileTree
from annotator.geometry.compare import overlap
from annotator.geometry.runs import Toggles
from annotator.imaging.bad_picture import bad_picture
from consensus.fusion.standing import VCDR_RULES
from evaluation.files.case_files import Pictures
from evaluation.files.comparing import Progress, compare_each
from evaluation.files.one_case import areas_in
from evaluation.files.sides import Sides
from evaluation.metrics.evidence import Evidence, Measures, Numbers, Overlaps
from evaluation.scoring.contest import Contest
from evaluation.scoring.ensembles import best_first, majority_masks
from evaluation.scoring.entries import Field
from evaluation.scoring.joined import Ensembles
from evaluation.scoring.resampling import Question, answer
from protocols import Recipe
from protocols.scoring import Metric
from protocols.scoring_names import Direction, EnsembleRule, FileKind
from protocols.standard import File

Found = list[tuple[float, ...]]
"""By the number of entries less one: a row of the metric's evidence."""
NOTHING: Toggles = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class _Joined:
    """A metric of masks, with the entries that have it, best first."""

    metric: Metric
    order: tuple[int, ...]
    question: Question
    cases: dict[str, None]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """What one side has drawn: by target the picture's file and its pictures."""

    pictures: Mapping[str, tuple[File, Pictures | None]]

    def read(self, case: str, targets: Sequence[str]) -> tuple[dict[str, Toggles], tuple[int, int] | None, str]:
        """The masks of these targets, the size of the pictures if there are any, and how the last of them is called."""
        masks, size, shown = dict[str, Toggles](), None, ""
        for target in targets:
            file, pictures = self.pictures[target]
            if pictures is None or case not in pictures.files:
                masks[target] = NOTHING
                continue
            samples = pictures.read(case)
            size, shown = (samples.shape[1], samples.shape[0]), pictures.tree.shown(pictures.files[case])
            masks[target] = areas_in(samples, file)[target]
        return masks, size, shown


def with_mask_ensembles(
    recipe: Recipe, contest: Contest, field: Field, reference: FileTree, entries: Sequence[FileTree], progress: Progress
) -> Contest:
    """The contest with the ensembles of masks, where the recipe joins them; `entries` in the order of the field."""
    if EnsembleRule.MAJORITY_VOTE not in recipe.scoring.statistics.ensembles:
        return contest
    wanted = _wanted(recipe, contest, field)
    sides = [_drawn(recipe, tree) for tree in (reference, *entries)]
    cases = [case for case in field.cases if any(case in one.cases for one in wanted)]
    found = compare_each(cases, lambda case: _of_case(wanted, sides, case), progress)
    rows = dict(zip(cases, found, strict=True))
    metrics = dict(contest.metrics)
    for one in wanted:
        key = one.metric.key
        joined = Ensembles(
            EnsembleRule.MAJORITY_VOTE, one.order, _reached(one, [rows[case][key] for case in one.cases])
        )
        metrics[key] = replace(metrics[key], ensembles=joined)
    return replace(contest, metrics=metrics)


def _wanted(recipe: Recipe, contest: Contest, field: Field) -> list[_Joined]:
    joined = []
    for metric in (one for track in recipe.scoring.tracks for one in track.metrics):
        compared = contest.metrics.get(metric.key)
        if compared is None:
            continue
        rising = metric.direction is Direction.HIGHER
        best = best_first(compared.values, higher=rising).tolist()
        order = tuple(place for place in best if np.isfinite(compared.values[place]))
        if len(order) > 1 and isinstance(
            (question := field.questions[order[0]][metric.key]).evidence, Overlaps | Measures
        ):
            places = range(len(field.cases)) if question.cases is None else question.cases.tolist()
            joined.append(_Joined(metric, order, question, dict.fromkeys(field.cases[place] for place in places)))
    return joined


def _reached(wanted: _Joined, rows: Sequence[Found]) -> Numbers:
    """The metric of the best one, two, three … together."""
    kind = type(wanted.question.evidence)
    reached = []
    for many in range(len(wanted.order)):
        columns = np.array([row[many] for row in rows], dtype=np.float64).T
        evidence: Evidence = kind(*columns)
        reached.append(answer(replace(wanted.question, evidence=evidence)))
    return np.array(reached)


def _of_case(wanted: Sequence[_Joined], sides: Sequence[_Drawn], case: str) -> dict[str, Found]:
    """By metric."""
    asked = [one for one in wanted if case in one.cases]
    targets = list(dict.fromkeys(target for one in asked for target in one.metric.targets))
    read = [side.read(case, targets) for side in sides]
    width, height = _size(read)
    ours, theirs = read[0][0], [masks for masks, _size, _shown in read[1:]]
    found = {}
    for one in asked:
        votes = [
            list(majority_masks([theirs[place][target] for place in one.order], width, height))
            for target in one.metric.targets
        ]
        drawn = [ours[target] for target in one.metric.targets]
        found[one.metric.key] = _compared(one, drawn, votes, width, height)
    return found


def _compared(
    wanted: _Joined, ours: Sequence[Toggles], votes: Sequence[Sequence[Toggles]], width: int, height: int
) -> Found:
    rule = wanted.question.metric.measure
    if rule is not None:
        measure, (cup, disc) = VCDR_RULES[rule], ours
        own = measure(cup, disc, width, height)
        return [(own, measure(one, other, width, height)) for one, other in zip(*votes, strict=True)]
    beside = [overlap(ours[0], mask, width, height) for mask in votes[0]]
    return [(one.reference_px, one.candidate_px, one.shared_px) for one in beside]


def _size(read: Sequence[tuple[dict[str, Toggles], tuple[int, int] | None, str]]) -> tuple[int, int]:
    """Of all pictures of the case; one pixel where there is none. BadFile when two entries differ where the reference
    has none to compare them with."""
    known = [(size, shown) for _masks, size, shown in read if size is not None]
    for size, shown in known:
        if size != known[0][0]:
            (width, height), (other_width, other_height) = size, known[0][0]
            words = {"width": width, "height": height, "other_width": other_width, "other_height": other_height}
            raise BadFile(shown, bad_picture("other_size", **words))
    return known[0][0] if known else (1, 1)


def _drawn(recipe: Recipe, tree: FileTree) -> _Drawn:
    sides = Sides(tree, tree)
    pictures: dict[str, tuple[File, Pictures | None]] = {}
    for file in recipe.files:
        if file.kind is FileKind.PICTURE:
            own = sides.pictures_of(tree, file)
            pictures |= {pixel.target: (file, own) for pixel in file.pixels if pixel.target}
    return _Drawn(pictures)
