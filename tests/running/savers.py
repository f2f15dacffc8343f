"""Graders who save without pause over the API, and remember what was answered."""

import base64
import http.client
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.geometry import mask_text, runs
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from tests.running.installation import Installation

WIDTH, HEIGHT = 2124, 2056  # as if a fundus camera had taken the cast's pictures
TOKEN = "csrf" * 8
SETTLE = """
import json
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from tests import cast
from annotator.models import Assignment, Image
from annotator.models.study import StudyState
from annotator.selectors.workbench import author_of
from annotator.services.studies import change_state
organiser = cast.person("Olga Organiser", can_create_studies=True)
people = [cast.person(f"Grader {{n}}") for n in range({people})]
for protocol, targets in (("refuge", ["disc", "cup"]), ("adam", ["disc", "drusen"])):
    study = cast.study_of(protocol, organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=people)
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study.refresh_from_db()
    change_state(study=study, version=study.version, state=StudyState.READING, actor=organiser)
    Image.objects.update(width={width}, height={height})
    for assignment in Assignment.objects.filter(grader__study=study).select_related("grader__user"):
        client, user = Client(), assignment.grader.user
        client.force_login(user)
        seat = [assignment.public_id, client.cookies["quorum_session"].value, author_of(user), protocol, targets]
        print(json.dumps(seat))
"""

STORED = """
SELECT assignment.public_id, target.key, draft.version, draft.content, draft.runs
FROM annotator_draft draft
JOIN annotator_assignment assignment ON assignment.id = draft.assignment_id
JOIN annotator_target target ON target.id = draft.target_id
"""


def _disc(radius: int) -> str:
    mask = rasterise_ellipse(Ellipse(900.5, 1000.5, radius + 10, radius, 30), WIDTH, HEIGHT)
    return mask_text.write(runs.pack(runs.encode(mask)), WIDTH, HEIGHT)


DISCS = [_disc(radius) for radius in range(190, 197)]


@dataclass
class Change:
    """The n-th change of an answer; its confidence says n again, so that content and mask of two cannot be mixed."""

    target: str
    number: int
    content: dict[str, Any]
    masks: list[str]


@dataclass
class Saver:
    """One grader in one window: every change is made on the version of the one before it."""

    port: int
    assignment: str
    session: str
    author: str
    protocol: str
    targets: list[str]
    acknowledged: dict[str, Change] = field(default_factory=dict)
    unanswered: Change | None = None
    count: int = 0
    _connection: http.client.HTTPConnection | None = None

    def next_change(self) -> Change:
        target = self.targets[self.count % len(self.targets)]
        before = self.acknowledged.get(target)
        return self.change(target, 1 + (before.number if before else 0))

    def change(self, target: str, number: int) -> Change:
        content: dict[str, Any] = {"answer": "present", "geometry": None, "label": "", "signs": []}
        content["confidence"] = number / 1_000_000
        if self.protocol == "refuge":
            content["geometry"] = {
                "cx": 900.5,
                "cy": 1000.5,
                "a": 200 + number % 7,
                "b": 190,
                "theta_deg": number % 180,
            }
            return Change(target, number, content, [])
        return Change(target, number, content, [DISCS[number % len(DISCS)]])

    def save(self, change: Change) -> None:
        """The same change sent again has the same key. Raises OSError while nobody answers."""
        self.unanswered = change
        body = {"author": self.author, "tab": "window-1", "version": change.number - 1, "content": change.content}
        key = {"key": f"{change.target}-{change.number:08d}", "masks": change.masks}
        status, answer = self.ask("PUT", f"drafts/1/{change.target}/", body | key)
        if status != 200 or answer["version"] != change.number:
            raise AssertionError(f"{status}: {answer}")
        self.acknowledged[change.target], self.unanswered = change, None
        self.count += 1

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        return self.ask_at(method, f"/api/v1/me/assignments/{self.assignment}/{path}", body)

    def ask_at(self, method: str, address: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        connection = self._connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self._connection = None
        cookies = f"quorum_session={self.session}; csrftoken={TOKEN}"
        headers = {"Cookie": cookies, "X-CSRFToken": TOKEN, "Content-Type": "application/json"}
        try:
            connection.request(method, address, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            said = json.loads(answer.read())
        except (http.client.HTTPException, ValueError) as fault:
            raise ConnectionError("the answer was cut off") from fault
        self._connection = connection
        return answer.status, said


def seated(installation: Installation, people: int) -> list[Saver]:
    """In a new installation: each person at a case with ellipses and at one with masks."""
    lines = installation.run(SETTLE.format(people=people, width=WIDTH, height=HEIGHT)).splitlines()
    return [Saver(installation.port, *json.loads(line)) for line in lines]


def compare_with_disk(savers: Sequence[Saver], database: Path) -> None:
    """By another reader than our own: each draft is the last acknowledged change, or the one that got no answer."""
    with sqlite3.connect(database) as connection:
        rows = list(connection.execute(STORED))
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    found = {(case, target): (version, json.loads(content), runs) for case, target, version, content, runs in rows}
    for saver in savers:
        for target in saver.targets:
            possible = [saver.acknowledged.get(target)]
            if saver.unanswered is not None and saver.unanswered.target == target:
                possible.append(saver.unanswered)
            stored = found.get((saver.assignment, target))
            assert stored in [as_stored(change) for change in possible]


def as_stored(change: Change | None) -> Any:
    if change is None:
        return None
    return change.number, change.content, base64.b64decode(change.masks[0].rpartition(":")[2]) if change.masks else None
