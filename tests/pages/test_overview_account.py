"""One's own account."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotator.models import AuditEvent, User

SignIn = Callable[[User], Client]


def test_the_account_page_leads_to_password_two_factor_and_sessions(senior: User, browser_of: SignIn) -> None:
    page = browser_of(senior).get("/account/me/").content.decode()
    for place in ("/account/password/change/", "/account/2fa/", "/account/sessions/"):
        assert f'href="{place}"' in page


def test_a_person_changes_the_own_name_and_the_log_keeps_the_former(senior: User, browser_of: SignIn) -> None:
    answer = browser_of(senior).post("/account/me/", {"name": "  Sven   the Senior "})
    senior.refresh_from_db()
    assert answer.status_code == 302
    assert senior.name == "Sven the Senior"
    event = AuditEvent.objects.get(action="person.renamed")
    assert (event.before, event.after) == ({"name": "Sven Senior"}, {"name": "Sven the Senior"})


@pytest.mark.parametrize("name", ["", "   ", "x" * 121])
def test_a_bad_name_changes_nothing(name: str, senior: User, browser_of: SignIn) -> None:
    answer = browser_of(senior).post("/account/me/", {"name": name})
    senior.refresh_from_db()
    assert answer.status_code == 400
    assert senior.name == "Sven Senior"
    assert not AuditEvent.objects.filter(action="person.renamed").exists()
