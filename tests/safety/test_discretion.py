"""Whatever goes wrong, the operator's log names no patient, no file, no address of a person and nothing that lets
anybody in."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string

from annotator.models import Job
from annotator.services import job_run
from annotator.services.tokens import make_token, revoke_token
from tests.safety.house import House

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that any logger says, in the words in which the server writes it down."""
    configuration: Any = settings.LOGGING
    kind = dict(configuration["formatters"]["line"])
    formatter = import_string(kind.pop("()"))(fmt=kind["format"], style=kind["style"])
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def test_a_bad_upload_does_not_name_its_file(house: House, log: io.StringIO) -> None:
    address = reverse("study_upload", args=[house.study.public_id])
    client = house.browser("organiser")
    for headers in (JSON, {}):
        file = SimpleUploadedFile("Zebulon Quartermain 1950.jpg", b"no picture")
        client.post(address, {"file": file, "side": "R"}, headers=headers)
    client.post(f"/api/v1/studies/{house.study.public_id}/images/", {"file": SimpleUploadedFile("Zebulon.jpg", b"x")})
    assert "Bad Request" in log.getvalue()
    assert "zebulon" not in log.getvalue().lower()


def test_a_failed_sign_in_names_neither_person_nor_password(house: House, log: io.StringIO) -> None:
    for _attempt in range(7):
        Client().post("/account/login/", {"login": "secretsenior@example.org", "password": "my-dog-is-called-Rex"})
    assert "Rex" not in log.getvalue()
    assert "secretsenior" not in log.getvalue()


@pytest.mark.parametrize("how", ["without a token", "by a wrong method", "broken", "by a failing server"])
def test_the_link_of_an_invitation_is_not_written_down(
    house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    token = house.names["token"]
    address = reverse("invitation", args=[token])
    if how == "without a token":
        Client(enforce_csrf_checks=True).post(address, {"name": "A", "password": "my-dog-is-called-Rex"})
    elif how == "by a wrong method":
        Client().delete(address)
    elif how == "broken":
        Client().get(address.replace(token, token[:-1] + "_"))
        token = token[:-1]
    else:
        monkeypatch.setattr("annotator.views.invitations.open_invitation", lambda token: 1 / 0)
        Client(raise_request_exception=False).get(address)
    assert "/invitations/" in log.getvalue()
    assert token not in log.getvalue()
    assert "Rex" not in log.getvalue()


def test_the_link_to_a_new_password_is_not_written_down(house: House, log: io.StringIO) -> None:
    Client(enforce_csrf_checks=True).post("/account/password/reset/key/b-c9x2k1-3f0e9d8c7b6a5/", {"password1": "x"})
    assert "/password/reset/key/" in log.getvalue()
    assert "3f0e9d8c7b6a5" not in log.getvalue()


@pytest.mark.parametrize("how", ["refused", "by a failing server", "in an address", "revoked"])
def test_a_token_is_not_written_down(house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    person = house.people["organiser"]
    token, secret = make_token(person=person, name="Script", scopes=["read"])
    client = Client(raise_request_exception=False, headers={"authorization": f"Bearer {secret}"})
    address = f"/api/v1/studies/{house.study.public_id}/"
    if how == "refused":
        client.post(address + "state/")
    elif how == "by a failing server":
        monkeypatch.setattr("annotator.access.study_for", lambda *args: 1 / 0)
        assert client.get(address).status_code == 500
    elif how == "in an address":
        Client().get(f"/api/v1/studies/{secret}/", {"token": secret})
    else:
        revoke_token(person=person, public_id=token.public_id)
        assert client.get(address).status_code == 401
    assert "/api/v1/studies/" in log.getvalue()
    assert secret[7:] not in log.getvalue()


@pytest.mark.parametrize(
    "words",
    [
        "cannot open '/data/incoming/Zebulon Quartermain 1950.JPG'",
        'bad row "Quartermain, Zebulon.png": too long',
        "Zebulon_Quartermain.dcm is truncated",
        "Key (email)=(zebulon.quartermain@example.org) already exists",
        "no member “Zebulon Quartermain.jpeg” in Quartermain_Z.zip",
    ],
)
def test_a_failing_page_writes_down_where_it_failed_but_not_whom_it_concerns(
    house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr("annotator.access.rights", fails)
    response = house.browser("organiser").get(f"/studies/{house.study.public_id}/")
    assert response.status_code == 500
    assert "RuntimeError" in log.getvalue()
    assert "line" in log.getvalue()
    assert "zebulon" not in log.getvalue().lower()
    assert "quartermain" not in log.getvalue().lower()


def test_a_failing_job_does_not_write_down_whom_it_concerns(
    house: House, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(job: Job, progress: object) -> None:
        raise OSError(5, "Input/output error", "/data/incoming/Zebulon Quartermain.jpg")

    monkeypatch.setattr("annotator.services.job_run.job_service", lambda kind: fails)
    job = Job.objects.get(public_id=house.names["job_id"])
    job_run.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.public_id in log.getvalue()
    assert "zebulon" not in (log.getvalue() + job.error).lower()


def test_the_log_still_says_what_the_operator_needs(log: io.StringIO) -> None:
    logging.getLogger("quorum.jobs").warning("job %s was taken over by another worker", "h2k4")
    logging.getLogger("django.request").error("Internal Server Error: %s", "/studies/h2k4/images/")
    assert "job h2k4 was taken over by another worker" in log.getvalue()
    assert "Internal Server Error: /studies/h2k4/images/" in log.getvalue()
