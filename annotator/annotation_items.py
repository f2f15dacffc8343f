"""What a file of annotations says, checked against targets and photographs and brought into the form in which answers
are stored."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotator.answers import Checked, Given, check_answer
from annotator.formats.bad_mark import KINDS, bad_mark
from annotator.formats.fault import Fault
from annotator.formats.marks import PRESENT, Mark, Size, Unusable, Wanted
from annotator.geometry import runs
from annotator.geometry.ellipse_runs import ellipse_toggles
from protocols.names import Kind
from protocols.targets import Target

AREAS = frozenset({Kind.MASK, Kind.ELLIPSE})
Fields = tuple[str, str, Mapping[str, Any]]
"""A fault's code, sentence and values."""


@dataclass(frozen=True)
class Item:
    """One answer, or one file, line or entry that holds none. `digest` is empty where there is nothing to take over:
    because of the fault, or because no single photograph bears the name. `start` and `length`: where its packed runs
    lie. `share`: of the picture that is marked. `marks`: of each area or object its first pixel and the digest of its
    runs; of an ellipse those of its pixels."""

    file: str
    line: int | None
    entry: str
    image: str = ""
    target: str = ""
    grader: str = ""
    kind: str = ""
    answer: str = ""
    geometry: dict[str, Any] | None = None
    label: str = ""
    signs: tuple[str, ...] = ()
    confidence: float | None = None
    digest: str = ""
    share: float | None = None
    marks: tuple[tuple[int, str], ...] = ()
    start: int = 0
    length: int | None = None
    fault: Fields | None = None

    @property
    def place(self) -> str:
        """As people are told: the file and what in it."""
        line = f":{self.line}" if self.line is not None else ""
        return f"{self.file}{line}" + (f" ({self.entry})" if self.entry else "")


def item_of(found: Mark | Unusable, wanted: Wanted) -> tuple[Item, bytes | None]:
    """The item and its packed runs. Whatever is wrong with it is its fault."""
    where = (found.where.file, found.where.line, found.where.item)
    if isinstance(found, Unusable):
        return Item(*where, fault=_fields(found.fault)), None
    named = Item(*where, image=found.image, target=found.target, grader=found.grader.strip())
    size = wanted.size_of(found.image)
    try:
        target = wanted.target(found.target)
        if target is None:
            raise bad_mark("unknown_target", name=found.target)
        named = replace(named, target=target.key)
        if size is None:
            return named, None
        checked = _checked(found, target, size)
    except Fault as fault:
        return replace(named, fault=_fields(fault)), None
    marked = _pixels(found, checked, size)
    share = sum(runs.area(mask, *size) for mask in marked) / (size[0] * size[1]) if marked else None
    return (
        replace(
            named,
            kind=checked.kind,
            answer=checked.answer,
            geometry=checked.geometry,
            label=checked.label,
            signs=tuple(checked.signs),
            confidence=checked.confidence,
            digest=checked.digest,
            share=share,
            marks=tuple((int(mask[0]) if len(mask) else 0, runs.digest(mask, *size)) for mask in marked),
        ),
        checked.runs,
    )


def _pixels(mark: Mark, checked: Checked, size: Size) -> tuple[runs.Toggles, ...]:
    if checked.answer != PRESENT:
        return ()
    return (ellipse_toggles(mark.ellipse, *size),) if mark.ellipse is not None else mark.masks or ()


def _fields(fault: Fault) -> Fields:
    return fault.code, fault.message, {name: _plain(value) for name, value in fault.params.items()}


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | None) else str(value)


def _checked(mark: Mark, target: Target, size: Size) -> Checked:
    width, height = size
    if mark.size is not None and mark.size != size:
        given = {"width": mark.size[0], "height": mark.size[1]}
        raise bad_mark("other_size", **given, image_width=width, image_height=height)
    kind, given_answer = _given(mark, target, size)
    try:
        return check_answer(target, replace(given_answer, confidence=mark.confidence), width, height, kind=kind)
    except ValueError as fault:
        if isinstance(fault, Fault):
            raise
        raise bad_mark("does_not_fit", detail=str(fault)) from None


def _given(mark: Mark, target: Target, size: Size) -> tuple[Kind, Given]:
    """What the answer is made of, and the answer as a grader would have sent it."""
    if mark.answer != PRESENT:
        if mark.answer not in {str(answer) for answer in target.answers}:
            raise bad_mark("unknown_answer", answer=mark.answer, target=target.key)
        return target.kind, Given(target.key, answer=mark.answer)
    kind = _kind(mark, target)
    if kind is Kind.LABEL:
        options = [option.key for option in target.options]
        if mark.label not in options:
            raise bad_mark("unknown_label", label=mark.label, target=target.key, allowed=", ".join(options))
        return kind, Given(target.key, label=mark.label, signs=mark.signs)
    if kind is Kind.POINT and mark.point is not None:
        return kind, Given(target.key, geometry={"x": mark.point[0], "y": mark.point[1]})
    if kind is Kind.POLYLINE and mark.line is not None:
        return kind, Given(target.key, geometry={"points": [list(place) for place in mark.line]})
    if mark.ellipse is not None and kind is Kind.ELLIPSE:
        names = ("cx", "cy", "a", "b", "theta_deg")
        return kind, Given(target.key, geometry={name: getattr(mark.ellipse, name) for name in names})
    masks = mark.masks if mark.ellipse is None else (ellipse_toggles(mark.ellipse, *size),)
    drawn = masks or ()
    if kind is Kind.MASK and len(drawn) != 1:
        raise bad_mark("several_areas", count=len(drawn), target=target.key)
    if not any(len(mask) for mask in drawn) and len(target.answers) == 1:
        return target.kind, Given(target.key, answer=str(target.answers[0]))  # the one way to say that nothing is there
    return kind, Given(target.key, masks=[runs.pack(mask) for mask in drawn])


def _kind(mark: Mark, target: Target) -> Kind:
    """An ellipse may come as an area and stays one; where an area is asked for, an ellipse becomes its pixels."""
    found = _found(mark)
    if found is None:
        raise bad_mark("nothing_said")
    if found is Kind.MASK and target.kind is Kind.OBJECTS:
        return Kind.OBJECTS
    if found in AREAS and target.kind in AREAS:
        return found if target.kind is Kind.ELLIPSE else Kind.MASK
    if found is not target.kind:
        raise bad_mark("other_kind", target=target.key, wanted=KINDS[target.kind], found=KINDS[found])
    return found


def _found(mark: Mark) -> Kind | None:
    told = (
        (mark.masks is not None, Kind.MASK),
        (mark.ellipse is not None, Kind.ELLIPSE),
        (mark.point is not None, Kind.POINT),
        (mark.line is not None, Kind.POLYLINE),
        (bool(mark.label), Kind.LABEL),
    )
    return next((kind for is_there, kind in told if is_there), None)
