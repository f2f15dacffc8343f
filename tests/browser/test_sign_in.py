"""Getting in and out: by keyboard alone, with a second factor, in another language, from several browsers."""

import base64
import hmac
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from playwright.sync_api import Page, expect

from annotator.models import User
from tests import cast
from tests.browser.visitor import SHOWS_FOCUS, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def sign_in(page: Page, user: User, password: str = cast.PASSWORD) -> None:
    """With nothing but the keyboard: the first field has the focus already."""
    expect(page.get_by_label("Email")).to_be_focused()
    page.keyboard.type(user.email)
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def code_now(secret: str) -> str:
    """RFC 6238: HMAC-SHA-1 of the half minute, truncated to six figures."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), "sha1")
    (number,) = struct.unpack_from(">I", digest, digest[-1] & 15)
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06d}"


def test_a_person_signs_in_and_out_by_keyboard_alone(visit: Visit, organiser: User) -> None:
    guest = visit()
    page = guest.go("/studies/")
    guest.look()

    sign_in(page, organiser)
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()
    page.locator("summary", has_text="Account menu").focus()
    page.keyboard.press("Enter")
    for _ in range(10):
        if page.evaluate("document.activeElement.innerText") == "Sign out":
            break
        page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    guest.go("/studies/")
    assert "/account/login/" in page.url


def test_a_wrong_password_is_told_at_the_form_and_lets_nobody_in(visit: Visit, organiser: User) -> None:
    guest = visit()
    page = guest.go("/account/login/")

    sign_in(page, organiser, "not-the-password")

    expect(page.get_by_role("alert")).to_contain_text("not correct")
    guest.look()
    guest.go("/")
    assert "/account/login/" in page.url


def test_the_keyboard_always_shows_where_it_is(visit: Visit, organiser: User) -> None:
    page = visit(organiser).go("/studies/new/?protocol=refuge")
    unseen = []

    for _ in range(30):
        page.keyboard.press("Tab")
        unseen.append(page.evaluate(SHOWS_FOCUS))

    assert [fault for fault in unseen if fault] == []


def test_the_language_is_switched_and_stays(visit: Visit, organiser: User) -> None:
    visitor = visit(organiser)
    page = visitor.go("/")

    page.locator("summary", has_text="English").click()
    visitor.press("简体中文")
    visitor.go("/studies/")

    assert page.get_attribute("html", "lang") == "zh-hans"
    assert page.locator("script[src*='catalog.zh-hans']").count() == 1


def test_a_second_factor_is_set_up_and_asked_for(visit: Visit, organiser: User, settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1  # the half minute may end between typing and checking
    visitor = visit()
    page = visitor.go("/account/2fa/totp/activate/")
    sign_in(page, organiser)
    visitor.look()
    expect(page.get_by_label("Password")).to_be_focused()
    page.keyboard.type(cast.PASSWORD)  # asked for once more before the account's protection changes
    visitor.press("Confirm")
    visitor.look()
    secret = page.input_value("#authenticator_secret")
    page.fill("input[name=code]", code_now(secret))
    visitor.press("Activate")
    assert Authenticator.objects.filter(user=organiser, type="totp").exists()
    visitor.look()

    guest = visit()
    asked = guest.go("/account/login/")
    sign_in(asked, organiser)
    guest.look()
    refused = asked.url
    cache.clear()  # a code counts once; this one may again, so that nobody waits for the next half minute
    asked.fill("input[name=code]", code_now(secret))
    asked.keyboard.press("Enter")

    expect(asked.get_by_role("heading", name="Welcome, Olga Organiser")).to_be_visible()
    assert "/account/2fa/authenticate/" in refused


def test_another_session_is_ended_from_this_one(visit: Visit, organiser: User) -> None:
    here, there = visit(), visit()
    for visitor in (there, here):
        sign_in(visitor.go("/account/login/"), organiser)
    page = here.go("/account/sessions/")
    here.look()
    assert page.locator("tbody tr").count() == 2
    assert "Chrome on Linux" in here.text()

    here.press("Sign out the other sessions")
    there.go("/studies/")

    assert page.locator("tbody tr").count() == 1
    assert "/account/login/" in there.page.url
