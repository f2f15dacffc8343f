"""What every answer must carry and what no page may contain."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

REQUIRED = {
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {"default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}


def header_faults(response: Any) -> list[str]:
    headers = response.headers
    faults = [f"{name} is {headers.get(name)!r}" for name, value in REQUIRED.items() if headers.get(name) != value]
    policy = headers.get("Content-Security-Policy", "")
    if not {part.strip() for part in policy.split(";")} >= POLICY:
        faults.append(f"Content-Security-Policy is {policy!r}")
    if "unsafe" in policy or "*" in policy:
        faults.append("Content-Security-Policy lets something in")
    kept = headers.get("Cache-Control", "")
    if "private" not in kept or not ("no-store" in kept or "no-cache" in kept):
        faults.append(f"Cache-Control is {kept!r}")
    faults += [f"{name} tells about the server" for name in ("Server", "X-Powered-By") if name in headers]
    for name, cookie in response.cookies.items():
        if cookie.value and (not cookie["httponly"] or cookie["samesite"] not in {"Lax", "Strict"}):
            faults.append(f"cookie {name} lacks HttpOnly or SameSite")
    return faults


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside = tag if tag == "style" or (tag == "script" and _runs(given)) else ""
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"<{tag} {name}=…>")
            if name in {"href", "src", "action", "formaction"} and (value or "").strip().lower().startswith("java"):
                self.faults.append(f"<{tag} {name}={value}>")
            if (
                name in {"src", "href"}
                and tag in {"script", "link", "img"}
                and (value or "").startswith(("http", "//"))
            ):
                self.faults.append(f"<{tag}> from elsewhere: {value}")

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.faults.append(f"inline <{self._inside}>: {data.strip()[:40]}")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def _runs(attributes: dict[str, str | None]) -> bool:
    """A script without address that is not mere data."""
    return "src" not in attributes and attributes.get("type") != "application/json"


def page_faults(response: Any) -> list[str]:
    """Nothing inline, nothing from elsewhere."""
    if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
        return []
    return markup_faults(response.content.decode())


def markup_faults(text: str) -> list[str]:
    page = _Page()
    page.feed(text)
    return page.faults
