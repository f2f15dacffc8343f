"""Large files to and from a server, portion by portion."""

from __future__ import annotations

import hashlib
import http.client
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from quorum_client.errors import Damaged, QuorumError, Refused
from quorum_client.transport import Progress, Transport, Unreachable, _parsed

PORTION = 256 * 1024
ATTEMPTS = 5
CHECKED = "the archive has another SHA-256 than the server states"


def download(
    transport: Transport, path: str, to: Path, *, sha256: str, size: int, progress: Progress | None = None
) -> Path:
    """What is there already of a download that broke off is not fetched again. The file gets its name when it is whole
    and its digest is right."""
    part = to.with_name(to.name + ".part")
    failures = 0
    while (done := part.stat().st_size if part.exists() else 0) < size:
        try:
            _fetch(transport, path, part, done, sha256, size, progress)
        except Damaged:
            part.unlink(missing_ok=True)
            raise
        except (Unreachable, OSError, http.client.HTTPException) as fault:
            failures = failures + 1 if part.exists() and part.stat().st_size <= done else 1
            if failures >= ATTEMPTS:
                raise Unreachable(f"{to}: the download broke off ({fault}); ask again and it goes on") from None
            time.sleep(0.2 * 2**failures)
    if _digest(part) != sha256:
        part.unlink()
        raise Damaged(f"{to}: {CHECKED}; it was thrown away, ask again")
    part.replace(to)
    return to


def _fetch(
    transport: Transport, path: str, part: Path, done: int, sha256: str, size: int, progress: Progress | None
) -> None:
    headers = {"Range": f"bytes={done}-", "If-Range": f'"{sha256}"'} if done else {}
    with transport.open("GET", path, headers=headers) as answer:
        goes_on = answer.status == 206
        done = done if goes_on else 0
        with part.open("ab" if goes_on else "wb") as file:
            while portion := answer.read(PORTION):
                file.write(portion)
                done += len(portion)
                if done > size:
                    raise Damaged(f"{part}: {CHECKED}")
                if progress:
                    progress(done, size)
    if done < size:
        raise Unreachable(f"{done} of {size} bytes came")


def _digest(place: Path) -> str:
    told = hashlib.sha256()
    with place.open("rb") as file:
        while portion := file.read(1 << 20):
            told.update(portion)
    return told.hexdigest()


def upload(
    transport: Transport, path: str, file: Path, *, fields: Mapping[str, str], progress: Progress | None = None
) -> Any:
    """A form with one file (RFC 7578), never whole in memory. It is sent once: a second time could count twice."""
    boundary = f"quorum-{secrets.token_hex(16)}"
    head = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    named = file.name.replace('"', "%22").replace("\r", "").replace("\n", "")
    head += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{named}"\r\n'
    head += "Content-Type: application/zip\r\n\r\n"
    start, end = head.encode(), f"\r\n--{boundary}--\r\n".encode()
    with file.open("rb") as content:
        size = file.stat().st_size
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(start) + size + len(end)),
        }
        try:
            with transport.open("POST", path, _form(start, content, end, size, progress), headers) as answer:
                return _parsed(answer.read(), path)
        except Refused:
            raise
        except QuorumError as fault:
            raise QuorumError(f"{file}: not sent: {fault}; it may be larger than the server takes") from None


def _form(start: bytes, content: BinaryIO, end: bytes, size: int, progress: Progress | None) -> Iterator[bytes]:
    yield start
    done = 0
    while portion := content.read(PORTION):
        yield portion
        done += len(portion)
        if progress:
            progress(done, size)
    yield end
