"""What a discussion leaves alone, and what it may rest on."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from annotator.models import Assignment, Round, Study, User
from consensus.models import Reference
from consensus.selectors.taking_part import readings_twice
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.discussion_scene import about
from tests.consensus.test_discussing import study as study

pytestmark = pytest.mark.django_db


def test_a_repeat_after_a_discussion_is_not_compared(study: Study, graders: list[User]) -> None:
    for number, expected in ((1, 0), (2, 2)):  # case 1 is discussed, case 2 is not
        first = next(one for one in scene.assignments_of(study, graders[0]) if one.case.number == number)
        again, _new = Round.objects.get_or_create(study=study, number=2, kind=Round.Kind.REPEAT)
        twin = Assignment.objects.create(
            grader=first.grader, case=first.case, round=again, repeat_of=first, position=number
        )
        scene.read(twin, answer("RG"))
        assert readings_twice().filter(assignment__case=first.case).count() == expected


def test_a_seat_is_only_for_who_gave_the_label(study: Study, graders: list[User]) -> None:
    discussion = about(study, 1)
    stranger = scene.assignments_of(study, graders[0])[1].readings.get().revisions.get()  # about another case
    seat = discussion.seats.first()
    assert seat is not None
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO consensus_seat (discussion_id, grader_id, revision_id, place) VALUES (%s, %s, %s, 7)",
            [discussion.pk, seat.grader_id + 1000, stranger.pk],
        )
    assert Reference.objects.filter(discussion=discussion).count() == 1
