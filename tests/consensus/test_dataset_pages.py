"""The pages and the API of versions: what they show, what they say before and after, and that they stay cheap."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotator.models import Study, User
from consensus.models import DatasetVersion
from consensus.services.freezing import freeze_dataset
from tests import cast
from tests.consensus import scene
from tests.consensus.senior import Table, sign, words_now

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


def at(study: Study, rest: str = "") -> str:
    return f"/studies/{study.public_id}/datasets/{rest}"


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def senior_s(senior: User, browser_of: Browser) -> Client:
    return browser_of(senior)


def test_a_study_without_versions_says_what_they_are_for(fused_study: Study, senior_s: Client) -> None:
    assert "No version yet" in text(senior_s, at(fused_study))


def test_a_version_is_frozen_from_its_page_and_listed(fused_study: Study, senior_s: Client) -> None:
    answer = senior_s.post(at(fused_study, "freeze/"), {"name": "Draft", "note": "For the statistician."}, follow=True)
    version = DatasetVersion.objects.get()
    assert answer.redirect_chain == [(at(fused_study, f"{version.public_id}/"), 302)]
    page = answer.content.decode()
    assert [part for part in ("Version 1: Draft", "For the statistician.", version.digest) if part not in page] == []
    listed = text(senior_s, at(fused_study))
    assert "3 references of 1 case" in listed
    assert "No change" in listed


def test_a_refused_freeze_says_why_and_keeps_what_was_typed(fused_study: Study, senior: User, senior_s: Client) -> None:
    freeze_dataset(study=fused_study, actor=senior, name="Draft")
    assert "Nothing has changed since version 1." in text(senior_s, at(fused_study, "freeze/"))
    answer = senior_s.post(at(fused_study, "freeze/"), {"name": "Once more"})
    assert answer.status_code == 400
    assert "Nothing has changed since version 1." in answer.content.decode()
    assert 'value="Once more"' in answer.content.decode()


def test_what_is_open_is_listed_with_the_way_to_it(fused_study: Study, senior_s: Client) -> None:
    page = text(senior_s, at(fused_study, "sign-off/"))
    assert f'/studies/{fused_study.public_id}/table/?state=open">3 references have not been decided' in page
    assert "Your password" not in page


def test_cases_still_being_read_are_left_out_only_when_ticked(
    fused_study: Study, organiser: User, senior_s: Client
) -> None:
    cast.add_pictures(fused_study, 2, actor=organiser, first_seed=40)
    cast.assign_all(fused_study, actor=organiser)
    refused = senior_s.post(at(fused_study, "freeze/"), {"name": "Draft"})
    assert refused.status_code == 400
    assert "table/?state=waiting" in refused.content.decode()
    senior_s.post(at(fused_study, "freeze/"), {"name": "Draft", "incomplete": "on"})
    assert DatasetVersion.objects.get().counts["cases"] == 1


def test_signing_off_from_the_page_shows_the_words_and_the_study_tells_of_it(
    fused_study: Study, senior_s: Client, table: Table, organiser: User, browser_of: Browser
) -> None:
    table.accept_all()
    words = words_now(fused_study)
    page = text(senior_s, at(fused_study, "sign-off/"))
    assert page.count(words) == 2  # to read, and to send
    form = {"name": "Reference standard", "password": cast.PASSWORD, "meaning": words}
    answer = senior_s.post(at(fused_study, "sign-off/"), form, follow=True)
    assert words in answer.content.decode()

    overview = f"/studies/{fused_study.public_id}/"
    assert "No reference has changed since." in text(browser_of(organiser), overview)
    table.post("decide", decisions=[table.decision("disc")], comment="Seen at the follow-up.")
    assert "Changed since: 1 reference." in text(browser_of(organiser), overview)
    assert "Signed off by Sven Senior" in text(senior_s, at(fused_study))


def test_a_wrong_password_leaves_the_page_as_it_was(fused_study: Study, senior_s: Client, table: Table) -> None:
    table.accept_all()
    form = {"name": "Reference standard", "password": "wrong", "meaning": words_now(fused_study)}
    answer = senior_s.post(at(fused_study, "sign-off/"), form)
    assert answer.status_code == 400
    assert "This is not your password." in answer.content.decode()
    assert 'value="wrong"' not in answer.content.decode()


def test_after_a_sign_off_the_queue_and_the_table_ask_for_the_reason(
    fused_study: Study, senior: User, senior_s: Client, table: Table, organiser: User
) -> None:
    assert table.get()["signed"] is False
    table.accept_all()
    sign(fused_study, senior)
    assert table.get()["signed"] is True
    newcomer = cast.person("Nora Newcomer")
    cast.add_cast(fused_study, actor=organiser, graders=[newcomer])
    cast.assign_all(fused_study, actor=organiser)
    scene.read(scene.assignments_of(fused_study, newcomer)[0], scene.refuge_answers())
    queue = f"/studies/{fused_study.public_id}/table/"
    assert 'name="reason"' in text(senior_s, queue)
    assert senior_s.post(f"{queue}run/").status_code == 400
    assert senior_s.post(f"{queue}run/", {"reason": "A fourth grader."}).status_code == 302


def test_the_manifest_that_is_taken_away_has_the_digest_of_the_version(
    fused_study: Study, senior: User, senior_s: Client
) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="Draft")
    file = senior_s.get(at(fused_study, f"{version.public_id}/manifest.json"))
    api = senior_s.get(f"/api/v1/studies/{fused_study.public_id}/datasets/{version.public_id}/manifest/")
    assert hashlib.sha256(file.content).hexdigest() == version.digest
    assert api.content == file.content
    assert 'filename="refuge-v1-manifest.json"' in file["Content-Disposition"]
    rows = text(senior_s, at(fused_study, f"{version.public_id}/manifest.csv")).splitlines()
    assert len(rows) == 1 + 1 + 3 + 3


def test_the_api_tells_and_freezes_versions(fused_study: Study, senior_s: Client) -> None:
    address = f"/api/v1/studies/{fused_study.public_id}/datasets/"
    made = senior_s.post(address, json.dumps({"name": "Draft"}), content_type="application/json")
    assert made.status_code == 201
    (listed,) = senior_s.get(address).json()["results"]
    assert listed == made.json() == senior_s.get(f"{address}{listed['id']}/").json()
    assert (listed["number"], listed["signed"], listed["changed_since"]) == (1, None, 0)
    assert listed["counts"]["references"] == 3
    again = senior_s.post(address, json.dumps({"name": "Draft"}), content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "nothing_changed")


def test_the_list_costs_the_same_for_one_version_and_for_many(
    fused_study: Study, senior: User, senior_s: Client, table: Table
) -> None:
    counts = []
    for number in range(3):
        freeze_dataset(study=fused_study, actor=senior, name=f"{number} " + "a very long name " * 6)
        table.post("decide", decisions=[table.decision("disc")])
        with CaptureQueriesContext(connection) as queries:
            text(senior_s, at(fused_study))
        counts.append(len(queries))
    assert counts[0] == counts[2]
