"""No phase shows what another one hides, a phase closes while an archive is looked at, and files of absurd size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.errors import Conflict, DomainError
from annotator.formats.bad_table import BadTable
from annotator.formats.number_list import MAX_LIST_BYTES, BadList, read_numbers
from annotator.formats.table import read_rows
from annotator.models import Study, User
from annotator.services.teams import add_team
from evaluation.models import Challenge, Phase, Submission
from evaluation.services import submitting
from evaluation.services.opening import open_challenge
from evaluation.services.phases import change_phase
from tests.evaluation.challenge_scene import SHOWN, frozen_refuge, opened, plan_of, risks, sent, team_of


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    return frozen_refuge(organiser=organiser, senior=senior, graders=graders)


def test_phases_with_the_same_cases_cannot_be_opened_one_shown_and_one_hidden(study: Study, organiser: User) -> None:
    plans = [plan_of(study, **SHOWN), plan_of(study, key="onsite", name="On-site")]
    with pytest.raises(Conflict, match="“Offline” would show references of cases that “On-site” hides") as refusal:
        open_challenge(study=study, actor=organiser, name="Both", edition="paper", plans=plans)
    assert refusal.value.code == "shown_elsewhere"
    assert not Challenge.objects.exists()


def test_nor_in_another_challenge_on_the_study(study: Study, organiser: User) -> None:
    opened(study, organiser=organiser)
    with pytest.raises(Conflict, match="hides from teams"):
        open_challenge(study=study, actor=organiser, name="Another", edition="paper", plans=[plan_of(study, **SHOWN)])


def changed(phase: Phase, *, organiser: User, **changes: object) -> Phase:
    phase = Phase.objects.select_related("challenge__study", "version").get(pk=phase.pk)
    return change_phase(
        phase=phase, row_version=phase.row_version, actor=organiser, version=phase.version, changes=changes
    )


def test_what_is_shown_later_must_not_be_hidden_elsewhere_until_that_phase_is_closed(
    study: Study, organiser: User
) -> None:
    plans = [plan_of(study), plan_of(study, key="onsite", name="On-site")]
    challenge = open_challenge(study=study, actor=organiser, name="Both", edition="paper", plans=plans)
    first, second = challenge.phases.order_by("position")
    with pytest.raises(Conflict):
        changed(first, organiser=organiser, **SHOWN)
    changed(second, organiser=organiser, closes_at=timezone.now() - timedelta(minutes=1))
    assert changed(first, organiser=organiser, **SHOWN).shows_references
    with pytest.raises(Conflict):  # what was shown stays known
        changed(second, organiser=organiser, closes_at=timezone.now() + timedelta(hours=1))


def test_the_page_says_at_its_field_what_would_be_given_away(
    study: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    opened(study, organiser=organiser)
    phase = opened_again(study, organiser)
    browser = browser_of(organiser)
    address = reverse("phase_change", args=[study.public_id, phase.public_id])
    body = {**browser.get(address).context["form"].initial, "shown": "references"}
    body = {key: value.strftime("%Y-%m-%dT%H:%M") if key.endswith("_at") else value for key, value in body.items()}
    answer = browser.post(address, {key: value for key, value in body.items() if value is not None})
    assert answer.status_code == 409
    assert "hides from teams" in answer.content.decode()


def opened_again(study: Study, organiser: User) -> Phase:
    plans = [plan_of(study)]
    challenge = open_challenge(study=study, actor=organiser, name="Again", edition="paper", plans=plans)
    return challenge.phases.get()


def test_a_phase_that_closes_while_the_archive_is_looked_at_takes_it_no_more(
    study: Study, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    phase = opened(study, organiser=organiser).phases.get()
    team = team_of(study, "Late", organiser=organiser)
    look = submitting._check

    def slow(*looked_at: object) -> None:
        look(*looked_at)  # type: ignore[arg-type]
        Phase.objects.filter(pk=phase.pk).update(closes_at=timezone.now())

    monkeypatch.setattr(submitting, "_check", slow)
    with pytest.raises(Conflict) as refusal:
        sent(phase, team, risks(phase))
    assert refusal.value.code == "phase_closed"
    assert not Submission.objects.exists()


def test_the_name_of_a_team_cannot_hold_what_stands_between_two_teams(study: Study, organiser: User) -> None:
    with pytest.raises(DomainError) as refusal:
        add_team(study=study, name="Ours|Theirs", actor=organiser)
    assert (refusal.value.code, refusal.value.field) == ("bad_name", "name")


def test_a_table_of_too_many_lines_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.formats.table.MAX_LINES", 10)
    assert len(read_rows(b"a\n" + b"1\n" * 9, ("a",))) == 9
    with pytest.raises(BadTable, match="more than 10 lines"):
        read_rows(b"a\n" + b"1\n" * 10, ("a",))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[1" + b"0" * 400 + b"]", "not a finite number"),
        (b"[" * 100_000, "not JSON"),
        (b" " * MAX_LIST_BYTES + b"[]", "more than"),
    ],
    ids=["a number beyond floating point", "lists in lists", "too long"],
)
def test_a_list_that_no_honest_program_writes_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(BadList, match=told):
        read_numbers(content)
