"""AIROGS whose graders discuss what they call differently, and one of them at the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.test import Client

from annotator.models import Study, User
from consensus.models import Discussion, Statement
from tests.consensus.adjudication_scene import Labels, disputed_study

TWO_ROUNDS = {"review.discussion_rounds": 2}
THREE_GRADERS = {"readers.graders_per_case": 3, "review.discussion_rounds": 2, "review.discussion_quorum": 0.66}


def talking_study(
    labels: Labels,
    *,
    organiser: User,
    senior: User,
    graders: Sequence[User],
    adjudicator: User,
    changes: dict[str, Any] | None = None,
    name: str = "",
) -> Study:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders, "name": name}
    return disputed_study(labels, adjudicators=[adjudicator], changes=changes or TWO_ROUNDS, **people)


def about(study: Study, number: int) -> Discussion:
    return Discussion.objects.get(reference__case__study=study, reference__case__number=number)


def asked(study: Study, number: int) -> User:
    """Whose turn it is."""
    awaits = about(study, number).awaits
    assert awaits is not None
    return awaits.user


class Talk:
    """Graders in a discussion, at the API."""

    def __init__(self, study: Study, browser_of: Callable[[User], Client]) -> None:
        self.study, self.browser_of = study, browser_of
        self.address = f"/api/v1/studies/{study.public_id}/discussions/"

    def at(self, number: int) -> str:
        return f"{self.address}{about(self.study, number).public_id}/"

    def waiting_for(self, user: User) -> list[str]:
        return [row["id"] for row in self.browser_of(user).get(self.address).json()["results"]]

    def get(self, user: User, case: int) -> Any:
        return self.browser_of(user).get(f"{self.at(case)}workbench/")

    def say(self, user: User, case: int, label: str, reason: str = "Look at the rim.", **more: Any) -> Any:
        spoken = Statement.objects.filter(discussion=about(self.study, case)).count()
        body = {"number": spoken + 1, "label": label, "reason": reason, **more}
        return self.browser_of(user).post(f"{self.at(case)}say/", json.dumps(body), content_type="application/json")
