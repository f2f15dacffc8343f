"""What stands for a reference in the log and between page and server: SHA-256 of the content alone, in hexadecimal.

`static/src/core/reference_digest.ts` computes the same; both are tested on one fixture.
"""

import hashlib
from collections.abc import Sequence

from annotator.geometry import runs
from annotator.geometry.runs import Toggles
from consensus.fusion.replies import PRESENT, Fused
from protocols.names import Kind

Point = Sequence[float]


def word_digest(word: str) -> str:
    """Of an answer without a drawing, or of a label."""
    return hashlib.sha256(word.encode()).hexdigest()


def area_digest(mask: Toggles, width: int, height: int) -> str:
    return runs.digest(mask, width, height)


def objects_digest(objects: Sequence[Toggles], width: int, height: int) -> str:
    """Over the digests of the objects in the order of their first pixels."""
    ordered = sorted(objects, key=lambda toggles: int(toggles[0]))
    return word_digest("".join(runs.digest(toggles, width, height) for toggles in ordered))


def points_digest(points: Sequence[Point]) -> str:
    """Of one point or of a line: "x y" to a millionth of a pixel, a line for each point."""
    return word_digest("\n".join(f"{x:.6f} {y:.6f}" for x, y in points))


def fused_digest(kind: Kind, fused: Fused, width: int, height: int) -> str:
    if fused.answer != PRESENT:
        return word_digest(fused.answer)
    if kind is Kind.LABEL:
        return word_digest(fused.label)
    if kind is Kind.OBJECTS:
        return objects_digest(fused.masks, width, height)
    if kind is Kind.POINT:
        if fused.point is None:
            raise ValueError("fused has no point")
        return points_digest([fused.point])
    return area_digest(fused.masks[0], width, height)
