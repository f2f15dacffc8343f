"""What is overwritten by SQL that was made once is what Django's own saving writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError

from annotator.models import Draft
from annotator.services.overwriting import Overwriting
from tests.workbench.desk import DISC, marked

if TYPE_CHECKING:
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
NAMES = ("version", "content", "runs", "idempotency_key", "saved_at")
OVERWRITING = Overwriting(Draft, NAMES)


@pytest.mark.parametrize(
    ("content", "runs"),
    [(None, None), (marked({"x": 1.5, "y": 2.0}), b"\0\xff"), (marked(label="“%s” ✓"), b"")],
    ids=["taken back", "geometry and pixels", "words"],
)
def test_a_row_is_overwritten_as_django_saves_it(desk: Desk, content: Any, runs: bytes | None) -> None:
    desk.save("disc", marked(DISC))
    draft = Draft.objects.get()
    draft.version, draft.content, draft.runs, draft.idempotency_key, draft.request_digest = 7, content, runs, "k", "not"
    before = draft.saved_at

    OVERWRITING.of(draft)
    ours = Draft.objects.get()
    draft.save(update_fields=NAMES)
    djangos = Draft.objects.get()

    assert (ours.version, ours.content, ours.runs, ours.idempotency_key) == (7, content, runs, "k")
    assert ours.request_digest != "not"
    assert before < ours.saved_at < djangos.saved_at
    djangos.saved_at = ours.saved_at
    assert {name: getattr(ours, name) for name in NAMES} == {name: getattr(djangos, name) for name in NAMES}


def test_a_row_that_is_gone_is_not_passed_over_in_silence(desk: Desk) -> None:
    desk.save("disc", marked(DISC))
    draft = Draft.objects.get()
    Draft.objects.all().delete()
    with pytest.raises(DatabaseError, match="not there"):
        OVERWRITING.of(draft)
