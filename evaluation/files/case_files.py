"""Tables and pictures of one side, by case."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from numpy.typing import NDArray

from annotator.formats.bad_file import BadFile
from annotator.formats.case_table import CaseLine, read_case_table
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, without_ending
from annotator.formats.grey_picture import read_grey
from annotator.formats.tree import FileTree
from evaluation.files.bad_submission import bad_submission
from protocols.standard import File

NAME = "NAME"
Samples = NDArray[Any]
Cell = TypeVar("Cell")


@dataclass(frozen=True)
class CaseTable:
    """`shown`: how a message calls it; `lines` by what cases are matched by, in the order of the table."""

    shown: str
    lines: Mapping[str, CaseLine]

    @cached_property
    def names(self) -> dict[str, str]:
        return {case: line.name for case, line in self.lines.items()}

    def refusal(self, case: str, code: str, **params: object) -> BadFile:
        line = self.lines[case]
        return BadFile(self.shown, bad_submission(code, line.row.line, **{"name": line.name, **params}))

    def column(self, read: Callable[[CaseLine], Cell], cases: Iterable[str]) -> list[Cell]:
        """What `read` takes from the line of each case; its fault names the file."""
        try:
            return [read(self.lines[case]) for case in cases]
        except Fault as fault:
            raise BadFile(self.shown, fault) from None


@dataclass(frozen=True)
class Pictures:
    """`shown`: how a message calls their folder; names and files by what cases are matched by, sorted."""

    shown: str
    tree: FileTree
    names: Mapping[str, str]
    files: Mapping[str, str]

    def refusal(self, case: str, code: str, **params: object) -> BadFile:
        return BadFile(self.tree.shown(self.files[case]), bad_submission(code, name=self.names[case], **params))

    def read(self, case: str, read: Callable[[bytes], Samples] = read_grey) -> Samples:
        """The samples of a picture; BadFile names it when it cannot be used."""
        name = self.files[case]
        try:
            return read(self.tree.read(name))
        except Fault as fault:
            raise BadFile(self.tree.shown(name), fault) from None


CaseFiles = CaseTable | Pictures


def table(tree: FileTree, name: str, file: File) -> CaseTable:
    try:
        return CaseTable(tree.shown(name), read_case_table(tree.read(name), file.columns, file.names))
    except Fault as fault:
        raise BadFile(tree.shown(name), fault) from None


def picture_names(tree: FileTree, file: File) -> list[str]:
    """Of `folder/NAME.bmp` every file in the folder; of `NAME_anno.bmp` those whose name ends so."""
    folder, tail = _pattern(file)
    return [
        name for name in tree.names if folded(name).startswith(folder) and folded(without_ending(name)).endswith(tail)
    ]


def pictures(tree: FileTree, file: File) -> Pictures:
    """BadFile when one lies too deep, names no case, or a case has two."""
    folder, tail = _pattern(file)
    names: dict[str, str] = {}
    files: dict[str, str] = {}
    for path in picture_names(tree, file):
        inner = without_ending(path)[len(folder) :]
        name = inner[: len(inner) - len(tail)]
        if "/" in inner or not name:
            raise BadFile(tree.shown(path), bad_submission("not_expected"))
        other = files.setdefault(folded(name), path)
        if other != path:
            raise BadFile(tree.shown(path), bad_submission("repeated_case", name=name, other=other))
        names[folded(name)] = name
    return Pictures(tree.shown(folder).rstrip("/"), tree, names, files)


def same_cases(reference: CaseFiles, submission: CaseFiles) -> None:
    """The reference's list of cases rules; BadFile names the first case that is missing or extra."""
    for case in submission.names:
        if case not in reference.names:
            raise submission.refusal(case, "extra_case")
    for case, name in reference.names.items():
        if case not in submission.names:
            raise BadFile(submission.shown, bad_submission("missing_case", name=name))


def _pattern(file: File) -> tuple[str, str]:
    """The folder with its slash, and what follows the case's name before the ending."""
    folder, _name, rest = folded(file.path).partition(folded(NAME))
    return folder, without_ending("x" + rest)[1:]
