"""Graders come, leave, are removed and taken back, cases are assigned, read, reopened, sent back and repeated, in any
order: a case never counts more readers than its plan wants, and a repeat never counts at all."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from annotator.errors import DomainError
from annotator.models import Assignment, Membership, Reading, Role, Round, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.people import add_member, deactivate_member, reactivate_member
from annotator.services.reopening import reopen_reading
from annotator.services.repeats import draw_repeats
from annotator.services.rounds import begin_round
from annotator.services.sending_back import send_back
from annotator.services.submission import withdraw_reading
from consensus.models import Reference, ReferenceInput, Removal
from consensus.selectors.monitoring import readings_judged
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.removing import remove_grader, take_back_removal
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.django_db
WISH = {"repeats.share": 0.3, "repeats.gap_cases": 1, "repeats.gap_days": 0}
EVENTS = 14


class Story:
    """A small study in which anything may happen next; what happened so far is told when something is wrong."""

    def __init__(self, seed: int, organiser: User, senior: User, people: Sequence[User]) -> None:
        self.lots, self.organiser, self.senior = random.Random(seed), organiser, senior
        self.told: list[str] = [f"seed {seed}"]
        self.strangers, self.pictures = list(people), 0
        self.study = cast.study_of("airogs", organiser=organiser, changes=WISH)
        cast.add_cast(self.study, actor=organiser, senior=senior)
        for _grader in range(self.lots.choice((2, 3, 3, 4))):
            self.somebody_joins()
        for _picture in range(4):
            self.a_picture_comes()
        self.cases_are_assigned()
        self.study = scene.open_study(self.study, actor=organiser)

    def graders(self) -> list[Membership]:
        return list(Membership.objects.filter(study=self.study, role=Role.GRADER).order_by("pk"))

    def submitted(self) -> list[Assignment]:
        rows = Assignment.objects.filter(grader__study=self.study, state="submitted").order_by("pk")
        return list(rows.select_related("grader__user", "grader__study", "round"))

    def cases_are_read(self) -> None:
        open_now = Assignment.objects.filter(grader__study=self.study, grader__active=True)
        rows = list(open_now.filter(state__in=("waiting", "started")).order_by("pk"))
        for one in self.lots.sample(rows, min(len(rows), self.lots.choice((1, 2, 4, 8)))):
            scene.read(one, answer(self.lots.choice(("RG", "NRG"))))

    def a_grader_is_removed(self) -> None:
        remove_grader(study=self.study, grader=self.lots.choice(self.graders()), reason="Drifts.", actor=self.organiser)

    def a_removal_is_taken_back(self) -> None:
        rows = list(Removal.objects.filter(study=self.study, taken_back_at=None).order_by("pk"))
        if rows:
            take_back_removal(removal=self.lots.choice(rows), actor=self.organiser)

    def a_removal_is_taken_back_at_once(self) -> None:
        before = self.standing()
        grader = self.lots.choice(self.graders())
        removal = remove_grader(study=self.study, grader=grader, reason="A mistake.", actor=self.organiser)
        take_back_removal(removal=removal, actor=self.organiser)
        assert self.standing() == before, self.told

    def cases_are_assigned(self) -> None:
        main = self.study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
        k = main.graders_per_case if main.planned else self.lots.choice((1, 2, 2, 3))
        able = sum(one.active for one in self.graders())
        assign_cases(study=self.study, rule=Rule(k if main.planned else min(k or 1, able)), actor=self.organiser)

    def somebody_joins(self) -> None:
        if self.strangers:
            add_member(study=self.study, user=self.strangers.pop(), role=Role.GRADER, actor=self.organiser)

    def somebody_leaves(self) -> None:
        deactivate_member(membership=self.lots.choice(self.graders()), actor=self.organiser)

    def somebody_returns(self) -> None:
        grader = self.lots.choice(self.graders())
        if not grader.active:
            reactivate_member(membership=grader, actor=self.organiser)

    def cases_come_back(self) -> None:
        draw_repeats(study=self.study, actor=self.organiser)

    def a_reading_is_reopened(self) -> None:
        if rows := self.submitted():
            reopen_reading(assignment=self.lots.choice(rows), actor=self.organiser, reason="Wrong key.")

    def somebody_takes_a_reading_back(self) -> None:
        if rows := [one for one in self.submitted() if one.grader.active]:
            one = self.lots.choice(rows)
            withdraw_reading(assignment=one, actor=one.grader.user)

    def a_case_is_sent_back(self) -> None:
        rows = list(readings_taking_part().filter(assignment__case__study=self.study).order_by("pk"))
        if rows:
            send_back(reading=self.lots.choice(rows), actor=self.senior, request="Look at the rim.")

    def a_round_begins(self) -> None:
        begin_round(study=self.study, opens=None, closes=None, actor=self.organiser)
        self.a_picture_comes()

    def a_picture_comes(self) -> None:
        self.pictures += 1
        cast.add_pictures(self.study, 1, actor=self.organiser, first_seed=self.pictures)

    def readings_are_fused(self) -> None:
        scene.fuse_all(self.study, actor=self.senior)

    def happens(self) -> None:
        events = (
            *[self.cases_are_read] * 6,
            *[self.a_grader_is_removed, self.a_removal_is_taken_back, self.cases_are_assigned] * 2,
            *[self.cases_come_back, self.somebody_takes_a_reading_back] * 2,
            *(self.a_removal_is_taken_back_at_once, self.somebody_joins, self.somebody_leaves, self.somebody_returns),
            *(self.a_reading_is_reopened, self.a_case_is_sent_back, self.a_round_begins, self.a_picture_comes),
            self.readings_are_fused,
        )
        event = self.lots.choice(events)
        self.told.append(event.__name__)
        try:
            with transaction.atomic():
                event()
        except DomainError as refusal:  # such as two who leave; it must have changed nothing
            self.told.append(refusal.code)

    def standing(self) -> tuple[object, ...]:
        """What counts, who has what, and who is there."""
        own = Assignment.objects.filter(grader__study=self.study).exclude(state="withdrawn")
        return (
            set(readings_taking_part().filter(assignment__case__study=self.study).values_list("pk", flat=True)),
            dict(own.values_list("pk", "state")),
            {one.pk: one.active for one in self.graders()},
        )

    def check(self) -> None:
        own = Assignment.objects.filter(grader__study=self.study)
        firsts = own.filter(repeat_of=None)
        planned = firsts.filter(round__kind="main").values_list("case", "round__graders_per_case")
        wanted = {case: k or 0 for case, k in planned}
        taking_part = readings_taking_part().filter(assignment__case__study=self.study)
        read = Counter(taking_part.values_list("assignment__case", flat=True))
        assert all(count <= wanted[case] for case, count in read.items()), self.told

        aside = Reading.objects.filter(set_aside_at__isnull=False).values("assignment")
        have = firsts.exclude(state="withdrawn").exclude(pk__in=aside)
        readers = Counter(case for case, _grader in set(have.values_list("case", "grader")))
        assert all(count <= wanted[case] for case, count in readers.items()), self.told
        given = firsts.exclude(state="withdrawn").exclude(round__kind="send_back").values_list("grader", "case")
        assert max(Counter(given).values(), default=1) == 1, self.told

        for grader in self.graders():
            places = list(own.filter(grader=grader).order_by("position").values_list("position", flat=True))
            assert places == list(range(1, len(places) + 1)), self.told
        for counted in (taking_part, readings_judged()):
            assert not counted.filter(assignment__repeat_of__isnull=False).exists(), self.told
        inputs = ReferenceInput.objects.filter(reference__case__study=self.study)
        assert not inputs.filter(revision__reading__assignment__repeat_of__isnull=False).exists(), self.told
        heads = Reference.objects.filter(case__study=self.study, following=None)
        rests_on = Counter(inputs.filter(reference__in=heads.values("pk")).values_list("reference__case", flat=True))
        assert all(count <= wanted[case] for case, count in rests_on.items()), self.told


@pytest.mark.parametrize("stories", [range(8), range(120, 128), range(220, 228), range(360, 368), range(380, 388)])
def test_a_case_never_counts_more_readers_than_planned(organiser: User, senior: User, stories: range) -> None:
    people = [cast.person(f"Grader {number}") for number in range(8)]
    for seed in stories:
        before = transaction.savepoint()
        story = Story(seed, organiser, senior, people)
        story.check()
        for _event in range(EVENTS):
            story.happens()
            story.check()
        transaction.savepoint_rollback(before)
