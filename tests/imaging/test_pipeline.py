"""Many files at once."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.formats.bad_archive import bad_archive
from annotator.imaging.intake import served_upright
from annotator.imaging.pipeline import SERVED, THUMBNAIL, Known, Outcome, Rejected, Source, Taken, take_in_files
from annotator.store import Store, StoreFull
from tests.imaging.files import NAME, jpeg, png, scene, segment, with_segments

BOTH = pytest.mark.parametrize("workers", [0, 2])


def written(folder: Path, **files: bytes) -> list[Source]:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [Source(name, folder / name) for name in files]


def stored_files(store: Path) -> list[Path]:
    return [path for path in store.rglob("*") if path.is_file()]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    (tmp_path / "photos").mkdir()
    return tmp_path / "photos"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


AFTER_DRAWING = """
import sys
import cv2, numpy
from pathlib import Path
from annotator.imaging.pipeline import Source, take_in_files
cv2.setNumThreads(4)
cv2.resize(numpy.zeros((4000, 4000, 3), numpy.uint8), (1000, 1000))
photo, store = map(Path, sys.argv[1:])
print(len(list(take_in_files([Source("a", photo)], store, workers=2))))
"""


@BOTH
def test_outcomes_come_in_the_order_of_the_files(photos: Path, store: Path, workers: int) -> None:
    good = {f"photo{number}": jpeg(scene(16, 16 + number)) for number in range(20)}
    sources = written(photos, **good, cut=jpeg()[:-40], text=b"no picture", empty=b"", tail=png())
    outcomes = list(take_in_files(sources, store, workers=workers))
    assert [outcome.name for outcome in outcomes] == [source.name for source in sources]
    assert [outcome.width for outcome in outcomes[:20] if isinstance(outcome, Taken)] == list(range(16, 36))
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, Rejected)]
    assert codes == ["truncated", "not_an_image", "empty"]


def test_what_is_taken_is_in_the_store_and_served_without_the_name(photos: Path, store: Path) -> None:
    original = with_segments(jpeg(), segment(0xFE, NAME))
    (outcome,) = take_in_files(written(photos, a=original), store, workers=0)
    assert isinstance(outcome, Taken)
    kept = Store(store)
    assert kept.path(outcome.sha256).read_bytes() == original
    clean = served_upright(original)
    assert clean is not None
    assert NAME not in clean
    assert not kept.has_rendition(SERVED, outcome.sha256)  # it is made while it is sent
    assert kept.rendition_path(THUMBNAIL, outcome.sha256).read_bytes().startswith(b"\xff\xd8")
    assert list(kept.verify()) == []


def test_nothing_is_stored_of_a_rejected_file(photos: Path, store: Path) -> None:
    outcomes = list(take_in_files(written(photos, cut=png()[:-20]), store, workers=0))
    assert isinstance(outcomes[0], Rejected)
    assert stored_files(store) == []


@BOTH
def test_a_file_that_stands_twice_is_named_with_its_first(photos: Path, store: Path, workers: int) -> None:
    outcomes = list(take_in_files(written(photos, a=jpeg(), b=png(), c=jpeg()), store, workers=workers))
    assert isinstance(outcomes[0], Taken)
    assert outcomes[2] == Known("c", outcomes[0].sha256, first="a")


def test_a_known_file_is_not_decoded(photos: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = written(photos, a=jpeg())
    (first,) = take_in_files(sources, store, workers=0)
    assert isinstance(first, Taken)
    monkeypatch.setattr("annotator.imaging.worker.take_in", None)
    assert list(take_in_files(sources, store, {first.sha256}, workers=0)) == [Known("a", first.sha256)]


@BOTH
def test_openers_are_opened_once_and_leave_no_copy_behind(store: Path, workers: int) -> None:
    opened: list[str] = []

    def source(name: str, content: bytes) -> Source:
        def opener() -> io.BytesIO:
            opened.append(name)
            return io.BytesIO(content)

        return Source(name, opener)

    names = [f"m{number}" for number in range(12)]
    outcomes = list(take_in_files([source(name, png(scene(9, 9))) for name in names], store, workers=workers))
    assert opened == names
    assert isinstance(outcomes[0], Taken)
    assert all(isinstance(outcome, Known) for outcome in outcomes[1:])
    assert [path.name for path in store.iterdir() if path.name.startswith("incoming")] == []


@BOTH
def test_a_member_that_cannot_be_unpacked_is_rejected_by_name(store: Path, workers: int) -> None:
    def refuse() -> io.BytesIO:
        raise bad_archive("member_too_large", member="big.png", limit=5)

    outcomes = list(take_in_files([Source("big.png", refuse)], store, workers=workers))
    assert [(o.name, o.code) for o in outcomes if isinstance(o, Rejected)] == [("big.png", "member_too_large")]


def test_a_missing_file_a_folder_and_a_pipe_are_rejected(photos: Path, store: Path) -> None:
    os.mkfifo(photos / "pipe")
    sources = [Source(name, photos / name) for name in ("missing", ".", "pipe")]
    outcomes = list(take_in_files(sources, store, workers=0))
    assert [o.code for o in outcomes if isinstance(o, Rejected)] == ["unreadable"] * 3


def test_only_a_window_of_files_is_drawn_ahead(photos: Path, store: Path) -> None:
    drawn = 0
    (source,) = written(photos, a=png(scene(4, 4)))

    def endless() -> Iterator[Source]:
        nonlocal drawn
        while True:
            drawn += 1
            yield source

    outcomes: Iterator[Outcome] = take_in_files(endless(), store, workers=1)
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]
    assert drawn <= 1 * 2 * 8


def test_a_full_disk_ends_the_run(photos: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("annotator.store.os.fsync", full)
    with pytest.raises(StoreFull):
        list(take_in_files(written(photos, a=jpeg()), store, workers=0))
    assert stored_files(store) == []


def test_a_daemon_works_in_threads(photos: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Daemon:
        daemon = True

    monkeypatch.setattr("annotator.imaging.pool.multiprocessing.current_process", Daemon)
    sources = written(photos, **{f"p{n}": png(scene(4, 4 + n)) for n in range(20)})
    outcomes = list(take_in_files(sources, store, workers=2))
    assert [o.width for o in outcomes if isinstance(o, Taken)] == list(range(4, 24))


def test_a_process_whose_threads_have_drawn_before_takes_files_in(photos: Path, store: Path) -> None:
    [source] = written(photos, a=jpeg())
    command = [sys.executable, "-c", AFTER_DRAWING, str(source.content), str(store)]

    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)

    assert done.stdout == "1\n"
