"""A Quorum server: studies, frozen versions, their references and exports."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from quorum_client.challenges import Challenge
from quorum_client.errors import Missing, QuorumError
from quorum_client.moving import download
from quorum_client.references import Referenced, referenced
from quorum_client.transport import Progress, Transport

Named = TypeVar("Named", "Study", Challenge)


class Quorum:
    """`Quorum("https://quorum.example.org", token)`; without a token the variable QUORUM_TOKEN is read."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 60.0, insecure: bool = False) -> None:
        self._transport = Transport(url, token, timeout=timeout, insecure=insecure)

    def __repr__(self) -> str:
        return f"Quorum({self._transport.url!r})"

    def me(self) -> dict[str, Any]:
        """Whose token this is, and that person's roles."""
        told: dict[str, Any] = self._transport.get("me/")
        return told

    def studies(self) -> list[Study]:
        return [Study(one["id"], one["name"], one["protocol"], self._transport) for one in self._told("studies/")]

    def study(self, name: str) -> Study:
        """By its name or id."""
        return _the_one(self.studies(), name, "study")

    def challenges(self) -> list[Challenge]:
        return [Challenge.of(one, self._transport) for one in self._told("challenges/")]

    def challenge(self, name: str) -> Challenge:
        """By its name or id."""
        return _the_one(self.challenges(), name, "challenge")

    def _told(self, path: str) -> Iterator[dict[str, Any]]:
        return self._transport.pages(path, page_size=100)


def _the_one(found: Sequence[Named], name: str, kind: str) -> Named:
    by_id = [one for one in found if one.id == name]
    named = by_id or [one for one in found if one.name == name]
    if len(named) == 1:
        return named[0]
    if named:
        raise Missing(f"{len(named)} are called {name!r}; take the id: {', '.join(one.id for one in named)}")
    raise Missing(f"there is no {kind} {name!r} that you may see; there are: {', '.join(one.name for one in found)}")


@dataclass(frozen=True)
class Study:
    id: str
    name: str
    protocol: str
    _transport: Transport = field(repr=False, compare=False)

    def versions(self) -> list[Version]:
        """Frozen versions of the dataset, the latest first."""
        found = self._transport.pages(f"studies/{self.id}/datasets/", page_size=100)
        return [Version(self, one["id"], one["number"], one["name"], one["digest"]) for one in found]

    def version(self, number: int | None = None) -> Version:
        """The one with this number, or the latest."""
        found = self.versions()
        for one in found:
            if number is None or one.number == number:
                return one
        raise Missing(f"{self.name} has no frozen version{'' if number is None else f' {number}'}")


@dataclass(frozen=True)
class Split:
    id: str
    name: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Version:
    """What a study had agreed on at one time."""

    study: Study
    id: str
    number: int
    name: str
    digest: str

    @property
    def _path(self) -> str:
        return f"studies/{self.study.id}/datasets/{self.id}/"

    def references(self, split: Split | None = None, *, key: bool = False) -> Iterator[Referenced]:
        """Photograph by photograph, fetched fifty at a time. Hidden parts of a split are withheld without `key`."""
        query: dict[str, Any] = {"key": "true"} if key else {}
        if split is not None:
            query["split"] = split.id
        for one in self.study._transport.pages(self._path + "references/", **query):
            yield referenced(one)

    def splits(self) -> list[Split]:
        found = self.study._transport.pages(self._path + "splits/")
        return [Split(one["id"], one["name"], tuple(part["key"] for part in one["parts"])) for one in found]

    def exports(self) -> list[Export]:
        """Archives that were asked for, the latest first."""
        return [Export(self, one) for one in self.study._transport.pages(self._path + "exports/")]

    def export(
        self,
        formats: Sequence[str] = ("masks", "tables", "images"),
        *,
        split: Split | None = None,
        withheld: Sequence[str] | None = None,
        licence: str = "",
    ) -> Export:
        """Have an archive made; the one that is there already, if the same was asked for before."""
        body: dict[str, Any] = {"formats": list(formats), "licence": licence}
        body |= {"split": split.id} if split is not None else {}
        body |= {"withheld": list(withheld)} if withheld is not None else {}
        return Export(self, self.study._transport.post(self._path + "exports/", body))


class Export:
    """An archive on the server, made or being made."""

    def __init__(self, version: Version, told: dict[str, Any]) -> None:
        self.version = version
        self.id = str(told["id"])
        self._told = told

    def __repr__(self) -> str:
        return f"Export({self.id!r}, formats={self.formats}, made={self.made})"

    @property
    def formats(self) -> list[str]:
        return list(self._told["formats"])

    @property
    def made(self) -> bool:
        return self._told["made_at"] is not None

    @property
    def sha256(self) -> str:
        return str(self._told["sha256"])

    def wait(self, timeout: float = 3600.0, every: float = 2.0) -> Export:
        """Until the archive is made."""
        until = time.monotonic() + timeout
        while not self._looked_at():
            if time.monotonic() > until:
                self._fail(f"the archive is not made after {timeout:.0f} s; it goes on being made")
            time.sleep(every)
        return self

    def _looked_at(self) -> bool:
        """Whether it is made by now."""
        if self.made:
            return True
        transport = self.version.study._transport
        self._told = transport.get(f"{self.version._path}exports/{self.id}/")
        if not self.made and self._told["job"]:
            job = transport.get(f"jobs/{self._told['job']}/")
            if job["state"] in ("failed", "cancelled"):
                self._fail(f"the archive was not made: {job.get('error') or job['state']}")
        return self.made

    def download(self, to: str | Path, progress: Progress | None = None) -> Path:
        """Into a file; one that broke off before is gone on with. Waits until the archive is made."""
        self.wait()
        path = f"{self.version._path}exports/{self.id}/file"
        size = int(self._told["bytes"])
        return download(self.version.study._transport, path, Path(to), sha256=self.sha256, size=size, progress=progress)

    def _fail(self, message: str) -> NoReturn:
        raise QuorumError(f"export {self.id} of {self.version.study.name}, version {self.version.number}: {message}")
