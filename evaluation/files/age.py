"""AGE: `localization.csv`, `classification.csv`, `aod.csv`; every image is two cases, `NAME:left` and `NAME:right`.

Opening distances need the reference's `classification.csv`, which says which angles are closed. An angle whose spur or
distance the reference lacks takes no part; one that takes part and is missing in the submission refuses it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from annotator.formats.bad_file import BadFile
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import CaseTable
from evaluation.files.columns import Both, column, points
from evaluation.files.gathering import Gathering
from evaluation.metrics import aod_error, distance
from evaluation.metrics.evidence import Evidence, Flags, Numbers, Openings, Points, Scored
from evaluation.scoring.scorecard import About, Findings
from protocols.scoring_names import ColumnRole
from protocols.standard import File

Names = Mapping[str, str]


def gather(gathering: Gathering) -> Findings:
    images = _add_localization(gathering) | _add_classification(gathering)
    subjects = gathering.sides.subjects(images)
    units = {f"{image}:{side}": subjects.get(image, image) for image in images for side in _suffixes(gathering)}
    return gathering.findings(units)


def _add_localization(gathering: Gathering) -> dict[str, str]:
    """Spurs and opening distances, whichever both sides have; the cases are those of the reference's spurs, if it has
    any."""
    sides, located, aod = gathering.sides, gathering.file("localization"), gathering.file("aod")
    spurs = sides.tables(located)
    widths = sides.both(aod, sides.table(sides.reference, aod), sides.table(sides.submission, aod))
    listed = sides.table(sides.reference, located) or (widths and widths[0])
    if not listed or not (spurs or widths):
        return {}
    images = listed.names
    evidence: dict[About, Evidence] = {}
    values: dict[str, Sequence[float]] = {}
    if spurs:
        found = _spurs(gathering, spurs, located, images)
        evidence[About(Points, gathering.metric("mean_distance_spur").targets)] = found
        values["distance_spur"] = distance.distance(found).tolist()
    if widths:
        angles = _openings(gathering, widths, images)
        delta = gathering.metric("delta_aod")
        weights = {parameter.key: parameter.value for parameter in delta.parameters}
        evidence[About(Openings, delta.targets)] = angles
        values["delta_aod"] = aod_error.penalties(angles, **weights).tolist()
    gathering.add("localization", _angles(gathering, images), evidence, values)
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


def _scores(gathering: Gathering, table: CaseTable, images: Iterable[str]) -> Numbers:
    names = _columns(gathering, "classification", ColumnRole.SCORE, "closure")
    return np.array(table.column(lambda line: [line.number(name) for name in names], images)).ravel()


def _openings(gathering: Gathering, both: Both, images: Names) -> Openings:
    """NaN in the reference where an angle takes no part."""
    for table in both:
        for case in table.lines:
            if case not in images:
                raise table.refusal(case, "extra_case")
    reference, candidate = (_distances(gathering, table, images) for table in both)
    reference = np.where(_determinable(gathering, images), reference, math.nan)
    missing = np.isfinite(reference) & ~np.isfinite(candidate)
    if missing.any():
        place = int(np.flatnonzero(missing)[0])
        angle = list(_angles(gathering, images).values())[place]
        case = list(images)[place // len(_suffixes(gathering))]
        if case in both[1].lines:  # an empty cell stands in a line
            raise both[1].refusal(case, "missing_case", name=angle)
        raise BadFile(both[1].shown, bad_submission("missing_case", name=angle))
    return Openings(reference, candidate, _closed(gathering, images, np.isfinite(reference)))


def _determinable(gathering: Gathering, images: Names) -> Flags:
    """Angles whose spur the reference has; all, if it has no spurs."""
    sides, file = gathering.sides, gathering.file("localization")
    table = sides.table(sides.reference, file)
    if not table:
        return np.ones(len(images) * len(_suffixes(gathering)), dtype=np.bool_)
    spurs = [points((table, table), file, f"spur_{side}", list(images)).reference for side in _suffixes(gathering)]
    return distance.visible(_interleaved(spurs))


def _closed(gathering: Gathering, images: Names, takes_part: Flags) -> Flags:
    """Which angles are closed by the reference; BadFile when it does not say so of an image that takes part."""
    sides, file = gathering.sides, gathering.file("classification")
    table = sides.table(sides.reference, file)
    if not table:
        raise BadFile(str(sides.reference.place), bad_submission("needed", file=file.path))
    angles = takes_part.reshape(len(images), -1)
    closed = np.zeros_like(angles)
    for row, (case, name) in enumerate(images.items()):
        if case in table.lines:
            closed[row] = _scores(gathering, table, [case]) > 0
        elif angles[row].any():
            raise BadFile(table.shown, bad_submission("missing_case", name=name))
    return closed.ravel()


def _distances(gathering: Gathering, table: CaseTable, images: Names) -> Numbers:
    """Of the angles of each image; NaN where the table has no line or an empty cell."""
    names = _columns(gathering, "aod", ColumnRole.MEASURE, "spur")
    given = [case for case in images if case in table.lines]
    read = table.column(lambda line: [math.nan if line.is_empty(name) else line.number(name) for name in names], given)
    found = dict(zip(given, read, strict=True))
    return np.array([found.get(case, [math.nan] * len(names)) for case in images], dtype=np.float64).ravel()


def _columns(gathering: Gathering, file: str, role: ColumnRole, target: str) -> list[str]:
    """The names of the columns of the left and of the right angle."""
    return [column(gathering.file(file), role, f"{target}_{side}").name for side in _suffixes(gathering)]


def _interleaved(sides: Sequence[Numbers]) -> Numbers:
    """Left and right of each image in turn."""
    return np.stack(sides, axis=1).reshape(-1, 2)


def _angles(gathering: Gathering, images: Names) -> dict[str, str]:
    return {f"{image}:{side}": f"{name}:{side}" for image, name in images.items() for side in _suffixes(gathering)}


def _suffixes(gathering: Gathering) -> tuple[str, ...]:
    return gathering.recipe.scoring.case_suffixes
