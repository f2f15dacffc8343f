"""Hidden repeats: so many as asked for, late enough, among other cases, and nothing that has begun moves."""

import math
import random
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import Conflict
from annotator.models import Assignment, AuditEvent, Membership, Reading, Study, User
from annotator.repeat_plan import shown_again
from annotator.selectors.own import own_assignments
from annotator.services.removing import set_grader_aside
from annotator.services.repeats import draw_everywhere, draw_repeats
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

WISH = {"repeats.share": 0.25, "repeats.gap_cases": 3, "repeats.gap_days": 0}
CASES = 16


@given(
    read=st.integers(0, 60),
    ripe=st.integers(0, 60),
    before=st.integers(0, 20),
    waiting=st.lists(st.booleans(), max_size=40),
    share=st.floats(0, 0.5),
    gap=st.integers(0, 70),
    turn=st.floats(0, 0.999),
    seed=st.integers(0, 1000),
)
def test_repeats_keep_the_share_the_gap_and_one_place_each(
    read: int, ripe: int, before: int, waiting: list[bool], share: float, gap: int, turn: float, seed: int
) -> None:
    repeated = set(range(min(before, read)))
    again = shown_again(
        read=range(read),
        ripe=set(range(min(ripe, read))),
        repeated=repeated,
        waiting=waiting,
        share=share,
        gap=gap,
        lots=random.Random(seed),
        turn=turn,
    )
    assert len(again) <= max(0, math.floor(share * read + turn) - len(repeated))
    assert len({one.first for one in again} | repeated) == len(again) + len(repeated)
    taken = [one.slot for one in again if one.slot < len(waiting)]
    assert len(set(taken)) == len(taken)
    assert all(waiting[slot] for slot in taken)
    for one in again:
        assert one.first < ripe
        assert (read - 1 - one.first) + one.slot >= gap


def test_all_that_is_wanted_comes_where_nothing_stands_in_the_way() -> None:
    again = shown_again(
        read=range(40),
        ripe=set(range(40)),
        repeated={0},
        waiting=[True] * 10,
        share=0.1,
        gap=0,
        lots=random.Random(1),
        turn=0.0,
    )
    assert len(again) == 3  # a tenth of forty, one of which has come back already


pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, graders: list[User]) -> Study:
    """Sixteen eyes, two graders; the first has read twelve."""
    study = cast.study_of("airogs", organiser=organiser, changes=WISH)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, CASES, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for assignment in in_order(study, graders[0])[:12]:
        scene.read(assignment, answer("NRG"))
    return study


def in_order(study: Study, user: User) -> list[Assignment]:
    return list(own_assignments(user, study=study.public_id))


def repeats(study: Study) -> list[Assignment]:
    rows = Assignment.objects.filter(case__study=study).exclude(repeat_of=None)
    return list(rows.select_related("repeat_of", "grader__user").order_by("position"))


def test_a_share_of_what_was_read_comes_back_among_cases_not_yet_begun(
    study: Study, organiser: User, graders: list[User]
) -> None:
    before = in_order(study, graders[0])
    count = draw_repeats(study=study, actor=organiser)

    assert count in {3, 4}  # a quarter of twelve, rounded by lot
    found = repeats(study)
    assert {one.grader.user for one in found} == {graders[0]}
    assert len({one.repeat_of_id for one in found}) == count
    after = in_order(study, graders[0])
    assert [one.pk for one in after[:12]] == [one.pk for one in before[:12]]  # what was read stays where it was
    assert {one.pk for one in after} == {one.pk for one in before} | {one.pk for one in found}
    places = {one.pk: place for place, one in enumerate(after)}
    for one in found:
        assert one.repeat_of is not None
        assert places[one.pk] - places[one.repeat_of.pk] > WISH["repeats.gap_cases"]
        assert one.public_id != one.repeat_of.public_id
    assert draw_repeats(study=study, actor=organiser) == 0
    event = AuditEvent.objects.get(action="cases.shown_again")
    assert (event.after or {})["count"] == count


def test_repeats_that_wait_for_their_days_come_when_they_are_over(organiser: User, graders: list[User]) -> None:
    study = cast.study_of("airogs", organiser=organiser, changes=WISH | {"repeats.gap_days": 14})
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 8, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for assignment in in_order(study, graders[0]):
        scene.read(assignment, answer("RG"))

    assert draw_everywhere() == 0
    later = timezone.now() + timedelta(days=14, minutes=1)
    assert draw_repeats(study=study, actor=None, now=later) in {2, 3}


def test_nothing_comes_back_in_a_study_without_repeats_or_in_a_closed_round(
    organiser: User, graders: list[User], study: Study
) -> None:
    plain = cast.study_of("airogs", organiser=organiser, name="Without repeats")
    with pytest.raises(Conflict, match="no hidden repeats"):
        draw_repeats(study=plain, actor=organiser)
    study.rounds.update(closes=timezone.now())
    assert draw_repeats(study=study, actor=organiser) == 0


def test_a_case_that_was_opened_or_put_off_keeps_its_place(study: Study, organiser: User, graders: list[User]) -> None:
    begun = in_order(study, graders[0])[12:15]
    Assignment.objects.filter(pk=begun[0].pk).update(state="started", opened_at=timezone.now())
    Assignment.objects.filter(pk=begun[1].pk).update(skipped_at=timezone.now())
    Assignment.objects.filter(pk=begun[2].pk).update(opened_at=timezone.now())
    draw_repeats(study=study, actor=organiser)
    now = dict(Assignment.objects.values_list("pk", "position"))
    assert [now[one.pk] for one in begun] == [one.position for one in begun]


def test_pictures_are_mirrored_where_the_recipe_says_so_and_nothing_is_about_sides(
    organiser: User, graders: list[User]
) -> None:
    for protocol, expected in (("airogs", {True}), ("age", {False})):
        study = cast.study_of(protocol, organiser=organiser, name=protocol, changes=WISH | {"repeats.mirrored": True})
        cast.add_cast(study, actor=organiser, graders=graders[:1])
        cast.add_pictures(study, 8, actor=organiser)
        cast.assign_all(study, actor=organiser)
        study = scene.open_study(study, actor=organiser)
        moment = timezone.now()
        for place, assignment in enumerate(in_order(study, graders[0])[:6]):
            at = moment + timedelta(seconds=place)
            Assignment.objects.filter(pk=assignment.pk).update(state="submitted", submitted_at=at)
            Reading.objects.create(
                assignment=assignment,
                number=1,
                submitted_at=at,
                submitted_by=graders[0],
                opened_at=moment,
                active_ms=1,
                digest="0" * 64,
            )
        assert draw_repeats(study=study, actor=None, now=moment + timedelta(minutes=1)) > 0
        assert {one.mirrored for one in repeats(study)} == expected


def test_whoever_is_removed_is_shown_nothing_again(study: Study, organiser: User, graders: list[User]) -> None:
    draw_repeats(study=study, actor=organiser)
    member = Membership.objects.get(study=study, user=graders[0])
    set_grader_aside(grader=member, reason="Drifts.", actor=organiser)
    assert {one.state for one in repeats(study)} == {"withdrawn"}
    assert draw_repeats(study=study, actor=organiser) == 0


def test_the_organiser_sees_and_draws_them_and_nobody_else(
    study: Study, organiser: User, senior: User, graders: list[User], client: Client
) -> None:
    client.force_login(organiser)
    page = client.get(reverse("study_assign", args=[study.public_id])).content.decode()
    assert "25 % of what a grader has read comes back" in page
    answer_to = client.post(reverse("study_repeats", args=[study.public_id]), follow=True).content.decode()
    assert f"{len(repeats(study))} cases come back." in answer_to
    for other in (senior, graders[0]):
        client.force_login(other)
        assert client.post(reverse("study_repeats", args=[study.public_id])).status_code in {403, 404}


def test_a_worklist_tells_no_repeat_from_another_case(
    study: Study, organiser: User, graders: list[User], client: Client
) -> None:
    draw_repeats(study=study, actor=organiser)
    client.force_login(graders[0])
    page = client.get(reverse("worklist", args=[study.public_id])).content.decode()
    found = repeats(study)
    assert all(one.public_id in page for one in found)
    for word in ("repeat", "again", "mirror"):
        assert word not in page.lower()
    for one in found:
        assert one.repeat_of is not None
        told = client.get(f"/api/v1/me/assignments/{one.public_id}/")
        assert told.status_code == 200
        assert one.repeat_of.public_id not in told.content.decode()
