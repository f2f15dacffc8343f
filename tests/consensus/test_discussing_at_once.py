"""Two windows of one grader say something at the same moment: one word counts, on both databases."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from annotator.errors import Conflict
from annotator.models import User
from consensus.models import Reference, Statement
from consensus.services.discussing import Said, speak
from tests.consensus.adjudication_scene import TARGET
from tests.consensus.discussion_scene import about, asked, talking_study


@pytest.mark.contract
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("label", ["RG", "NRG"])
def test_two_words_at_once_are_one(
    organiser: User, senior: User, graders: list[User], adjudicator: User, label: str
) -> None:
    """Whoever is asked, one of the labels keeps the own and the other brings the agreement."""
    study = talking_study(
        [("RG", "NRG")], organiser=organiser, senior=senior, graders=graders[:2], adjudicator=adjudicator
    )
    user, discussion = asked(study, 1), about(study, 1)
    together, refused = threading.Barrier(2), list[str]()

    def say() -> None:
        try:
            together.wait()
            speak(discussion=discussion, actor=user, said=Said(1, label, (), "Look at the rim."))
        except Conflict as conflict:
            refused.append(conflict.code)
        finally:
            connection.close()

    workers = [threading.Thread(target=say) for _each in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert Statement.objects.count() == 1
    assert len(refused) == 1
    agreed = about(study, 1).outcome == "agreed"
    assert Reference.objects.filter(target__key=TARGET).count() == (2 if agreed else 1)
