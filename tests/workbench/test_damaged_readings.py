"""A submitted answer whose stored bytes were altered is told by its place, and nobody goes on from it unawares."""

from __future__ import annotations

import base64
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotator.models import Draft, Reading, Revision
from annotator.models.triggers import install_triggers, put_triggers_aside
from tests.workbench.desk import CUP, DISC, FOVEA, labelled, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = pytest.mark.django_db  # PostgreSQL cannot hold what is no JSON, and its own tools would be needed
DAMAGED = [{"position": 1, "target": "disc"}]
MOVED = {**DISC, "cx": 21.0}


def alter(target: str, **fields: Any) -> None:
    """As it would lie on a disk that lost something: past the database's own guards."""
    row = Revision.objects.get(target__key=target)
    put_triggers_aside(plan=["anything"])
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        for name, value in fields.items():
            cursor.execute(f"UPDATE annotator_revision SET {name} = %s WHERE id = %s", [value, row.pk])
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    install_triggers()


@pytest.fixture
def sent(desk: Desk) -> Desk:
    for target, geometry in (("disc", DISC), ("cup", CUP), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert desk.submit().status_code == 201
    return desk


@pytest.mark.parametrize(
    "geometry",
    [json.dumps(MOVED), json.dumps({"cx": 20.0}), json.dumps("disc"), '{"cx": 20', None],
    ids=["moved by a pixel", "parts missing", "another type", "no JSON", "gone"],
)
def test_a_submitted_answer_that_was_altered_is_named_and_the_others_are_there(sent: Desk, geometry: Any) -> None:
    alter("disc", geometry=geometry)

    bench = sent.read()

    assert (bench["state"], bench["damaged"]) == ("submitted", DAMAGED)
    assert {draft["target"]: draft["content"]["geometry"] for draft in bench["drafts"]} == {"cup": CUP, "fovea": FOVEA}


def test_the_page_of_the_case_is_there(sent: Desk) -> None:
    alter("disc", geometry='{"cx": 20')
    browser = Client()
    browser.force_login(sent.user)
    assert browser.get(reverse("read", args=[sent.assignment.public_id])).status_code == 200


@pytest.mark.parametrize("signs", ['["large_', '["disc_haemorrhage"]', "{}"], ids=["no JSON", "others", "no list"])
def test_altered_signs_of_a_label_are_found(seated: SeatedAt, signs: str) -> None:
    desk = seated("airogs")
    desk.save("referable_glaucoma", labelled("RG", "large_cup"))
    desk.submit()
    alter("referable_glaucoma", signs=signs)
    assert [place["target"] for place in desk.read()["damaged"]] == ["referable_glaucoma"]


OTHERS = base64.b64decode(packed((9, 9), (10, 9)).rpartition(":")[2])  # as large as what was sent, elsewhere


@pytest.mark.parametrize("stored", [OTHERS, OTHERS[:-1], b"noise", None], ids=["others", "cut", "noise", "gone"])
def test_altered_pixels_are_found(seated: SeatedAt, stored: bytes | None) -> None:
    desk = seated("glas")
    desk.save("glands", marked(), masks=[packed((3, 2), (4, 2))])
    desk.save("grade", marked(label="benign"))
    desk.submit()
    alter("glands", runs=stored)

    bench = desk.read()

    assert bench["damaged"] == [{"position": 1, "target": "glands"}]
    assert [draft["target"] for draft in bench["drafts"]] == ["grade"]


def test_the_log_names_the_assignment_and_nothing_of_the_answer(sent: Desk, caplog: pytest.LogCaptureFixture) -> None:
    alter("disc", geometry=json.dumps({**DISC, "cx": 13.57}))

    with caplog.at_level(logging.ERROR, "quorum.drafts"):
        sent.read()

    (line,) = caplog.messages
    assert line.startswith(f"assignment {sent.assignment.public_id}, photograph 1, disc, version 0 cannot be read")
    assert "13.57" not in line


@pytest.mark.parametrize("geometry", [json.dumps(MOVED), '{"cx": 20'], ids=["moved by a pixel", "no JSON"])
def test_a_reading_that_is_taken_back_does_not_go_on_with_what_was_altered(sent: Desk, geometry: str) -> None:
    alter("disc", geometry=geometry)

    taken_back = sent.withdraw()

    assert taken_back.status_code == 200
    assert {draft["target"] for draft in taken_back.json()["drafts"]} == {"cup", "fovea"}
    assert sent.read()["damaged"] == DAMAGED
    assert sent.put("disc", sent.change(marked(MOVED))).json()["code"] == "draft_damaged"


def test_after_marking_it_again_the_case_can_be_submitted(sent: Desk) -> None:
    alter("disc", geometry=json.dumps(MOVED))
    sent.versions = {f"1/{draft['target']}": draft["version"] for draft in sent.withdraw().json()["drafts"]}
    told = sent.put("disc", sent.change(marked(DISC))).json()["current"]["version"]

    sent.save("disc", marked(DISC), version=told)

    assert sent.submit(active_ms=77).status_code == 201
    first, second = Reading.objects.order_by("number")
    assert first.revisions.get(target__key="disc").geometry == MOVED
    assert second.revisions.get(target__key="disc").geometry == DISC
    assert sent.read()["damaged"] == []


def test_a_draft_that_is_no_json_any_more_is_told_and_replaced_when_its_version_is_named(desk: Desk) -> None:
    desk.save("disc", marked(DISC))
    desk.save("fovea", marked(FOVEA))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute("UPDATE annotator_draft SET content = '{\"answer' WHERE id = %s", [disc_draft().pk])
        cursor.execute("PRAGMA ignore_check_constraints = OFF")

    assert desk.read()["damaged"] == DAMAGED
    assert desk.submit().json()["code"] == "draft_damaged"
    assert desk.put("disc", desk.change(marked(MOVED))).json()["code"] == "draft_damaged"
    assert desk.save("disc", marked(MOVED)).status_code == 200
    assert disc_draft().content == marked(MOVED)


def disc_draft() -> Draft:
    return Draft.objects.get(target__key="disc")
