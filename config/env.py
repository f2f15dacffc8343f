"""Settings come from environment variables; a bad value or an unknown name stops the start with one sentence."""

import re
import zoneinfo
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
PREFIX = "QUORUM_"


class Environment:
    """The QUORUM_… variables, each read once by a strict parser."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = {name: value for name, value in variables.items() if name.startswith(PREFIX)}
        self._asked: set[str] = set()

    def read(self, name: str, parse: Callable[[str], T], default: T) -> T:
        """The parsed value of QUORUM_<name>; the default only when the variable is not set at all."""
        full_name = PREFIX + name
        self._asked.add(full_name)
        if full_name not in self._variables:
            return default
        try:
            return parse(self._variables[full_name].strip())
        except ValueError as fault:
            raise ImproperlyConfigured(f"{full_name} {fault}.") from None

    def refuse_unknown(self) -> None:
        """A misspelt variable would silently leave a default in force."""
        unknown = sorted(set(self._variables) - self._asked)
        if unknown:
            raise ImproperlyConfigured(f"{unknown[0]} is not a setting of Quorum; docs/operator.md lists them.")


def flag(text: str) -> bool:
    choices = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in choices:
        raise ValueError("must be 1 or 0")
    return choices[text.lower()]


def whole_number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return parse


def one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def time_zone(text: str) -> str:
    if text not in zoneinfo.available_timezones():
        raise ValueError("must be the name of a time zone such as Europe/Amsterdam")
    return text


def sender(text: str) -> str:
    _name, place = parseaddr(text)
    if "@" not in place.strip("@") or any(letter in text for letter in "\r\n"):
        raise ValueError("must be an e-mail address, with or without a name before it")
    return text


def words(text: str) -> list[str]:
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise ValueError("must be a comma-separated list without empty entries")
    return found


def origins(text: str) -> list[str]:
    found = words(text)
    for origin in found:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path.strip("/"):
            raise ValueError("must list origins such as https://quorum.example.org")
    return found


def origin(text: str) -> str:
    if len(found := origins(text)) != 1:
        raise ValueError("must be one address such as https://quorum.example.org")
    return found[0]


def directory(text: str) -> Path:
    path = Path(text)
    if not path.is_absolute():
        raise ValueError("must be an absolute path")
    return path


def secret(text: str) -> str:
    if len(text) < 50 or len(set(text)) < 5:
        raise ValueError("must have at least 50 characters that are not all alike")
    return text


def hex_key(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("must be 64 hexadecimal digits")
    return bytes.fromhex(text)


def address(text: str) -> str:
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})", text)
    if match is None or not 0 < int(match[2]) < 65536:
        raise ValueError("must be host:port")
    return text


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        raise ValueError("has a port that is not a number up to 65535") from None


def broker(text: str) -> str:
    parts = urlsplit(text)
    if text != "filesystem" and (parts.scheme not in {"redis", "rediss"} or not parts.hostname):
        raise ValueError("must be 'filesystem' or redis:// with a host")
    _port(parts)
    return text


def database(text: str) -> dict[str, Any]:
    """A Django DATABASES entry from sqlite:////absolute/path or postgresql://user:password@host:port/name."""
    parts = urlsplit(text)
    if parts.scheme == "sqlite":
        path = parts.path[1:] if parts.path.startswith("//") else ""
        if parts.netloc or not path or parts.query or parts.fragment:
            raise ValueError("must be sqlite:////absolute/path/to/file")
        return {"ENGINE": "config.sqlite", "NAME": path}
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("must start with sqlite:/// or postgresql://")
    name = parts.path.lstrip("/")
    if not name:
        raise ValueError("must end with the name of a database")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(_port(parts) or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def mail(text: str) -> dict[str, Any]:
    """Django's e-mail settings from smtp://user:password@host:port, smtps:// for TLS from the start."""
    parts = urlsplit(text)
    if parts.scheme not in {"smtp", "smtp+tls", "smtps"} or not parts.hostname:
        raise ValueError("must be smtp://, smtp+tls:// or smtps:// with a host")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": _port(parts) or {"smtp": 25, "smtp+tls": 587, "smtps": 465}[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }
