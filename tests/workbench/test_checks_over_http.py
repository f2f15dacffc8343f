"""The checks at submission as a grader meets them: what a protocol makes an error cannot be confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotator.models import Reading
from tests.workbench.desk import marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt

pytestmark = pytest.mark.django_db
LESIONS = ("drusen", "exudate", "hemorrhage", "scar", "other")


def test_a_mask_that_is_said_to_be_there_and_is_empty_is_an_error(seated: SeatedAt) -> None:
    desk = seated("adam")
    desk.save("disc", marked(), masks=[packed((20, 10), (21, 10))])
    desk.save("fovea", marked({"x": 5.0, "y": 10.0}))
    desk.save("drusen", marked(), masks=[packed()])
    for lesion in LESIONS[1:]:
        desk.save(lesion, marked(answer="absent"))

    refused = desk.submit(confirmed_warnings=["empty-mask-as-present"])

    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (400, "check_failed", "1/drusen")
    assert Reading.objects.count() == 0
    desk.save("drusen", marked(answer="absent"))
    assert desk.submit().status_code == 201


def test_a_spur_marked_in_the_other_half_is_an_error(seated: SeatedAt) -> None:
    """The picture is 32 wide: the left half ends at 16."""
    desk = seated("age")
    desk.save("spur_left", marked({"x": 20.0, "y": 10.0}))
    desk.save("spur_right", marked({"x": 28.0, "y": 10.0}))
    refused = desk.submit()
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (
        400,
        "check_failed",
        "1/spur_left",
    )
    assert Reading.objects.count() == 0


def test_nothing_left_unanswered_is_submitted_not_even_when_confirmed(seated: SeatedAt) -> None:
    desk = seated("age")
    desk.save("spur_left", marked({"x": 5.0, "y": 10.0}))
    refused = desk.submit(confirmed_warnings=["target-not-answered"])
    assert (refused.json()["code"], refused.json()["field"]) == ("not_answered", "1/spur_right")
