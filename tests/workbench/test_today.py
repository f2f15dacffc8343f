"""Time today: active time of what was submitted since the grader's midnight, and of unsent work as saved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from annotator.models import Assignment, Draft, Study
from annotator.selectors.worklist import active_ms
from tests.workbench.desk import CUP, DISC, FOVEA, marked

if TYPE_CHECKING:
    from tests.workbench.desk import Desk

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(*seconds: int) -> list[datetime]:
    return [NOON + timedelta(seconds=second) for second in seconds]


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        (at(), 0),
        (at(5), 0),
        (at(0, 10), 10_000),
        (at(0, 30), 30_000),
        (at(0, 31), 30_000),
        (at(0, 3600, 3605), 35_000),  # half a minute of the hour, then five seconds
        (at(20, 0, 10), 20_000),
    ],
)
def test_a_pause_counts_up_to_half_a_minute(moments: list[datetime], expected: int) -> None:
    assert active_ms(moments) == expected


def today(desk: Desk, study: Study, since: datetime) -> Any:
    address = f"/api/v1/me/worklists/{study.public_id}/today/"
    return desk.client.get(address, {"since": since.isoformat()})


def submit(desk: Desk, active: int) -> None:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert desk.submit(active_ms=active).status_code == 201


@pytest.mark.django_db
def test_what_was_submitted_since_midnight_counts_and_nothing_before(desk: Desk, study: Study) -> None:
    submit(desk, 61_000)
    hour_ago = timezone.now() - timedelta(hours=1)
    assert today(desk, study, hour_ago).json() == {"submitted": 1, "active_ms": 61_000}
    assert today(desk, study, timezone.now()).json() == {"submitted": 0, "active_ms": 0}


@pytest.mark.django_db
def test_work_that_was_taken_back_was_work_all_the_same(desk: Desk, study: Study) -> None:
    submit(desk, 61_000)
    desk.withdraw()
    Draft.objects.update(saved_at=timezone.now())
    assert today(desk, study, timezone.now() - timedelta(hours=1)).json() == {"submitted": 0, "active_ms": 61_000}


@pytest.mark.django_db
def test_unsent_work_counts_from_opening_to_the_last_save(desk: Desk, study: Study) -> None:
    desk.save("disc", marked(DISC))
    desk.save("cup", marked(CUP))
    begun = timezone.now() - timedelta(minutes=10)
    Assignment.objects.filter(pk=desk.assignment.pk).update(opened_at=begun)
    Draft.objects.filter(target__key="disc").update(saved_at=begun + timedelta(seconds=12))
    Draft.objects.filter(target__key="cup").update(saved_at=begun + timedelta(seconds=300))
    assert today(desk, study, timezone.now() - timedelta(hours=1)).json()["active_ms"] == 12_000 + 30_000


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [-27, 27])
def test_a_day_that_cannot_be_today_is_refused(desk: Desk, study: Study, hours: int) -> None:
    refused = today(desk, study, timezone.now() + timedelta(hours=hours))
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_times")
