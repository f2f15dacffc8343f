"""Boundaries of masks in files, for metrics beyond the papers.

They are looked at only when they are asked for, and then in a second pass over the pictures: no protocol needs them,
and measuring them takes longer than everything else.
"""

from collections.abc import Callable, Mapping, Sequence

from annotator.formats.fault import gettext_noop
from annotator.geometry.ellipse import Mask
from evaluation.files.comparing import compare_each
from evaluation.files.gathering import Gathering
from evaluation.metrics.evidence import Evidence
from evaluation.metrics.of_surfaces import Surfaces
from evaluation.metrics.surface import SurfaceDistances, surface_distances
from evaluation.scoring.note import Note
from evaluation.scoring.scorecard import About

ONE_SIDED = gettext_noop(
    "Boundaries of %(target)s: %(count)s of %(total)s cases have it on one side only and count with the image diagonal "
    "(surface Dice 0); %(neither)s have it on neither and are left out."
)
Masks = Mapping[str, tuple[Mask, Mask]]
"""Of each target, the reference's and the candidate's."""


def surfaces(gathering: Gathering, cases: Sequence[str], masks: Callable[[str], Masks]) -> dict[About, Evidence]:
    """Of every target that `masks` gives for each case; nothing unless it was asked for."""
    if not gathering.beyond or not cases:
        return {}

    def measured(case: str) -> dict[str, SurfaceDistances]:
        return {target: surface_distances(*both) for target, both in masks(case).items()}

    found = compare_each(cases, measured, gathering.progress)
    for target in found[0]:
        alone, nothing = (sum(getattr(one[target], what) for one in found) for what in ("one_empty", "both_empty"))
        if alone or nothing:
            counts = {"count": alone, "total": len(found), "neither": nothing}
            gathering.sides.notes.append(Note(ONE_SIDED, target=target, **counts))
    return {About(Surfaces, (target,)): Surfaces.of([one[target] for one in found]) for target in found[0]}
