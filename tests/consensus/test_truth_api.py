"""Clinical truth and the sign-off, for programs: what the pages do, through the same services."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator.models import AuditEvent, Study, User
from consensus.models import ConsensusRun, DatasetVersion, Reference
from consensus.services.accepting import accept_cases
from tests import cast

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
SOURCE = "Visual fields"
TABLE = b"case,glaucoma\n1,1\n"


def address(study: Study, rest: str) -> str:
    return f"/api/v1/studies/{study.public_id}/{rest}"


def send(client: Client, study: Study, rest: str = "", content: bytes = TABLE, **fields: str) -> Any:
    file = SimpleUploadedFile("truth.csv", content, "text/csv")
    return client.post(address(study, "truth/" + rest), {"file": file, **fields})


def test_a_table_is_looked_at_and_then_imported(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    plan = send(client, fused_study, "preview/").json()
    assert plan["changes"] == [{"case": 1, "position": 1, "target": "glaucoma", "before": None, "after": "glaucoma"}]
    assert (plan["sha256"], plan["needs_reason"]) == (hashlib.sha256(TABLE).hexdigest(), False)
    assert not Reference.objects.filter(state="imported").exists()

    answer = send(client, fused_study, seen=plan["digest"], source=SOURCE)

    run = ConsensusRun.objects.get(kind="import")
    assert (answer.status_code, answer.json()) == (201, {"run": run.public_id, "answers": 1})
    row = Reference.objects.get(state="imported")
    assert (row.label, row.source, row.inputs_digest) == ("glaucoma", SOURCE, plan["sha256"])
    (known,) = client.get(address(fused_study, "truth/")).json()["targets"]
    assert known["counts"]["glaucoma"] == 1
    assert known["sources"] == [SOURCE]


def test_what_is_imported_is_what_was_looked_at(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    seen = send(client, fused_study, "preview/").json()["digest"]

    other = send(client, fused_study, content=b"case,glaucoma\n1,0\n", seen=seen, source=SOURCE)
    unseen = send(client, fused_study, source=SOURCE)

    assert (other.status_code, other.json()["code"]) == (409, "truth_changed")
    assert (unseen.status_code, unseen.json()["field"]) == (400, "seen")
    assert not Reference.objects.filter(state="imported").exists()


def test_a_bad_line_is_named_and_nothing_is_imported(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client, bad = browser_of(organiser), b"case,glaucoma\n1,perhaps\n"
    plan = send(client, fused_study, "preview/", content=bad).json()
    answer = send(client, fused_study, content=bad, seen=plan["digest"], source=SOURCE)
    assert plan["faults"][0].startswith("truth.csv, line 2: “perhaps” is not allowed")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_table")


def test_a_table_that_is_too_large_is_not_read(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    answer = send(browser_of(organiser), fused_study, "preview/", content=b"x" * (2 * 1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["code"]) == (400, "too_large")


def test_what_the_image_list_said_is_a_table_to_import(
    fused_study: Study, organiser: User, browser_of: Browser
) -> None:
    fused_study.cases.update(strata={"glaucoma": "1"})
    client = browser_of(organiser)
    table = client.get(address(fused_study, "truth/listed/"))
    assert table["Content-Type"].startswith("text/csv")
    assert send(client, fused_study, "preview/", content=table.content).json()["changes"][0]["after"] == "glaucoma"


def test_a_study_is_signed_off_with_the_words_that_were_read(
    fused_study: Study, senior: User, browser_of: Browser
) -> None:
    accept_cases(study=fused_study, actor=senior, above=0.0)
    client, place = browser_of(senior), address(fused_study, "datasets/sign-off/")
    told = client.get(place).json()
    assert told["readiness"]["may_sign_off"]
    assert told["digest"][:16] in told["meaning"]

    def sign(**changes: str) -> Any:
        body = {"name": "Final", "meaning": told["meaning"], "password": cast.PASSWORD} | changes
        return client.post(place, json.dumps(body), content_type="application/json")

    assert sign(password="not the one").json()["field"] == "password"
    assert sign(meaning="I approve them.").json()["code"] == "changed_meanwhile"
    assert not DatasetVersion.objects.exists()

    signed = sign()

    assert (signed.status_code, signed.json()["digest"]) == (201, told["digest"])
    assert signed.json()["signed"]["meaning"] == told["meaning"]
    assert client.get(place).json()["unchanged"] != ""
    assert not any(cast.PASSWORD in str(event.after) for event in AuditEvent.objects.all())
