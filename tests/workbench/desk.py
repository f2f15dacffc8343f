"""A grader at the workbench: speaks to the API as the page does, from a window of his own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils import timezone
from rest_framework.test import APIClient

from annotator.geometry import mask_text, runs
from annotator.models import Assignment, Draft, Round, Study, User
from annotator.selectors.workbench import author_of
from annotator.services.images import add_images
from annotator.services.intake_desk import Facts
from annotator.services.studies import change_state
from tests import cast

WIDTH, HEIGHT = 32, 24  # of the cast's pictures
DISC = {"cx": 20.0, "cy": 12.0, "a": 6.0, "b": 5.0, "theta_deg": 30.0}
CUP = {"cx": 20.0, "cy": 12.0, "a": 3.0, "b": 2.5, "theta_deg": 30.0}
FOVEA = {"x": 4.5, "y": 11.0}
_keys = itertools.count(1)


def marked(geometry: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """The content of an answer as the page sends it."""
    blank: dict[str, Any] = {"answer": "present", "geometry": geometry, "label": "", "signs": [], "confidence": None}
    return blank | more


def labelled(label: str, *signs: str) -> dict[str, Any]:
    return marked(label=label, signs=list(signs))


def packed(*spots: tuple[int, int], width: int = WIDTH, height: int = HEIGHT) -> str:
    """The text of a mask whose (x, y) pixels are set."""
    mask = np.zeros((height, width), dtype=np.bool_)
    for x, y in spots:
        mask[y, x] = True
    return mask_text.write(runs.pack(runs.encode(mask)), width, height)


def new_key() -> str:
    return f"key-{next(_keys):08d}"


@dataclass
class Desk:
    user: User
    assignment: Assignment
    client: APIClient
    tab: str = "window-1"
    versions: dict[str, int] = field(default_factory=dict)

    def at(self, part: str) -> str:
        return f"/api/v1/me/assignments/{self.assignment.public_id}/{part}"

    def read(self) -> Any:
        return self.client.get(self.at(f"workbench/?tab={self.tab}")).json()

    def change(self, content: Any, **more: Any) -> dict[str, Any]:
        body = {"author": author_of(self.user), "tab": self.tab, "key": new_key(), "version": 0, "masks": []}
        return body | {"content": content} | more

    def put(self, target: str, body: Any, position: Any = 1) -> Any:
        answer = self.client.put(self.at(f"drafts/{position}/{target}/"), body)
        if answer.status_code == 200:
            self.versions[f"{position}/{target}"] = answer.json()["version"]
        return answer

    def save(self, target: str, content: Any, *, position: int = 1, **more: Any) -> Any:
        """As the page does it: from the version seen last."""
        seen = self.versions.get(f"{position}/{target}", 0)
        return self.put(target, self.change(content, **({"version": seen} | more)), position)

    def submit(self, **more: Any) -> Any:
        body = {
            "author": author_of(self.user),
            "tab": self.tab,
            "versions": self.versions,
            "opened_at": timezone.now().isoformat(),
            "active_ms": 1200,
            "adjustments": {},
            "confirmed_warnings": [],
            "comment": "",
        }
        return self.client.post(self.at("submit/"), body | more)

    def comment(self, text: str, seen: int, **more: Any) -> Any:
        body = {"author": author_of(self.user), "tab": self.tab, "version": seen, "comment": text}
        return self.client.put(self.at("comment/"), body | more)

    def withdraw(self) -> Any:
        return self.client.post(self.at("withdraw/"), {"author": author_of(self.user)})

    def lease(self, take_over: bool = False) -> Any:
        return self.client.post(self.at("lease/"), {"tab": self.tab, "take_over": take_over})

    def close(self) -> Any:
        """As the page does when its window is closed."""
        return self.client.delete(self.at("lease/"), {"tab": self.tab})

    def window(self, tab: str) -> Desk:
        """The same case in another window, which has seen nothing yet."""
        return Desk(self.user, self.assignment, self.client, tab)


def draft_geometry() -> Any:
    """Of the only draft there is."""
    content: Any = Draft.objects.get().content
    return content["geometry"]


def open_study(study: Study, organiser: User) -> Study:
    cast.assign_all(study, actor=organiser)
    study.refresh_from_db()
    return change_state(study=study, version=study.version, state=Study.State.READING, actor=organiser)


def desk_of(user: User, study: Study) -> Desk:
    """At the first case of the grader's own order."""
    client = APIClient()
    client.force_login(user)
    first = Assignment.objects.filter(grader__user=user, grader__study=study).earliest("position")
    return Desk(user, first, client)


def repeated(first: Desk) -> Desk:
    """The same case once more for the same grader, mirrored."""
    former = first.assignment
    again, _new = Round.objects.get_or_create(study=former.grader.study, number=2, kind=Round.Kind.REPEAT)
    repeat = Assignment.objects.create(
        grader=former.grader, case=former.case, round=again, repeat_of=former, mirrored=True, position=1
    )
    return Desk(first.user, repeat, first.client)


def add_eye(study: Study, photographs: int, *, actor: User, side: str = "R") -> None:
    """Photographs of one eye, in their order."""
    arrivals = [(cast._taken(seed), Facts(subject="P1", side=side, order=seed)) for seed in range(1, photographs + 1)]
    add_images(study=study, arrivals=arrivals, actor=actor)
