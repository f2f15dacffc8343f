"""Archives that are the same every time, and are found out when they are not what was written."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from annotator.formats.archive_writer import ArchiveWriter
from annotator.formats.bad_archive import BadArchive
from annotator.formats.binary_picture import write_binary
from annotator.formats.croissant import croissant
from annotator.formats.export_archive import check_export
from annotator.formats.fault import Fault
from annotator.formats.grey_picture import read_grey, write_bitmap
from annotator.geometry.runs import encode

HEAD = {
    "format": "quorum-export/1",
    "study": "a",
    "protocol": "refuge",
    "version": {"number": 1, "digest": "0" * 64, "signed_at": None},
    "log": {"rows": 1, "digest": "0" * 64},
    "wish": {"withheld": []},
}
FILES = {"masks/0001.png": b"\x89PNG", "images.csv": b"image\n0001\n"}


def written(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with ArchiveWriter(out) as archive:
        for path, content in files.items():
            archive.add(path, content)
    return out.getvalue()


def export(place: Path, files: dict[str, bytes], stated: dict[str, bytes] | None = None) -> Path:
    listed = [
        {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in (files if stated is None else stated).items()
    ]
    manifest = json.dumps(HEAD | {"files": listed}).encode()
    place.write_bytes(written({**files, "manifest.json": manifest}))
    return place


def test_the_same_files_give_the_same_bytes() -> None:
    assert written(FILES) == written(FILES)


def test_a_usual_reader_finds_every_file_and_no_time_in_it() -> None:
    archive = zipfile.ZipFile(io.BytesIO(written(FILES)))
    assert {name: archive.read(name) for name in archive.namelist()} == FILES
    assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_was_written_is_known_by_its_digest() -> None:
    out = io.BytesIO()
    with ArchiveWriter(out) as archive:
        archive.add_portions("a.txt", [b"one ", b"two"])
        (one,) = archive.written
    assert (one.byte_count, one.sha256) == (7, hashlib.sha256(b"one two").hexdigest())


def test_a_whole_export_is_whole(tmp_path: Path) -> None:
    assert check_export(export(tmp_path / "a.zip", FILES)).faults == ()


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (FILES | {"images.csv": b"image\n0002\n"}, "images.csv: is not what was written"),
        ({"images.csv": FILES["images.csv"]}, "masks/0001.png: is missing"),
        (FILES | {"more.txt": b""}, "more.txt: is not in the manifest"),
    ],
)
def test_an_altered_missing_or_added_file_is_named(tmp_path: Path, files: dict[str, bytes], fault: str) -> None:
    assert check_export(export(tmp_path / "a.zip", files, stated=FILES)).faults == (fault,)


@pytest.mark.parametrize("manifest", [b"{}", b"[]", b"no", json.dumps(HEAD | {"files": [1]}).encode()])
def test_an_archive_with_a_strange_manifest_is_refused(tmp_path: Path, manifest: bytes) -> None:
    place = tmp_path / "a.zip"
    place.write_bytes(written({"manifest.json": manifest}))
    with pytest.raises(Fault, match=r"manifest\.json is not that of an export"):
        check_export(place)


def test_an_archive_without_a_manifest_and_no_archive_at_all_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.zip"
    place.write_bytes(written(FILES))
    with pytest.raises(Fault, match="no manifest"):
        check_export(place)
    place.write_bytes(b"not an archive")
    with pytest.raises(BadArchive):
        check_export(place)


@given(st.integers(1, 40), st.integers(1, 20), st.data())
def test_a_mask_of_one_bit_is_read_back_by_pillow_and_by_us(width: int, height: int, data: st.DataObject) -> None:
    bits = data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    mask = np.array(bits).reshape(height, width)
    content = write_binary(encode(mask), width, height)
    picture = Image.open(io.BytesIO(content))
    assert picture.mode == "1"
    assert np.array_equal(np.asarray(picture), mask)
    assert np.array_equal(read_grey(content), mask * np.uint8(255))


def test_a_bitmap_has_eight_bits_and_the_same_samples() -> None:
    samples = np.arange(12, dtype=np.uint8).reshape(3, 4) * 20
    picture = Image.open(io.BytesIO(write_bitmap(samples)))
    assert (picture.format, picture.size) == ("BMP", (4, 3))
    assert np.array_equal(read_grey(write_bitmap(samples)), samples)


def test_croissant_names_tables_by_digest_and_folders_of_pictures_once() -> None:
    out = io.BytesIO()
    with ArchiveWriter(out) as archive:
        for path, content in (FILES | {"masks/c0002.png": b"", "images/c0001.jpg": b""}).items():
            archive.add(path, content)
    told = croissant(
        name="Mine",
        description="Discs",
        version="1",
        published="2026-01-31",
        licence="CC0 1.0",
        cite_as="Mine, version 1",
        files=archive.written,
        images=("images.csv", ("image", "width")),
    )
    listed = {one["@id"]: one for one in told["distribution"]}
    assert listed["images.csv"]["sha256"] == hashlib.sha256(FILES["images.csv"]).hexdigest()
    assert listed["masks"]["includes"] == "masks/*.png"
    assert [one["dataType"] for one in told["recordSet"][0]["field"]] == ["sc:Text", "sc:Integer"]
    ids = [*listed, told["recordSet"][0]["@id"], *(one["@id"] for one in told["recordSet"][0]["field"])]
    assert len(ids) == len(set(ids)) == 6  # a name that is used twice makes the file invalid
