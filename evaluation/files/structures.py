"""Pictures of one structure each: the value that the recipe names for it, and one for everything else."""

import numpy as np

from annotator.formats.bad_file import BadFile
from annotator.geometry.compare import Overlap, overlap
from annotator.geometry.ellipse import Mask
from annotator.geometry.runs import Toggles, encode
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import Pictures, Samples
from evaluation.files.comparing import read_both
from protocols.standard import File


def compare_structure(reference: Pictures | None, submission: Pictures | None, case: str, file: File) -> Overlap:
    """Of one case; where a side has no picture, the structure is absent there."""
    ours = reference if reference and case in reference.files else None
    theirs = submission if submission and case in submission.files else None
    if ours and theirs:
        drawn, found = read_both(ours, theirs, case)
        height, width = drawn.shape
        return overlap(_toggles(ours, case, drawn, file), _toggles(theirs, case, found, file), width, height)
    if ours:
        return Overlap(_marked(ours, case, file), 0, 0)
    return Overlap(0, _marked(theirs, case, file) if theirs else 0, 0)


def structure_masks(
    reference: Pictures | None, submission: Pictures | None, case: str, file: File
) -> tuple[Mask, Mask]:
    """Of one case, each as large as the other; where a side has no picture, the structure is absent there."""
    found = [
        _structure(side, case, side.read(case), file) if side and case in side.files else None
        for side in (reference, submission)
    ]
    shape = next((mask.shape for mask in found if mask is not None), (1, 1))
    ours, theirs = (np.zeros(shape, dtype=np.bool_) if mask is None else mask for mask in found)
    return ours, theirs


def _marked(side: Pictures, case: str, file: File) -> int:
    return int(np.count_nonzero(_structure(side, case, side.read(case), file)))


def _toggles(side: Pictures, case: str, samples: Samples, file: File) -> Toggles:
    return encode(_structure(side, case, samples, file))


def _structure(side: Pictures, case: str, samples: Samples, file: File) -> Samples:
    """Where the structure is; BadFile when the picture holds a value that the recipe does not name."""
    here = np.equal(samples, next(pixel.value for pixel in file.pixels if pixel.target))
    nothing = np.equal(samples, next(pixel.value for pixel in file.pixels if not pixel.target))
    if np.count_nonzero(here) + np.count_nonzero(nothing) != samples.size:
        other = samples[~(here | nothing)].flat[0]
        allowed = ", ".join(str(pixel.value) for pixel in file.pixels)
        raise BadFile(side.tree.shown(side.files[case]), bad_submission("bad_value", value=other, allowed=allowed))
    return here
