"""The administrator looks at everything, changes accounts only, and leaves a trace each time."""

from __future__ import annotations

import pytest

from annotator.models import AuditEvent, Image, Reading, Revision, Study, User
from annotator.selectors.audit import audit_faults
from tests.safety.house import House, stored

pytestmark = pytest.mark.django_db
KINDS = {"study": Study, "image": Image, "reading": Reading, "revision": Revision, "auditevent": AuditEvent}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("act", ["add/", "{pk}/change/", "{pk}/delete/"])
def test_rows_cannot_be_added_changed_or_deleted(house: House, kind: str, act: str) -> None:
    row = KINDS[kind]._default_manager.order_by("pk")[0]
    before = stored()
    address = f"/admin/annotator/{kind}/" + act.format(pk=row.pk)
    response = house.browser("administrator").post(address, {"name": "Mine", "post": "yes", "_save": "Save"})
    assert response.status_code == 403
    after = stored()
    before |= {name: after[name] for name in ("AuditEvent", "AuditHead")}
    assert after == before


def test_rows_cannot_be_deleted_by_the_action_of_the_list(house: House) -> None:
    pk = str(Reading.objects.earliest("pk").pk)
    form = {"action": "delete_selected", "_selected_action": pk, "post": "yes"}
    house.browser("administrator").post("/admin/annotator/reading/", form)
    assert Reading.objects.filter(pk=pk).exists()


def test_each_use_stands_in_the_log_of_the_system(house: House) -> None:
    house.browser("administrator").get("/admin/annotator/reading/")
    event = AuditEvent.objects.filter(chain="system").latest("number")
    assert (event.action, event.actor) == ("admin.used", house.people["administrator"])
    assert event.subject == "GET /admin/annotator/reading/"
    assert list(audit_faults()) == []


def test_what_an_administrator_changes_about_an_account_is_logged_with_before_and_after(house: House) -> None:
    person = house.people["senior"]
    form = {"name": person.name, "email": "another@example.org", "is_active": "on", "can_create_studies": "on"}
    house.browser("administrator").post(f"/admin/annotator/user/{person.pk}/change/", form)
    event = AuditEvent.objects.get(action="person.changed")
    assert event.before is not None
    assert event.after is not None
    assert (event.before["email"], event.after["email"]) == (person.email, "another@example.org")
    assert (event.before["can_create_studies"], event.after["can_create_studies"]) == (False, True)


def test_a_former_address_no_longer_signs_in(house: House) -> None:
    from allauth.account.models import EmailAddress
    from django.test import Client

    from tests.cast import PASSWORD

    person = house.people["senior"]
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    form = {"name": person.name, "email": "another@example.org", "is_active": "on"}
    house.browser("administrator").post(f"/admin/annotator/user/{person.pk}/change/", form)
    client = Client()
    client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    assert client.get("/").status_code == 302


@pytest.mark.parametrize("role", ["grader", "organiser", "outsider", "senior"])
def test_others_do_not_enter_and_leave_no_trace(house: House, role: str) -> None:
    before = AuditEvent.objects.count()
    response = house.browser(role).get("/admin/annotator/reading/", follow=True)
    assert response.status_code == 403
    assert AuditEvent.objects.count() == before


def test_an_administrator_without_a_role_sees_no_page_of_a_study(house: House) -> None:
    client, study = house.browser("administrator"), house.study.public_id
    for page in ("", "images/", "people/", "log/", "settings/", "instructions/"):
        assert client.get(f"/studies/{study}/{page}").status_code == 404
    assert house.study.name not in client.get("/studies/").content.decode()


def test_the_secret_of_a_second_factor_is_never_shown(house: House) -> None:
    from allauth.mfa.models import Authenticator

    second = Authenticator.objects.create(user=house.people["senior"], type="totp", data={"secret": "SeedOfSecrets"})
    client = house.browser("administrator")
    for page in ("", f"{second.pk}/change/", f"{second.pk}/delete/"):
        assert "SeedOfSecrets" not in client.get(f"/admin/mfa/authenticator/{page}").content.decode()


def test_a_lost_second_factor_can_be_taken_away(house: House) -> None:
    from allauth.mfa.models import Authenticator

    second = Authenticator.objects.create(user=house.people["senior"], type="totp", data={"secret": "SeedOfSecrets"})
    house.browser("administrator").post(f"/admin/mfa/authenticator/{second.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.filter(pk=second.pk).exists()
    assert AuditEvent.objects.filter(action="admin.used", subject__contains="delete").exists()


def test_no_page_of_the_admin_shows_a_password(house: House) -> None:
    person = User.objects.get(pk=house.people["senior"].pk)
    page = house.browser("administrator").get(f"/admin/annotator/user/{person.pk}/change/").content.decode()
    assert person.password not in page
    assert "md5$" not in page
