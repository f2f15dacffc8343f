"""REFUGE: `segmentation/NAME.bmp` (0 cup, every value below 255 disc), `classification.csv`, `fovea_location.csv`."""

from dataclasses import dataclass

import numpy as np

from annotator.formats.fault import gettext_noop
from annotator.geometry.compare import Overlap, overlap
from annotator.geometry.runs import Toggles
from annotator.geometry.value_runs import value_runs
from consensus.fusion.standing import VCDR_RULES
from evaluation.files.case_files import Samples
from evaluation.files.comparing import compare_each, read_both
from evaluation.files.gathering import Gathering
from evaluation.files.surfaces import Masks, surfaces
from evaluation.metrics import overlap as overlaps
from evaluation.metrics.evidence import Evidence, Measures, Overlaps
from evaluation.scoring.note import Note
from evaluation.scoring.scorecard import About, Findings
from protocols.scoring_names import MeasureRule
from protocols.standard import File

ODD = gettext_noop(
    "The pictures of %(count)s cases, the first %(first)s, hold values other than 0, 128 and 255; those below 255 are "
    "disc."
)


@dataclass(frozen=True)
class Drawn:
    """Cup and disc of one picture; `odd`: whether it holds a value that the protocol does not name."""

    cup: Toggles
    disc: Toggles
    odd: bool


@dataclass(frozen=True)
class Compared:
    cup: Overlap
    disc: Overlap
    vcdr_reference: float
    vcdr_candidate: float
    odd: bool


def gather(gathering: Gathering) -> Findings:
    gathering.add_likelihoods("classification", "glaucoma")
    _add_segmentation(gathering)
    gathering.add_fovea()
    return gathering.findings()


def _add_segmentation(gathering: Gathering) -> None:
    file = gathering.file("segmentation")
    both = gathering.sides.pictures(file)
    if not both:
        return
    rule = gathering.definition("mae_vcdr").measure
    names = both[0].names
    found = compare_each(list(names), lambda case: compared(*read_both(*both, case), file, rule), gathering.progress)
    cup, disc = Overlaps.of([one.cup for one in found]), Overlaps.of([one.disc for one in found])
    ratios = Measures(np.array([one.vcdr_reference for one in found]), np.array([one.vcdr_candidate for one in found]))
    values = {
        "dice_cup": overlaps.or_one(overlaps.dice(cup)).tolist(),
        "dice_disc": overlaps.or_one(overlaps.dice(disc)).tolist(),
        "vcdr_reference": ratios.reference.tolist(),
        "vcdr_candidate": ratios.candidate.tolist(),
    }
    evidence: dict[About, Evidence] = {
        About(Overlaps, ("cup",)): cup,
        About(Overlaps, ("disc",)): disc,
        About(Measures, ("cup", "disc")): ratios,
    }
    evidence |= surfaces(gathering, list(names), lambda case: _masks(*read_both(*both, case), file))
    gathering.add("segmentation", names, evidence, values)
    odd = [name for name, one in zip(names.values(), found, strict=True) if one.odd]
    if odd:
        gathering.sides.notes.append(Note(ODD, count=len(odd), first=odd[0]))


def compared(reference: Samples, candidate: Samples, file: File, rule: MeasureRule | None) -> Compared:
    """All that is scored of one case's two pictures."""
    ours, theirs = drawn(reference, file), drawn(candidate, file)
    height, width = reference.shape
    measure = VCDR_RULES[rule or MeasureRule.VCDR_EXTENT]
    return Compared(
        overlap(ours.cup, theirs.cup, width, height),
        overlap(ours.disc, theirs.disc, width, height),
        measure(ours.cup, ours.disc, width, height),
        measure(theirs.cup, theirs.disc, width, height),
        ours.odd or theirs.odd,
    )


def _masks(reference: Samples, candidate: Samples, file: File) -> Masks:
    value = {pixel.target: pixel.value for pixel in file.pixels}
    both = (reference, candidate)
    cups, discs = [samples == value["cup"] for samples in both], [samples < value[None] for samples in both]
    return {"cup": (cups[0], cups[1]), "disc": (discs[0], discs[1])}


def drawn(samples: Samples, file: File) -> Drawn:
    """Cup and disc as the recipe's values say; the disc contains the cup."""
    value = {pixel.target: pixel.value for pixel in file.pixels}
    runs = value_runs(samples)
    odd = ~np.isin(runs.values, list(value.values()))
    return Drawn(runs.toggles(runs.values == value["cup"]), runs.toggles(runs.values < value[None]), bool(odd.any()))
