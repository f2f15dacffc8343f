"""Taking in many files at once, in worker processes.

The worker that reads a file also stores it, so that no picture travels between processes and memory stays flat.
"""

import itertools
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from annotator.formats.fault import Fault
from annotator.imaging.outcome import Known, Opener, Outcome, Rejected, Source, Taken, rejected
from annotator.imaging.pool import pool_of
from annotator.imaging.worker import SERVED, THUMBNAIL, keep, of_frame, prepare, take_in_file, work
from annotator.store import Store, naming_full_disk

__all__ = [
    "SERVED",
    "THUMBNAIL",
    "Known",
    "Opener",
    "Outcome",
    "Rejected",
    "Source",
    "Taken",
    "keep",
    "of_frame",
    "take_in_file",
    "take_in_files",
]

_FILES_PER_BATCH = 8
_BATCHES_PER_WORKER = 2


def take_in_files(
    sources: Iterable[Source], store_root: Path, known_sha256s: Iterable[str] = (), *, workers: int = 2
) -> Iterator[Outcome]:
    """One outcome per source, in the order of the sources; with `workers=0` everything happens in this process.

    A known digest is neither decoded nor stored again, so that an interrupted import goes on where it ended. A source
    that is opened (not a path) is opened when it is drawn from `sources`, before the next one is drawn. StoreFull and a
    dead worker end the run; whatever was yielded before is complete.
    """
    known = frozenset(known_sha256s)
    if workers == 0:
        store = Store(store_root)
        found: Iterator[Outcome] = (take_in_file(source, store, known) for source in sources)
    else:
        found = _in_pool(sources, store_root, known, workers)
    return _duplicates_named(found)


def _duplicates_named(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    first: dict[str, str] = {}
    for outcome in outcomes:
        if isinstance(outcome, Taken) and outcome.sha256 in first:
            yield Known(outcome.name, outcome.sha256, first[outcome.sha256])
            continue
        if isinstance(outcome, Taken):
            first[outcome.sha256] = outcome.name
        yield outcome


def _in_pool(sources: Iterable[Source], store_root: Path, known: frozenset[str], workers: int) -> Iterator[Outcome]:
    remaining = iter(sources)
    waiting: deque[Future[list[Outcome]]] = deque()
    pool = pool_of(workers, prepare, store_root, known)
    spool = _make_spool(store_root)
    try:
        while batch := _next_batch(remaining, spool):
            waiting.append(pool.submit(work, batch, spool))
            if len(waiting) >= workers * _BATCHES_PER_WORKER:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        shutil.rmtree(spool, ignore_errors=True)


def _make_spool(store_root: Path) -> Path:
    with naming_full_disk(store_root):
        store_root.mkdir(mode=0o750, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="incoming-", dir=store_root))


def _next_batch(remaining: Iterator[Source], spool: Path) -> list[Source | Rejected]:
    return [_as_file(source, spool) for source in itertools.islice(remaining, _FILES_PER_BATCH)]


def _as_file(source: Source, spool: Path) -> Source | Rejected:
    """The content in a file of its own: an archive cannot be read by several processes, and bytes are not sent."""
    if isinstance(source.content, Path):
        return source
    try:
        return replace(source, content=_spooled(source.content, spool))
    except Fault as fault:
        return rejected(source.name, fault)


def _spooled(opener: Opener, spool: Path) -> Path:
    with naming_full_disk(spool):
        handle, name = tempfile.mkstemp(dir=spool)
        with os.fdopen(handle, "wb") as file, opener() as content:
            shutil.copyfileobj(content, file, 1024 * 1024)
    return Path(name)
