"""Where the programs are that the tests start, and which Debian package brings each."""

import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Need:
    package: str
    program: str
    folders: tuple[str, ...] = ()

    def find(self) -> str | None:
        for pattern in self.folders:
            found = sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
            if found:
                return str(found[0])
        return shutil.which(self.program)


NEEDED = {
    "Chromium": Need("chromium", "chromium"),
    "PostgreSQL": Need("postgresql", "initdb", ("/usr/lib/postgresql/*/bin/initdb",)),
    "Redis": Need("redis-server", "redis-server"),
}


# Chromium without windows of its own, in which the same test costs half; the tests do without it where it is not.
WISHED = {"Chromium": Need("chromium-headless-shell", "chromium-headless-shell")}


def missing_packages() -> list[str]:
    return [need.package for need in NEEDED.values() if need.find() is None]


def wished_packages() -> list[str]:
    return [need.package for need in WISHED.values() if need.find() is None]


def program(name: str) -> str:
    found = NEEDED[name].find()
    if found is None:
        raise FileNotFoundError(f"{name} is missing: install Debian's {NEEDED[name].package}")
    return found


def lightest(name: str) -> str:
    return WISHED[name].find() or program(name)
