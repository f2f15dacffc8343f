"""Archives from outside."""

import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.formats.archive import BadArchive, Limits, members

Build = Callable[[dict[str, bytes]], bytes]


def a_zip(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def a_tar(files: dict[str, bytes], mode: str = "w") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def a_tar_gz(files: dict[str, bytes]) -> bytes:
    return a_tar(files, "w:gz")


EACH = pytest.mark.parametrize("build", [a_zip, a_tar, a_tar_gz])


def contents(data: bytes, limits: Limits | None = None) -> dict[str, bytes]:
    found = {}
    for member in members(io.BytesIO(data), limits or Limits()):
        with member.open() as file:
            found[member.name] = file.read()
    return found


def refusal(data: bytes, limits: Limits | None = None) -> tuple[str, object]:
    with pytest.raises(BadArchive) as caught:
        contents(data, limits)
    assert str(caught.value)
    return caught.value.code, caught.value.params.get("member")


@EACH
def test_plain_files_come_out_in_order(build: Build) -> None:
    files = {"b/two.jpg": b"2" * 5000, "a/one.jpg": b"1", "empty.csv": b""}
    assert list(contents(build(files)).items()) == list(files.items())


def test_an_archive_is_read_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    path.write_bytes(a_zip({"a.jpg": b"1"}))
    assert [member.name for member in members(path)] == ["a.jpg"]


@EACH
def test_what_desktops_leave_behind_is_passed_over(build: Build) -> None:
    files = {"__MACOSX/._a.jpg": b"x", ".DS_Store": b"x", "sub/.hidden/a.jpg": b"x", "Thumbs.db": b"x", "a.jpg": b"1"}
    assert contents(build(files)) == {"a.jpg": b"1"}


@EACH
@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../a.jpg",
        "a/../../b.jpg",
        "a/..",
        "C:\\a.jpg",
        "..\\a.jpg",
        "a//b.jpg",
        "./../a",
        "a\nb",
        ".hidden/../../a",
    ],
)
def test_a_name_that_leaves_its_folder_refuses_the_archive(build: Build, name: str) -> None:
    assert refusal(build({"good.jpg": b"1", name: b"x"}))[0] == "unsafe_name"


@EACH
def test_nothing_is_given_out_when_a_later_member_is_bad(build: Build) -> None:
    with pytest.raises(BadArchive):
        next(members(io.BytesIO(build({"good.jpg": b"1", "../bad.jpg": b"x"}))))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(kind: bytes) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("a.jpg")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    assert refusal(file.getvalue()) == ("special_file", "a.jpg")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_a_zip_are_refused(kind: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo("a.jpg")
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert refusal(file.getvalue()) == ("special_file", "a.jpg")


def test_folders_are_passed_over() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("sub/", "")
        archive.writestr("sub/a.jpg", "1")
    assert contents(file.getvalue()) == {"sub/a.jpg": b"1"}


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(a_zip({"a.jpg": b"1"}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(data)) == ("encrypted", "a.jpg")


@EACH
@pytest.mark.parametrize("second", ["A.JPG", "a.jpg"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_twice_is_refused(build: Build, second: str) -> None:
    if second == "a.jpg":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("a.jpg", "1")
            archive.writestr("a.jpg", "2")
        data = file.getvalue()
    else:
        data = build({"a.jpg": b"1", second: b"2"})
    assert refusal(data) == ("duplicate_name", second)


@EACH
def test_too_many_members_are_refused(build: Build) -> None:
    data = build({f"{number}.jpg": b"" for number in range(4)})
    assert refusal(data, Limits(members=3))[0] == "too_many_members"


@EACH
def test_a_member_above_the_limit_is_refused(build: Build) -> None:
    assert refusal(build({"a.jpg": b"x" * 101}), Limits(member_bytes=100)) == ("member_too_large", "a.jpg")


@EACH
def test_a_whole_above_the_limit_is_refused(build: Build) -> None:
    files = {f"{number}.jpg": bytes([number]) * 4000 for number in range(6)}
    assert refusal(build(files), Limits(total_bytes=12_000))[0] == "archive_too_large"


@pytest.mark.parametrize("build", [a_zip, a_tar_gz])
def test_a_compression_bomb_is_stopped(build: Build) -> None:
    data = build({"zeros.jpg": bytes(4_000_000)})
    limits = Limits(ratio=100, ratio_from_bytes=100_000)
    assert refusal(data, limits)[0] == "compression_bomb"


def test_a_zip_that_lies_about_a_member_s_size_is_found_while_reading() -> None:
    data = bytearray(a_zip({"a.jpg": bytes(range(256)) * 40}))
    for start, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(start) + offset
        data[at : at + 4] = (100).to_bytes(4, "little")
    assert refusal(bytes(data))[0] == "corrupt"


def test_overlapping_members_are_not_unpacked_over_and_over() -> None:
    """Two hundred directory entries that all name the same packed bytes, as in D. Fifield's bomb."""
    plain = a_zip({"0000": bytes(1_000_000)})
    directory, end = plain.index(b"PK\x01\x02"), plain.index(b"PK\x05\x06")
    local = plain[:directory]
    entries = [plain[directory:end].replace(b"0000", f"{number:04}".encode()) for number in range(200)]
    listing = b"".join(entries)
    tail = bytearray(plain[end:])
    tail[8:12] = (200).to_bytes(2, "little") * 2
    tail[12:16] = len(listing).to_bytes(4, "little")
    assert refusal(local + listing + bytes(tail), Limits(total_bytes=5_000_000))[0] in {"archive_too_large", "corrupt"}


def test_a_damaged_member_is_named() -> None:
    data = bytearray(a_zip({"a.jpg": bytes(range(256))}))
    data[40] ^= 0xFF
    with pytest.raises(BadArchive, match=r"a\.jpg") as caught:
        contents(bytes(data))
    assert caught.value.code == "corrupt"


def test_a_tar_with_a_damaged_header_in_the_middle_is_not_taken_for_shorter() -> None:
    data = bytearray(a_tar({"a.jpg": b"1", "b.jpg": b"2"}))
    data[1024 + 5] ^= 0xFF
    assert refusal(bytes(data))[0] == "corrupt"


@pytest.mark.parametrize("kept", [600, 1100, 1536])
def test_a_cut_tar_is_refused(kept: int) -> None:
    assert refusal(a_tar({"a.jpg": b"1", "b.jpg": b"2" * 400})[:kept])[0] in {"truncated", "corrupt"}


def test_a_cut_tar_gz_is_refused() -> None:
    data = a_tar_gz({"a.jpg": bytes(range(256)) * 100})
    assert refusal(data[: len(data) // 2])[0] == "corrupt"


def test_a_huge_extended_header_is_refused() -> None:
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 8 * 1024**3 - 1
    data = info.tobuf(tarfile.USTAR_FORMAT) + bytes(4096)
    assert refusal(data)[0] == "corrupt"


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8bnot gzip", b"PK\x03\x04", zlib.compress(b"x")])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    assert refusal(data)[0] in {"not_an_archive", "corrupt"}


@settings(max_examples=200)
@given(data=st.data())
def test_damaged_archives_raise_nothing_but_bad_archive(data: st.DataObject) -> None:
    build = data.draw(st.sampled_from([a_zip, a_tar, a_tar_gz]))
    damaged = bytearray(build({"a.jpg": b"one" * 50, "b/c.png": b"two"}))
    for at, value in data.draw(
        st.lists(st.tuples(st.integers(0, len(damaged) - 1), st.integers(0, 255)), min_size=1, max_size=5)
    ):
        damaged[at] = value
    try:
        found = contents(bytes(damaged))
    except BadArchive:
        return
    assert len(found) <= 2


def test_a_name_of_which_a_nul_leaves_nothing_is_refused() -> None:
    data = a_zip({"abc.txt": b"text"})
    assert refusal(data.replace(b"abc.txt", b"\0bc.txt"))[0] in {"unsafe_name", "corrupt"}
