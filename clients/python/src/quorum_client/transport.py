"""Requests to a server, with the standard library alone. The token travels in a header, to this server and no other."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from quorum_client.errors import QuorumError, Refused

Progress = Callable[[int, int], None]
"""Called with how many bytes are done and how many there are."""
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
BUSY = frozenset({502, 503, 504})
ATTEMPTS = 4


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token along to wherever it leads."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Transport:
    def __init__(self, url: str, token: str | None, *, timeout: float = 60.0, insecure: bool = False) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise ValueError(f"{url!r} is not the address of a server, such as https://quorum.example.org")
        if parts.scheme == "http" and parts.hostname not in LOCAL and not insecure:
            raise ValueError(f"{url}: plain http shows the token to everybody on the way; use https (or insecure=True)")
        secret = token if token is not None else os.environ.get("QUORUM_TOKEN", "")
        if not secret:
            raise ValueError("no token: give one, or set QUORUM_TOKEN; your account page on the server makes them")
        self.url = url.rstrip("/")
        self._secret = secret.strip()
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def get(self, path: str, **query: Any) -> Any:
        asked = f"{path}?{urlencode(query)}" if query else path
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self.open("GET", asked) as answer:
                    return _parsed(answer.read(), self._address(path))
            except (Refused, Unreachable) as fault:
                if attempt == ATTEMPTS or (isinstance(fault, Refused) and fault.status not in BUSY):
                    raise
            time.sleep(0.2 * 2**attempt)
        raise AssertionError

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """All entries of a list, page after page."""
        number = 1
        while True:
            page = self.get(path, **query, page=number)
            yield from page["results"]
            if page["next"] is None:
                return
            number += 1

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        content = json.dumps(body or {}).encode()
        with self.open("POST", path, content, {"Content-Type": "application/json"}) as answer:
            return _parsed(answer.read(), self._address(path))

    def open(
        self, method: str, path: str, content: Any = None, headers: Mapping[str, str] | None = None
    ) -> http.client.HTTPResponse:
        """The answer as it comes; whatever is no success is raised."""
        address = self._address(path)
        request = urllib.request.Request(address, data=content, method=method)  # noqa: S310 - checked above
        for name, value in {"Accept": "application/json", **(headers or {})}.items():
            request.add_header(name, value)
        request.add_unredirected_header("Authorization", f"Bearer {self._secret}")
        try:
            answer: http.client.HTTPResponse = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _refused(refusal, address.partition("?")[0]) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as fault:
            reason = getattr(fault, "reason", fault)
            raise Unreachable(f"{self.url} does not answer: {reason}") from None
        return answer

    def _address(self, path: str) -> str:
        return f"{self.url}/api/v1/{path}"

    def __repr__(self) -> str:
        return f"Transport({self.url!r})"


class Unreachable(QuorumError):
    """No answer came, or it broke off."""


def _parsed(content: bytes, address: str) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        raise QuorumError(f"{address}: the answer is not JSON; is this a Quorum server?") from None


def _refused(refusal: urllib.error.HTTPError, address: str) -> Refused:
    if refusal.code in (301, 302, 303, 307, 308):
        moved = refusal.headers.get("Location", "elsewhere")
        return Refused(refusal.code, "moved", f"the server leads to {moved}; give its own address", address)
    try:
        told = json.loads(refusal.read())
        return Refused(refusal.code, str(told["code"]), str(told["message"]), address)
    except (ValueError, KeyError, TypeError, OSError):
        return Refused(refusal.code, "unknown", refusal.reason or "refused", address)
