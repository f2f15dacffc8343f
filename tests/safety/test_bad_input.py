"""What a careless organiser or somebody worse sends in: a sentence, a status that blames the sender, nothing kept in
the database, in the store or among the arrivals, nothing secret in the log."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from PIL import Image as Picture

from annotator.errors import DomainError
from annotator.services.batches import Batch, Said
from annotator.services.imports import import_images
from annotator.services.people import accept_invitation
from tests import cast
from tests.safety.house import House, files, stored

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


def jpeg(seed: int) -> bytes:
    file = io.BytesIO()
    Picture.open(io.BytesIO(cast.tiny_png(seed, width=64, height=64))).save(file, "JPEG")
    return file.getvalue()


def png_that_says(width: int, height: int) -> bytes:
    """A header of one size before a few pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def jpeg_that_says(width: int, height: int) -> bytes:
    data = bytearray(jpeg(501))
    start = data.index(b"\xff\xc0")
    data[start + 5 : start + 9] = struct.pack(">HH", height, width)
    return bytes(data)


PICTURES = {
    "truncated PNG": ("Zebulon.png", cast.tiny_png(501)[:-30]),
    "truncated JPEG": ("Zebulon.jpg", jpeg(501)[:-200]),
    "PNG called JPEG": ("Zebulon.jpg", cast.tiny_png(501)),
    "JPEG called PNG": ("Zebulon.PNG", jpeg(501)),
    "JPEG called TIFF": ("Zebulon.tif", jpeg(501)),
    "text called JPEG": ("Zebulon.jpg", b"Dear patient"),
    "page called PNG": ("Zebulon.png", b"<svg onload=alert(1)></svg>"),
    "JPEG magic before nonsense": ("Zebulon.jpg", b"\xff\xd8\xff\xe0" + b"\0" * 500),
    "empty": ("Zebulon.png", b""),
    "PNG bomb of 30,000 × 30,000": ("Zebulon.png", png_that_says(30_000, 30_000)),
    "JPEG bomb of 30,000 × 30,000": ("Zebulon.jpg", jpeg_that_says(30_000, 30_000)),
    "PNG larger than its pixels": ("Zebulon.png", png_that_says(400, 400)),
    "PNG without size": ("Zebulon.png", png_that_says(0, 10)),
    "formula for a name": ("=HYPERLINK(Zebulon).png", cast.tiny_png(501)),
    "formula behind a blank": (" +1+cmd|Zebulon.png", cast.tiny_png(501)),
    "formula in full width": ("＝Zebulon.png", cast.tiny_png(501)),
}


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("what", PICTURES)
@pytest.mark.parametrize("door", ["page", "api", "example"])
def test_a_bad_picture_is_refused(house: House, what: str, door: str) -> None:
    name, content = PICTURES[what]
    if door == "example" and what.startswith("formula"):
        name, content = "a.png", b"no name of an example is kept, so none can be a formula"
    study = house.study.public_id
    address = {
        "page": reverse("study_upload", args=[study]),
        "api": f"/api/v1/studies/{study}/images/",
        "example": reverse("example_add", args=[study, "disc"]),
    }[door]
    file = SimpleUploadedFile(name, content)
    response: Any = house.browser("organiser").post(address, {"file": file}, headers={} if door == "example" else JSON)
    assert response.status_code == 400
    if door != "example":
        assert len(response.json()["message"]) > 10


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("field", ["subject", "device"])
def test_a_formula_among_the_facts_is_refused(house: House, field: str) -> None:
    file = SimpleUploadedFile("a.png", cast.tiny_png(502))
    body = {"file": file, "side": "R", field: '=cmd|"/C calc"!A0'}
    response = house.browser("organiser").post(f"/studies/{house.study.public_id}/upload/", body, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (400, "formula")


def test_a_second_photograph_in_the_place_of_the_first_is_refused_and_not_kept(house: House) -> None:
    client = house.browser("organiser")
    address = f"/studies/{house.study.public_id}/upload/"

    def upload(seed: int) -> Any:
        file = SimpleUploadedFile("P9_R_1.png", cast.tiny_png(seed))
        return client.post(address, {"file": file, "pattern": "{subject}_{eye}_{position}"}, headers=JSON)

    assert upload(540).status_code == 201
    before = (stored(), files())
    refused = upload(541)
    assert (refused.status_code, refused.json()["code"]) == (409, "order_taken")
    assert (stored(), files()) == before


TABLES = {
    "a wrong column": ("file,subject,colour\na.png,P1,red\n", "colour"),
    "no column of files": ("subject,eye\nP1,R\n", "file"),
    "a file twice": ("file,subject\na.png,P1\na.png,P2\n", "line 3"),
    "a subject's eye twice in one place": ("file,subject,eye,position\na.png,P1,R,1\nb.png,P1,R,1\n", "line 3"),
    "a formula": ("file,subject\na.png,=1+1\n", "line 2"),
    "a file that is not there": ("file,subject\na.png,P1\nb.png,P2\nc.png,P3\n", "c.png"),
    "an eye in the middle": ("file,subject,eye\na.png,P1,M\n", "line 2"),
    "a column twice": ("file,subject,subject\na.png,P1,P2\n", "subject"),
}


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("what", TABLES)
def test_a_bad_table_is_refused_before_a_file_is_read(house: House, tmp_path: Path, what: str) -> None:
    for seed, name in enumerate(("a.png", "b.png"), start=520):
        (tmp_path / name).write_bytes(cast.tiny_png(seed))
    table, named = TABLES[what]
    with pytest.raises(DomainError) as refusal:
        import_images(
            study=house.study,
            place=tmp_path,
            actor=house.people["organiser"],
            batch=Batch(Said(table=table.encode())),
            workers=0,
        )
    assert named in refusal.value.message


@pytest.mark.usefixtures("unchanged")
def test_the_command_refuses_a_bad_table_with_a_sentence(house: House, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(cast.tiny_png(520))
    table = tmp_path / "table.csv"
    table.write_text("file,colour\na.png,red\n")
    arguments = [house.study.public_id, str(tmp_path), "--metadata", str(table)]
    with pytest.raises((CommandError, DomainError), match="colour"):
        call_command("import-images", *arguments, email=house.people["organiser"].email)


def test_a_file_named_like_a_formula_is_left_out_of_an_import_and_not_kept(house: House, tmp_path: Path) -> None:
    (tmp_path / "=Zebulon.png").write_bytes(cast.tiny_png(530))
    before = files()
    report = import_images(study=house.study, place=tmp_path, actor=house.people["organiser"], workers=0)
    assert (report.added, len(report.rejected), files()) == (0, 1, before)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("studies/", {"name": "A", "protocol": "refuge", "changes": {"readers.colour": 5}}, "readers.colour"),
        ("studies/", {"name": "A", "protocol": "refuge", "colour": 5}, "colour"),
        ("studies/", {"name": "A", "protocol": "nowhere"}, "protocol"),
        ("studies/", {"name": "=1+1", "protocol": "refuge"}, "name"),
        ("protocols/refuge/check/", {"changes": {"readers": {"colour": 5}}}, "readers"),
        ("studies/{study_id}/invitations/", {"email": "a@example.org", "role": "king"}, "role"),
        ("studies/{study_id}/invitations/", {"email": "no address", "role": "grader"}, "email"),
        ("studies/{study_id}/people/{person_id}/", {"active": "perhaps"}, "active"),
    ],
)
def test_the_api_names_the_field_that_is_wrong(house: House, path: str, body: dict[str, Any], field: str) -> None:
    client = house.browser("organiser")
    send = client.patch if "people" in path else client.post
    response = send("/api/v1/" + path.format(**house.names), body, content_type="application/json")
    assert response.status_code == 400
    assert response.json()["field"].startswith(field)
    assert len(response.json()["message"]) > 5


@pytest.mark.usefixtures("unchanged")
def test_the_page_refuses_an_unknown_role(house: House) -> None:
    address = f"/studies/{house.study.public_id}/people/invite/"
    response = house.browser("organiser").post(address, {"email": "a@example.org", "role": "king"})
    assert response.status_code == 400


@pytest.mark.usefixtures("unchanged")
def test_a_person_named_like_a_formula_does_not_join(house: House) -> None:
    with pytest.raises(DomainError, match="formula"):
        accept_invitation(token=house.names["token"], user=None, name="=Zebulon()", password=cast.PASSWORD)
