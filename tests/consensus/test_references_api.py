"""References by the API are those of the archive: the same names, pixels and numbers, and hidden parts hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client

from annotator.geometry import mask_text, runs
from annotator.models import AuditEvent, User
from consensus.models import DatasetVersion
from tests.consensus.exported import CASES, Archive, in_halves, made

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]
Told = Callable[..., Any]


@pytest.fixture
def told(version: DatasetVersion, organiser: User, browser_of: Callable[[User], Client]) -> Told:
    address = f"/api/v1/studies/{version.study.public_id}/datasets/{version.public_id}/references/"
    return lambda **asked: browser_of(organiser).get(address, asked).json()


def drawn(text: str, width: int, height: int) -> Any:
    packed, digest = mask_text.read(text, width, height)
    toggles = runs.unpack(packed, width, height)
    assert runs.digest(toggles, width, height) == digest
    return runs.decode(toggles, width, height)


def as_in(archive: Archive, told: list[dict[str, Any]]) -> None:
    points = {(row["image"], row["target"]): row for row in archive.rows("tables/points.csv")}
    labels = {(row["image"], row["target"]): row for row in archive.rows("tables/labels.csv")}
    for one in told:
        for reference in one["references"]:
            which = one["name"], reference["target"]
            if reference["kind"] == "ellipse":
                (mask,) = reference["masks"]
                here = archive.picture(f"masks/{which[1]}/{which[0]}.png")
                np.testing.assert_array_equal(drawn(mask, one["width"], one["height"]), here > 0)
            elif reference["kind"] == "point":
                row = points[which]
                assert reference["point"] == {"x": float(row["x"]), "y": float(row["y"])}
            else:
                assert reference["label"] == labels[which]["label"]


def test_references_are_those_of_the_archive(told: Told, version: DatasetVersion, organiser: User) -> None:
    answer = told()
    assert answer["count"] == CASES
    kinds = {one["target"]: one["kind"] for one in answer["results"][0]["references"]}
    assert kinds == {"disc": "ellipse", "cup": "ellipse", "fovea": "point", "glaucoma": "label"}
    as_in(made(version, organiser, formats=["masks", "tables"]), answer["results"])


def test_pages_follow_one_another(told: Told) -> None:
    pages = [told(page_size=1, page=number)["results"] for number in range(1, CASES + 1)]
    assert [one["name"] for page in pages for one in page] == ["c0001", "c0002", "c0003", "c0004"]


def test_a_hidden_part_is_withheld_unless_the_key_is_asked_for(
    told: Told, version: DatasetVersion, organiser: User
) -> None:
    split = in_halves(version)
    answer = told(split=split.public_id)["results"]
    as_in(made(version, organiser, formats=["masks", "tables"], split=split, withheld=["onsite"]), answer)
    hidden = [one for one in answer if one["part"] == "onsite"]
    assert [one["name"] for one in hidden] == ["onsite-0001", "onsite-0002"]
    assert [(one["withheld"], one["image"], one["references"]) for one in hidden] == [(True, None, [])] * 2
    with_key = told(split=split.public_id, key="true")["results"]
    assert all(one["references"] for one in with_key)


def test_the_log_tells_who_fetched_what_once_a_day(told: Told, version: DatasetVersion, organiser: User) -> None:
    split = in_halves(version)
    for asked in ({"page_size": 1}, {"page_size": 1, "page": 2}, {"split": split.public_id}):
        told(**asked)
    events = AuditEvent.objects.filter(action="dataset.fetched").order_by("pk")
    assert [(event.actor, (event.after or {})["wish"]["withheld"]) for event in events] == [
        (organiser, []),
        (organiser, ["onsite"]),
    ]


def test_a_split_of_nobody_is_not_found(told: Told) -> None:
    assert told(split="nosuchsplit")["code"] == "not_found"
