"""A folder or archive of annotations is read by several processes, each of which opens it for itself and sends back
answers in their packed form."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from annotator.annotation_items import Item, item_of
from annotator.formats.annotation_files import FORMATS, AnnotationFormat
from annotator.formats.bad_file import BadFile
from annotator.formats.file_names import stem
from annotator.formats.marks import Size, Unusable, Wanted, Where
from annotator.formats.tree import FileTree, open_tree
from annotator.imaging.pool import pool_of
from annotator.imaging.worker import end_with_parent
from protocols.recipe import Recipe

AS_THEY_ARE = 99
"""Readers know folders by their names, so that none is taken for an enclosing one."""
FILES_PER_BATCH = 24
BATCHES_PER_WORKER = 3
Told = list[tuple[Item, bytes | None]]


@dataclass(frozen=True)
class Sizes:
    """Of the photographs, by the stem of their names; None where no or more than one has the name."""

    by_stem: Mapping[str, Size]

    def __call__(self, name: str) -> Size | None:
        return self.by_stem.get(stem(name))


@dataclass(frozen=True)
class Task:
    """All that a worker needs to know."""

    place: Path
    format: str
    recipe: Recipe
    sizes: Sizes
    shown: str = ""
    target: str = ""
    called: Mapping[str, str] = field(default_factory=dict)

    @property
    def wanted(self) -> Wanted:
        targets = [target for target in self.recipe.targets if self.target in ("", target.key)]
        return Wanted(targets, self.sizes, self.called, self.recipe)


def opened(task: Task) -> AbstractContextManager[FileTree]:
    return open_tree(task.place, least_depth=AS_THEY_ARE, shown=Path(task.shown))


class Part(FileTree):
    """Some of the files of a tree, under the names that they have in it, with the paths that the whole gives them."""

    def __init__(self, whole: FileTree, chosen: Sequence[tuple[str, str]]) -> None:
        self.place, self._whole = whole.place, whole
        self.chosen = dict(chosen)
        self.names = tuple(self.chosen)

    def read(self, name: str) -> bytes:
        return self._whole.read(name)

    def shown(self, name: str) -> str:
        return self._whole.shown(name)


_share = threading.local()


def prepare(task: Task) -> None:
    """Called once in each worker."""
    cv2.setNumThreads(1)
    end_with_parent()
    _share.stack = contextlib.ExitStack()
    _share.task, _share.tree = task, _share.stack.enter_context(opened(task))


def work(chosen: Sequence[tuple[str, str]]) -> Told:
    return list(_told(Part(_share.tree, chosen), _share.task))


def read_items(
    task: Task, *, workers: int = 2, report: Callable[[int, int], None] = lambda done, total: None
) -> Iterator[tuple[Item, bytes | None]]:
    """In the order of the files' names; BadFile when the folder or archive itself cannot be used."""
    with opened(task) as tree:
        known: AnnotationFormat = FORMATS[task.format]
        if known.apart is None or workers == 0 or len(tree.names) <= FILES_PER_BATCH:  # a process takes longer to begin
            yield from _told(tree, task)
            report(len(tree.names), len(tree.names))
            return
        names = known.apart(tree)
    batches = iter([names[start : start + FILES_PER_BATCH] for start in range(0, len(names), FILES_PER_BATCH)])
    waiting: deque[Future[Told]] = deque()
    pool = pool_of(workers, prepare, task)
    done = 0
    try:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) >= workers * BATCHES_PER_WORKER:
                yield from waiting.popleft().result()
                done += FILES_PER_BATCH
                report(done, len(names))
        while waiting:
            yield from waiting.popleft().result()
            done = min(done + FILES_PER_BATCH, len(names))
            report(done, len(names))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _told(tree: FileTree, task: Task) -> Iterator[tuple[Item, bytes | None]]:
    wanted = task.wanted
    try:
        for found in FORMATS[task.format].read(tree, wanted):
            yield item_of(found, wanted)
    except BadFile as refusal:  # a reader that gives up names the file
        yield item_of(Unusable(Where(refusal.name), refusal.fault), wanted)
