"""A protocol's own files, read back into answers: the tables and pictures that its recipe names.

Of an exported archive the folder `layout` is read. Tables are known by their names, else by their columns; pictures by
their folder, which may also be called as a target is, and by the end of their names. Coordinates name pixels, so half
a pixel is added. What a measure's table says is computed here from the marks and not taken over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotator.formats.bad_file import BadFile
from annotator.formats.bad_mark import bad_mark
from annotator.formats.bad_table import BadTable
from annotator.formats.case_table import CaseLine, read_case_table
from annotator.formats.fault import Fault
from annotator.formats.file_names import folded, stem, without_ending
from annotator.formats.grey_picture import read_grey
from annotator.formats.marks import Found, Mark, Unusable, Wanted, Where
from annotator.formats.mask_folders import ENDINGS, below
from annotator.formats.mask_picture import read_objects
from annotator.formats.protocol_files import CASE, HALF_A_PIXEL
from annotator.formats.table import header_of, table_lines
from annotator.formats.tree import FileTree
from annotator.geometry.value_runs import value_runs
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.scoring_names import ColumnRole, FileKind, MissingFile, Side
from protocols.standard import Column, File
from protocols.targets import Target

PASSED_OVER = ("subjects.csv",)
PICTURES = (FileKind.PICTURE, FileKind.LABEL_PICTURE)
FLAGS = (ColumnRole.LIKELIHOOD, ColumnRole.BINARY)


@dataclass
class Seen:
    """In one folder of the layout: the cases that are named anywhere, and those that have a picture, by file."""

    cases: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, set[str]] = field(default_factory=dict)


def read_layout(tree: FileTree, wanted: Wanted) -> Found:
    if wanted.recipe is None:
        raise ValueError("wanted has no recipe")
    reader = _Reader(tree, wanted, wanted.recipe)
    for name, path in below(tree, "layout"):
        try:
            yield from reader.read(name, path)
        except BadFile as refusal:
            yield Unusable(Where(name), refusal.fault)
        except BadTable as fault:
            yield Unusable(Where(name, fault.line), fault)
        except Fault as fault:
            yield Unusable(Where(name), fault)
    yield from reader.absent()


class _Reader:
    def __init__(self, tree: FileTree, wanted: Wanted, recipe: Recipe) -> None:
        self._tree, self._wanted, self._recipe = tree, wanted, recipe
        self._files = [one for one in recipe.files if one.side is not Side.SUBMISSION and one.kind is not FileKind.LIST]
        self._keys = {target.key for target in wanted.targets}
        self._seen: dict[str, Seen] = {}

    def read(self, name: str, path: str) -> Iterator[Mark | Unusable]:
        if folded(path.rpartition("/")[2]) in PASSED_OVER:
            return
        if folded(path).endswith(".csv"):
            yield from self._table(name, path, self._tree.read(name))
        elif folded(path).endswith(ENDINGS) and (place := self._picture(path)) is not None:
            yield from self._marks(name, *place)
        elif self._wanted.size_of(path) is None:  # a photograph of the study may lie beside its annotation
            raise bad_mark("not_read")

    def _table(self, name: str, path: str, data: bytes) -> Iterator[Mark | Unusable]:
        tables = [file for file in self._files if file.kind is FileKind.TABLE]
        base = folded(path.rpartition("/")[2])
        named = [file for file in tables if base in {folded(one) for one in (file.path, *file.also)}]
        header = header_of(table_lines(data))
        fitting = [file for file in tables if _required(file) <= set(header)]
        found = next((file for file in named if file in fitting), None) or next(iter(named or fitting), None)
        if found is None:
            raise bad_mark("not_read")
        seen = self._seen.setdefault(path.rpartition("/")[0], Seen())
        for key, line in read_case_table(data, found.columns, found.names).items():
            seen.cases.setdefault(key, line.name)
            yield from self._line(Where(name, line.row.line), line, found)

    def _line(self, where: Where, line: CaseLine, file: File) -> Iterator[Mark | Unusable]:
        by_target: dict[str, list[Column]] = {}
        for column in file.columns:
            if column.target in self._keys and column.role is not ColumnRole.MEASURE:
                by_target.setdefault(column.target, []).append(column)
        for key, columns in by_target.items():
            target = self._recipe.target(key)
            try:
                answer = _point(line, columns, target) if len(columns) == 2 else _label(line, columns[0], target)
                yield Mark(where=where, image=line.name, target=key, **answer)
            except Fault as fault:
                yield Unusable(where, fault)

    def _picture(self, path: str) -> tuple[File, str, str] | None:
        """Which file of the layout it is, the folder of the layout that it lies in, and the case's name."""
        pictures = [file for file in self._files if file.kind in PICTURES]
        bare = without_ending(path)
        folders, _slash, name = bare.rpartition("/")
        for file in pictures:
            head, tail = _pattern(file)
            if f"/{folded(folders)}/".endswith(f"/{head}") and folded(name).endswith(tail) and len(name) > len(tail):
                outer = folders[: len(folders) - len(head.rstrip("/"))].rstrip("/")
                return file, outer, name[: len(name) - len(tail)]
        outer, _slash, inner = folders.rpartition("/")
        target = self._wanted.target(inner)
        for file in pictures:
            alone = [pixel.target for pixel in file.pixels if pixel.target]
            if not _pattern(file)[1] and (len(pictures) == 1 or (target is not None and alone == [target.key])):
                return file, outer, name
        return None

    def _marks(self, name: str, file: File, outer: str, case: str) -> Iterator[Mark]:
        seen = self._seen.setdefault(outer, Seen())
        seen.cases.setdefault(stem(case), case)
        seen.pictures.setdefault(file.key, set()).add(stem(case))
        data, where = self._tree.read(name), Where(name)
        if file.kind is FileKind.LABEL_PICTURE:
            masks, size = read_objects(data)
            target = next(one.key for one in self._recipe.targets if one.kind is Kind.OBJECTS)
            yield Mark(where=where, image=case, target=target, masks=masks, size=size)
            return
        samples = read_grey(data)
        runs = value_runs(samples)
        values = {pixel.value for pixel in file.pixels}
        strange = sorted({int(value) for value in np.unique(runs.values)} - values)
        if strange:
            named = ", ".join(str(value) for value in sorted(values))
            raise bad_mark("other_values", found=strange[0], count=len(strange), values=named)
        height, width = samples.shape
        for pixel in file.pixels:
            if pixel.target in self._keys:
                chosen = np.isin(runs.values, list(_values(file, self._recipe, pixel.target)))
                mask = runs.toggles(chosen)
                yield Mark(where=where, image=case, target=pixel.target, masks=(mask,), size=(width, height))

    def absent(self) -> Iterator[Mark]:
        """Where some structure of a case has pictures, a missing one says that it is not there."""
        files = [file for file in self._files if file.missing_case is MissingFile.ABSENT]
        for outer, seen in self._seen.items():
            if not any(file.key in seen.pictures for file in files):
                continue
            for file in files:
                target = next(pixel.target for pixel in file.pixels if pixel.target)
                place = f"{outer}/{file.path}".lstrip("/")
                for key, case in seen.cases.items():
                    if target in self._keys and key not in seen.pictures.get(file.key, ()):
                        where = Where(place.replace(CASE, case))
                        yield Mark(where=where, image=case, target=target, answer="absent")


def _required(file: File) -> set[str]:
    return {column.name.casefold() for column in file.columns if column.required}


def _pattern(file: File) -> tuple[str, str]:
    """The folder with its slash, and what follows the case's name before the ending."""
    folder, _name, rest = folded(file.path).partition(folded(CASE))
    return folder, without_ending("x" + rest)[1:]


def _values(file: File, recipe: Recipe, target: str) -> set[int]:
    """The values of a structure, and of those that lie inside it and are painted over it."""
    inner = {one.key for one in recipe.targets if one.inside == target}
    return {pixel.value for pixel in file.pixels if pixel.target == target or pixel.target in inner}


def _point(line: CaseLine, columns: Sequence[Column], target: Target) -> dict[str, Any]:
    x, y = (next(one for one in columns if one.role is role) for role in (ColumnRole.X, ColumnRole.Y))
    at = (line.number(x.name), line.number(y.name))
    if x.undetermined is not None and at == (x.undetermined, y.undetermined):
        return {"answer": next(str(answer) for answer in target.answers)}
    return {"point": (at[0] + HALF_A_PIXEL, at[1] + HALF_A_PIXEL)}


def _label(line: CaseLine, column: Column, target: Target) -> dict[str, Any]:
    written = line.text(column.name)
    if column.role is ColumnRole.LABEL:
        for option in target.options:
            if folded(written) in (folded(option.file_value or option.key), folded(option.key)):
                return {"label": option.key}
        raise line.bad_choice(column.name, [option.file_value or option.key for option in target.options])
    number = line.number(column.name)
    if column.role in FLAGS and number not in (0, 1):
        raise line.bad_choice(column.name, ("0", "1"))
    positive = column.label or target.positive
    others = [option.key for option in target.options if option.key not in (positive, target.ungradable)]
    if number > 0 and positive:
        return {"label": positive}
    if len(others) != 1:
        raise bad_mark("other_label", target=target.key)
    return {"label": others[0]}
