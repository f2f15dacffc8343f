"""What one worker does with its files: read once, hash, prove, clean, store.

Decoding keeps the processor busy and storing waits for the disk, so a second thread stores one picture while the next
is being decoded.
"""

import ctypes
import hashlib
import os
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import cv2

from annotator.formats.fault import Fault
from annotator.imaging.bad_picture import bad_picture
from annotator.imaging.intake import Intake, take_in
from annotator.imaging.limits import MAX_BYTES
from annotator.imaging.outcome import Known, Opener, Outcome, Rejected, Source, rejected, taken
from annotator.store import Store

SERVED, THUMBNAIL = "served", "thumbnail"
_PICTURES_WAITING_FOR_THE_DISK = 2
_PR_SET_PDEATHSIG = 1
_SIDES = ("R", "L")
_ENDINGS = {
    "jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "png": (".png",),
    "bmp": (".bmp", ".dib"),
    "tiff": (".tif", ".tiff"),
    "dicom": (".dcm", ".dicom"),
}
_OF_OTHERS = (".gif", ".jp2", ".webp")

# A worker's share of what does not change from file to file; where workers are threads each has its own.
_share = threading.local()


def prepare(store_root: Path, known: frozenset[str]) -> None:
    """Called once in each new worker."""
    cv2.setNumThreads(1)
    end_with_parent()
    _share.store, _share.known = Store(store_root), known


def end_with_parent() -> None:
    """A copy of a killed parent would wait for work for ever, because it holds the other end of its own queue."""
    if sys.platform == "linux" and threading.current_thread() is threading.main_thread():
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def work(sources: Sequence[Source | Rejected], spool: Path) -> list[Outcome]:
    """Take in some files; those in the folder `spool` are copies and are deleted afterwards."""
    try:
        return take_in_batch(sources, _share.store, _share.known)
    finally:
        for source in sources:
            if isinstance(source, Source) and isinstance(source.content, Path) and source.content.parent == spool:
                source.content.unlink(missing_ok=True)


def take_in_file(source: Source, store: Store, known: frozenset[str] = frozenset()) -> Outcome:
    """Take in one file here and now; when it returns, everything is on the disk."""
    proved = _prove(source, known)
    if isinstance(proved, Known | Rejected):
        return proved
    intake, data = proved
    keep(intake, data, store)
    return taken(source.name, intake, len(data))


def take_in_batch(sources: Iterable[Source | Rejected], store: Store, known: frozenset[str]) -> list[Outcome]:
    """One outcome per source, in their order; when it returns, everything is on the disk."""
    outcomes: list[Outcome] = []
    storing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(1) as disk:
        for source in sources:
            proved = _prove(source, known) if isinstance(source, Source) else source
            if isinstance(proved, Known | Rejected):
                outcomes.append(proved)
                continue
            intake, data = proved
            outcomes.append(taken(source.name, intake, len(data)))
            storing.append(disk.submit(keep, intake, data, store))
            if len(storing) > _PICTURES_WAITING_FOR_THE_DISK:
                storing.popleft().result()
        for stored in storing:
            stored.result()
    return outcomes


def _prove(source: Source, known: frozenset[str]) -> tuple[Intake, bytes] | Known | Rejected:
    try:
        data = _read(source.content)
        digest = hashlib.sha256(data).hexdigest()
        if digest in known:
            return Known(source.name, digest)
        intake = take_in(data, sha256=digest)
        _check_name(source.name, intake.format)
        _check_side(source.side, intake.stated.side)
        return intake, data
    except Fault as fault:
        return rejected(source.name, fault)


def _check_name(name: str, found: str) -> None:
    """A name that promises another kind of picture tells that something went wrong on the way here, such as a lossy
    conversion; a name without an ending promises nothing."""
    others = (*_OF_OTHERS, *(ending for kind, endings in _ENDINGS.items() if kind != found for ending in endings))
    promised = next((ending for ending in others if name.casefold().endswith(ending)), None)
    if promised is not None:
        raise bad_picture("other_kind", ending=promised, kind=found.upper())


def _check_side(said: str, found: str) -> None:
    """Whoever is wrong, table or file, a picture does not go to the wrong eye."""
    if said in _SIDES and found and said != found:
        raise bad_picture("other_eye", said=said, found=found)


def keep(intake: Intake, data: bytes, store: Store) -> None:
    """Everything or an error; what an interrupted run left is found complete and skipped by the next one.

    What is served of an upright picture is its original without some segments, which are left out while it is sent;
    only a picture that had to be turned or written anew is kept a second time.
    """
    store.put(data, sha256=intake.sha256)
    store.put_rendition(THUMBNAIL, intake.sha256, intake.thumbnail, passing=True)
    if not intake.is_served_as_it_came:
        store.put_rendition(SERVED, intake.sha256, intake.served)
    for frame, shown in enumerate(intake.further, start=2):
        store.put_rendition(of_frame(THUMBNAIL, frame), intake.sha256, shown.thumbnail, passing=True)
        store.put_rendition(of_frame(SERVED, frame), intake.sha256, shown.served)


def of_frame(rendition: str, frame: int) -> str:
    """The name under which the store has it: the first picture of a file, mostly the only one, needs no number."""
    return rendition if frame == 1 else f"{rendition}_{frame}"


def _read(content: Path | Opener) -> bytes:
    try:
        with _open_regular(content) if isinstance(content, Path) else content() as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise bad_picture("unreadable", detail=error.strerror or str(error)) from None
    if len(data) > MAX_BYTES:
        raise bad_picture("file_too_large", limit=MAX_BYTES)
    return data


def _open_regular(path: Path) -> BinaryIO:
    # Non-blocking, so that a named pipe among the files is refused instead of waited for.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise bad_picture("unreadable", detail="it is not a regular file")
    return file
