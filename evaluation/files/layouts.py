"""Every protocol that `score` can read, by its key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotator.formats.tree import FileTree, open_tree
from evaluation.files import adam, age, airogs, glas, refuge
from evaluation.files.comparing import Progress
from evaluation.files.gathering import Gathering
from evaluation.files.sides import Sides
from evaluation.scoring.scorecard import Findings
from protocols import Recipe
from protocols.scoring_names import EditionKey


@dataclass(frozen=True)
class Layout:
    """`own_folders` belong to the layout and are never taken for an enclosing folder."""

    gather: Callable[[Gathering], Findings]
    own_folders: tuple[str, ...] = ()


LAYOUTS: Mapping[str, Layout] = {
    "adam": Layout(adam.gather, ("disc", "lesions")),
    "age": Layout(age.gather),
    "airogs": Layout(airogs.gather),
    "glas": Layout(glas.gather),
    "refuge": Layout(refuge.gather, ("segmentation",)),
}
EXPORTED = "layout"
"""The folder of an exported archive that holds them, so that the archive may be given as it is."""


def gather(
    recipe: Recipe, edition: EditionKey, reference: Path, submission: Path, progress: Progress, *, beyond: bool = False
) -> Findings:
    """Everything that both sides hold; BadFile names the first file that cannot be used. `beyond`: also what metrics
    beyond the paper need."""
    own = LAYOUTS[recipe.key].own_folders
    sides = (open_tree(place, own=own, exported=EXPORTED) for place in (reference, submission))
    with next(sides) as ours, next(sides) as theirs:
        return gather_trees(recipe, edition, ours, theirs, progress, beyond=beyond)


def gather_trees(
    recipe: Recipe,
    edition: EditionKey,
    reference: FileTree,
    submission: FileTree,
    progress: Progress,
    *,
    beyond: bool = False,
) -> Findings:
    """The same of what is open already, or was never in a file."""
    return LAYOUTS[recipe.key].gather(Gathering(recipe, edition, Sides(reference, submission), progress, beyond))
