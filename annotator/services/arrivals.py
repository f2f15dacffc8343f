"""A large archive arrives in parts and goes on where it ended, whatever broke in between.

    <key>.arriving    its bytes so far
    <key>.about       whose it is, of which study, how long it will be, and how many bytes are acknowledged
    <key>.listed      what is in it once it is whole: a packed tar must be unpacked to tell

Acknowledged means on the disk: a part is written and synced first, and counted afterwards. Bytes behind the count are
overwritten. An archive on its way is no fact of the study, and a row would go into backups without its bytes; so these
are files, and after two days nobody is taken to come back for them (`incoming.py`).
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError, NotVisible, StorageFull, TooLarge
from annotator.ids import new_public_id
from annotator.models import Job, Study, User
from annotator.services.batches import Batch
from annotator.services.imports import archive_files, request_import_of
from annotator.services.incoming import incoming, write_whole
from annotator.services.intake_plan import Named

PART_BYTES = 8 * 1024 * 1024
MOST_AT_ONCE = 4  # archives that one person has on their way
SPARE_BYTES = 256 * 1024 * 1024  # that others need meanwhile
_KEY = re.compile(r"[0-9a-f]{40}")


class Elsewhere(Conflict):
    """The part does not begin where the archive ends by now; the answer says where it does."""

    def __init__(self, received: int) -> None:
        super().__init__("other_offset", _("This part does not begin where the archive ends."))
        self.received = received

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {"received": self.received}


@dataclass(frozen=True)
class Arrival:
    key: str
    study: int
    owner: int
    name: str
    byte_count: int
    received: int = 0

    @property
    def content(self) -> Path:
        return incoming() / f"{self.key}.arriving"

    @property
    def about(self) -> Path:
        return incoming() / f"{self.key}.about"

    @property
    def listed(self) -> Path:
        return incoming() / f"{self.key}.listed"


def begin_arrival(
    *, study: Study, name: str, byte_count: int, fingerprint: str, most_bytes: int, actor: User
) -> Arrival:
    """The same file of the same person goes on where it ended, even if the page was loaded anew in between."""
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; no image can be added."))
    if byte_count > most_bytes:
        limit = {"limit": most_bytes // 1024 // 1024}
        raise TooLarge("too_large", _("A file may have at most %(limit)s MB.") % limit, field="file")
    about = [study.pk, actor.pk, name, byte_count, fingerprint]
    key = hashlib.sha256(json.dumps(about).encode()).hexdigest()[:40]
    arrival = _read(key) or Arrival(key, study.pk, actor.pk, name, byte_count)
    if not arrival.content.exists():
        others = [other for other in _arrivals() if other.owner == actor.pk and other.content.exists()]
        if len(others) >= MOST_AT_ONCE:
            message = _("%(limit)s archives of yours are on their way already. Finish or discard one of them first.")
            raise Conflict("too_many_arrivals", message % {"limit": MOST_AT_ONCE}, field="file")
    _refuse_without_room(byte_count - arrival.received)
    with _locked(arrival, new=True) as file:
        arrival = _read(key) or arrival
        if file.seek(0, os.SEEK_END) < arrival.received:
            arrival = replace(arrival, received=0)
            arrival.listed.unlink(missing_ok=True)
        _write(arrival)
    return arrival


def arrival_of(*, study: Study, key: str, actor: User) -> Arrival:
    """Only the person who began it may go on."""
    arrival = _read(key)
    if arrival is None or (arrival.study, arrival.owner) != (study.pk, actor.pk) or not arrival.content.exists():
        raise _gone()
    return arrival


def _gone() -> NotVisible:
    return NotVisible("arrival_gone", _("This archive is no longer on its way. Choose it again."))


def take_part(*, arrival: Arrival, offset: int, part: bytes, sha256: str) -> Arrival:
    """Add the next part, or refuse it; a refusal leaves what was acknowledged as it is. Room is looked for each time:
    there may have been enough for each of several archives when they began, and not for all of them."""
    if hashlib.sha256(part).hexdigest() != sha256:
        raise DomainError("part_damaged", _("This part arrived damaged."))
    _refuse_without_room(len(part))
    with _locked(arrival) as file:
        arrival = _read(arrival.key) or arrival
        if offset != arrival.received:
            raise Elsewhere(arrival.received)
        if not 0 < len(part) <= min(PART_BYTES, arrival.byte_count - offset):
            raise DomainError("part_too_long", _("This part is not as long as it may be."))
        file.seek(offset)
        file.write(part)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
        arrival = replace(arrival, received=offset + len(part))
        _write(arrival)
    return arrival


def arrived_files(arrival: Arrival) -> list[Named]:
    """What is in it; a bad archive is refused and not kept."""
    _refuse_incomplete(arrival)
    try:
        return [Named(*file) for file in json.loads(arrival.listed.read_bytes())]
    except FileNotFoundError:
        pass
    try:
        files = archive_files(arrival.content)
    except DomainError:
        forget_arrival(arrival)
        raise
    write_whole(arrival.listed, json.dumps([(file.name, file.byte_count) for file in files]).encode())
    return files


def import_arrival(*, arrival: Arrival, study: Study, batch: Batch, actor: User) -> Job:
    place = incoming() / f"{new_public_id()}.archive"
    with _locked(arrival):  # of two windows one imports it, and the other finds it gone
        files = arrived_files(arrival)
        os.utime(arrival.content)
        arrival.content.rename(place)
    try:
        job = request_import_of(study=study, place=place, files=files, actor=actor, batch=batch)
    except BaseException:
        place.rename(arrival.content)
        raise
    forget_arrival(arrival)
    return job


def forget_arrival(arrival: Arrival) -> None:
    for place in (arrival.content, arrival.about, arrival.listed):
        place.unlink(missing_ok=True)


def _refuse_incomplete(arrival: Arrival) -> None:
    if arrival.received != arrival.byte_count:
        raise Elsewhere(arrival.received)


def _refuse_without_room(wanted: int) -> None:
    if wanted + SPARE_BYTES > shutil.disk_usage(incoming()).free:
        raise StorageFull("disk_full", _("The server has no room for this archive."), field="file")


@contextmanager
def _locked(arrival: Arrival, *, new: bool = False) -> Iterator[BinaryIO]:
    """One at a time, even if two windows send the same archive. Whoever had to wait until it was taken away or dropped
    holds a file without a name, and is told that it is gone."""
    try:
        handle = os.open(arrival.content, os.O_RDWR | (os.O_CREAT if new else 0), 0o600)
    except FileNotFoundError:
        raise _gone() from None
    with os.fdopen(handle, "r+b") as file:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not _is_there(arrival.content, os.fstat(handle)):
            raise _gone()
        yield file


def _is_there(place: Path, held: os.stat_result) -> bool:
    try:
        return os.path.samestat(place.stat(), held)
    except FileNotFoundError:
        return False


def _write(arrival: Arrival) -> None:
    write_whole(arrival.about, json.dumps(asdict(arrival)).encode())


def _read(key: str) -> Arrival | None:
    try:
        kept = (incoming() / f"{key}.about").read_bytes() if _KEY.fullmatch(key) else b""
    except FileNotFoundError:
        return None
    return Arrival(**json.loads(kept)) if kept else None


def _arrivals() -> Iterator[Arrival]:
    for place in incoming().glob("*.about"):
        if (arrival := _read(place.stem)) is not None:
            yield arrival
