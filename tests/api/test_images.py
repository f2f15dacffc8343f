"""Images by the API: upload, refusal, list."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image as Picture

from annotator.models import Image, Study, User
from tests import cast

if TYPE_CHECKING:
    from tests.api.conftest import Api

At = Callable[[str], str]
Stored = Callable[[], dict[str, int]]


def upload(api: Api, user: User, address: str, content: bytes, name: str = "eye.png", **fields: Any) -> Any:
    file = SimpleUploadedFile(name, content, content_type="image/png")
    return api(user).post(address, {"file": file, **fields}, format="multipart")


def bomb() -> bytes:
    """A PNG header that claims 30,000 × 30,000 pixels, in a file of a few bytes."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    chunks = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def truncated_jpeg() -> bytes:
    file = io.BytesIO()
    Picture.open(io.BytesIO(cast.tiny_png(1, width=200, height=200))).save(file, "JPEG")
    return file.getvalue()[: len(file.getvalue()) // 2]


def test_an_uploaded_picture_is_in_the_study_with_its_facts(api: Api, study: Study, organiser: User, at: At) -> None:
    facts: dict[str, Any] = {
        "subject": "P7",
        "eye": "L",
        "order": 2,
        "device": "Camera",
        "um_per_px_x": 3.5,
        "um_per_px_y": 4,
    }

    response = upload(api, organiser, at("images/"), cast.tiny_png(1, width=40, height=30), **facts)

    assert response.status_code == 201
    assert response.json()["duplicate"] is False
    shown = response.json()["image"]
    image = Image.objects.get(public_id=shown["id"])
    assert (image.width, image.height, image.um_per_px_x, image.um_per_px_y) == (40, 30, 3.5, 4.0)
    assert (shown["subject"], shown["eye"], shown["order"], shown["device"]) == ("P7", "L", 2, "Camera")
    assert (shown["original_name"], shown["case"]) == ("eye.png", 1)


def test_the_same_picture_twice_is_answered_as_a_duplicate(
    api: Api, study: Study, organiser: User, at: At, stored: Stored
) -> None:
    first = upload(api, organiser, at("images/"), cast.tiny_png(1)).json()["image"]
    before = stored()

    response = upload(api, organiser, at("images/"), cast.tiny_png(1), name="again.png")

    assert response.status_code == 200
    assert response.json()["duplicate"] is True
    assert response.json()["image"]["id"] == first["id"]
    assert stored() == before


@pytest.mark.parametrize(
    ("content", "name", "fields", "code", "field"),
    [
        (b"", "a.png", {}, "empty", "file"),
        (b"hello", "a.png", {}, "not_an_image", "file"),
        (b"GIF89a" + b"\0" * 50, "a.gif", {}, "unsupported_format", "file"),
        (cast.tiny_png(1)[:-40], "a.png", {}, "truncated", "file"),
        (truncated_jpeg(), "a.jpg", {}, "truncated", "file"),
        (bomb(), "a.png", {}, "too_large", "file"),
        (cast.tiny_png(1), "=cmd.png", {}, "formula", "file"),
        (cast.tiny_png(1), "a.png", {"subject": "=1+1"}, "formula", "subject"),
        (cast.tiny_png(1), "a.png", {"device": "+cmd"}, "formula", "device"),
        (cast.tiny_png(1), "a.png", {"eye": "X"}, "invalid", "eye"),
        (cast.tiny_png(1), "a.png", {"order": 0}, "invalid", "order"),
        (cast.tiny_png(1), "a.png", {"um_per_px_x": "nan"}, "invalid", "um_per_px_x"),
        (cast.tiny_png(1), "a.png", {"um_per_px_y": -1}, "invalid", "um_per_px_y"),
        (cast.tiny_png(1), "a.png", {"subject": "P" * 65}, "invalid", "subject"),
        (cast.tiny_png(1), "a.png", {"patient": "Jane"}, "invalid", "patient"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_bad_upload_says_why_and_stores_nothing(
    api: Api,
    study: Study,
    organiser: User,
    at: At,
    stored: Stored,
    content: bytes,
    name: str,
    fields: dict[str, Any],
    code: str,
    field: str,
) -> None:
    before = stored()

    response = upload(api, organiser, at("images/"), content, name, **fields)

    assert response.status_code == 400, response.content
    assert (response.json()["code"], response.json()["field"]) == (code, field)
    assert "%(" not in response.json()["message"]
    assert stored() == before


def test_nothing_of_a_rejected_file_is_left_in_the_store(
    api: Api, study: Study, organiser: User, at: At, settings: LazySettings, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    upload(api, organiser, at("images/"), truncated_jpeg(), "a.jpg")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_upload_above_the_limit_is_refused_before_it_is_read(
    api: Api, study: Study, organiser: User, at: At, settings: LazySettings, stored: Stored
) -> None:
    settings.UPLOAD_LIMIT_MB = 0
    before = stored()
    response = upload(api, organiser, at("images/"), b"\0" * 200_000)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert stored() == before


def test_an_order_that_is_taken_is_a_conflict(api: Api, study: Study, organiser: User, at: At, stored: Stored) -> None:
    upload(api, organiser, at("images/"), cast.tiny_png(1), subject="P1", eye="R", order=1)
    before = stored()
    response = upload(api, organiser, at("images/"), cast.tiny_png(2), subject="P1", eye="R", order=1)
    assert (response.status_code, response.json()["code"]) == (409, "order_taken")
    assert stored() == before


def test_a_closed_study_takes_no_images(api: Api, study: Study, organiser: User, at: At) -> None:
    api(organiser).post(at("state/"), {"version": study.version, "state": "closed"})
    response = upload(api, organiser, at("images/"), cast.tiny_png(1))
    assert (response.status_code, response.json()["code"]) == (409, "study_closed")


def test_images_are_found_by_subject_side_and_assignment(api: Api, study: Study, organiser: User, at: At) -> None:
    cast.add_pictures(study, 2, actor=organiser, side="R")
    cast.assign_all(study, actor=organiser)
    cast.add_pictures(study, 3, actor=organiser, first_seed=11, side="L")
    counts = {
        query: api(organiser).get(at(f"images/?{query}")).json()["count"]
        for query in ("search=P0001", "side=L", "state=assigned", "state=unassigned", "search=picture-1&side=L")
    }
    assert counts == {
        "search=P0001": 1,
        "side=L": 3,
        "state=assigned": 2,
        "state=unassigned": 3,
        "search=picture-1&side=L": 3,
    }


def test_a_list_comes_in_pages(api: Api, study: Study, organiser: User, at: At) -> None:
    cast.add_pictures(study, 3, actor=organiser)
    page = api(organiser).get(at("images/?page=2&page_size=2")).json()
    assert (page["count"], len(page["results"]), page["next"]) == (3, 1, None)


@pytest.mark.parametrize("query", ["side=X", "state=lost", "colour=red"])
def test_an_unknown_filter_is_refused(api: Api, study: Study, organiser: User, at: At, query: str) -> None:
    assert api(organiser).get(at(f"images/?{query}")).status_code == 400
