"""A stored answer that was damaged is told by its place; the others are as ever, and nobody replaces it unasked."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Draft, Revision
from tests.workbench.desk import CUP, DISC, FOVEA, labelled, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
OTHER = {**DISC, "cx": 21.0}
DAMAGES: dict[str, Any] = {
    "not an answer": "disc",
    "a part is missing": {"answer": "present", "geometry": DISC},
    "another type": marked(DISC) | {"signs": "none"},
    "no geometry": marked(None),
    "geometry outside the picture": marked({**DISC, "cx": 9999.0}),
}


def damage(target: str, **fields: Any) -> None:
    """As it would lie on a disk that lost something: past all checks."""
    Draft.objects.filter(target__key=target).update(**fields)


def damaged_disc(desk: Desk, content: Any = "disc") -> None:
    desk.save("disc", marked(DISC))
    desk.save("fovea", marked(FOVEA))
    damage("disc", content=content)


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_answer_is_named_and_the_others_are_there(desk: Desk, content: Any) -> None:
    damaged_disc(desk, content)

    bench = desk.read()

    assert bench["damaged"] == [{"position": 1, "target": "disc"}]
    assert [draft["target"] for draft in bench["drafts"]] == ["fovea"]


CUT_SHORT = b"\x78\x9c\x03\x00\x00\x00\x00"


@pytest.mark.parametrize("runs", [b"", b"x", None, CUT_SHORT], ids=["empty", "noise", "gone", "cut"])
def test_damaged_pixels_are_found(seated: SeatedAt, runs: bytes | None) -> None:
    desk = seated("adam")
    desk.save("disc", marked(), masks=[packed((3, 2), (4, 2))])
    damage("disc", runs=runs)
    assert desk.read()["damaged"] == [{"position": 1, "target": "disc"}]


@pytest.mark.parametrize("geometry", [{}, {"objects": [{"id": 1, "bytes": 5}]}, {"objects": [7]}])
def test_objects_whose_list_does_not_fit_their_pixels_are_found(seated: SeatedAt, geometry: Any) -> None:
    desk = seated("glas")
    desk.save("glands", marked(), masks=[packed((3, 2)), packed((9, 9))])
    damage("glands", content=marked(geometry))
    assert desk.read()["damaged"] == [{"position": 1, "target": "glands"}]


def test_the_log_names_the_assignment_and_nothing_of_the_answer(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    damaged_disc(desk, marked({**DISC, "cx": 98765.0}))

    with caplog.at_level(logging.ERROR, "quorum.drafts"):
        desk.read()

    (line,) = caplog.messages
    assert line.startswith(f"assignment {desk.assignment.public_id}, photograph 1, disc, version 1 cannot be read")
    assert "98765" not in line


def test_somebody_who_was_not_told_replaces_nothing(desk: Desk) -> None:
    damaged_disc(desk)

    refused = desk.put("disc", desk.change(marked(OTHER)))

    assert (refused.status_code, refused.json()["code"]) == (409, "draft_damaged")
    assert "cannot be read" in refused.json()["message"]
    assert refused.json()["current"] == {"version": 1, "content": None, "masks": [], "saved_at": None}
    assert Draft.objects.get(target__key="disc").content == "disc"


def test_who_names_the_damaged_version_replaces_it(desk: Desk) -> None:
    damaged_disc(desk)

    stored = desk.put("disc", desk.change(marked(OTHER), version=1))

    assert (stored.status_code, stored.json()["version"]) == (200, 2)
    bench = desk.read()
    assert (bench["damaged"], len(bench["drafts"])) == ([], 2)


def test_a_change_that_is_sent_again_after_the_damage_is_told_of_it(desk: Desk) -> None:
    body = desk.change(marked(DISC))
    desk.put("disc", body)
    damage("disc", content="disc")
    assert desk.put("disc", body).json()["code"] == "draft_damaged"


def test_a_case_with_a_damaged_answer_is_not_submitted_without_it(desk: Desk) -> None:
    damaged_disc(desk)
    desk.save("cup", marked(CUP))
    seen = {name: version for name, version in desk.versions.items() if name != "1/disc"}

    refused = desk.submit(versions=seen)

    said = refused.json()
    assert (refused.status_code, said["code"], said["field"]) == (409, "draft_damaged", "1/disc")
    assert not Revision.objects.exists()


def test_a_damaged_label_is_told_too(seated: SeatedAt) -> None:
    desk = seated("airogs")
    desk.save("referable_glaucoma", labelled("NRG"))
    damage("referable_glaucoma", content=labelled("NRG") | {"label": 7})
    assert [place["target"] for place in desk.read()["damaged"]] == ["referable_glaucoma"]
