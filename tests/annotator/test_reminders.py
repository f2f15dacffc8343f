"""Reminders: seldom, only to those who have something to read, once whoever asks, and never against one's wish."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.errors import Conflict
from annotator.models import AuditEvent, Membership, Study, User
from annotator.services.reminding import remind, remind_everybody, want_reminders
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, graders: list[User]) -> Study:
    """Two cases, two graders; the round has no end, and everybody has just joined."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    return scene.open_study(study, actor=organiser)


@pytest.fixture
def mailing(settings: Any) -> None:
    settings.EMAIL_CONFIGURED = True
    settings.PUBLIC_URL = "https://quorum.example"


def member(study: Study, user: User) -> Membership:
    return Membership.objects.select_related("study", "user").get(study=study, user=user)


def ends_in(study: Study, days: int) -> None:
    study.rounds.update(closes=timezone.now() + timedelta(days=days, hours=1))


@pytest.mark.usefixtures("mailing")
def test_those_whose_round_ends_soon_are_reminded_once(study: Study, graders: list[User]) -> None:
    ends_in(study, 20)
    assert remind_everybody() == 0
    ends_in(study, 5)
    for assignment in scene.assignments_of(study, graders[1]):
        scene.read(assignment, answer("NRG"))

    assert remind_everybody() == 1
    assert remind_everybody() == 0
    [letter] = mail.outbox
    assert letter.to == [graders[0].email]
    assert study.name in letter.subject
    assert f"https://quorum.example/worklist/{study.public_id}/" in letter.body
    assert "2 " not in letter.body.replace(timezone.now().strftime("%Y"), "")  # no number of cases
    assert remind_everybody(timezone.now() + timedelta(days=4, minutes=1)) == 1


@pytest.mark.usefixtures("mailing")
def test_somebody_who_has_not_read_for_a_week_is_reminded(study: Study, graders: list[User]) -> None:
    assert remind_everybody(timezone.now() + timedelta(days=6)) == 0
    assert remind_everybody(timezone.now() + timedelta(days=8)) == 2


@pytest.mark.usefixtures("mailing")
def test_a_letter_is_not_sent_against_the_wish_but_the_worklist_tells(
    study: Study, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    ends_in(study, 5)
    want_reminders(person=graders[0], wanted=False)
    remind(member=member(study, graders[0]), actor=organiser)
    assert mail.outbox == []
    page = browser_of(graders[0]).get(reverse("worklist", args=[study.public_id])).content.decode()
    assert "The organiser asks you to go on reading." in page
    assert "5 days left" in page


@pytest.mark.usefixtures("mailing")
def test_a_letter_that_could_not_be_sent_is_tried_again(study: Study, settings: Any, graders: list[User]) -> None:
    ends_in(study, 5)
    settings.EMAIL_BACKEND = "tests.annotator.test_reminders.Broken"
    remind_everybody()
    assert member(study, graders[0]).reminded_at is None
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert remind_everybody() == 2
    assert len(mail.outbox) == 2


class Broken:
    def __init__(self, **_options: Any) -> None:
        pass

    def send_messages(self, _letters: Any) -> int:
        raise ConnectionRefusedError


def test_the_organiser_reminds_on_the_page_of_the_workload(
    study: Study, organiser: User, senior: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    browser, address = (
        browser_of(organiser),
        reverse("member_remind", args=[study.public_id, member(study, graders[0]).public_id]),
    )
    assert address in browser.get(reverse("study_assign", args=[study.public_id])).content.decode()
    assert browser_of(graders[1]).post(address).status_code in {403, 404}
    assert f"{graders[0].name} is reminded." in browser.post(address, follow=True).content.decode()
    assert browser.post(address).status_code == 409
    assert AuditEvent.objects.get(action="member.reminded").actor == organiser


def test_nobody_is_reminded_of_nothing(study: Study, organiser: User, graders: list[User]) -> None:
    for assignment in scene.assignments_of(study, graders[0]):
        scene.read(assignment, answer("NRG"))
    with pytest.raises(Conflict, match="nothing to read"):
        remind(member=member(study, graders[0]), actor=organiser)


def test_everybody_decides_about_letters_on_the_own_account_page(
    graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    browser = browser_of(graders[0])
    assert "Letters when cases wait" in browser.get(reverse("account")).content.decode()
    browser.post(reverse("account"), {"name": graders[0].name})
    graders[0].refresh_from_db()
    assert not graders[0].wants_reminders
