"""Getting in: by invitation only, slowly after wrong passwords, with a second factor if wanted; and out at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotator.models import Assignment, Membership, Reading, User
from annotator.services.people import deactivate_member
from tests.cast import PASSWORD
from tests.safety.house import House

pytestmark = pytest.mark.django_db


def sign_in(client: Client, email: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post("/account/login/", {"login": email, "password": password, **more})


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def email_of(house: House, role: str) -> str:
    return house.people[role].email


def said(response: Any) -> str:
    """The page without what differs in every answer: the token and what was typed."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
    return re.sub(r'value="[^"]*@example.org"', "", text)


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_signs_up(house: House, method: str) -> None:
    before = User.objects.count()
    form = {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}
    response = getattr(Client(), method)("/account/signup/", form)
    assert "By invitation only" in response.content.decode()
    assert User.objects.count() == before


@pytest.mark.parametrize(
    "door", ["/account/login/", "/account/password/reset/", "/account/3rdparty/signup/", "/_allauth/"]
)
def test_no_other_door_makes_an_account(house: House, door: str) -> None:
    before = User.objects.count()
    form = {"email": "new@example.org", "login": "new@example.org", "password": PASSWORD, "password1": PASSWORD}
    Client().post(f"/account/{door}", form)
    assert User.objects.count() == before


def test_the_right_password_signs_in_under_a_new_session_key(house: House) -> None:
    client = Client()
    client.cookies["quorum_session"] = "chosenbyanattackerchosenbyanatta"
    client.get("/account/login/")
    sign_in(client, email_of(house, "senior"))
    assert is_in(client)
    assert client.cookies["quorum_session"].value != "chosenbyanattackerchosenbyanatta"


def test_a_session_begun_before_signing_in_gets_another_key(house: House) -> None:
    client = Client()
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["quorum_session"] = str(session.session_key)
    sign_in(client, email_of(house, "senior"))
    assert client.cookies["quorum_session"].value != session.session_key


def test_after_five_wrong_passwords_the_right_one_is_refused_too_by_every_worker(house: House) -> None:
    """Each client stands for another worker: they share nothing but the database."""
    for attempt in range(5):
        sign_in(Client(REMOTE_ADDR=f"10.0.0.{attempt}"), email_of(house, "senior"), "wrong-password")
    other = Client(REMOTE_ADDR="10.0.1.1")
    sign_in(other, email_of(house, "senior"))
    assert not is_in(other)


def test_the_count_of_wrong_passwords_stands_in_the_database_that_workers_share(house: House) -> None:
    from django.conf import settings
    from django.db import connection

    assert settings.CACHES["default"]["BACKEND"].endswith(("DatabaseCache", "RedisCache"))
    sign_in(Client(), email_of(house, "senior"), "wrong-password")
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM quorum_cache WHERE cache_key LIKE '%login_failed%'")
        assert cursor.fetchone()[0] >= 1


def test_somebody_else_can_still_sign_in_meanwhile(house: House) -> None:
    for attempt in range(6):
        sign_in(Client(REMOTE_ADDR=f"10.0.0.{attempt}"), email_of(house, "senior"), "wrong-password")
    other = Client(REMOTE_ADDR="10.0.1.1")
    sign_in(other, email_of(house, "observer"))
    assert is_in(other)


def test_an_unknown_account_is_answered_like_a_wrong_password(house: House) -> None:
    answers = []
    for email in (email_of(house, "senior"), "nobody@example.org"):
        cache.clear()
        answers.append([sign_in(Client(), email, "wrong-password") for _attempt in range(7)])
    known, unknown = answers
    assert [answer.status_code for answer in known] == [answer.status_code for answer in unknown]
    assert [said(answer) for answer in known] == [said(answer) for answer in unknown]


def test_nobody_is_told_to_wait_for_a_letter_where_no_mail_is_configured(house: House) -> None:
    email = {"email": email_of(house, "senior")}
    for answer in (Client().get("/account/password/reset/"), Client().post("/account/password/reset/", email)):
        assert "sends no e-mail" in answer.content.decode()
    assert mail.outbox == []


def test_a_new_password_is_asked_for_in_the_same_words_for_an_unknown_account(house: House, settings: Any) -> None:
    settings.EMAIL_CONFIGURED = True
    answers = []
    for email in (email_of(house, "senior"), "nobody@example.org"):
        answers.append(Client().post("/account/password/reset/", {"email": email}, follow=True))
    known, unknown = answers
    assert (known.status_code, said(known)) == (unknown.status_code, said(unknown))


def test_guesses_from_one_address_are_slowed_down_whatever_the_account(house: House) -> None:
    for attempt in range(10):
        sign_in(Client(), f"guess{attempt}@example.org", "wrong-password")
    late = Client()
    sign_in(late, email_of(house, "senior"))
    assert not is_in(late)


def test_a_forged_forwarding_header_does_not_escape_the_throttle(house: House) -> None:
    for attempt in range(10):
        forged = Client(HTTP_X_FORWARDED_FOR=f"10.9.9.{attempt}")
        sign_in(forged, f"guess{attempt}@example.org", "wrong-password")
    late = Client(HTTP_X_FORWARDED_FOR="10.9.9.99")
    sign_in(late, email_of(house, "senior"))
    assert not is_in(late)


@pytest.mark.parametrize("password", ["short", "password1234", "918273645564", "paula.planck1", "Plancksches"])
def test_a_weak_password_is_refused(password: str) -> None:
    person = User(email="paula.planck@example.org", name="Paula Plancksche")
    with pytest.raises(ValidationError):
        validate_password(password, person)


def test_one_s_own_name_is_no_password(house: House) -> None:
    address = reverse("invitation", args=[house.names["token"]])
    response = Client().post(address, {"name": "Wilhelmina Montgomery", "password": "wilhelminamontgomery"})
    assert "too similar" in response.content.decode()
    assert not User.objects.filter(email="secret.guest@example.org").exists()


def test_signing_out_takes_a_form(house: House) -> None:
    client = house.browser("senior")
    client.get("/account/logout/")
    assert is_in(client)
    client.post("/account/logout/")
    assert not is_in(client)


def test_a_closed_account_loses_its_session_at_once(house: House) -> None:
    client = house.browser("senior")
    assert is_in(client)
    User.objects.filter(pk=house.people["senior"].pk).update(is_active=False)
    assert not is_in(client)
    assert client.get("/api/v1/me/").status_code == 403


def test_a_closed_account_does_not_sign_in(house: House) -> None:
    User.objects.filter(pk=house.people["senior"].pk).update(is_active=False)
    client = Client()
    sign_in(client, email_of(house, "senior"))
    assert not is_in(client)


def test_a_leaver_loses_the_study_at_once_and_keeps_the_readings(house: House) -> None:
    colleague, study = house.people["colleague"], house.study.public_id
    client = house.browser("colleague")
    own = Assignment.objects.filter(grader__user=colleague).earliest("position").public_id
    addresses = [f"/studies/{study}/", f"/worklist/{study}/", f"/read/{own}/", f"/read/{own}/1/image"]
    addresses += [f"/api/v1/studies/{study}/", f"/api/v1/me/assignments/{own}/"]
    assert {client.get(address).status_code for address in addresses} == {200}
    readings = Reading.objects.filter(submitted_by=colleague).count()

    deactivate_member(membership=Membership.objects.get(user=colleague), actor=house.people["organiser"])

    assert {client.get(address).status_code for address in addresses} == {404}
    assert Reading.objects.filter(submitted_by=colleague, withdrawn_at=None).count() == readings == 1


def test_another_session_is_listed_and_ended_by_its_owner(house: House) -> None:
    here, elsewhere = Client(HTTP_USER_AGENT="Here"), Client(HTTP_USER_AGENT="Elsewhere")
    for client in (here, elsewhere):
        sign_in(client, email_of(house, "senior"))
        client.get("/")
    assert "Elsewhere" in here.get("/account/sessions/").content.decode()
    here.post("/account/sessions/")
    assert (is_in(here), is_in(elsewhere)) == (True, False)


def test_nobody_sees_or_ends_the_sessions_of_others(house: House) -> None:
    mine, theirs = Client(HTTP_USER_AGENT="Mine"), Client(HTTP_USER_AGENT="Theirs")
    sign_in(mine, email_of(house, "senior"))
    sign_in(theirs, email_of(house, "grader"))
    mine.get("/")
    page = theirs.get("/account/sessions/").content.decode()
    theirs.post("/account/sessions/")
    assert ("Mine" in page, is_in(mine)) == (False, True)


def test_a_changed_password_ends_the_other_sessions(house: House) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        sign_in(client, email_of(house, "senior"))
    another = "quite-another-phrase"
    here.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": another, "password2": another})
    assert house.people["senior"].check_password(PASSWORD)
    assert User.objects.get(pk=house.people["senior"].pk).check_password(another)
    assert not is_in(elsewhere)


def test_the_admin_has_no_sign_in_of_its_own(house: House) -> None:
    """It would know neither the throttle nor the second factor."""
    client = Client()
    form = {"username": email_of(house, "administrator"), "password": PASSWORD}
    response = client.post("/admin/login/?next=/admin/", form)
    assert response["Location"].startswith("/account/login/")
    assert not is_in(client)
