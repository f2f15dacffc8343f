"""Challenges: phases, sending in, and what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quorum_client.errors import Missing, QuorumError
from quorum_client.moving import upload
from quorum_client.transport import Progress, Transport


@dataclass(frozen=True)
class Challenge:
    id: str
    name: str
    protocol: str
    rules: str
    phases: tuple[Phase, ...]
    _transport: Transport = field(repr=False, compare=False)

    @staticmethod
    def of(told: dict[str, Any], transport: Transport) -> Challenge:
        phases = tuple(
            Phase(one["id"], one["key"], one["name"], one["opens_at"], one["closes_at"], told["id"], transport)
            for one in told["phases"]
        )
        return Challenge(told["id"], told["name"], told["protocol"], told["rules"], phases, transport)

    def phase(self, name: str) -> Phase:
        """By its name, the protocol's key, or id."""
        for one in self.phases:
            if name in (one.id, one.name, one.key):
                return one
        raise Missing(f"{self.name} has no phase {name!r}; it has {', '.join(one.name for one in self.phases)}")

    def submissions(self) -> list[Submission]:
        """The latest first; a team sees its own."""
        found = self._transport.pages(f"challenges/{self.id}/submissions/", page_size=100)
        return [Submission(one, self.id, self._transport) for one in found]


@dataclass(frozen=True)
class Phase:
    id: str
    key: str
    name: str
    opens_at: str
    closes_at: str
    challenge: str
    _transport: Transport = field(repr=False, compare=False)

    @property
    def _path(self) -> str:
        return f"challenges/{self.challenge}/phases/{self.id}/"

    def submit(self, archive: str | Path, *, note: str = "", progress: Progress | None = None) -> Submission:
        """Send in a .zip in the protocol's own layout. It is checked at once and scored in the background."""
        file = Path(archive)
        if not file.is_file():
            raise Missing(f"{file}: there is no such file")
        fields = {"note": note} if note else {}
        told = upload(self._transport, self._path + "submissions/", file, fields=fields, progress=progress)
        return Submission(told, self.challenge, self._transport)

    def leaderboard(self) -> list[dict[str, Any]]:
        """How the entries are ranked, the best first: team, rank, score, metrics with intervals."""
        told = self._transport.get(self._path + "leaderboard/")
        entries: list[dict[str, Any]] = told["entries"]
        return sorted(entries, key=lambda one: (one["rank"] is None, one["rank"]))


class Submission:
    """What a team sent in."""

    def __init__(self, told: dict[str, Any], challenge: str, transport: Transport) -> None:
        self.id = str(told["id"])
        self._told = told
        self._transport = transport
        self._path = f"challenges/{challenge}/submissions/{self.id}/"

    def __repr__(self) -> str:
        return f"Submission({self.number}, {self.state!r})"

    @property
    def number(self) -> int:
        return int(self._told["number"])

    @property
    def state(self) -> str:
        """waiting, scored, failed or withdrawn; received, where the phase hides results from teams."""
        return str(self._told["state"])

    @property
    def sha256(self) -> str:
        return str(self._told["sha256"])

    def wait(self, timeout: float = 3600.0, every: float = 2.0) -> Submission:
        """Until it is scored; at once where the phase hides results."""
        until = time.monotonic() + timeout
        self._told = self._transport.get(self._path)
        while self.state == "waiting":
            if time.monotonic() > until:
                raise QuorumError(f"submission {self.number} is not scored after {timeout:.0f} s; it goes on")
            time.sleep(every)
            self._told = self._transport.get(self._path)
        if self.state == "failed":
            raise QuorumError(f"submission {self.number} could not be scored; its page tells why")
        return self

    def scorecard(self) -> dict[str, Any]:
        """Metrics with intervals, and single cases where the phase shows them."""
        told: dict[str, Any] = self._transport.get(self._path + "scorecard/")
        return told

    def withdraw(self) -> Submission:
        """It is no longer ranked, but counts towards the limit."""
        self._told = self._transport.post(self._path + "withdraw/")
        return self
