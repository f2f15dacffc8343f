"""Answers as rows hold them, and as the kernels take and give them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.answers import masks_of
from annotator.geometry import runs
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from consensus.fusion.replies import PRESENT, Fused, Reply
from protocols.names import Kind

ELLIPSE_FIELDS = ("cx", "cy", "a", "b", "theta_deg")


@dataclass(frozen=True)
class Stored:
    """The content of a row of a reference."""

    answer: str
    geometry: dict[str, Any] | None = None
    runs: bytes | None = None
    label: str = ""
    signs: tuple[str, ...] = ()


def reply_of(
    kind: Kind,
    *,
    answer: str,
    geometry: Mapping[str, Any] | None,
    packed: bytes | None,
    label: str,
    signs: Sequence[str],
    width: int,
    height: int,
) -> Reply:
    """ValueError when a mask does not fit the picture."""
    if answer != PRESENT:
        return Reply(answer=answer)
    if kind is Kind.LABEL:
        return Reply(label=label, signs=tuple(signs))
    if kind is Kind.POINT and geometry is not None:
        return Reply(point=(float(geometry["x"]), float(geometry["y"])))
    if kind is Kind.ELLIPSE and packed is None and geometry is not None:
        ellipse = Ellipse(*(float(geometry[name]) for name in ELLIPSE_FIELDS))
        return Reply(masks=(ellipse_toggles(ellipse, width, height),))
    masks = masks_of(kind, geometry, packed)
    return Reply(masks=tuple(runs.unpack(mask, width, height) for mask in masks))


def stored_of(kind: Kind, fused: Fused) -> Stored:
    if fused.answer != PRESENT:
        return Stored(fused.answer)
    if kind is Kind.LABEL:
        return Stored(fused.answer, label=fused.label, signs=fused.signs)
    if kind is Kind.POINT and fused.point is not None:
        return Stored(fused.answer, {"x": fused.point[0], "y": fused.point[1]})
    packed = [runs.pack(toggles) for toggles in fused.masks]
    if kind is Kind.OBJECTS:
        objects = [{"id": number, "bytes": len(blob)} for number, blob in enumerate(packed, start=1)]
        return Stored(fused.answer, {"objects": objects}, b"".join(packed))
    axes = None if fused.ellipse is None else {name: getattr(fused.ellipse, name) for name in ELLIPSE_FIELDS}
    return Stored(fused.answer, axes, packed[0])
