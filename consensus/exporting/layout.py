"""The protocol's own files, as its challenge gave them away: what `score` and the official evaluators read.

layout/…          without a split
layout/PART/…     with one, a folder for each part
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from annotator.formats.case_answers import CaseAnswers
from annotator.formats.protocol_files import (
    picture,
    picture_path,
    pictured,
    published_ending,
    reference_files,
    unanswered,
)
from consensus.exporting.record import Entry, Photograph, Record, Writer
from protocols.recipe import Recipe
from protocols.scoring_names import FileKind, Side
from protocols.standard import File

MARKED = (np.zeros(0, np.int32),)
"""In place of what was marked, where only that something was marked is asked."""


@dataclass(frozen=True)
class Lacking:
    """A file that cannot be written, because so many cases of the part have no answer to the target."""

    part: str
    path: str
    target: str
    count: int
    total: int


@dataclass(frozen=True, eq=False)
class PartLayout:
    """What the folder of a part will hold; `shown` by file: the names of the cases that have a picture."""

    folder: str
    cases: Sequence[CaseAnswers]
    tables: Sequence[File]
    shown: Mapping[str, tuple[File, str, frozenset[str]]] = field(default_factory=dict)


def without_pixels(case: CaseAnswers) -> CaseAnswers:
    """The same with nothing large in it."""
    return replace(case, masks={key: MARKED * len(masks) for key, masks in case.masks.items()})


def plan(recipe: Recipe, cases: Mapping[str, Sequence[CaseAnswers]]) -> tuple[dict[str, PartLayout], list[Lacking]]:
    """By part; a file is written where every case of the part has its answer."""
    layouts, lacking = {}, []
    for part, known in cases.items():
        whole, short = _files(recipe, part, known)
        lacking += short
        shown = {}
        for file in whole:
            if file.kind is not FileKind.TABLE:
                most = max((sum(map(len, case.masks.values())) for case in known), default=0)
                ending = published_ending(file, most if file.kind is FileKind.LABEL_PICTURE else 0)
                shown[file.key] = (file, ending, frozenset(case.name for case in pictured(file, known)))
        tables = [file for file in whole if file.kind is FileKind.TABLE]
        layouts[part] = PartLayout(f"layout/{part}/" if part else "layout/", known, tables, shown)
    return layouts, lacking


def _files(recipe: Recipe, part: str, cases: Sequence[CaseAnswers]) -> tuple[list[File], list[Lacking]]:
    whole, short = [], []
    for file in recipe.files:
        if file.side is Side.SUBMISSION or file.kind is FileKind.LIST:
            continue
        missing = [target for case in cases if (target := unanswered(recipe, file, case))]
        if not missing:
            whole.append(file)
        else:
            short.append(Lacking(part, file.path, missing[0], len(missing), len(cases)))
    return whole, short


class Layout(Writer):
    def __init__(self, recipe: Recipe, layouts: Mapping[str, PartLayout]) -> None:
        self._recipe, self._layouts = recipe, layouts

    def add(self, record: Record) -> Iterator[Entry]:
        photograph, answers = record.photograph, record.answers
        if answers is None or not photograph.kept:
            return
        layout = self._layouts[photograph.part]
        for file, ending, names in layout.shown.values():
            if photograph.name in names:
                path = layout.folder + picture_path(file, photograph.name, ending)
                yield Entry(path, partial(picture, file, answers, ending))

    def finish(self) -> Iterator[Entry]:
        for layout in self._layouts.values():
            files = reference_files(self._recipe, layout.cases, layout.tables)
            for path, content in files.items():
                yield Entry(layout.folder + path, content)


def parts_of(known: Sequence[tuple[Photograph, CaseAnswers]]) -> dict[str, list[CaseAnswers]]:
    """The cases whose answers are given away, by part, each by the photograph that stands for it."""
    parts: dict[str, list[CaseAnswers]] = {}
    for photograph, case in known:
        if photograph.kept and not photograph.withheld:
            parts.setdefault(photograph.part, []).append(case)
    return parts
