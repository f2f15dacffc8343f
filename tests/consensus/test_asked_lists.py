"""What is asked of the table holds no more than a case can hold: a longer list is refused with its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consensus.api.asked import MOST_DECISIONS, MOST_READINGS
from tests.consensus.senior import Table

pytestmark = pytest.mark.django_db

PLACE = {"position": 1, "target": "disc"}
EXCLUDED = {"reading": "r", "reason": "failed", "note": ""}
DECISION: dict[str, Any] = PLACE | {"version": 1, "digest": "", "excluded": []}


@pytest.mark.parametrize(
    ("act", "body", "field"),
    [
        ("decide", {"tab": "one", "decisions": [DECISION] * (MOST_DECISIONS + 1)}, "decisions"),
        (
            "decide",
            {"tab": "one", "decisions": [DECISION | {"excluded": [EXCLUDED] * (MOST_READINGS + 1)}]},
            "decisions.0.excluded",
        ),
        ("preview", {"decisions": [PLACE] * (MOST_DECISIONS + 1)}, "decisions"),
        ("preview", {"decisions": [PLACE | {"excluded": ["r"] * (MOST_READINGS + 1)}]}, "decisions.0.excluded"),
    ],
)
def test_a_list_that_is_too_long_is_named_and_nothing_is_written(
    table: Table, act: str, body: dict[str, Any], field: str
) -> None:
    answer = table.client.post(f"{table.case_address}{act}/", json.dumps(body), content_type="application/json")

    assert answer.status_code == 400
    assert answer.json()["field"] == field
    assert {one["version"] for one in table.get()["references"]} == {1}
