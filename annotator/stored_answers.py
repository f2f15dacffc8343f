"""Whether a stored answer can still be read: what was saved was checked, so anything else has been damaged since."""

from collections.abc import Mapping
from typing import Any

from annotator.answers import DRAWN_BY_LINES, PRESENT, answer_digest, check_geometry, masks_of
from annotator.geometry import runs
from protocols.names import Kind

_FORM: dict[str, tuple[type, ...]] = {
    "answer": (str,),
    "geometry": (dict, type(None)),
    "label": (str,),
    "signs": (list,),
    "confidence": (int, float, type(None)),
}
_SEALED = ("answer", "geometry", "label", "signs")
_PAINTED = (Kind.MASK, Kind.OBJECTS)


class Unreadable(ValueError):
    """Says nothing of the answer itself, so that it may stand in a log."""


def refuse_damaged(kind: str, content: Any, packed: bytes | None, width: int, height: int) -> None:
    """Everything but the runs themselves, which show their damage when they are unpacked."""
    if not isinstance(content, Mapping) or set(content) != set(_FORM):
        raise Unreadable("its parts are not those of an answer")
    if any(not isinstance(content[name], types) for name, types in _FORM.items()):
        raise Unreadable("a part of it is of another type")
    is_painted = content["answer"] == PRESENT and kind in _PAINTED
    if is_painted != (packed is not None):
        raise Unreadable("its pixels are missing, or are those of another answer")
    if content["answer"] != PRESENT:
        return
    if kind in DRAWN_BY_LINES:
        try:
            check_geometry(Kind(kind), content["geometry"], width, height)
        except ValueError:
            raise Unreadable("its geometry does not fit the picture") from None
    if kind == Kind.OBJECTS:
        _refuse_other_length(content["geometry"], packed or b"")


def refuse_altered(
    kind: str, content: Mapping[str, Any], packed: bytes | None, width: int, height: int, digest: str
) -> None:
    """As `refuse_damaged`, of an answer that was submitted: it must be what its digest was made from."""
    refuse_damaged(kind, content, packed, width, height)
    try:
        found = stored_digest(kind, {name: content[name] for name in _SEALED}, packed, width, height)
    except ValueError:
        raise Unreadable("its pixels cannot be unpacked") from None
    if found != digest:
        raise Unreadable("it is not what was submitted")


def _refuse_other_length(geometry: Any, packed: bytes) -> None:
    try:
        length = sum(entry["bytes"] for entry in geometry["objects"] if entry["id"])
    except (KeyError, TypeError):
        raise Unreadable("its objects are not listed") from None
    if length != len(packed):
        raise Unreadable("its objects are not of the length that was stored")


def stored_digest(kind: str, content: Mapping[str, Any], packed: bytes | None, width: int, height: int) -> str:
    """What the digest of a submitted answer must be, by what is stored of it; ValueError when its runs are damaged."""
    masks = masks_of(kind, content["geometry"], packed)
    digests = [runs.digest(runs.unpack(mask, width, height), width, height) for mask in masks]
    return answer_digest(kind, content, digests, width, height)
