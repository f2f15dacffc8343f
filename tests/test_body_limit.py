"""A large body is refused before it is read, wherever no file is expected."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stated", [str(2 * 1024**3), "many", "-5"])
def test_a_stranger_cannot_send_gigabytes_to_the_sign_in_form(stated: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(
        "/account/login/", b"", content_type="multipart/form-data; boundary=x", CONTENT_LENGTH=stated
    )
    assert answer.status_code == 413
