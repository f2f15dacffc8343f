"""The reference's files and the submission's, beside each other.

The reference's list of cases rules: a case that is missing in the submission, or that only the submission has, refuses
it. A track is scored when both sides have it; one that only the submission has refuses it too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from annotator.formats.bad_file import BadFile
from annotator.formats.fault import gettext_noop
from annotator.formats.file_names import folded
from annotator.formats.tree import FileTree
from evaluation.files.bad_submission import bad_submission
from evaluation.files.case_files import CaseTable, Pictures, picture_names, pictures, same_cases, table
from evaluation.scoring.note import Note
from protocols.scoring_names import ColumnRole, FileKind, NameMatch, Side
from protocols.standard import Column, File

Kind = TypeVar("Kind", CaseTable, Pictures)
SUBJECTS = File(
    "subjects",
    "subjects.csv",
    FileKind.TABLE,
    side=Side.REFERENCE,
    columns=(Column("name", ColumnRole.CASE), Column("subject", ColumnRole.SUBJECT)),
    note="Optional: whose each image is; subjects are then drawn, not images.",
)


UNREAD = {
    "reference": gettext_noop("Not read in the reference: %(files)s."),
    "submission": gettext_noop("Not read in the submission: %(files)s."),
}


def not_scored(path: str) -> Note:
    return Note(gettext_noop("%(file)s is not scored: the submission does not have it."), file=path)


@dataclass
class Sides:
    """`asked` are the files that somebody looked for; `notes` go into the report."""

    reference: FileTree
    submission: FileTree
    asked: set[tuple[FileTree, str]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def tables(self, file: File) -> tuple[CaseTable, CaseTable] | None:
        """Both tables, of the same cases; None when the file is not scored."""
        both = self.both(file, self.table(self.reference, file), self.table(self.submission, file))
        if both:
            same_cases(*both)
        return both

    def pictures(self, file: File) -> tuple[Pictures, Pictures] | None:
        """The pictures of both, of the same cases; None when they are not scored."""
        both = self.both(file, self.pictures_of(self.reference, file), self.pictures_of(self.submission, file))
        if both:
            same_cases(*both)
        return both

    def both(self, file: File, reference: Kind | None, submission: Kind | None) -> tuple[Kind, Kind] | None:
        if submission and not reference:
            raise BadFile(submission.shown, bad_submission("only_here"))
        if reference and not submission:
            self.notes.append(not_scored(file.path))
        return (reference, submission) if reference and submission else None

    def table(self, tree: FileTree, file: File) -> CaseTable | None:
        name = self.find(tree, file)
        return table(tree, name, file) if name else None

    def pictures_of(self, tree: FileTree, file: File) -> Pictures | None:
        names = picture_names(tree, file)
        self.asked.update((tree, name) for name in names)
        return pictures(tree, file) if names else None

    def find(self, tree: FileTree, file: File) -> str | None:
        """The name of a single file; BadFile when two files have one of its accepted names."""
        accepted = {folded(name) for name in (file.path, *file.also)}
        found = [name for name in tree.names if folded(name) in accepted]
        self.asked.update((tree, name) for name in found)
        if len(found) > 1:
            raise BadFile(tree.shown(found[1]), bad_submission("two_files", other=found[0]))
        return found[0] if found else None

    def subjects(self, names: Mapping[str, str], match: NameMatch = NameMatch.STEM) -> dict[str, str]:
        """Whose each image is, where the reference says so; BadFile when it leaves one out."""
        known = self.table(self.reference, replace(SUBJECTS, names=match))
        if not known:
            return {}
        for case, name in names.items():
            if case not in known.lines:
                raise BadFile(known.shown, bad_submission("missing_case", name=name))
        return dict(zip(names, known.column(lambda line: line.text("subject"), names), strict=True))

    def note_unread(self) -> None:
        for title, tree in (("reference", self.reference), ("submission", self.submission)):
            unread = [name for name in tree.names if (tree, name) not in self.asked]
            if unread:
                shown = ", ".join(unread[:5]) + (", …" if len(unread) > 5 else "")
                self.notes.append(Note(UNREAD[title], files=shown))
