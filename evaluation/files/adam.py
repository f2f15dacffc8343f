"""ADAM: `classification.csv`, `disc/NAME.png`, `fovea.csv`, `lesions/LESION/NAME.png` (0 the structure, 255 elsewhere).

Lesions are the exception to the rule that a missing case refuses: a missing file means that the lesion is absent. So
that a misspelt name is not taken for an absent lesion, a lesion's file must bear the name of a case that another file
of the reference names too.
"""

from collections.abc import Mapping

from annotator.formats.bad_file import BadFile
from annotator.formats.fault import gettext_noop
from annotator.formats.file_names import folded
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import Pictures
from evaluation.files.comparing import compare_each
from evaluation.files.gathering import Gathering
from evaluation.files.sides import not_scored
from evaluation.files.structures import compare_structure, structure_masks
from evaluation.files.surfaces import Masks, surfaces
from evaluation.metrics import overlap
from evaluation.metrics.evidence import Overlaps
from evaluation.scoring.note import Note
from evaluation.scoring.scorecard import About, Findings
from protocols.standard import File

LESIONS = "lesions/"
ABSENT = gettext_noop(
    "%(lesion)s: absent because there is no file in %(reference)s cases of the reference and %(submission)s of the "
    "submission."
)
Kept = dict[str, Pictures | None]
Structures = Mapping[File, tuple[Pictures | None, Pictures | None]]


def gather(gathering: Gathering) -> Findings:
    gathering.add_likelihoods("amd", "amd")
    _add_disc(gathering)
    gathering.add_fovea()
    _add_lesions(gathering)
    return gathering.findings()


def _add_disc(gathering: Gathering) -> None:
    file = gathering.file("disc")
    both = gathering.sides.pictures(file)
    if both:
        _add(gathering, "disc", both[0].names, {file: both})


def _add_lesions(gathering: Gathering) -> None:
    sides = gathering.sides
    files = [file for file in gathering.recipe.files if folded(file.path).startswith(LESIONS)]
    ours: Kept = {file.key: sides.pictures_of(sides.reference, file) for file in files}
    theirs: Kept = {file.key: sides.pictures_of(sides.submission, file) for file in files}
    for tree in (sides.reference, sides.submission):
        for name in tree.names:
            if folded(name).startswith(LESIONS) and (tree, name) not in sides.asked:
                raise BadFile(tree.shown(name), bad_submission("not_expected"))
    ours_there, theirs_there = any(ours.values()), any(theirs.values())
    if theirs_there and not ours_there:
        found = next(pictures for pictures in theirs.values() if pictures)
        raise BadFile(found.shown, bad_submission("only_here"))
    if not theirs_there:
        if ours_there:
            sides.notes.append(not_scored(LESIONS.rstrip("/")))
        return
    names = _cases(gathering, ours)
    for pictures in filter(None, theirs.values()):
        for case in pictures.files:
            if case not in names:
                raise pictures.refusal(case, "extra_case")
    for file in files:
        missing = [len(names) - len(side.files if side else ()) for side in (ours[file.key], theirs[file.key])]
        if any(missing):
            sides.notes.append(Note(ABSENT, lesion=file.key, reference=missing[0], submission=missing[1]))
    _add(gathering, "lesion", names, {file: (ours[file.key], theirs[file.key]) for file in files})


def _cases(gathering: Gathering, lesions: Kept) -> dict[str, str]:
    """Every case that the reference names anywhere; BadFile for a file that alone bears its name."""
    sides, named = gathering.sides, dict[str, str]()
    for key in ("classification", "fovea"):
        table = sides.table(sides.reference, gathering.file(key))
        named |= table.names if table else {}
    discs = sides.pictures_of(sides.reference, gathering.file("disc"))
    named |= discs.names if discs else {}
    others = [pictures for pictures in lesions.values() if pictures]
    for pictures in others:
        for case in pictures.files:
            alone = sum(case in other.files for other in others) == 1
            if named and case not in named and alone:
                raise pictures.refusal(case, "extra_case")
    for pictures in others:
        named = dict(pictures.names) | named
    return named


def _add(gathering: Gathering, track: str, names: Mapping[str, str], structures: Structures) -> None:
    """Dice and detection of each structure; a case that has it on neither side has no Dice."""
    asked = [(file, case) for file in structures for case in names]
    found = compare_each(asked, lambda one: compare_structure(*structures[one[0]], one[1], one[0]), gathering.progress)
    evidence = surfaces(gathering, list(names), lambda case: _masks(structures, case))
    values = {}
    for place, file in enumerate(structures):
        masks = Overlaps.of(found[place * len(names) : (place + 1) * len(names)])
        evidence[About(Overlaps, (file.key,))] = masks
        values[f"dice_{file.key}"] = overlap.dice(masks).tolist()
        values[f"detected_{file.key}"] = (masks.candidate_px > 0).tolist()
    gathering.add(track, names, evidence, values)


def _masks(structures: Structures, case: str) -> Masks:
    return {file.key: structure_masks(*both, case, file) for file, both in structures.items()}
