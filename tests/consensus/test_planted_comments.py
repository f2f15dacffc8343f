"""Markup in what seniors write stays text: in the history, in the case as it travels, in the queue and in the log."""

from __future__ import annotations

import pytest

from annotator.models import User
from tests.consensus import scene
from tests.consensus.senior import Table, reading_of
from tests.safety.inspection import markup_faults

pytestmark = pytest.mark.django_db

MARKUP = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>"
AS_TEXT = "&lt;script&gt;alert(1)&lt;/script&gt;"


@pytest.fixture
def commented(table: Table) -> Table:
    """Decided with a comment, a reading left out with a note, taken back with a reason."""
    bad = reading_of(table.get(), 7.0)
    excluded = [{"reading": bad, "reason": "other", "note": MARKUP}]
    decision = table.decision("disc", digest=table.vote_without("disc", bad), excluded=excluded)
    answer = table.post("decide", decisions=[decision], comment=MARKUP)
    assert answer.status_code == 200, answer.json()
    return table


def test_the_history_shows_comments_and_notes_as_text(commented: Table) -> None:
    commented.post("undo", reason=MARKUP)
    case = scene.case_of(commented.study)

    page = commented.client.get(
        f"/studies/{commented.study.public_id}/table/{case.public_id}/history/"
    ).content.decode()

    assert markup_faults(page) == []
    assert page.count(AS_TEXT) >= 3  # the comment, the note, the reason


def test_the_case_travels_as_data_that_no_browser_takes_for_a_page(commented: Table) -> None:
    answer = commented.client.get(commented.case_address, {"tab": "one"})

    disc = next(one for one in answer.json()["references"] if one["target"] == "disc")
    assert disc["comment"] == MARKUP
    assert [one["note"] for one in disc["inputs"] if not one["included"]] == [MARKUP]
    assert answer["Content-Type"] == "application/json"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_queue_the_case_page_and_the_log_show_it_as_text_or_not_at_all(commented: Table, organiser: User) -> None:
    home = f"/studies/{commented.study.public_id}"
    pages = [f"{home}/table/", f"{home}/table/{scene.case_of(commented.study).public_id}/"]
    shown = [commented.client.get(address).content.decode() for address in pages]
    commented.client.force_login(organiser)
    shown.append(commented.client.get(f"{home}/log/").content.decode())

    assert [markup_faults(page) for page in shown] == [[], [], []]
