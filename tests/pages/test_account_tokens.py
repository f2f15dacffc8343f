"""The pages on which people make, see and revoke their tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import ApiToken, Study, User
from annotator.services.tokens import make_token
from tests.cast import PASSWORD

NEW = "/account/tokens/new/"
WISH = {"name": "Notebook", "scopes": ["read", "references"], "study": "", "days": "90"}


@pytest.fixture
def browser(organiser: User) -> Client:
    """Signed in, and the password given once more just now."""
    client = Client()
    client.post("/account/login/", {"login": organiser.email, "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def test_a_new_token_is_shown_once_and_works(browser: Client, organiser: User) -> None:
    made = browser.post(NEW, WISH).content.decode()
    (secret,) = re.findall(r'value="(quorum_[\w-]{43})"', made)
    assert Client().get("/api/v1/me/", headers={"authorization": f"Bearer {secret}"}).json()["name"] == organiser.name
    listed = browser.get("/account/tokens/").content.decode()
    assert "Notebook" in listed
    assert "Read, References" in listed
    assert secret[:11] in listed
    assert secret not in listed


def test_the_answer_with_the_secret_is_kept_by_no_cache(browser: Client) -> None:
    assert browser.post(NEW, WISH).headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_password_is_asked_for_once_more(
    organiser: User, browser_of: Callable[[User], Client], method: str
) -> None:
    response = getattr(browser_of(organiser), method)(NEW, WISH)
    assert response.status_code == 302
    assert response["Location"].startswith("/account/reauthenticate/")
    assert ApiToken.objects.count() == 0


def test_a_token_can_be_limited_to_a_study_and_a_time(browser: Client, study: Study) -> None:
    browser.post(NEW, WISH | {"study": study.public_id, "days": "30"})
    token = ApiToken.objects.get()
    assert token.study == study
    assert token.expires_at is not None
    assert round((token.expires_at - token.created_at).total_seconds() / 86400) == 30
    assert study.name in browser.get("/account/tokens/").content.decode()


@pytest.mark.parametrize(
    "wrong", [{"scopes": []}, {"scopes": ["root"]}, {"study": "nosuchstudynosuc"}, {"days": "7000"}, {"name": "=1+1"}]
)
def test_a_wrong_wish_is_shown_again_and_makes_nothing(browser: Client, wrong: dict[str, object]) -> None:
    response = browser.post(NEW, WISH | wrong)
    assert response.status_code == 400
    assert "Notebook" in response.content.decode() or "name" in wrong
    assert ApiToken.objects.count() == 0


def test_revoking_is_one_press_and_stays_in_the_list(browser: Client, organiser: User) -> None:
    token, _secret = make_token(person=organiser, name="Old script", scopes=["read"])
    page = browser.post(reverse("account_token_revoke", args=[token.public_id]), follow=True).content.decode()
    assert "was revoked" in page
    assert "Revoked" in page
    assert reverse("account_token_revoke", args=[token.public_id]) not in page


def test_the_tokens_of_others_are_neither_seen_nor_revoked(browser: Client, outsider: User) -> None:
    token, _secret = make_token(person=outsider, name="Otto's script", scopes=["read"])
    assert "Otto" not in browser.get("/account/tokens/").content.decode()
    assert browser.post(reverse("account_token_revoke", args=[token.public_id])).status_code == 404
    assert ApiToken.objects.get().revoked_at is None


def test_the_study_s_log_tells_its_organiser_of_a_token(browser: Client, study: Study, observer: User) -> None:
    make_token(person=observer, name="Notebook", scopes=["references"])
    page = browser.get(f"/studies/{study.public_id}/log/").content.decode()
    assert "made an API token that opens this study" in page
