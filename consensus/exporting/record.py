"""What is exported of one photograph, as the writers of all formats take it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from annotator.formats.case_answers import CaseAnswers, Place
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles
from protocols.names import Kind

PRESENT = "present"
AREAS = frozenset({Kind.ELLIPSE, Kind.MASK, Kind.OBJECTS})
WITHOUT_MARKS = frozenset({PRESENT, "absent"})
"""What is said of an area: it is marked, or it is known that nothing is there."""
Content = Callable[[], bytes]


@dataclass(frozen=True)
class Entry:
    """A file of the archive, made when it is written: its bytes, or a file to be read from."""

    path: str
    content: Content | BinaryIO


@dataclass(frozen=True)
class Photograph:
    """`name` is what its files are called; `part` the key of its part of the split, empty without one. `withheld`: its
    answers stay where they are. `kept`: the one that stands for its case."""

    name: str
    part: str
    withheld: bool
    kept: bool
    case: int
    position: int
    subject: str
    side: str
    width: int
    height: int
    um_per_px_x: float | None
    um_per_px_y: float | None
    device: str
    ending: str
    sha256: str
    frame: int = 1
    strata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Said:
    """An answer to one target; what it consists of depends on the kind."""

    target: str
    kind: Kind
    answer: str
    masks: tuple[Toggles, ...] = ()
    ellipse: Ellipse | None = None
    point: Place | None = None
    line: tuple[Place, ...] = ()
    label: str = ""
    signs: tuple[str, ...] = ()

    @property
    def is_area(self) -> bool:
        return self.kind in AREAS and self.answer in WITHOUT_MARKS


@dataclass(frozen=True, eq=False, kw_only=True)
class Given(Said):
    """By a grader, who goes by a letter; `reason`: why it was left out of the reference, empty where it was not;
    `beside`: the reference was imported and rests on no reading."""

    grader: str
    confidence: float | None = None
    reason: str = ""
    beside: bool = False


@dataclass(frozen=True)
class Word:
    """What a grader said in a discussion; why stays in the house, like all that people write."""

    grader: str
    label: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreed(Said):
    """A reference; `votes` as `fusion.soft` packs them."""

    state: str
    version: int
    rule: str
    source: str = ""
    votes: bytes | None = None
    displacement: Mapping[str, Any] | None = None
    blind: bool = True  # whoever adjudicated it had not seen the readings, whether or not the recipe shows them
    given: Sequence[Given] = ()
    words: Sequence[Word] = ()  # of the discussion that it came of, in their order


@dataclass(frozen=True, eq=False)
class Record:
    photograph: Photograph
    answers: CaseAnswers | None  # none where they are withheld
    agreed: Sequence[Agreed] = ()

    @property
    def size(self) -> tuple[int, int]:
        return self.photograph.width, self.photograph.height


class Writer:
    """A format: what it writes for a photograph, and what when all have been seen."""

    def add(self, record: Record) -> Iterator[Entry]:
        yield from ()

    def finish(self) -> Iterator[Entry]:
        yield from ()
