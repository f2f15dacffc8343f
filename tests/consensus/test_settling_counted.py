"""The statistics of adjudication on studies drawn by lot, counted a second time from what was said and decided."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.models import Membership, User
from consensus.selectors.adjudication_statistics import settling_of
from tests import cast
from tests.consensus.adjudication_scene import Bench, disputed_study

pytestmark = pytest.mark.django_db
LABELS = ("RG", "NRG", "U")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_number_is_that_of_a_plain_count(
    seed: int,
    organiser: User,
    senior: User,
    graders: list[User],
    adjudicator: User,
    browser_of: Callable[[User], Client],
) -> None:
    lots = random.Random(seed)
    other = cast.person("Otis Adjudicator")
    said = [(lots.choice(LABELS), lots.choice(LABELS)) for _case in range(14)]
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
    study = disputed_study(said, adjudicators=[adjudicator, other], **people)
    benches = {one: Bench(browser_of(one), study, tab) for one, tab in ((adjudicator, "one"), (other, "two"))}
    decided: dict[int, tuple[User, str]] = {}
    again = 0
    for number, (first, second) in enumerate(said, start=1):
        if first == second or lots.random() < 0.2:
            continue
        who, label = lots.choice((adjudicator, other)), lots.choice(LABELS)
        assert benches[who].decide(number, label).status_code == 201
        decided[number] = (who, label)
        if lots.random() < 0.4:
            assert benches[who].post(number, "undo").status_code == 200
            del decided[number]
            if lots.random() < 0.5:
                assert benches[who].decide(number, "RG").status_code == 201
                decided[number] = (who, "RG")
                again += 1

    board = settling_of(study)
    [found] = board.targets

    agreed = sum(first == second for first, second in said)
    assert (found.numbers.share.right, found.numbers.share.of) == (len(decided), agreed + len(decided))
    neither = sum(label not in said[number - 1] for number, (_who, label) in decided.items())
    assert (found.numbers.neither.right, found.numbers.neither.of) == (neither, len(decided))
    pairs = Counter((tuple(sorted(said[number - 1])), label) for number, (_who, label) in decided.items())
    assert dict(found.numbers.pairs) == dict(pairs)
    for place, grader in enumerate(graders[:2]):
        rate = found.numbers.followed[Membership.objects.get(study=study, user=grader).pk]
        right = sum(said[number - 1][place] == label for number, (_who, label) in decided.items())
        assert (rate.right, rate.of) == (right, len(decided))
    decisions = Counter(who.pk for who, _label in decided.values())
    assert {person: one.decisions for person, one in found.numbers.adjudicators.items()} == dict(decisions)
    assert sum(one.not_blind for one in found.numbers.adjudicators.values()) == again
    assert found.left.count == len(said) - agreed - len(decided)
