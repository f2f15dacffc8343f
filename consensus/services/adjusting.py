"""What a senior draws instead of the vote: checked like a grader's answer, and measured against the vote."""

import math
from dataclasses import dataclass, replace
from typing import Any

from annotator.answers import Given, check_answer
from annotator.checks import Picture, is_in_wrong_half
from annotator.geometry.runs import Toggles, area
from consensus.fusion.digests import fused_digest, points_digest
from consensus.fusion.ellipses import fitted_ellipse
from consensus.fusion.registry import union
from consensus.fusion.replies import PRESENT, Fused, Reply
from consensus.fusion.stored import Stored, reply_of, stored_of
from consensus.fusion.votes import count_votes
from consensus.selectors.inputs import Place
from protocols.names import Kind, Tool


@dataclass(frozen=True, eq=False)
class Adjusted:
    stored: Stored
    digest: str
    displacement: dict[str, Any]
    masks: tuple[Toggles, ...] = ()


def adjusted(place: Place, given: Given, vote: Fused | None) -> Adjusted:
    """ValueError says what does not fit the target or the picture."""
    width, height = place.image.width, place.image.height
    asked = place.asked
    if asked.kind is Kind.ELLIPSE:  # the vote of ellipses is a mask, and is corrected as one
        asked = replace(asked, kind=Kind.MASK, tools=(Tool.BRUSH,))
    checked = check_answer(asked, given, width, height)
    if is_in_wrong_half(asked, checked, Picture(width, height)):
        raise ValueError("the mark lies in the other half of the picture")
    if asked.kind is Kind.POLYLINE:
        stored = Stored(checked.answer, checked.geometry)
        points = (checked.geometry or {}).get("points", [])
        return Adjusted(stored, points_digest(points) if points else _word(place, checked.answer), {})
    reply = reply_of(
        asked.kind,
        answer=checked.answer,
        geometry=checked.geometry,
        packed=checked.runs,
        label=checked.label,
        signs=checked.signs,
        width=width,
        height=height,
    )
    fused = _as_fused(place.asked.kind, reply, width, height)
    stored = stored_of(place.asked.kind, fused)
    if place.asked.kind is Kind.OBJECTS:
        stored = replace(stored, geometry=checked.geometry, runs=checked.runs)
    digest = fused_digest(place.asked.kind, fused, width, height)
    return Adjusted(stored, digest, _displacement(place, fused, vote), fused.masks)


def _word(place: Place, answer: str) -> str:
    return fused_digest(place.asked.kind, Fused(answer=answer), place.image.width, place.image.height)


def _as_fused(kind: Kind, reply: Reply, width: int, height: int) -> Fused:
    if reply.answer != PRESENT:
        return Fused(answer=reply.answer)
    fits = kind is Kind.ELLIPSE and len(reply.masks[0]) > 0
    ellipse = fitted_ellipse(reply.masks[0], width, height) if fits else None
    return Fused(masks=reply.masks, ellipse=ellipse, point=reply.point, label=reply.label, signs=reply.signs)


def _displacement(place: Place, drawn: Fused, vote: Fused | None) -> dict[str, Any]:
    """From the vote to what was drawn; words where one of them has no place."""
    if vote is None:
        return {}
    if drawn.point is not None and vote.point is not None:
        dx, dy = drawn.point[0] - vote.point[0], drawn.point[1] - vote.point[1]
        return {"dx": dx, "dy": dy, "distance_px": math.hypot(dx, dy)}
    if place.asked.kind is Kind.LABEL:
        return {"from": vote.label or vote.answer, "to": drawn.label or drawn.answer}
    changed: dict[str, Any] = {}
    if drawn.answer != vote.answer:
        changed = {"from": vote.answer, "to": drawn.answer}
    if drawn.masks or vote.masks:
        changed |= _changed_pixels(union(vote.masks), union(drawn.masks), place.image.width, place.image.height)
    return changed


def _changed_pixels(before: Toggles, after: Toggles, width: int, height: int) -> dict[str, int]:
    votes = count_votes([before, after], width, height)
    removed = area(votes.where(votes.patterns == 1), width, height)
    added = area(votes.where(votes.patterns == 2), width, height)
    return {"added_px": added, "removed_px": removed, "changed_px": added + removed}
