"""Everything a signed-in person can reach: all links of all pages, all addresses in JSON, and every address that the
site knows, filled with whatever ids exist."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

HERE = "http://testserver"
ENDS_THE_SESSION = ("/account/logout", "/i18n/", "/static/", "/admin/")
MOST_PAGES = 2000
PARAMETER = r"[<{](?:\w+:)?(\w+)[>}]"


@dataclass(frozen=True)
class Found:
    """One answer: where, what kind, its headers and its whole body."""

    address: str
    status: int
    media_type: str
    headers: str
    body: bytes


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if value and name in {"href", "src", "action", "data-url"}]


def crawl(browser: Client, starts: Iterable[str]) -> Iterator[Found]:
    """Follow everything that can be followed by GET, each address once."""
    waiting, seen = list(starts), set(starts)
    while waiting:
        if len(seen) > MOST_PAGES:
            raise AssertionError("the crawl does not end")
        found = _fetch(browser, waiting.pop())
        yield found
        for address in _followed(found):
            if address not in seen:
                seen.add(address)
                waiting.append(address)


def _fetch(browser: Client, address: str) -> Found:
    return _found(address, browser.get(address))


def knock(browser: Client, method: str, address: str, body: Any = None) -> Found:
    """One request of any kind; a body is sent as JSON to the API and as a form to a page."""
    if address.startswith("/api/"):
        sent = "" if body is None else json.dumps(body)
        return _found(address, browser.generic(method.upper(), address, sent, content_type="application/json"))
    return _found(address, getattr(browser, method)(address, body or {}))


def _found(address: str, answer: Any) -> Found:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    headers = "\n".join(f"{name}: {value}" for name, value in answer.items()) + str(answer.cookies)
    return Found(address, answer.status_code, answer.get("Content-Type", "").split(";")[0], headers, body)


def _followed(found: Found) -> Iterator[str]:
    links: list[str] = re.findall(r"^Location: (.*)$", found.headers, re.MULTILINE)
    if found.media_type == "text/html":
        parser = _Links()
        parser.feed(found.body.decode())
        links += parser.found
    elif found.media_type == "application/json":
        links += [text for text in _strings(json.loads(found.body)) if text.startswith(("/", HERE))]
    for link in links:
        whole = urldefrag(urljoin(HERE + found.address, link))[0]
        if whole.startswith(HERE + "/") and not urlsplit(whole).path.startswith(ENDS_THE_SESSION):
            yield whole.removeprefix(HERE)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from itertools.chain.from_iterable(map(_strings, value.values()))
    elif isinstance(value, list):
        yield from itertools.chain.from_iterable(map(_strings, value))


def known_addresses(ids: Mapping[str, Sequence[str]]) -> list[str]:
    """Every pattern of the site with every combination of ids; where an argument has no id, the pattern is left out."""
    routes = _routes(get_resolver().url_patterns, "/")
    return [filled for route in routes if not route.startswith(ENDS_THE_SESSION) for filled in all_filled(route, ids)]


def all_filled(route: str, ids: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A pattern of Django (`<str:study_id>`) or of the schema (`{study_id}`) with every combination of ids."""
    names = re.findall(PARAMETER, route)
    for values in itertools.product(*(ids.get(name, ()) for name in names)):
        filled = route
        for value in values:
            filled = re.sub(PARAMETER, value, filled, count=1)
        yield filled


def listed_operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Method and path of everything that the API says about itself."""
    for path, operations in schema["paths"].items():
        for method in operations:
            yield method, path


def _routes(patterns: Iterable[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif not re.search(r"[\^$(\\]", route):
            yield route
