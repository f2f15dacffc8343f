"""Bad weather: servers that break off, lead elsewhere or lie. The token goes to the named server alone."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from quorum_client import Damaged, Quorum, QuorumError, Refused
from quorum_client.moving import download
from quorum_client.transport import Transport

CONTENT = bytes(range(256)) * 4096  # 1 MiB
DIGEST = hashlib.sha256(CONTENT).hexdigest()
Answer = Callable[[BaseHTTPRequestHandler], None]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answer], str]]:
    """The address of a server that answers everything in this way."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer(self)

            def log_message(self, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def fetched(address: str, to: Path, sha256: str = DIGEST) -> Path:
    return download(Transport(address, "quorum_x"), "file", to, sha256=sha256, size=len(CONTENT))


def test_a_download_that_breaks_off_goes_on_where_it_stopped(serve: Callable[[Answer], str], tmp_path: Path) -> None:
    asked: list[str] = []

    def breaks_off(request: BaseHTTPRequestHandler) -> None:
        start = int((request.headers["Range"] or "bytes=0-")[6:-1])
        asked.append(request.headers["Range"] or "")
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(CONTENT) - start))
        request.end_headers()
        request.wfile.write(CONTENT[start : start + 400_000])

    assert fetched(serve(breaks_off), tmp_path / "mine.zip").read_bytes() == CONTENT
    assert asked == ["", "bytes=400000-", "bytes=800000-"]


def test_a_server_that_knows_no_ranges_gives_the_whole_again(serve: Callable[[Answer], str], tmp_path: Path) -> None:
    (tmp_path / "mine.zip.part").write_bytes(b"old" * 10)

    def whole(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(CONTENT)))
        request.end_headers()
        request.wfile.write(CONTENT)

    assert fetched(serve(whole), tmp_path / "mine.zip").read_bytes() == CONTENT


@pytest.mark.parametrize("fault", ["other bytes", "more bytes"])
def test_another_file_than_promised_is_not_kept(serve: Callable[[Answer], str], tmp_path: Path, fault: str) -> None:
    def lies(request: BaseHTTPRequestHandler) -> None:
        body = CONTENT[::-1] if fault == "other bytes" else CONTENT * 2
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    address = serve(lies)
    with pytest.raises(Damaged, match=r"mine\.zip"):
        fetched(address, tmp_path / "mine.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_stays_silent_is_given_up_and_what_came_is_kept(
    serve: Callable[[Answer], str], tmp_path: Path
) -> None:
    def nothing_more(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200 if "Range" not in request.headers else 503)
        request.send_header("Content-Length", str(len(CONTENT)))
        request.end_headers()
        if "Range" not in request.headers:
            request.wfile.write(CONTENT[:1000])

    with pytest.raises(QuorumError):
        fetched(serve(nothing_more), tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip.part").stat().st_size == 1000


def test_the_token_does_not_follow_a_redirect(serve: Callable[[Answer], str]) -> None:
    reached: list[str | None] = []

    def thief(request: BaseHTTPRequestHandler) -> None:
        reached.append(request.headers["Authorization"])
        request.send_response(200)
        request.end_headers()

    elsewhere = serve(thief)

    def leads_away(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", elsewhere)
        request.send_header("Content-Length", "0")
        request.end_headers()

    with pytest.raises(Refused, match="leads to"):
        Quorum(serve(leads_away), "quorum_x").me()
    assert reached == []


def test_a_busy_server_is_asked_again(serve: Callable[[Answer], str]) -> None:
    asked: list[str] = []

    def busy_at_first(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.headers["Authorization"])
        body = b'{"name": "Olga"}'
        request.send_response(200 if len(asked) > 2 else 503)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    assert Quorum(serve(busy_at_first), "quorum_x").me() == {"name": "Olga"}
    assert asked == ["Bearer quorum_x"] * 3


def test_what_is_no_quorum_server_says_so(serve: Callable[[Answer], str]) -> None:
    def page(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(b"<html>")

    with pytest.raises(QuorumError, match="not JSON"):
        Quorum(serve(page), "quorum_x").me()
    with pytest.raises(QuorumError, match="does not answer"):
        Quorum("http://127.0.0.1:1", "quorum_x").me()


@pytest.mark.parametrize(
    "address",
    [
        "quorum.example.org",
        "ftp://quorum.example.org",
        "https://",
        "https://me:x@quorum.example.org",
        "http://quorum.example.org",
    ],
)
def test_an_address_that_would_give_the_token_away_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"address of a server|plain http"):
        Quorum(address, "quorum_x")


def test_without_a_token_it_says_where_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORUM_TOKEN", raising=False)
    with pytest.raises(ValueError, match="account page"):
        Quorum("https://quorum.example.org")


def test_nothing_that_is_printed_shows_the_token() -> None:
    quorum = Quorum("https://quorum.example.org", "quorum_secret")
    assert "secret" not in f"{quorum!r} {quorum._transport!r}"
