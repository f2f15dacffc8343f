"""What a file of annotations says, answer by answer, before it is compared with a study: the one form that all readers
of foreign formats give, so that what becomes of an answer is decided in one place.

Coordinates are the house's own (the centre of the first pixel is (0.5, 0.5)); each reader states what its format means
by a coordinate and shifts it. A reader never guesses: what it cannot place or decode it gives as `Unusable`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.fault import Fault
from annotator.formats.file_names import folded
from annotator.formats.tree import FileTree
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.runs import Toggles
from protocols.recipe import Recipe
from protocols.targets import Target

Place = tuple[float, float]
Size = tuple[int, int]
PRESENT = "present"


@dataclass(frozen=True)
class Where:
    """The file, and the line of a table or the item of a list (as the file calls it) where there is one."""

    file: str
    line: int | None = None
    item: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Mark:
    """One answer to one target on one photograph.

    `image` is the photograph's name as the file gives it. What the answer consists of depends on what the file holds,
    not on the target: `masks` (one for an area, one per object), an `ellipse`, a `point`, a `line`, or a `label` by the
    key of its option; whether that fits the target is for the importer to say. `size`: of the picture, where the file
    states it. `grader`: who gave the answer, where the file says so.
    """

    where: Where
    image: str
    target: str
    answer: str = PRESENT
    masks: tuple[Toggles, ...] | None = None
    ellipse: Ellipse | None = None
    point: Place | None = None
    line: tuple[Place, ...] | None = None
    label: str = ""
    signs: tuple[str, ...] = ()
    confidence: float | None = None
    size: Size | None = None
    grader: str = ""


@dataclass(frozen=True)
class Unusable:
    """A file, line or item that says nothing that could be taken over, and why."""

    where: Where
    fault: Fault


Found = Iterator[Mark | Unusable]


@dataclass(frozen=True)
class Wanted:
    """What a reader may look for: the targets that can be answered, what the files call them where that is neither key
    nor name, the size of a photograph of the study (None when no photograph has this name), and the study's recipe, for
    readers of its own files. A single target may have been chosen: then files need not name it."""

    targets: Sequence[Target]
    size_of: Callable[[str], Size | None]
    called: Mapping[str, str] = field(default_factory=dict)
    recipe: Recipe | None = None

    def target(self, name: str) -> Target | None:
        """The target that the files call so: by what was said, else by its key or name, whatever the case."""
        key = next((key for said, key in self.called.items() if folded(said) == folded(name)), name)
        found = (one for one in self.targets if folded(key) in (folded(one.key), folded(one.name)))
        return next(found, None)


Reader = Callable[[FileTree, Wanted], Found]
