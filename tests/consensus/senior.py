"""A senior at the API, and what is needed to speak to it."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from annotator.models import Study, User
from consensus.manifest import digest_of
from consensus.models import DatasetVersion
from consensus.selectors.readiness import standing_before_freeze
from consensus.services.signing import meaning_of, sign_off
from tests import cast
from tests.consensus import scene

SHIFTS = (0.0, 1.0, 7.0)  # the third grader has marked another place
STEPS = ["check", "remove-and-revote", "fine-adjustment"]


class Table:
    """A senior at the API."""

    def __init__(self, client: Client, study: Study, tab: str = "one") -> None:
        self.client, self.study, self.tab = client, study, tab
        self.address = f"/api/v1/studies/{study.public_id}/table/"
        self.case_address = f"{self.address}cases/{scene.case_of(study).public_id}/"

    def get(self) -> dict[str, Any]:
        return dict(self.client.get(self.case_address, {"tab": self.tab}).json())

    def post(self, act: str, **body: Any) -> Any:
        address = f"{self.case_address}{act}/"
        return self.client.post(address, json.dumps({"tab": self.tab, **body}), content_type="application/json")

    def vote_without(self, target: str, *readings: str) -> str:
        places = [{"position": 1, "target": target, "excluded": list(readings)}]
        body = json.dumps({"decisions": places})
        answer = self.client.post(f"{self.case_address}preview/", body, content_type="application/json")
        return str(answer.json()["references"][0]["digest"])

    def decision(self, target: str, **changes: Any) -> dict[str, Any]:
        """Accepting what is shown."""
        shown = self.get()["references"]
        seen = next((one for one in shown if one["target"] == target), {"version": 0, "digest": ""})
        return {"position": 1, "target": target, "version": seen["version"], "digest": seen["digest"]} | changes

    def accept_all(self) -> Any:
        return self.post("decide", decisions=[self.decision(key) for key in ("disc", "cup", "fovea")])


def reading_of(told: dict[str, Any], shift: float) -> str:
    """The reading whose disc lies this far to the right."""
    for reading in told["readings"]:
        for answer in reading["answers"]:
            if answer["target"] == "disc" and answer["content"]["geometry"]["cx"] == 16.0 + shift:
                return str(reading["id"])
    raise AssertionError("no such reading")


def content(**changes: Any) -> dict[str, Any]:
    return {"answer": "present", "geometry": None, "label": "", "signs": [], "confidence": None} | changes


def words_now(study: Study) -> str:
    """What a senior would sign now."""
    held = standing_before_freeze(study).content
    return meaning_of(study, held, digest_of(held))


def sign(study: Study, senior: User, **changes: Any) -> DatasetVersion:
    wish = {"password": cast.PASSWORD, "meaning": words_now(study), "name": "Reference standard"}
    return sign_off(study=study, actor=senior, **(wish | changes))
