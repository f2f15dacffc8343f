"""People and invitations as organisers manage them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Invitation, Membership, Role, Study, User
from annotator.services.people import invite
from tests import cast
from tests.pages.work_scene import in_full_swing

Browsers = Callable[[User], Client]


def people_page(study: Study) -> str:
    return reverse("study_people", args=[study.public_id])


def send_invitation(browser: Client, study: Study, email: str, role: Role, reason: str = "") -> Any:
    said = {"email": email, "role": role, "both_sides_reason": reason}
    return browser.post(reverse("invite", args=[study.public_id]), said)


def change(browser: Client, what: str, member: Membership) -> Any:
    return browser.post(reverse(what, args=[member.study.public_id, member.public_id]))


@pytest.mark.parametrize(
    ("role", "status"),
    [("organiser", 200), ("senior", 403), ("adjudicator", 403), ("observer", 403), ("outsider", 404)],
)
def test_the_people_page_is_for_organisers(
    role: str, status: int, study: Study, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    assert browser_of(request.getfixturevalue(role)).get(people_page(study)).status_code == status


def test_graders_cannot_see_who_else_reads(study: Study, graders: list[User], browser_of: Browsers) -> None:
    assert browser_of(graders[0]).get(people_page(study)).status_code == 403


def test_everybody_is_listed_with_role_and_progress(study: Study, organiser: User, browser_of: Browsers) -> None:
    in_full_swing(study, organiser, pictures=3)

    page = browser_of(organiser).get(people_page(study)).content.decode()

    assert all(name in page for name in ("Gina Grader", "Sven Senior", "Oscar Observer", "Olga Organiser"))
    assert page.count("0 of 3") == 3  # the three graders


def test_the_page_asks_the_database_as_often_for_few_people_as_for_many(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    browser = browser_of(organiser)
    with CaptureQueriesContext(connection) as for_few:
        browser.get(people_page(study))
    cast.add_cast(study, actor=organiser, graders=[cast.person(f"Late {n}") for n in range(10)])
    for number in range(5):
        invite(study=study, email=f"p{number}@example.org", role=Role.GRADER, actor=organiser)

    with CaptureQueriesContext(connection) as for_many:
        browser.get(people_page(study))

    assert len(for_many) == len(for_few)


def test_an_invitation_shows_a_link_to_copy(study: Study, organiser: User, browser_of: Browsers) -> None:
    browser = browser_of(organiser)

    send_invitation(browser, study, "New@Example.org", Role.GRADER)

    page = browser.get(people_page(study)).content.decode()
    assert "new@example.org" in page
    assert "http://testserver/invitations/" in page
    assert mail.outbox == []  # this installation cannot send letters


def test_the_link_is_sent_where_letters_can_be_sent(
    study: Study, organiser: User, browser_of: Browsers, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_CONFIGURED = True

    send_invitation(browser_of(organiser), study, "new@example.org", Role.GRADER)

    [letter] = mail.outbox
    assert letter.to == ["new@example.org"]
    assert "http://testserver/invitations/" in letter.body
    assert "/invitations/" not in caplog.text


def test_a_letter_that_cannot_be_sent_leaves_the_link_to_copy(
    study: Study, organiser: User, browser_of: Browsers, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_CONFIGURED = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    page = send_invitation(browser_of(organiser), study, "new@example.org", Role.GRADER)

    assert page.status_code == 302
    assert Invitation.objects.count() == 1
    assert "/invitations/" not in caplog.text


def test_what_is_no_address_is_refused_at_its_field(study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = send_invitation(browser_of(organiser), study, "no address", Role.GRADER)

    assert answer.status_code == 400
    assert "id_email_error" in answer.content.decode()
    assert Invitation.objects.count() == 0


def test_reading_and_seeing_the_work_of_others_needs_a_reason(
    study: Study, organiser: User, senior: User, browser_of: Browsers
) -> None:
    browser = browser_of(organiser)

    refused = send_invitation(browser, study, senior.email, Role.GRADER)
    accepted = send_invitation(browser, study, senior.email, Role.GRADER, reason="There is nobody else")

    assert refused.status_code == 409
    assert 'name="both_sides_reason"' in refused.content.decode()
    assert accepted.status_code == 302
    assert Invitation.objects.get().both_sides_reason == "There is nobody else"


def test_the_reason_is_asked_for_only_on_conflict(study: Study, organiser: User, browser_of: Browsers) -> None:
    assert 'name="both_sides_reason"' not in browser_of(organiser).get(people_page(study)).content.decode()


def test_a_leaver_loses_access_and_can_come_back(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    member = Membership.objects.get(study=study, user=graders[0])
    worklist = reverse("worklist", args=[study.public_id])
    leaver, manager = browser_of(graders[0]), browser_of(organiser)

    change(manager, "member_deactivate", member)
    gone = leaver.get(worklist).status_code
    change(manager, "member_reactivate", member)
    back = leaver.get(worklist).status_code

    assert (gone, back) == (404, 200)


def test_the_last_organiser_cannot_leave(study: Study, organiser: User, browser_of: Browsers) -> None:
    member = Membership.objects.get(study=study, user=organiser)

    answer = change(browser_of(organiser), "member_deactivate", member)

    assert answer.status_code == 409
    assert "A study needs at least one organiser." in answer.content.decode()


@pytest.mark.parametrize("what", ["member_deactivate", "member_reactivate"])
def test_members_are_changed_by_organisers_only_and_by_post_only(
    what: str, study: Study, organiser: User, senior: User, graders: list[User], browser_of: Browsers
) -> None:
    member = Membership.objects.get(study=study, user=graders[0])
    address = reverse(what, args=[study.public_id, member.public_id])

    assert browser_of(senior).post(address).status_code == 403
    assert browser_of(organiser).get(address).status_code == 405
    assert Membership.objects.get(pk=member.pk).active


def test_a_member_of_another_study_is_not_found(study: Study, outsider: User, browser_of: Browsers) -> None:
    other = cast.study_of("refuge", organiser=outsider, name="Another")
    member = Membership.objects.get(study=study, role=Role.SENIOR)

    answer = browser_of(outsider).post(reverse("member_deactivate", args=[other.public_id, member.public_id]))

    assert answer.status_code == 404
    assert Membership.objects.get(pk=member.pk).active


def test_an_invitation_of_another_study_cannot_be_taken_back(
    study: Study, organiser: User, outsider: User, browser_of: Browsers
) -> None:
    other = cast.study_of("refuge", organiser=outsider, name="Another")
    invitation = invite(study=study, email="new@example.org", role=Role.GRADER, actor=organiser)
    address = reverse("invitation_revoke", args=[other.public_id, invitation.public_id])

    assert browser_of(outsider).post(address).status_code == 404
    assert Invitation.objects.get().revoked_at is None


def test_a_request_without_the_pages_token_changes_nothing(study: Study, organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)

    answer = send_invitation(browser, study, "new@example.org", Role.GRADER)

    assert answer.status_code == 403
    assert Invitation.objects.count() == 0
