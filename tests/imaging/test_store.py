"""The content-addressed store."""

import errno
import hashlib
import os
import pickle
import stat
from pathlib import Path

import pytest

from annotator.store import Damage, Store, StoreFull

# FIPS 180-2, appendix B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def files(store: Store) -> set[str]:
    return {str(path.relative_to(store.root)) for path in store.root.rglob("*") if path.is_file()}


def test_a_file_is_kept_under_its_digest(store: Store) -> None:
    assert store.put(b"abc") == ABC
    assert files(store) == {f"originals/ba/{ABC}"}
    with store.open(ABC) as file:
        assert file.read() == b"abc"


def test_files_cannot_be_written_to(store: Store) -> None:
    mode = stat.S_IMODE(store.path(store.put(b"abc")).stat().st_mode)
    assert mode == 0o440


def test_putting_twice_writes_once(store: Store) -> None:
    place = store.path(store.put(b"abc"))
    before = place.stat()
    store.put(b"abc")
    assert (place.stat().st_ino, place.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_was_cut_short_is_written_again(store: Store) -> None:
    place = store.path(store.put(b"abc"))
    place.unlink()
    place.write_bytes(b"")
    store.put(b"abc")
    assert place.read_bytes() == b"abc"


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is synced and renamed, in order."""
    steps: list[str] = []
    real_sync, real_rename = os.fsync, os.rename

    def sync(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        real_sync(handle)

    def rename(old: str, new: str) -> None:
        steps.append("rename")
        real_rename(old, new)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "rename", rename)
    return steps


def test_file_and_folder_are_synced_before_and_after_the_rename(store: Store, steps: list[str]) -> None:
    store.put(b"a file that makes no difference")
    (store.root / "originals" / ABC[:2]).mkdir()
    steps.clear()
    store.put(b"abc")
    assert steps == ["file", "rename", "folder"]


def test_what_can_be_made_again_is_not_waited_for(store: Store, steps: list[str]) -> None:
    store.put_rendition("thumbnail", ABC, b"small", passing=True)
    assert steps == ["rename"]


@pytest.mark.parametrize("key", ["", "abc", "../../etc/passwd", ABC.upper(), ABC + "\n", ABC[:-1] + "/", "." * 64])
def test_a_key_that_is_no_digest_is_refused(store: Store, key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        store.path(key)


@pytest.mark.parametrize("name", ["", "..", "a/b", "Served", "a.b"])
def test_a_rendition_needs_a_plain_name(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        store.rendition_path(name, ABC)


def test_a_rendition_is_kept_beside_its_original(store: Store) -> None:
    store.put(b"abc")
    store.put_rendition("served", ABC, b"clean")
    assert files(store) == {f"originals/ba/{ABC}", f"renditions/served/ba/{ABC}"}
    assert store.has_rendition("served", ABC)
    with store.open_rendition("served", ABC) as file:
        assert file.read() == b"clean"


def test_a_rendition_equal_to_its_original_takes_no_space(store: Store) -> None:
    store.put(b"abc")
    for _ in range(2):
        store.put_rendition("served", ABC, b"abc")
    assert store.rendition_path("served", ABC).samefile(store.path(ABC))


def test_where_links_cannot_be_made_the_rendition_is_a_copy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    store.put(b"abc")
    store.put_rendition("served", ABC, b"abc")
    assert store.rendition_path("served", ABC).read_bytes() == b"abc"
    assert not store.rendition_path("served", ABC).samefile(store.path(ABC))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_full_disk_is_named_and_leaves_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, step, full)
    with pytest.raises(StoreFull) as caught:
        store.put(b"abc")
    assert caught.value.errno == number
    assert files(store) == set()
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), StoreFull)


def test_another_error_stays_what_it_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "rename", broken)
    with pytest.raises(OSError, match="Input/output") as caught:
        store.put(b"abc")
    assert not isinstance(caught.value, StoreFull)
    assert files(store) == set()


def test_verify_finds_every_kind_of_damage(store: Store) -> None:
    keys = [store.put(text) for text in (b"whole", b"altered", b"lost")]
    for key in keys:
        store.put_rendition("thumbnail", key, b"small")
    altered, lost = store.path(keys[1]), store.path(keys[2])
    altered.unlink()
    altered.write_bytes(b"altereD")
    lost.unlink()
    stray = store.root / "originals" / "stray.jpg"
    stray.write_bytes(b"x")
    old = store.root / "originals" / ".partial-old"
    old.write_bytes(b"x")
    os.utime(old, (0, 0))
    (store.root / "originals" / ".partial-now").write_bytes(b"x")
    assert set(store.verify()) == {
        Damage(altered, "altered"),
        Damage(store.rendition_path("thumbnail", keys[2]), "orphaned"),
        Damage(stray, "misnamed"),
        Damage(old, "unfinished"),
    }


def test_verify_of_a_whole_store_finds_nothing(store: Store) -> None:
    key = store.put(os.urandom(100))
    store.put_rendition("served", key, b"clean")
    assert list(store.verify()) == []
    assert store.exists(key)
    assert not store.exists(hashlib.sha256(b"never put").hexdigest())
