"""GlaS: label pictures `NAME_anno.bmp` (or .png, .tif) on both sides, and in the reference, if wanted, `grades.csv`."""

from collections.abc import Mapping, Sequence

import numpy as np

from annotator.formats.bad_file import BadFile
from annotator.formats.case_table import CaseLine
from annotator.formats.fault import gettext_noop
from annotator.formats.label_picture import read_label_picture
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import Pictures
from evaluation.files.comparing import compare_each, read_both
from evaluation.files.gathering import Gathering
from evaluation.files.surfaces import Masks, surfaces
from evaluation.metrics.objects import (
    ObjectSums,
    dice_sums,
    f1,
    half_covered,
    hausdorff_sums,
    more_covered,
    object_dice,
    object_hausdorff,
    object_sums,
    of_each_image,
    pairs_of_pixels,
    rand_index,
)
from evaluation.scoring.note import Note
from evaluation.scoring.resampling import Question, answer
from evaluation.scoring.scorecard import About, Findings
from protocols.scoring_names import EditionKey

ONE_SIDED = gettext_noop(
    "%(count)s of %(total)s images have objects on one side only (%(missed)s in the reference, %(invented)s in the "
    "submission: %(images)s); they count with object Dice 0 and the image diagonal as distance."
)
OF_GRADE = gettext_noop("Of %(count)s %(grade)s images: %(values)s.")
GRADES = (gettext_noop("benign"), gettext_noop("malignant"))  # of GlaS, for the catalogue
SHOWN = 5
"""So many names of images stand in a note."""


def gather(gathering: Gathering) -> Findings:
    both = gathering.sides.pictures(gathering.file("glands"))
    if both:
        _add_glands(gathering, *both)
    return gathering.findings()


def _add_glands(gathering: Gathering, reference: Pictures, submission: Pictures) -> None:
    names = reference.names
    grades = _grades(gathering, names)

    def compared(case: str) -> ObjectSums:
        return object_sums(*read_both(reference, submission, case, read_label_picture))

    def masks(case: str) -> Masks:
        ours, theirs = read_both(reference, submission, case, read_label_picture)
        return {"glands": (ours > 0, theirs > 0)}

    sums = ObjectSums.joined(compare_each(list(names), compared, gathering.progress))
    evidence = {About(ObjectSums, ("glands",)): sums, **surfaces(gathering, list(names), masks)}
    gathering.add("segmentation", names, evidence, _values(sums, gathering.edition))
    gathering.sides.notes += [*_one_sided(sums, list(names.values())), *_by_grade(gathering, sums, grades)]


def _values(sums: ObjectSums, edition: EditionKey) -> dict[str, Sequence[float]]:
    """What each image has by itself, by the edition's rule of what is found."""
    covered = half_covered if edition is EditionKey.PAPER else more_covered
    found = covered(sums)[0]
    return {
        "f1": of_each_image(covered, f1, sums).tolist(),
        "tp": found.astype(int).tolist(),
        "fp": (sums.candidate_objects - found).astype(int).tolist(),
        "fn": (sums.reference_objects - found).astype(int).tolist(),
        "object_dice": of_each_image(dice_sums, object_dice, sums).tolist(),
        "object_hausdorff": of_each_image(hausdorff_sums, object_hausdorff, sums).tolist(),
        "ari": of_each_image(pairs_of_pixels, rand_index, sums).tolist(),
    }


def _one_sided(sums: ObjectSums, names: Sequence[str]) -> list[str]:
    """Images in which only one side has objects count with their diagonal; a reader should know of them."""
    has_reference, has_candidate = sums.reference_objects > 0, sums.candidate_objects > 0
    alone = [name for name, one in zip(names, (has_reference != has_candidate).tolist(), strict=True) if one]
    if not alone:
        return []
    shown = ", ".join(alone[:SHOWN]) + (", …" if len(alone) > SHOWN else "")
    missed, invented = int((has_reference & ~has_candidate).sum()), int((has_candidate & ~has_reference).sum())
    counts = {"count": len(alone), "total": len(names), "missed": missed, "invented": invented, "images": shown}
    return [Note(ONE_SIDED, **counts)]


def _grades(gathering: Gathering, names: Mapping[str, str]) -> list[str]:
    """The grade of each image, where the reference tells; BadFile when an image is missing, extra or graded oddly."""
    file = gathering.file("grades")
    table = gathering.sides.table(gathering.sides.reference, file)
    if not table:
        return []
    grade = next(target for target in gathering.recipe.targets if target.key == "grade")
    known = {option.key.casefold(): option.key for option in grade.options}

    def read(line: CaseLine) -> str:
        written = line.text("grade").casefold()
        if written not in known:
            raise line.bad_choice("grade", tuple(known.values()))
        return known[written]

    for case in table.names:
        if case not in names:
            raise table.refusal(case, "extra_case")
    for case, name in names.items():
        if case not in table.names:
            raise BadFile(table.shown, bad_submission("missing_case", name=name))
    return table.column(read, names)


def _by_grade(gathering: Gathering, sums: ObjectSums, grades: Sequence[str]) -> list[str]:
    """The metrics over the images of each grade."""
    notes: list[str] = []
    metrics = [metric for track in gathering.recipe.scoring.tracks for metric in track.metrics]
    for grade in sorted(set(grades)):
        rows = np.flatnonzero(np.array(grades) == grade)
        some = sums.take(rows)
        values = [f"{metric.key} {answer(Question(gathering.definition(metric.key), some)):.4f}" for metric in metrics]
        notes.append(Note(OF_GRADE, count=len(rows), grade=Note(grade), values=", ".join(values)))
    return notes
