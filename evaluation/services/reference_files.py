"""A phase's reference in the protocol's own files. They are made when they are read and never lie on the disk."""

import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.formats.archive_writer import ArchiveWriter
from annotator.formats.bad_file import BadFile
from annotator.formats.case_answers import CaseAnswers
from annotator.formats.protocol_files import Content, blank_files, reference_files
from annotator.formats.tree import FileTree, open_tree
from annotator.selectors.recipes import recipe_of
from consensus.models import DatasetVersion
from consensus.selectors.answers import answers_of
from evaluation.files.comparing import Progress
from evaluation.files.layouts import LAYOUTS, gather_trees
from evaluation.models import Phase
from evaluation.scoring.scorecard import Findings
from evaluation.selectors.answers import sample_files, scored_files
from evaluation.selectors.phases import named_images
from protocols.recipe import Recipe
from protocols.scoring_names import EditionKey
from protocols.standard import File


@dataclass(frozen=True)
class Yardstick:
    """What a phase's submissions are compared with."""

    recipe: Recipe
    edition: EditionKey
    cases: list[CaseAnswers]
    files: list[File]

    def reference(self) -> FileTree:
        return _tree("reference", reference_files(self.recipe, self.cases, self.files))

    def blank(self) -> FileTree:
        """The same names and sizes, and nothing of the answers: what is checked against it cannot tell of them."""
        return _tree("reference", blank_files(self.recipe, self.cases, self.files))

    def sample(self) -> Mapping[str, Content]:
        return blank_files(self.recipe, self.cases, sample_files(self.recipe, self.files))

    def findings(self, ours: FileTree, theirs: FileTree, progress: Progress) -> Findings:
        """As the command `score` finds them; BadFile names the first file that cannot be used."""
        return gather_trees(self.recipe, self.edition, ours, theirs, progress)


def yardstick_of(phase: Phase, version: DatasetVersion | None = None) -> Yardstick:
    recipe = recipe_of(phase.challenge.study)
    cases = answers_of(version or phase.version, named_images(phase))
    return Yardstick(recipe, EditionKey(phase.challenge.edition), cases, scored_files(recipe, cases))


@contextlib.contextmanager
def opened_archive(recipe: Recipe, place: Path, file_name: str) -> Iterator[FileTree]:
    """Messages call it by the name it was sent under."""
    with open_tree(place, own=LAYOUTS[recipe.key].own_folders, shown=Path(file_name)) as tree:
        yield tree


def refusal_of(fault: BadFile) -> DomainError:
    """The command's own words, in the reader's language."""
    line = getattr(fault.fault, "line", None)
    told = _(fault.fault.message) % fault.fault.params
    place = fault.name if line is None else _("%(file)s, line %(line)s") % {"file": fault.name, "line": line}
    return DomainError("bad_submission", f"{place}: {told}", field="file")


def sample_archive(phase: Phase) -> bytes:
    """A submission in the right form with nothing in it."""
    out = io.BytesIO()
    with ArchiveWriter(out) as archive:
        for name, content in sorted(yardstick_of(phase).sample().items()):
            archive.add(name, content())
    return out.getvalue()


def _tree(name: str, files: Mapping[str, Content]) -> FileTree:
    return FileTree(Path(name), files)
