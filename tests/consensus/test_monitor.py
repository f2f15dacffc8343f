"""The monitor of a small AIROGS study: what counts as final, what graders had said, and alerts that are raised once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.conf import LazySettings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.errors import Conflict, DomainError
from annotator.models import AuditEvent, Membership, Reading, Role, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.people import deactivate_member
from consensus.models import Alert, Reference
from consensus.programme.monitoring import Settled, standing
from consensus.programme.rates import Rate
from consensus.selectors.monitoring import final_counts, final_labels, habits
from consensus.services.accepting import accept_cases
from consensus.services.watching import close_alert, watch_graders
from protocols.names import Performance
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench, answer, disputed_study
from tests.remembering import remembered

pytestmark = pytest.mark.django_db
SENSITIVITY, SPECIFICITY = Performance.SENSITIVITY, Performance.SPECIFICITY
SAID = [("RG", "RG"), ("RG", "NRG"), ("NRG", "NRG"), ("U", "NRG")]


@pytest.fixture
def study(
    request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User], adjudicator: User
) -> Study:
    make = partial(
        disputed_study, SAID, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator]
    )
    return remembered(request, [organiser, senior, adjudicator, *graders], make)


@pytest.fixture
def bench(study: Study, adjudicator: User, browser_of: Callable[[User], Client]) -> Bench:
    return Bench(browser_of(adjudicator), study)


def member(study: Study, user: User) -> Membership:
    return Membership.objects.get(study=study, user=user, role=Role.GRADER)


def settle(bench: Bench) -> None:
    """The specialist calls the second eye NRG and the fourth RG."""
    assert bench.decide(2, "NRG").status_code == 201
    assert bench.decide(4, "RG").status_code == 201


def finals(study: Study, user: User) -> list[tuple[int, str, str, str]]:
    found = final_labels(study, recipe_of(study).target(TARGET)).get(member(study, user).pk, [])
    return [(one.case, one.final.judged.truth, one.final.judged.said, one.final.settled.value) for one in found]


def rates(study: Study, user: User, part: str = "total") -> tuple[Rate, Rate]:
    recipe = recipe_of(study)
    target = recipe.target(TARGET)
    mine = final_labels(study, target)[member(study, user).pk]
    tally = getattr(standing([one.final for one in mine], target, recipe.monitoring), part)
    return tally.rate(SENSITIVITY), tally.rate(SPECIFICITY)


def test_agreed_labels_are_final_first_and_settled_ones_when_they_are_settled(
    study: Study, bench: Bench, graders: list[User]
) -> None:
    assert finals(study, graders[0]) == [(1, "RG", "RG", "agreed"), (3, "NRG", "NRG", "agreed")]

    settle(bench)

    assert finals(study, graders[0]) == [
        (1, "RG", "RG", "agreed"),
        (3, "NRG", "NRG", "agreed"),
        (2, "NRG", "RG", "adjudicated"),
        (4, "RG", "U", "adjudicated"),
    ]


def test_ungradable_counts_against_sensitivity_or_specificity_by_the_final_label(
    study: Study, bench: Bench, graders: list[User]
) -> None:
    settle(bench)

    # Gina: of the referable eyes 1 and 4 she found 1 (4 she called U); of 2 and 3 she called 2 referable.
    assert rates(study, graders[0]) == (Rate(1, 2), Rate(1, 2))
    # Gus: of 1 and 4 he found 1, and both others he called right.
    assert rates(study, graders[1]) == (Rate(1, 2), Rate(2, 2))


def test_the_own_vote_is_apart_in_labels_that_somebody_settled(study: Study, bench: Bench, graders: list[User]) -> None:
    settle(bench)

    assert rates(study, graders[0], "independent") == (Rate(0, 1), Rate(0, 1))
    assert rates(study, graders[1], "independent") == (Rate(0, 1), Rate(1, 1))


def test_a_label_that_others_alone_agree_on_does_not_contain_the_own_vote(
    organiser: User, senior: User, graders: list[User], adjudicator: User
) -> None:
    study = disputed_study(
        [("RG", "RG", "RG")], organiser=organiser, senior=senior, graders=graders, adjudicators=[adjudicator]
    )
    set_aside(study, graders[0], organiser)
    scene.fuse_all(study, actor=senior)

    assert finals(study, graders[0]) == [(1, "RG", "RG", "others")]
    assert finals(study, graders[1]) == [(1, "RG", "RG", "agreed")]


def set_aside(study: Study, user: User, organiser: User, **which: int) -> None:
    mine = Reading.objects.filter(assignment__grader=member(study, user), **which)
    mine.update(set_aside_at=timezone.now(), set_aside_by=organiser, set_aside_reason="removed")


def test_what_was_set_aside_is_still_judged_and_a_withdrawn_reading_is_not(
    study: Study, organiser: User, graders: list[User]
) -> None:
    set_aside(study, graders[0], organiser, assignment__case__number=1)
    mine = Reading.objects.filter(assignment__grader=member(study, graders[0]))
    mine.filter(assignment__case__number=3).update(withdrawn_at=timezone.now())

    assert [case for case, *_rest in finals(study, graders[0])] == [1]


def test_a_label_that_a_senior_accepts_became_final_when_it_was_voted(
    study: Study, senior: User, graders: list[User]
) -> None:
    voted = scene.latest(scene.case_of(study, 1), TARGET)
    accept_cases(study=study, actor=senior, above=0.9)
    assert scene.latest(scene.case_of(study, 1), TARGET).state == Reference.State.ACCEPTED

    found = final_labels(study, recipe_of(study).target(TARGET))[member(study, graders[0]).pk]

    first = next(one for one in found if one.case == 1)
    assert (first.at, first.final.settled) == (voted.created_at, Settled.AGREED)


def test_speed_and_ungradable_answers_are_counted(study: Study, graders: list[User]) -> None:
    found = habits(study)[member(study, graders[0]).pk]

    assert (found.readings, found.active_ms, found.recent_ms) == (4, 1000.0, 1000.0)
    assert (found.unseen, found.answers, found.unseen_share) == (1, 4, 0.25)


def test_the_stream_takes_the_same_few_queries_however_many_eyes_there_are(
    study: Study, django_assert_num_queries: Callable[[int], object]
) -> None:
    target = recipe_of(study).target(TARGET)
    with django_assert_num_queries(4):  # type: ignore[attr-defined]
        final_labels(study, target)


# Alerts: limits that thirty misses cross need many eyes, so recipes with smaller numbers stand in for them.


@pytest.fixture
def strict(
    request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User], adjudicator: User
) -> Study:
    make = partial(strict_study, organiser, senior, graders[:2], adjudicator)
    return remembered(request, [organiser, senior, adjudicator, *graders], make)


def strict_study(organiser: User, senior: User, graders: list[User], adjudicator: User) -> Study:
    """Looked at after every second final label, with one positive and two negatives enough; both graders call two
    eyes without glaucoma differently from one another."""
    changes = {"monitoring.look_every": 2, "monitoring.min_positives": 1, "monitoring.min_negatives": 2}
    study = cast.study_of("airogs", organiser=organiser, changes=changes | {"monitoring.confidence": 0.6})
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior, adjudicator=adjudicator)
    cast.add_pictures(study, 4, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for grader, labels in zip(graders, (["RG"] * 4, ["NRG"] * 4), strict=True):
        for assignment, label in zip(scene.assignments_of(study, grader), labels, strict=True):
            scene.read(assignment, answer(label))
    scene.fuse_all(study, actor=senior)
    return study


@pytest.fixture
def strict_bench(strict: Study, adjudicator: User, browser_of: Callable[[User], Client]) -> Bench:
    return Bench(browser_of(adjudicator), strict)


def test_a_decision_at_which_a_look_is_due_raises_the_alert_and_records_it(
    strict: Study, strict_bench: Bench, graders: list[User]
) -> None:
    strict_bench.decide(1, "NRG")
    assert not Alert.objects.exists()  # one final label: the look is due at the second

    strict_bench.decide(2, "NRG")

    alert = Alert.objects.get()
    assert alert.grader == member(strict, graders[0])
    assert (alert.measure, alert.look, alert.rate, alert.of) == ("specificity", 2, 0.0, 2)
    assert alert.bound < alert.limit == 0.95
    event = AuditEvent.objects.get(action="alert.raised")
    assert (event.actor, event.subject) == (None, alert.public_id)
    assert event.after is not None
    assert event.after["grader"] == alert.grader.code


def test_looking_twice_raises_no_second_alert(strict: Study, strict_bench: Bench) -> None:
    for number in (1, 2, 3, 4):
        strict_bench.decide(number, "NRG")

    assert watch_graders(study=strict) == []
    assert Alert.objects.count() == 1


def test_after_closing_only_labels_that_become_final_later_count(
    strict: Study, strict_bench: Bench, organiser: User
) -> None:
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")
    close_alert(alert=Alert.objects.get(), actor=organiser, note="We have talked about it.")

    assert watch_graders(study=strict) == []
    strict_bench.decide(3, "NRG")
    assert watch_graders(study=strict) == []  # one label since then
    strict_bench.decide(4, "NRG")

    second = Alert.objects.get(closed_at=None)
    assert (second.look, second.of) == (2, 2)


def test_an_alert_is_closed_once_and_with_a_note(strict: Study, strict_bench: Bench, organiser: User) -> None:
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")
    alert = Alert.objects.get()

    with pytest.raises(DomainError) as refusal:
        close_alert(alert=alert, actor=organiser, note="  ")
    assert refusal.value.code == "note_missing"
    close_alert(alert=alert, actor=organiser, note="Trained again.")
    with pytest.raises(Conflict):
        close_alert(alert=alert, actor=organiser, note="Once more.")
    event = AuditEvent.objects.get(action="alert.closed")
    assert event.actor == organiser
    assert event.after is not None
    assert event.after["note"] == "Trained again."


def test_nobody_is_alerted_about_somebody_who_has_left(
    strict: Study, strict_bench: Bench, organiser: User, graders: list[User]
) -> None:
    deactivate_member(membership=member(strict, graders[0]), actor=organiser)
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")

    assert not Alert.objects.exists()


def test_a_look_that_was_missed_is_made_up_for_after_the_next_run(
    strict: Study, strict_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consensus.services.deciding.watch_case", lambda _case: [])
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")
    strict_bench.decide(3, "NRG")
    assert not Alert.objects.exists()

    assert [alert.look for alert in watch_graders(study=strict)] == [2]


def test_the_database_counts_the_final_labels_of_those_who_read_a_case(
    strict: Study, strict_bench: Bench, graders: list[User]
) -> None:
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")

    counted = final_counts(scene.case_of(strict, 2), recipe_of(strict).target(TARGET))

    assert counted == {member(strict, grader).pk: (2, 1) for grader in graders[:2]}


def test_organisers_get_one_letter_that_names_nobody(
    strict: Study, strict_bench: Bench, organiser: User, graders: list[User], settings: LazySettings
) -> None:
    settings.EMAIL_CONFIGURED = True
    strict_bench.decide(1, "NRG")
    strict_bench.decide(2, "NRG")
    strict_bench.decide(3, "NRG")

    [letter] = mail.outbox
    assert letter.to == [organiser.email]
    assert reverse("monitor", args=[strict.public_id]) in letter.body
    assert graders[0].name not in f"{letter.subject} {letter.body}"
