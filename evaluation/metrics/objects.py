"""Object F1, object Dice, object Hausdorff distance and adjusted Rand index of label images (GlaS).

K. Sirinukunwattana et al., Med Image Anal 2017;35:489–502, section 5. Each is a function of sums over objects or
pixels, so an image is boiled down to its sums once. From the sums of one image a metric is that image's value, from
sums over all images the pooled one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.evidence import Evidence, Numbers
from evaluation.metrics.label_table import Labels, LabelTable, Matches, label_table
from evaluation.metrics.object_hausdorff import object_distances
from evaluation.metrics.rand_index import adjusted_rand_index, pixel_pairs
from evaluation.metrics.tally import Addends, mean_of


@dataclass(frozen=True, eq=False)
class ObjectSums(Evidence):
    """Sums over the objects of each image; areas are in pixels."""

    reference_objects: Numbers
    candidate_objects: Numbers
    half_covered: Numbers
    """Reference objects of which a candidate, matched to them, covers at least half."""
    more_covered: Numbers
    """Reference objects of which a candidate, matched to them, covers more than half."""
    reference_area: Numbers
    candidate_area: Numbers
    reference_dice: Numbers
    """Σ |G| · Dice(G, its match); an object without overlap adds 0."""
    candidate_dice: Numbers
    reference_hausdorff: Numbers
    """Σ |G| · H(G, its match); without overlap the smallest H, without any object there the image diagonal."""
    candidate_hausdorff: Numbers
    pairs_in_both: Numbers
    pairs_in_reference: Numbers
    pairs_in_candidate: Numbers
    pairs: Numbers


def object_sums(reference: Labels, candidate: Labels) -> ObjectSums:
    """The sums of one image, as a table of one row."""
    table = label_table(reference, candidate)
    distances = object_distances(table)
    pairs = pixel_pairs(table)
    of_reference, of_candidate = table.reference_areas[1:], table.candidate_areas[1:]
    sums = (
        *(len(of_reference), len(of_candidate)),
        *(_covered(table, more=False), _covered(table, more=True)),
        *(of_reference.sum(), of_candidate.sum()),
        _dice_sum(table.of_reference, of_reference, of_candidate),
        _dice_sum(table.of_candidate, of_candidate, of_reference),
        *((of_reference * distances.of_reference).sum(), (of_candidate * distances.of_candidate).sum()),
        *(pairs.both, pairs.reference, pairs.candidate, pairs.every),
    )
    return ObjectSums(*np.array(sums, dtype=np.float64)[:, np.newaxis])


def half_covered(sums: ObjectSums) -> tuple[Numbers, Numbers]:
    """Addends of F1 by the paper's section 5.1: a true positive covers at least half of its match.

    Two candidates can cover exactly half of one object; it is found once, by the one with the smaller label.
    """
    return sums.half_covered, sums.reference_objects + sums.candidate_objects


def more_covered(sums: ObjectSums) -> tuple[Numbers, Numbers]:
    """Addends of F1 by the circulating code: a true positive covers more than half of its match."""
    return sums.more_covered, sums.reference_objects + sums.candidate_objects


def f1(totals: Numbers) -> Numbers:
    """2TP / (2TP + FP + FN) with FP = n_S − TP and FN = n_G − TP; 1 where both sides are empty, 0 where one is."""
    return _ratio(2 * totals[:, 0], totals[:, 1], empty=1.0)


def dice_sums(sums: ObjectSums) -> tuple[Numbers, ...]:
    return sums.reference_dice, sums.reference_area, sums.candidate_dice, sums.candidate_area


def object_dice(totals: Numbers) -> Numbers:
    """½ [Σ |G|·Dice(G, S*) / Σ |G| + Σ |S|·Dice(S, G*) / Σ |S|]; 1 where both sides are empty, 0 where one is."""
    halves = _ratio(totals[:, 0], totals[:, 1], empty=0.0) + _ratio(totals[:, 2], totals[:, 3], empty=0.0)
    return np.where(_sides(totals) == 0, 1.0, halves / 2)


def hausdorff_sums(sums: ObjectSums) -> tuple[Numbers, ...]:
    return sums.reference_hausdorff, sums.reference_area, sums.candidate_hausdorff, sums.candidate_area


def object_hausdorff(totals: Numbers) -> Numbers:
    """½ [Σ |G|·H(G, S*) / Σ |G| + Σ |S|·H(S, G*) / Σ |S|] in pixels; 0 where both sides are empty.

    Where one side has no object at all the other half counts fully: for a single image that is its diagonal.
    """
    halves = _ratio(totals[:, 0], totals[:, 1], empty=0.0) + _ratio(totals[:, 2], totals[:, 3], empty=0.0)
    return halves / np.maximum(_sides(totals), 1)


def pairs_of_pixels(sums: ObjectSums) -> tuple[Numbers, ...]:
    return sums.pairs_in_both, sums.pairs_in_reference, sums.pairs_in_candidate, sums.pairs


def rand_index(totals: Numbers) -> Numbers:
    """Adjusted Rand index; pairs are those within one image, whose background is one object."""
    return adjusted_rand_index(*totals.T)


def of_each_image(addends: Addends, value: Callable[[Numbers], Numbers], sums: ObjectSums) -> Numbers:
    """The metric of each image by itself."""
    return value(np.column_stack(addends(sums)))


def mean_of_images(addends: Addends, value: Callable[[Numbers], Numbers]) -> Addends:
    """Addends of the mean of what each image has by itself, as the circulating code gives it."""
    return lambda sums: mean_of(of_each_image(addends, value, sums))


def _covered(table: LabelTable, *, more: bool) -> int:
    partner, shared = table.of_candidate.partner, table.of_candidate.shared
    whole = table.reference_areas[partner]
    covers = 2 * shared > whole if more else 2 * shared >= whole
    return len(np.unique(partner[(partner > 0) & covers]))


def _dice_sum(matches: Matches, own: NDArray[np.int64], others: NDArray[np.int64]) -> float:
    """Σ |own| · 2 |shared| / (|own| + |partner|); without a partner nothing is shared."""
    partner = np.concatenate(([0], others))[matches.partner]
    return float((own * (2 * matches.shared / (own + partner))).sum())


def _sides(totals: Numbers) -> Numbers:
    """How many sides have objects, by their areas."""
    return (totals[:, 1] > 0).astype(np.float64) + (totals[:, 3] > 0)


def _ratio(above: Numbers, below: Numbers, *, empty: float) -> Numbers:
    return np.divide(above, below, out=np.full_like(below, empty), where=below > 0)
