"""Files as readers of annotations see them, and targets to be answered."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from annotator.formats.marks import Found, Mark, Size, Unusable, Wanted
from annotator.formats.tree import FileTree
from protocols.names import Answer, Kind, Source
from protocols.targets import IMPORTED, LabelOption, Sign, Target

SIZE = (40, 30)


def target(key: str, kind: Kind, *answers: Answer, **more: object) -> Target:
    told = {"name": key.title(), "source": Source.IMPORTED, "consensus": IMPORTED, "answers": answers, **more}
    return Target(key=key, kind=kind, **told)  # type: ignore[arg-type]


DISC = target("disc", Kind.ELLIPSE, Answer.NOT_VISIBLE, name="Optic disc")
CUP = target("cup", Kind.MASK, Answer.ABSENT)
GLANDS = target("glands", Kind.OBJECTS, Answer.ABSENT)
FOVEA = target("fovea", Kind.POINT, Answer.NOT_VISIBLE, Answer.CANNOT_BE_DETERMINED)
CORNEA = target("cornea", Kind.POLYLINE)
OPTIONS = (LabelOption("rg", "Referable", "RG"), LabelOption("nrg", "Not referable", "NRG"))
SIGNS = (Sign("notching", "Notching"), Sign("haemorrhage", "Haemorrhage"))
GRADE = target(
    "grade", Kind.LABEL, Answer.UNGRADABLE, options=OPTIONS, signs=SIGNS, signs_show_when="rg", asks_confidence=True
)
TARGETS = (DISC, CUP, GLANDS, FOVEA, CORNEA, GRADE)


def tree(files: Mapping[str, str | bytes]) -> FileTree:
    """The files, held in memory."""
    held = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    return FileTree(Path("given"), {name: partial(bytes, data) for name, data in held.items()})


def wanted(called: Mapping[str, str] | None = None, size_of: Callable[[str], Size | None] | None = None) -> Wanted:
    return Wanted(TARGETS, size_of or (lambda name: None if "unknown" in name else SIZE), called or {})


def parted(found: Found) -> tuple[list[Mark], list[Unusable]]:
    """What can be used and what cannot."""
    all_of_it = list(found)
    return (
        [one for one in all_of_it if isinstance(one, Mark)],
        [one for one in all_of_it if isinstance(one, Unusable)],
    )


def reasons(found: Found) -> list[tuple[str, int | None, str, str]]:
    """File, line, item and code of everything that cannot be used."""
    return [(one.where.file, one.where.line, one.where.item, one.fault.code) for one in parted(found)[1]]
