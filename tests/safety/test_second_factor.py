"""A code from the telephone besides the password, and codes for the day when the telephone is lost."""

from __future__ import annotations

import base64
import hmac
import struct
import time
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.cast import PASSWORD
from tests.safety.house import House
from tests.safety.test_signing_in import email_of, is_in, sign_in

pytestmark = pytest.mark.django_db


def totp(secret: str, at: float) -> str:
    """RFC 6238 with SHA-1, 30 seconds and six digits, written from the text."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.digest(key, struct.pack(">Q", int(at // 30)), "sha1")
    start = mac[-1] & 0x0F
    number = struct.unpack(">I", mac[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def code_now(secret: str) -> str:
    return totp(secret, time.time())


def test_our_codes_are_those_of_the_rfc() -> None:
    """RFC 6238, appendix B, last six of the eight digits."""
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert [totp(secret, at) for at in (59, 1111111109, 20000000000)] == ["287082", "081804", "353130"]


@pytest.fixture
def two_factors(house: House, settings: Any) -> tuple[str, str, list[str]]:
    """The senior has set a second factor up: e-mail, secret and recovery codes."""
    settings.MFA_TOTP_TOLERANCE = 1  # the half minute may end between making a code and checking it
    client = Client()
    sign_in(client, email_of(house, "senior"))
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/2fa/totp/activate/")
    secret = str(page.context["form"].secret)
    client.post("/account/2fa/totp/activate/", {"code": code_now(secret)})
    codes = client.get("/account/2fa/recovery-codes/").context["unused_codes"]
    cache.clear()  # a code counts once; the next sign-in may come in the same half minute
    return email_of(house, "senior"), secret, list(codes)


def test_with_a_second_factor_the_password_alone_does_not_sign_in(two_factors: tuple[str, str, list[str]]) -> None:
    client = Client()
    response = sign_in(client, two_factors[0])
    assert response["Location"].startswith("/account/2fa/authenticate/")
    assert not is_in(client)


def test_a_wrong_code_is_refused_and_the_right_one_signs_in(two_factors: tuple[str, str, list[str]]) -> None:
    email, secret, _codes = two_factors
    client = Client()
    sign_in(client, email)
    right = code_now(secret)
    wrong = f"{(int(right) + 500_000) % 1_000_000:06d}"
    client.post("/account/2fa/authenticate/", {"code": wrong})
    assert not is_in(client)
    client.post("/account/2fa/authenticate/", {"code": code_now(secret)})
    assert is_in(client)


def test_codes_cannot_be_guessed_through(two_factors: tuple[str, str, list[str]]) -> None:
    email, secret, _codes = two_factors
    client = Client()
    sign_in(client, email)
    for _guess in range(6):
        client.post("/account/2fa/authenticate/", {"code": "000000"})
    client.post("/account/2fa/authenticate/", {"code": code_now(secret)})
    assert not is_in(client)


def test_a_recovery_code_signs_in_once(two_factors: tuple[str, str, list[str]]) -> None:
    email, _secret, codes = two_factors
    outcomes = []
    for _time in range(2):
        client = Client()
        sign_in(client, email)
        client.post("/account/2fa/authenticate/", {"code": codes[0]})
        outcomes.append(is_in(client))
    assert outcomes == [True, False]
