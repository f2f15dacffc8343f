"""AIROGS with two graders who differ on some eyes, fused; and an adjudicator at the API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client

from annotator.answers import Given
from annotator.models import Study, User
from tests import cast
from tests.consensus import scene

TARGET = "referable_glaucoma"
Labels = Sequence[tuple[str, ...]]
"""By case: what each grader, mostly two, says of it."""


def answer(label: str) -> tuple[Given, ...]:
    signs = ("large_cup",) if label == "RG" else ()
    return (Given(TARGET, label=label, signs=signs),)


def disputed_study(
    labels: Labels,
    *,
    organiser: User,
    senior: User,
    graders: Sequence[User],
    adjudicators: Sequence[User],
    name: str = "",
    changes: Mapping[str, Any] | None = None,
) -> Study:
    study = cast.study_of("airogs", organiser=organiser, name=name, changes=changes)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    for adjudicator in adjudicators:
        cast.add_cast(study, actor=organiser, adjudicator=adjudicator)
    cast.add_pictures(study, len(labels), actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for place, grader in enumerate(graders):
        for assignment, said in zip(scene.assignments_of(study, grader), labels, strict=True):
            scene.read(assignment, answer(said[place]))
    scene.fuse_all(study, actor=senior)
    return study


class Bench:
    """An adjudicator at the API."""

    def __init__(self, client: Client, study: Study, tab: str = "one") -> None:
        self.client, self.study, self.tab = client, study, tab
        self.address = f"/api/v1/studies/{study.public_id}/adjudication/"

    def at(self, number: int) -> str:
        return f"{self.address}cases/{scene.case_of(self.study, number).public_id}/"

    def queue(self) -> list[int]:
        return [row["case"] for row in self.client.get(self.address).json()["results"]]

    def get(self, number: int) -> Any:
        return self.client.get(f"{self.at(number)}workbench/", {"tab": self.tab})

    def post(self, number: int, act: str, **body: Any) -> Any:
        sent = json.dumps({"tab": self.tab, **body})
        return self.client.post(f"{self.at(number)}{act}/", sent, content_type="application/json")

    def decide(self, number: int, label: str) -> Any:
        content = {"answer": "present", "label": label, "signs": []}
        return self.post(number, "decide", verdicts=[{"position": 1, "target": TARGET, "content": content}])
