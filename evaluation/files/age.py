"""AGE: `localization.csv`, `classification.csv`, `aod.csv`; every image is two cases, `NAME:left` and `NAME:right`.

Opening distances need the reference's `classification.csv`, which says which angles are closed. An angle whose spur or
distance the reference lacks takes no part; one that takes part and is missing in the submission refuses it.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from annotator.formats.bad_file import BadFile
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import CaseTable
from evaluation.files.columns import Both, column, points
from evaluation.files.gathering import Gathering
from evaluation.metrics import aod_error, distance
from evaluation.metrics.evidence import Evidence, Numbers, Openings, Points, Scored
from evaluation.scoring.scorecard import About, Findings
from protocols.scoring_names import ColumnRole
from protocols.standard import File

Names = Mapping[str, str]


def gather(gathering: Gathering) -> Findings:
    sides = gathering.sides
    aod = gathering.file("aod")
    both_aod = sides.both(aod, sides.table(sides.reference, aod), sides.table(sides.submission, aod))
    images = _add_localization(gathering, both_aod)
    images |= _add_classification(gathering)
    subjects = sides.subjects(images)
    units = {f"{image}:{side}": subjects.get(image, image) for image in images for side in _suffixes(gathering)}
    return gathering.findings(units)


def _add_localization(gathering: Gathering, both_aod: Both | None) -> dict[str, str]:
    file = gathering.file("localization")
    both = gathering.sides.tables(file)
    evidence: dict[About, Evidence] = {}
    values: dict[str, Sequence[float]] = {}
    images: dict[str, str] = both[0].names if both else both_aod[0].names if both_aod else {}
    cases = _angles(gathering, images)
    if both:
        spurs = _spurs(gathering, both, file, images)
        evidence[About(Points, gathering.metric("mean_distance_spur").targets)] = spurs
        values["distance_spur"] = distance.distance(spurs).tolist()
    if both_aod:
        angles = _openings(gathering, both_aod, images)
        delta = gathering.metric("delta_aod")
        weights = {parameter.key: parameter.value for parameter in delta.parameters}
        evidence[About(Openings, delta.targets)] = angles
        values["delta_aod"] = aod_error.penalties(angles, **weights).tolist()
    if evidence:
        gathering.add("localization", cases, evidence, values)
    return images


def _spurs(gathering: Gathering, both: Both, file: File, images: Names) -> Points:
    """Of the angles of each image; BadFile where only the submission cannot determine one."""
    sides = [points(both, file, f"spur_{side}", list(images)) for side in _suffixes(gathering)]
    spurs = Points(_interleaved([one.reference for one in sides]), _interleaved([one.candidate for one in sides]))
    lost = distance.visible(spurs.reference) & ~distance.visible(spurs.candidate)
    if lost.any():
        place = int(np.flatnonzero(lost)[0])
        image, angle = divmod(place, len(sides))
        case = list(images)[image]
        raise both[1].refusal(case, "undetermined", name=f"{images[case]}:{_suffixes(gathering)[angle]}")
    return spurs


def _add_classification(gathering: Gathering) -> dict[str, str]:
    file = gathering.file("classification")
    both = gathering.sides.tables(file)
    if not both:
        return {}
    images = both[0].names
    reference, score = (_scores(gathering, side, images) for side in both)
    found = Scored(reference > 0, score)
    values = {"score": found.score.tolist(), "label": found.positive.astype(int).tolist()}
    about = About(Scored, gathering.metric("auc").targets)
    gathering.add("classification", _angles(gathering, images), {about: found}, values)
    return images


def _scores(gathering: Gathering, table: CaseTable, images: Names) -> Numbers:
    names = [
        column(gathering.file("classification"), ColumnRole.SCORE, f"closure_{side}").name
        for side in _suffixes(gathering)
    ]
    return np.array(table.column(lambda line: [line.number(name) for name in names], images)).ravel()


def _openings(gathering: Gathering, both: Both, images: Names) -> Openings:
    """NaN in the reference where an angle takes no part."""
    sides = gathering.sides
    file, spurs = gathering.file("classification"), gathering.file("localization")
    closures = sides.table(sides.reference, file)
    if not closures:
        raise BadFile(str(sides.reference.place), bad_submission("needed", file=file.path))
    for case, name in images.items():
        if case not in closures.lines:
            raise BadFile(closures.shown, bad_submission("missing_case", name=name))
    for table in both:
        for case in table.lines:
            if case not in images:
                raise table.refusal(case, "extra_case")
    reference, candidate = (_distances(gathering, table, images) for table in both)
    located = sides.table(sides.reference, spurs)
    if located:
        seen = _interleaved(
            [points((located, located), spurs, f"spur_{side}", list(images)).reference for side in _suffixes(gathering)]
        )
        reference = np.where(distance.visible(seen), reference, math.nan)
    missing = np.isfinite(reference) & ~np.isfinite(candidate)
    if missing.any():
        case = list(_angles(gathering, images).values())[int(np.flatnonzero(missing)[0])]
        raise BadFile(both[1].shown, bad_submission("missing_case", name=case))
    return Openings(reference, candidate, _scores(gathering, closures, images) > 0)


def _distances(gathering: Gathering, table: CaseTable, images: Names) -> Numbers:
    """Of the angles of each image; NaN where the table has no line or an empty cell."""
    names = [column(gathering.file("aod"), ColumnRole.MEASURE, f"spur_{side}").name for side in _suffixes(gathering)]
    given = [case for case in images if case in table.lines]
    read = table.column(lambda line: [math.nan if line.is_empty(name) else line.number(name) for name in names], given)
    found = dict(zip(given, read, strict=True))
    return np.array([found.get(case, [math.nan] * len(names)) for case in images], dtype=np.float64).ravel()


def _interleaved(sides: Sequence[Numbers]) -> Numbers:
    """Left and right of each image in turn."""
    return np.stack(sides, axis=1).reshape(-1, 2)


def _angles(gathering: Gathering, images: Names) -> dict[str, str]:
    return {f"{image}:{side}": f"{name}:{side}" for image, name in images.items() for side in _suffixes(gathering)}


def _suffixes(gathering: Gathering) -> tuple[str, ...]:
    return gathering.recipe.scoring.case_suffixes
