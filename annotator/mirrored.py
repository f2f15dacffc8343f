"""Answers that are given on a mirrored picture. What travels and what is a draft is as it was drawn; a reading is in
pixels of the upright original. This is the way between the two, and it is the same in both directions."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from annotator.answers import Given, masks_of
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.mirroring import mirror_ellipse, mirror_line, mirror_packed, mirror_x
from protocols.names import Kind, Region
from protocols.recipe import Recipe


def may_be_mirrored(recipe: Recipe) -> bool:
    """Whether cases may be shown mirrored at all: not where a question is about the left or the right of the picture,
    since the words on the page would then ask for the other one."""
    return all(target.region is Region.WHOLE for target in recipe.targets)


def mirror_given(kind: str, given: Given, width: int, height: int) -> Given:
    """An answer as it is sent, to be checked anew: masks are packed otherwise and have other digests."""
    masks = [mirror_packed(mask, width, height) for mask in given.masks]
    return replace(given, geometry=_mirrored(kind, given.geometry, width), masks=masks, digests=())


def mirror_stored(
    kind: str, content: Mapping[str, Any], packed: bytes | None, width: int, height: int
) -> tuple[dict[str, Any], bytes | None]:
    """Content and pixels of an answer as they are stored; it must be one that can be read."""
    geometry = _mirrored(kind, content["geometry"], width)
    if packed is None:
        return {**content, "geometry": geometry}, None
    masks = [mirror_packed(mask, width, height) for mask in masks_of(kind, content["geometry"], packed)]
    if kind == Kind.OBJECTS and geometry is not None:
        entries = zip(geometry["objects"], masks, strict=True)
        geometry = {"objects": [{**entry, "bytes": len(mask)} for entry, mask in entries]}
    return {**content, "geometry": geometry}, b"".join(masks)


def _mirrored(kind: str, geometry: Mapping[str, Any] | None, width: int) -> dict[str, Any] | None:
    if geometry is None:
        return None
    if kind == Kind.ELLIPSE:
        return asdict(mirror_ellipse(Ellipse(**geometry), width))
    if kind == Kind.POINT:
        return {**geometry, "x": mirror_x(geometry["x"], width)}
    if kind == Kind.POLYLINE:
        return {"points": mirror_line(geometry["points"], width)}
    return dict(geometry)
