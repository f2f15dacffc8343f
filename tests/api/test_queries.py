"""A list costs the same number of queries however long it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import Assignment, Role, Study, TargetExample, User
from annotator.services.assignments import Rule, request_assignment
from annotator.services.flags import raise_flag
from annotator.services.people import add_member, invite
from annotator.services.studies import change_state
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

LISTS = {
    "/api/v1/protocols/": "organiser",
    "/api/v1/studies/": "organiser",
    "/api/v1/studies/{study}/": "organiser",
    "/api/v1/studies/{study}/progress/": "organiser",
    "/api/v1/studies/{study}/images/": "organiser",
    "/api/v1/studies/{study}/people/": "organiser",
    "/api/v1/studies/{study}/invitations/": "organiser",
    "/api/v1/studies/{study}/targets/": "organiser",
    "/api/v1/studies/{study}/flags/": "organiser",
    "/api/v1/studies/{study}/audit/": "organiser",
    "/api/v1/studies/{study}/workload/": "organiser",
    "/api/v1/studies/{study}/repeats/": "organiser",
    "/api/v1/jobs/": "organiser",
    "/api/v1/me/": "grader",
    "/api/v1/me/worklists/": "grader",
    "/api/v1/me/assignments/": "grader",
}
FEW, MANY = 2, 7


@pytest.fixture
def grow(organiser: User, graders: list[User]) -> Callable[[int, int], None]:
    """Adds studies, and to the first of them images, people, invitations, examples, jobs and assignments."""

    def to(start: int, end: int) -> None:
        for number in range(start, end):
            study = cast.study_of("refuge", organiser=organiser, name=f"Study {number}")
            cast.add_cast(study, actor=organiser, graders=graders[:1])
            cast.add_pictures(study, 1, actor=organiser)
            cast.assign_all(study, actor=organiser)
            change_state(study=study, version=study.version, state=Study.State.READING, actor=organiser)
        first = Study.objects.get(name="Study 0")
        cast.add_pictures(first, end - start, actor=organiser, first_seed=100 + start)
        cast.assign_all(first, actor=organiser)
        for case in Assignment.objects.filter(grader__user=graders[0], grader__study=first, flags=None).select_related(
            "grader__study"
        ):
            raise_flag(assignment=case, actor=graders[0], comment="Wrong eye?")
        for number in range(start, end):
            add_member(study=first, user=cast.person(f"P{number}"), role=Role.GRADER, actor=organiser)
            invite(study=first, email=f"i{number}@example.org", role=Role.OBSERVER, actor=organiser)
            request_assignment(study=first, rule=Rule(None), actor=organiser)
            for target in first.targets.all():
                TargetExample.objects.create(target=target, sha256="0" * 64, served_format="png", position=number + 1)

    return to


def test_every_list_costs_the_same_at_any_length(
    api: Api, organiser: User, graders: list[User], grow: Callable[[int, int], None]
) -> None:
    people = {"organiser": organiser, "grader": graders[0]}

    def costs() -> dict[str, int]:
        counted = {}
        first = Study.objects.get(name="Study 0").public_id
        for address, role in LISTS.items():
            client = api(people[role])
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert client.get(address.format(study=first)).status_code == 200
            counted[address] = len(queries)
        return counted

    grow(0, FEW)
    few = costs()
    grow(FEW, MANY)
    assert costs() == few
    assert max(few.values()) <= 12


def test_a_preview_costs_the_same_at_any_length(api: Api, organiser: User, grow: Callable[[int, int], None]) -> None:
    client = api(organiser)

    def cost() -> int:
        first = Study.objects.get(name="Study 0").public_id
        with CaptureQueriesContext(connection) as queries:
            client.post(f"/api/v1/studies/{first}/assignments/preview/", {"graders_per_case": 1})
        return len(queries)

    grow(0, FEW)
    few = cost()
    grow(FEW, MANY)
    assert cost() == few
