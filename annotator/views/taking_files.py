"""Pages that take files: the size is refused before a byte is read, and what Django received can be opened again."""

from collections.abc import Callable
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from annotator.errors import Forbidden, TooLarge
from annotator.imaging.limits import MAX_BYTES
from annotator.views.base import SignedInView

ROOM_FOR_FIELDS = 64 * 1024


# Django would read the whole body to find the token before any view could refuse its size. The token is checked below,
# after the size; tests hold that for each such page.
@method_decorator(csrf_exempt, name="dispatch")
class TakesFiles(SignedInView):
    """Beside StudyView, or another page that knows who may come here."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST":
            _refuse_large_body(request, self.most_bytes())
            _refuse_forgery(request)
        return super().dispatch(request, *args, **kwargs)

    def most_bytes(self) -> int:
        """Bytes of one file that this page takes."""
        return file_limit()


def file_limit() -> int:
    """Bytes of one picture."""
    return min(MAX_BYTES, archive_limit())


def archive_limit() -> int:
    """Bytes of one archive; each picture in it is held to its own limit when it is unpacked."""
    return settings.UPLOAD_LIMIT_MB * 1024 * 1024


def _refuse_large_body(request: HttpRequest, most: int) -> None:
    """By the length the request states; more than that the server does not read."""
    stated = request.META.get("CONTENT_LENGTH") or "0"
    if not stated.isdecimal() or int(stated) > most + ROOM_FOR_FIELDS:
        limit = {"limit": most // 1024 // 1024}
        raise TooLarge("too_large", _("A file may have at most %(limit)s MB.") % limit, field="file")


class _TokenCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _refuse_forgery(request: HttpRequest) -> None:
    check = _TokenCheck(lambda request: HttpResponse())
    check.process_request(request)
    if check.process_view(request, lambda request: HttpResponse(), (), {}):
        raise Forbidden("csrf_failed", _("The page is too old. Load it again, then send the file once more."))


def reopened(file: "UploadedFile[Any]") -> Callable[[], BinaryIO]:
    """Django's upload as something that can be opened more than once; closing it would delete it."""

    def opener() -> BinaryIO:
        file.seek(0)
        return cast(BinaryIO, _Unclosed(file))

    return opener


class _Unclosed:
    def __init__(self, file: "UploadedFile[Any]") -> None:
        self._file = file

    def __enter__(self) -> "_Unclosed":
        return self

    def __exit__(self, *ended: object) -> None:
        pass

    def read(self, size: int = -1) -> bytes:
        return cast(bytes, self._file.read() if size < 0 else self._file.read(size))

    def close(self) -> None:
        pass
