"""A grader is removed while cases are shared out: neither fills a place that the other has; on both databases."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from annotator.models import Assignment, AuditEvent, Reading, Role, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.audit import record
from annotator.services.people import add_member
from consensus.services.removing import remove_grader, take_back_removal
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.removal_scene import member

PAUSE_S = 0.5  # long enough for whoever does not wait


@pytest.mark.contract
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("back", [False, True])
def test_a_place_is_filled_once(
    organiser: User,
    senior: User,
    graders: list[User],
    outsider: User,
    back: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first grader has left a place in every case, which the plan is just giving to somebody new: now the second
    is removed too, or the first comes back."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    cast.add_pictures(study, 6, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for grader in graders[:2]:
        for one in scene.assignments_of(study, grader)[:3]:
            scene.read(one, answer("RG"))
    removal = remove_grader(study=study, grader=member(study, graders[0]), reason="Drifts.", actor=organiser)
    for user in (graders[2], outsider):
        add_member(study=study, user=user, role=Role.GRADER, actor=organiser)
    begun, faults = threading.Event(), list[Exception]()

    def slowly(**event: Any) -> AuditEvent:
        begun.set()
        time.sleep(PAUSE_S)
        return record(**event)

    def share_out() -> None:
        assign_cases(study=study, rule=Rule(2), actor=organiser)

    def change() -> None:
        begun.wait()
        if back:
            take_back_removal(removal=removal, actor=organiser)
        else:
            remove_grader(study=study, grader=member(study, graders[1]), reason="Drifts too.", actor=organiser)

    def run(act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as fault:
            faults.append(fault)
        finally:
            begun.set()
            connection.close()

    monkeypatch.setattr("annotator.services.assignments.record", slowly)
    workers = [threading.Thread(target=run, args=(act,)) for act in (share_out, change)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert not faults
    aside = Reading.objects.filter(set_aside_at__isnull=False).values("assignment")
    have = Assignment.objects.filter(grader__study=study).exclude(state="withdrawn").exclude(pk__in=aside)
    assert set(Counter(have.values_list("case", flat=True)).values()) == {2}
    assert set(Counter(have.values_list("case", "grader")).values()) == {1}
