"""Drawings of one picture, put together to answers: the areas of one target are united, unless it consists of objects,
each of which is an area; a target that is a point or a line has only one.

What cannot be used is told drawing by drawing, and then nothing of the same target on the same picture counts: half an
answer would be another answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.marks import PRESENT, Found, Mark, Place, Size, Unusable, Wanted, Where
from annotator.geometry.areas import rings_toggles, united
from annotator.geometry.bridges import without_bridges
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from annotator.geometry.runs import Toggles
from annotator.imaging.limits import check_size
from protocols.names import Kind
from protocols.targets import Target

Area = Callable[[int, int], Toggles]
"""Width and height of the picture → the pixels of the drawing."""
MOST_POINTS = 100_000
MOST_CROSSINGS = 4_000_000
MOST_NAMED = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Shape:
    """One drawing or label: `item` and `called` are what the file calls it and its target; one of the others is what
    it consists of. `fault`: it could not be read."""

    item: str
    called: str
    area: Area | None = None
    ellipse: Ellipse | None = None
    point: Place | None = None
    line: tuple[Place, ...] | None = None
    label: str = ""
    answer: str = PRESENT
    signs: tuple[str, ...] = ()
    fault: Fault | None = None


@dataclass(frozen=True)
class Picture:
    """A picture as a file names it, and what can be told of all that is drawn on it."""

    file: str
    name: str
    size: Size | None = None
    grader: str = ""


def polygon(points: Sequence[Place]) -> Area:
    """Refused before a pixel is looked at when it has no area, or would take longer than any drawing should."""
    _check_count(points, 3)

    def drawn(width: int, height: int) -> Toggles:
        rows = np.clip([y for _x, y in points], 0, height)
        if float(np.abs(np.diff(rows, append=rows[:1])).sum()) > MOST_CROSSINGS:
            raise bad_shape("too_many_points", limit=MOST_POINTS)
        return rings_toggles(without_bridges(points), width, height)

    return drawn


def polyline(points: Sequence[Place]) -> tuple[Place, ...]:
    _check_count(points, 2)
    return tuple(points)


def _check_count(points: Sequence[Place], least: int) -> None:
    if len(points) < least:
        raise bad_shape("few_points", count=len(points), least=least)
    if len(points) > MOST_POINTS:
        raise bad_shape("too_many_points", limit=MOST_POINTS)


def marks_of(picture: Picture, shapes: Iterable[Shape], wanted: Wanted) -> Found:
    """Answers by target, in the order in which the targets are first drawn."""
    by_target: dict[str, list[Shape]] = {}
    targets: dict[str, Target] = {}
    for shape in shapes:
        target = wanted.target(shape.called)
        if target is None:
            fault = shape.fault or bad_mark("unknown_target", name=shape.called)
            yield Unusable(Where(picture.file, item=shape.item), fault)
            continue
        targets[target.key] = target
        by_target.setdefault(target.key, []).append(shape)
    for key, drawn in by_target.items():
        yield from _answer(picture, targets[key], drawn, wanted)


def _answer(picture: Picture, target: Target, shapes: Sequence[Shape], wanted: Wanted) -> Found:
    faults = [Unusable(Where(picture.file, item=one.item), one.fault) for one in shapes if one.fault is not None]
    if faults:
        yield from faults
        return
    where = Where(picture.file, item=_items(shapes))
    mark = Mark(where=where, image=picture.name, target=target.key, size=picture.size, grader=picture.grader)
    size = wanted.size_of(picture.name)
    if size is None:  # no photograph has the name, which is told by whoever looks for it; there is nothing to decode
        yield replace(mark, masks=())
        return
    if picture.size is not None and picture.size != size:
        stated = {"width": picture.size[0], "height": picture.size[1]}
        fault = bad_shape("other_size", **stated, image_width=size[0], image_height=size[1])
        yield Unusable(where, fault)
        return
    yield from _drawn(mark, target, shapes, size)


def _drawn(mark: Mark, target: Target, shapes: Sequence[Shape], size: Size) -> Found:
    kinds = {_kind(one) for one in shapes}
    first = shapes[0]
    if len(kinds) > 1 or None in kinds:
        fault = bad_shape("mixed", target=target.key) if len(kinds) > 1 else bad_shape("no_drawing")
        yield Unusable(mark.where, fault)
    elif kinds == {Kind.MASK} and not (len(shapes) == 1 and first.ellipse and target.kind is Kind.ELLIPSE):
        yield from _areas(mark, target, shapes, size)
    elif len(shapes) > 1:
        yield Unusable(mark.where, bad_shape("several", count=len(shapes), target=target.key))
    else:
        worded = replace(mark, answer=first.answer, label=first.label, signs=first.signs)
        yield replace(worded, ellipse=first.ellipse, point=first.point, line=first.line)


def _areas(mark: Mark, target: Target, shapes: Sequence[Shape], size: Size) -> Found:
    masks, faulty = [], False
    check_size(*size)
    for one in shapes:
        try:
            masks.append(ellipse_toggles(one.ellipse, *size) if one.ellipse else _pixels(one, size))
        except Fault as fault:
            faulty = True
            yield Unusable(replace(mark.where, item=one.item), fault)
    if not faulty:
        yield replace(mark, masks=tuple(masks) if target.kind is Kind.OBJECTS else (united(masks, *size),))


def _pixels(shape: Shape, size: Size) -> Toggles:
    if shape.area is None:
        raise bad_shape("no_drawing")
    try:
        return shape.area(*size)
    except Fault:
        raise
    except ValueError as error:
        raise bad_shape("bad_runs", detail=str(error)) from None


def _kind(shape: Shape) -> Kind | None:
    told = (
        (shape.area is not None or shape.ellipse is not None, Kind.MASK),
        (shape.point is not None, Kind.POINT),
        (shape.line is not None, Kind.POLYLINE),
        (bool(shape.label) or shape.answer != PRESENT, Kind.LABEL),
    )
    return next((kind for is_there, kind in told if is_there), None)


def _items(shapes: Sequence[Shape]) -> str:
    named = list(dict.fromkeys(one.item for one in shapes))
    return ", ".join(named if len(named) <= MOST_NAMED else [*named[: MOST_NAMED - 1], "…"])
