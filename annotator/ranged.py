"""Large files that can be taken away piece by piece: a download that broke off goes on where it stopped (RFC 9110)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

PORTION = 256 * 1024
LARGEST = 1 << 62
_ONE_RANGE = re.compile(r"bytes=([0-9]{0,100})-([0-9]{0,100})", re.IGNORECASE)  # no file has more bytes


def begins(request: HttpRequest, tag: str) -> bool:
    """Whether this asks for the file from its start."""
    asked = _asked_range(request, tag, LARGEST)
    return asked is None or (len(asked) > 0 and asked.start == 0)


def send_file(request: HttpRequest, place: Path, *, name: str, tag: str, content_type: str) -> HttpResponseBase:
    """The whole file, the part asked for (206), or that there is no such part (416)."""
    size = place.stat().st_size
    asked = _asked_range(request, tag, size)
    if asked is not None and not asked:
        refused = HttpResponse(status=416)
        refused["Content-Range"] = f"bytes */{size}"
        return refused
    file = place.open("rb")
    if asked is None:
        answer: HttpResponseBase = FileResponse(file, content_type=content_type, as_attachment=True, filename=name)
    else:
        file.seek(asked.start)
        answer = StreamingHttpResponse(_portions(file, len(asked)), status=206, content_type=content_type)
        answer["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{size}"
        answer["Content-Length"] = str(len(asked))
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Accept-Ranges"] = "bytes"
    answer["ETag"] = tag
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _asked_range(request: HttpRequest, tag: str, size: int) -> range | None:
    """The bytes asked for; None for the whole file, and none at all where there is no such part. Several parts at once,
    or a part of what the file was before, get the whole."""
    found = _ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if found is None or not any(found.groups()) or request.headers.get("If-Range", tag) != tag:
        return None
    first, last = found.groups()
    if first and last and int(last) < int(first):
        return None  # means nothing, so that nothing was asked
    if not first:
        return range(max(size - int(last), 0), size)
    return range(int(first), min(int(last) + 1, size) if last else size)


def _portions(file: BinaryIO, left: int) -> Iterator[bytes]:
    with file:
        while left and (portion := file.read(min(PORTION, left))):
            left -= len(portion)
            yield portion
