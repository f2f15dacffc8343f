"""A grader is removed while cases are shared out: neither fills a place that the other has; on both databases."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection

from annotator.models import Assignment, Reading, Role, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.people import add_member
from consensus.services.removing import remove_grader, take_back_removal
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.removal_scene import member


def at_once(*acts: Callable[[], object]) -> None:
    together, faults = threading.Barrier(len(acts)), list[Exception]()

    def run(act: Callable[[], object]) -> None:
        try:
            together.wait()
            act()
        except Exception as fault:
            faults.append(fault)
        finally:
            connection.close()

    workers = [threading.Thread(target=run, args=(act,)) for act in acts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not faults


@pytest.mark.contract
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("back", [False, True])
def test_a_place_is_filled_once(organiser: User, senior: User, graders: list[User], outsider: User, back: bool) -> None:
    """Somebody new could take the places in either way; and the same where the removed grader comes back to them."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    cast.add_pictures(study, 12, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for grader in graders[:2]:
        for one in scene.assignments_of(study, grader)[:6]:
            scene.read(one, answer("RG"))
    bad = member(study, graders[0])
    removal = remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser) if back else None
    for user in (graders[2], outsider):
        add_member(study=study, user=user, role=Role.GRADER, actor=organiser)

    def change() -> object:
        if removal is not None:
            return take_back_removal(removal=removal, actor=organiser)
        return remove_grader(study=study, grader=bad, reason="Drifts.", actor=organiser)

    at_once(change, lambda: assign_cases(study=study, rule=Rule(2), actor=organiser))

    aside = Reading.objects.filter(set_aside_at__isnull=False).values("assignment")
    have = Assignment.objects.filter(grader__study=study).exclude(state="withdrawn").exclude(pk__in=aside)
    readers = Counter(have.values_list("case", flat=True))
    assert set(readers.values()) == {2}
