"""One answer to one target on one image: checked against the recipe and the picture, in the form that is stored."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.objects import first_overlap
from protocols.names import Kind
from protocols.targets import Target

PRESENT = "present"
MOST_POINTS = 10_000
MOST_OBJECTS = 5_000
LARGEST_NUMBER = 65_535  # of an object; the page keeps one 16-bit number a pixel


class BadMask(ValueError):
    """A mask that cannot be what was drawn on this picture; `index` says which of those that were sent."""

    def __init__(self, index: int, fault: object) -> None:
        super().__init__(str(fault))
        self.index = index


@dataclass(frozen=True)
class Given:
    """What a grader sends: geometry in pixels of the upright image, masks as packed run-length toggles."""

    target: str
    position: int = 1  # which image of the case
    answer: str = PRESENT
    geometry: Mapping[str, Any] | None = None
    masks: Sequence[bytes] = ()  # one for a mask, one per object for objects
    digests: Sequence[str] = ()  # what the sender drew, mask by mask; none where nothing was sent over a wire
    label: str = ""
    signs: Sequence[str] = ()
    confidence: float | None = None


@dataclass(frozen=True)
class Checked:
    """What is stored; the digest stands for the answer in the log."""

    kind: str
    answer: str
    geometry: dict[str, Any] | None
    runs: bytes | None
    label: str
    signs: list[str]
    confidence: float | None
    digest: str = field(default="")


def check_answer(
    target: Target, given: Given, width: int, height: int, *, as_sent: bool = False, kind: Kind | None = None
) -> Checked:
    """The answer in stored form; ValueError says what does not fit the target or the picture.

    Masks are packed anew, so that the same drawing always has the same bytes. `as_sent` leaves them as they came; the
    digest then says nothing of how they are packed. `kind`: what the answer is made of, where that is not what the
    target asks for, such as the mask of an ellipse.
    """
    kind = kind or target.kind
    if given.confidence is not None and not 0 <= _number(given.confidence, "confidence") <= 1:
        raise ValueError("confidence must lie between 0 and 1")
    if given.answer != PRESENT:
        return _without_mark(target, given, width, height)
    geometry: dict[str, Any] | None = None
    packed: bytes | None = None
    mask_digests: list[str] = []
    if kind is Kind.LABEL:
        _check_label(target, given)
    elif given.label or given.signs:
        raise ValueError("label and signs belong to label targets only")
    if kind in DRAWN_BY_LINES:
        geometry = check_geometry(kind, given.geometry, width, height)
    elif kind is Kind.MASK:
        packed, mask_digests = _mask(given, width, height, as_sent)
    elif kind is Kind.OBJECTS:
        geometry, packed, mask_digests = _objects(given, width, height, as_sent)
    return _sealed(kind, given, geometry, packed, mask_digests, width, height, as_sent=as_sent)


def _without_mark(target: Target, given: Given, width: int, height: int) -> Checked:
    if given.answer not in {str(answer) for answer in target.answers}:
        raise ValueError(f"answer must not be {given.answer!r} here")
    if given.geometry is not None or given.masks or given.label or given.signs:
        raise ValueError(f"nothing may be marked when the answer is {given.answer!r}")
    return _sealed(target.kind, given, None, None, [], width, height)


def _sealed(
    kind: Kind,
    given: Given,
    geometry: dict[str, Any] | None,
    packed: bytes | None,
    mask_digests: list[str],
    width: int,
    height: int,
    *,
    as_sent: bool = False,
) -> Checked:
    said = geometry_sent(kind, geometry) if as_sent else geometry
    content = {"answer": given.answer, "geometry": said, "label": given.label, "signs": sorted(given.signs)}
    return Checked(
        kind=kind.value,
        answer=given.answer,
        geometry=geometry,
        runs=packed,
        label=given.label,
        signs=sorted(given.signs),
        confidence=given.confidence,
        digest=answer_digest(kind, content, mask_digests, width, height),
    )


def answer_digest(kind: str, content: Mapping[str, Any], mask_digests: Sequence[str], width: int, height: int) -> str:
    """SHA-256 of everything an answer says but the grader's confidence."""
    sealed = {**content, "kind": str(kind), "masks": list(mask_digests), "size": [width, height]}
    return hashlib.sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _check_label(target: Target, given: Given) -> None:
    if given.geometry is not None or given.masks:
        raise ValueError("a label has no geometry")
    if given.label not in {option.key for option in target.options}:
        raise ValueError(f"label must not be {given.label!r}")
    known = {sign.key for sign in target.signs}
    unknown = [sign for sign in given.signs if sign not in known]
    if unknown:
        raise ValueError(f"signs must not contain {unknown[0]!r}")
    if given.signs and given.label != target.signs_show_when:
        raise ValueError(f"signs are ticked only with the label {target.signs_show_when}")


def masks_of(kind: str, geometry: Mapping[str, Any] | None, packed: bytes | None) -> list[bytes]:
    """The packed masks of a stored answer, one by one as they were sent; none where nothing was drawn."""
    if packed is None:
        return []
    if kind != Kind.OBJECTS or geometry is None:
        return [packed]
    ends = list(accumulate(entry["bytes"] for entry in geometry["objects"]))
    return [packed[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def geometry_sent(kind: str, geometry: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The geometry of a stored answer as it was sent; where each object's bytes begin is nobody's business."""
    if kind != Kind.OBJECTS or geometry is None:
        return geometry
    return {"numbers": [entry["id"] for entry in geometry["objects"]]}


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a finite number")
    try:
        number = float(value)
    except OverflowError:  # a whole number of hundreds of digits
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number")
    return number


def _fields(geometry: Mapping[str, Any] | None, names: Sequence[str]) -> list[float]:
    if not isinstance(geometry, Mapping) or set(geometry) != set(names):
        raise ValueError(f"geometry must have exactly {', '.join(names)}")
    return [_number(geometry[name], name) for name in names]


def _ellipse(geometry: Mapping[str, Any] | None, width: int, height: int) -> dict[str, Any]:
    names = ("cx", "cy", "a", "b", "theta_deg")
    ellipse = Ellipse(*_fields(geometry, names))
    _in_picture(ellipse.cx, ellipse.cy, width, height)
    if max(ellipse.a, ellipse.b) > math.hypot(width, height):
        raise ValueError("a and b must not exceed the picture's diagonal")
    return {name: getattr(ellipse, name) for name in names}


def _point(geometry: Mapping[str, Any] | None, width: int, height: int) -> dict[str, Any]:
    x, y = _fields(geometry, ("x", "y"))
    _in_picture(x, y, width, height)
    return {"x": x, "y": y}


def _polyline(geometry: Mapping[str, Any] | None, width: int, height: int) -> dict[str, Any]:
    points = geometry.get("points") if isinstance(geometry, Mapping) and set(geometry) == {"points"} else None
    if not isinstance(points, list) or not 2 <= len(points) <= MOST_POINTS:
        raise ValueError(f"geometry must have points, from 2 to {MOST_POINTS}")
    checked = []
    for point in points:
        if not isinstance(point, list | tuple) or len(point) != 2:
            raise ValueError("points must be pairs of x and y")
        x, y = _number(point[0], "x"), _number(point[1], "y")
        _in_picture(x, y, width, height)
        checked.append([x, y])
    return {"points": checked}


_GEOMETRIES = {Kind.ELLIPSE: _ellipse, Kind.POINT: _point, Kind.POLYLINE: _polyline}
DRAWN_BY_LINES = frozenset(_GEOMETRIES)


def check_geometry(kind: Kind, geometry: Mapping[str, Any] | None, width: int, height: int) -> dict[str, Any]:
    """The geometry of an ellipse, a point or a line in stored form; ValueError says what does not fit."""
    return _GEOMETRIES[kind](geometry, width, height)


def _in_picture(x: float, y: float, width: int, height: int) -> None:
    if not (0 <= x <= width and 0 <= y <= height):
        raise ValueError(f"({x:g}, {y:g}) lies outside the picture of {width} × {height} pixels")


def _mask(given: Given, width: int, height: int, as_sent: bool) -> tuple[bytes, list[str]]:
    if len(given.masks) != 1:
        raise ValueError("masks must hold exactly one mask")
    ((toggles, digest),) = _unpacked(given, width, height)
    return given.masks[0] if as_sent else runs.pack(toggles), [digest]


def _objects(given: Given, width: int, height: int, as_sent: bool) -> tuple[dict[str, Any], bytes, list[str]]:
    """Objects lie behind one another in one field; the geometry says where each begins. They may not overlap."""
    if len(given.masks) > MOST_OBJECTS:
        raise ValueError(f"masks must hold at most {MOST_OBJECTS} objects")
    numbers = _numbers(given)
    unpacked = _unpacked(given, width, height)
    objects = [toggles for toggles, _digest in unpacked]
    for index, toggles in enumerate(objects):
        if not len(toggles):
            raise BadMask(index, f"object {numbers[index]} is empty")
    if clash := first_overlap(objects, width, height):
        raise BadMask(clash[1], f"object {numbers[clash[1]]} overlaps object {numbers[clash[0]]}")
    packed = given.masks if as_sent else [runs.pack(toggles) for toggles in objects]
    entries = [{"id": number, "bytes": len(blob)} for number, blob in zip(numbers, packed, strict=True)]
    return {"objects": entries}, b"".join(packed), [digest for _toggles, digest in unpacked]


def _numbers(given: Given) -> list[int]:
    """The objects' own numbers, which keep their colours; counted from 1 where none were sent."""
    if given.geometry is None:
        return list(range(1, len(given.masks) + 1))
    numbers = given.geometry.get("numbers") if set(given.geometry) == {"numbers"} else None
    if not isinstance(numbers, list) or len(numbers) != len(given.masks):
        raise ValueError("geometry must have numbers, one for each object")
    if not all(type(number) is int and 1 <= number <= LARGEST_NUMBER for number in numbers):
        raise ValueError(f"numbers must be whole, from 1 to {LARGEST_NUMBER}")
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise ValueError("numbers must ascend")
    return numbers


def _unpacked(given: Given, width: int, height: int) -> list[tuple[runs.Toggles, str]]:
    """Each mask's runs and their digest, which must be the one that the sender made of what was drawn.

    Once they hold more pixels than the picture, two of them overlap and the others stay packed: thousands that take a
    kilobyte each on the wire would fill the memory.
    """
    unpacked, pixels = [], 0
    for index, mask in enumerate(given.masks):
        if pixels > width * height:
            break
        try:
            toggles = runs.unpack(mask, width, height)
        except ValueError as fault:
            raise BadMask(index, fault) from None
        digest = runs.digest(toggles, width, height)
        if given.digests and given.digests[index] != digest:
            raise BadMask(index, "the runs are not those that the digest was made from")
        unpacked.append((toggles, digest))
        pixels += runs.area(toggles, width, height)
    return unpacked
