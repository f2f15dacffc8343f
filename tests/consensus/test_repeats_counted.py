"""How alike first and second readings are, and how much is left, on a study drawn by lot and counted a second time."""

from __future__ import annotations

import math
import random
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.models import Assignment, Membership, User
from annotator.selectors.repeats import repeats_by_grader
from annotator.selectors.workload import workload
from annotator.services.reopening import reopen_reading
from annotator.services.repeats import draw_repeats
from consensus.selectors.monitor_repeats import own_repeats
from consensus.selectors.monitoring import habits
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer

pytestmark = pytest.mark.django_db
LABELS = ("RG", "NRG", "U")


@pytest.mark.parametrize(("seed", "days"), [(1, 5), (2, 20)])
def test_every_number_is_that_of_a_plain_count(
    seed: int, days: int, organiser: User, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at so many days after the last reading; only the last fourteen count for the pace."""
    lots = random.Random(seed)
    wish = {"repeats.share": 0.5, "repeats.gap_cases": 1, "repeats.gap_days": 0}
    study = cast.study_of("airogs", organiser=organiser, changes=wish)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 12, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    said: dict[int, str] = {}  # by assignment, as it stands
    for _sitting in range(3):
        draw_repeats(study=study, actor=organiser)
        rows = list(Assignment.objects.filter(grader__study=study, state="waiting").order_by("pk"))
        for one in lots.sample(rows, len(rows) * 2 // 3):
            said[one.pk] = lots.choice(LABELS)
            scene.read(one, answer(said[one.pk]))
    for pk in lots.sample(sorted(said), 3):  # given back, and not sent in again
        reopen_reading(assignment=Assignment.objects.get(pk=pk), reason="Wrong key.", actor=organiser)
        del said[pk]
    every = {one.pk: one for one in Assignment.objects.filter(grader__study=study)}
    later = timezone.now() + timedelta(days=days)

    twice = own_repeats(study)
    with monkeypatch.context() as patch:
        patch.setattr("annotator.selectors.workload.timezone.now", lambda: later)
        loads = {one.member.pk: one for one in workload(study)}
    shown = {one.member.pk: one for one in repeats_by_grader(study)}
    for grader in Membership.objects.filter(study=study, role="grader"):
        own = {pk: one for pk, one in every.items() if one.grader_id == grader.pk}
        pairs = [
            (said[one.repeat_of_id], said[pk])
            for pk, one in own.items()
            if one.repeat_of_id is not None and pk in said and one.repeat_of_id in said
        ]
        found = twice[grader.pk].of(TARGET)
        assert found is not None
        same = sum(first == again for first, again in pairs)
        assert (twice[grader.pk].cases, found.of, found.same) == (len(pairs), len(pairs), same)
        assert found.value == pytest.approx(same / len(pairs))
        assert math.isnan(found.kappa)  # of so few nothing can be said

        repeats = [pk for pk, one in own.items() if one.repeat_of_id is not None]
        assert (shown[grader.pk].shown, shown[grader.pk].done) == (len(repeats), sum(pk in said for pk in repeats))
        firsts = [pk for pk in own if pk in said and pk not in repeats]
        assert shown[grader.pk].read == len(firsts)
        assert habits(study)[grader.pk].readings == len(firsts)
        assert habits(study)[grader.pk].unseen == sum(said[pk] == "U" for pk in firsts)

        load, read = loads[grader.pk], sum(pk in said for pk in own)
        assert (load.left, load.read, load.recent) == (len(own) - read, read, read if days < 14 else 0)
        assert load.days == pytest.approx(min(days, 14), abs=0.01)
        assert load.days_left == (math.ceil(load.left / (read / load.days)) if days < 14 else None)
