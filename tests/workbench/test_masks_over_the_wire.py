"""A mask says of which picture it is and what must come out of it; the server stores that or nothing."""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from annotator.answers import LARGEST_NUMBER
from annotator.geometry import runs
from annotator.models import Draft, Revision
from tests.workbench.desk import HEIGHT, WIDTH, marked, packed

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
Stored = Callable[[], Any]
Tracked = Callable[[], int]


def digest_of(*toggles: int, width: int = WIDTH, height: int = HEIGHT) -> str:
    """By the standard library alone: width, height and toggles as little-endian words of 32 bits."""
    return hashlib.sha256(struct.pack(f"<{2 + len(toggles)}I", width, height, *toggles)).hexdigest()


def text(packed_runs: bytes, digest: str, size: str = f"{WIDTH}x{HEIGHT}") -> str:
    return f"{size}:{digest}:{base64.b64encode(packed_runs).decode()}"


def steps(*numbers: int) -> bytes:
    """Deflated runs whose steps fit into seven bits each."""
    return zlib.compress(bytes(numbers))


ROW = digest_of(3, 5)  # the pixels 3 and 4 of the first row
DENSE = digest_of(*range(1, WIDTH * HEIGHT))  # every second pixel


@pytest.fixture
def tracked(monkeypatch: pytest.MonkeyPatch) -> Tracked:
    """How many masks were unpacked."""
    unpack = Mock(wraps=runs.unpack)
    monkeypatch.setattr(runs, "unpack", unpack)
    return lambda: unpack.call_count


def test_a_mask_made_by_hand_is_taken_and_comes_back_with_the_same_digest(seated: SeatedAt) -> None:
    desk, sent = seated("adam"), text(steps(3, 2), ROW)

    answer = desk.save("drusen", marked(), masks=[sent]).json()

    assert [mask.split(":")[:2] for mask in answer["masks"]] == [[f"{WIDTH}x{HEIGHT}", ROW]]
    assert zlib.decompress(base64.b64decode(answer["masks"][0].split(":")[2])) == bytes([3, 2])
    assert desk.read()["drafts"][0]["masks"] == answer["masks"]


@pytest.mark.parametrize(("protocol", "target"), [("adam", "drusen"), ("glas", "glands")])
def test_a_mask_deflated_otherwise_is_the_same_request(seated: SeatedAt, protocol: str, target: str) -> None:
    desk = seated(protocol)
    first, again = (text(zlib.compress(bytes([3, 2]), level), ROW) for level in (0, 9))
    body = desk.change(marked(), masks=[first])

    answers = [desk.put(target, body | {"masks": [mask]}).json() for mask in (first, again)]

    assert first != again
    assert answers[0] == answers[1]


def test_a_draft_keeps_the_bytes_that_its_digest_proved_and_a_reading_has_the_same_for_the_same_pixels(
    seated: SeatedAt,
) -> None:
    desk, sent = seated("glas"), zlib.compress(bytes([3, 2]), 0)

    answer = desk.save("glands", marked(), masks=[text(sent, ROW)]).json()
    kept = Draft.objects.get().runs
    desk.save("grade", marked(label="benign"))
    desk.submit()

    assert answer["masks"] == [text(sent, ROW)]
    assert bytes(kept or b"") == sent
    assert bytes(Revision.objects.get(kind="objects").runs or b"") == zlib.compress(bytes([3, 2]), 6) != sent


REFUSED = {
    "other width, as many pixels": text(steps(3, 2), digest_of(3, 5, width=24, height=32), "24x32"),
    "other width, own digest": text(steps(3, 2), ROW, "24x32"),
    "other height": text(steps(3, 2), digest_of(3, 5, height=25), "32x25"),
    "a digest of other runs": text(steps(3, 2), digest_of(3, 6)),
    "a digest of another size": text(steps(3, 2), digest_of(3, 5, width=24, height=32)),
    "a digest in capitals": text(steps(3, 2), ROW.upper()),
    "no digest": text(steps(3, 2), ""),
    "no size": text(steps(3, 2), ROW, ""),
    "a size of nothing": text(steps(3, 2), ROW, "0x0"),
    "a size beyond numbers": text(steps(3, 2), ROW, f"{'9' * 5000}x24"),
    "a size in other digits": text(steps(3, 2), ROW, "３2x24"),
    "no runs": f"{WIDTH}x{HEIGHT}:{ROW}:",
    "a line behind": text(steps(3, 2), ROW) + "\n",
    "not base64": f"{WIDTH}x{HEIGHT}:{ROW}:***",
    "base64 that is cut short": text(steps(3, 2), ROW)[:-3],
    "letters beyond ASCII": "äöü=",
    "nothing": "",
    "not deflated": text(b"no deflate here", ROW),
    "deflate that is cut short": text(steps(3, 2)[:-2], ROW),
    "bytes behind": text(steps(3, 2) + b"!", ROW),
    "runs past the end": text(zlib.compress(bytes([0x80, 0x06])), digest_of(WIDTH * HEIGHT)),
    "a run of length zero": text(steps(5, 0), digest_of(5, 5)),
    "half a number": text(zlib.compress(bytes([0x85])), digest_of(5)),
    "a number written too long": text(zlib.compress(bytes([0x85, 0x00])), digest_of(5)),
    "a bomb": text(zlib.compress(bytes(50_000_000)), digest_of(0)),
}


@pytest.mark.parametrize("mask", REFUSED.values(), ids=REFUSED.keys())
def test_a_mask_that_cannot_be_is_refused_by_its_place(seated: SeatedAt, stored: Stored, mask: str) -> None:
    desk = seated("adam")
    before = stored()

    answer = desk.save("drusen", marked(), masks=[mask])

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_mask", "masks[0]")
    assert answer.json()["message"].startswith("drusen: ")
    assert stored() == before


def test_runs_alone_are_kept_by_the_page_that_sent_them(seated: SeatedAt, stored: Stored) -> None:
    """A page loaded before the form of masks changed gives up what is refused with 400, and keeps what meets a 409."""
    desk = seated("adam")
    before = stored()

    answer = desk.save("drusen", marked(), masks=[base64.b64encode(steps(3, 2)).decode()])

    assert (answer.status_code, answer.json()["code"]) == (409, "page_outdated")
    assert stored() == before


@pytest.mark.parametrize("masks", [[], [packed((1, 1)), packed((2, 2))]], ids=["none", "two"])
def test_one_mask_belongs_to_a_painted_target(seated: SeatedAt, stored: Stored, masks: list[str]) -> None:
    desk = seated("adam")
    before = stored()
    answer = desk.save("drusen", marked(), masks=masks)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_answer", "1/drusen")
    assert stored() == before


def test_of_objects_the_one_that_is_wrong_is_named(seated: SeatedAt, stored: Stored) -> None:
    desk, good = seated("glas"), packed((1, 1), (2, 1))
    before = stored()
    for wrong in (packed((2, 1)), packed(), text(steps(3, 2), digest_of(3, 6)), packed((5, 5), width=24, height=32)):
        answer = desk.save("glands", marked(), masks=[good, wrong])
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_mask", "masks[1]")
    assert stored() == before


def test_objects_that_must_overlap_are_not_all_unpacked(seated: SeatedAt, stored: Stored, tracked: Tracked) -> None:
    """Each takes a kilobyte on the wire and hundreds of times that in memory; thousands fit into one request."""
    desk, every_second = seated("glas"), text(zlib.compress(b"\1" * (WIDTH * HEIGHT - 1)), DENSE)
    before = stored()

    answer = desk.save("glands", marked(), masks=[every_second] * 2000)

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "bad_mask", "masks[1]")
    assert tracked() < 10
    assert stored() == before


def test_objects_keep_their_numbers_from_draft_to_reading(seated: SeatedAt) -> None:
    desk = seated("glas")
    content = marked({"numbers": [2, 7]})

    answer = desk.save("glands", content, masks=[packed((1, 1)), packed((5, 5))])
    for target in desk.read()["targets"]:
        if target["kind"] == "label":
            desk.save(target["key"], marked(label=target["options"][0]["key"]))
    desk.submit()

    assert answer.json()["content"] == content
    assert [entry["id"] for entry in (Revision.objects.get(kind="objects").geometry or {})["objects"]] == [2, 7]
    shown = {draft["target"]: draft for draft in desk.read()["drafts"]}
    assert shown["glands"]["content"]["geometry"] == {"numbers": [2, 7]}


NUMBERS: dict[str, Any] = {
    "too few": {"numbers": [1]},
    "twice the same": {"numbers": [2, 2]},
    "not in order": {"numbers": [3, 1]},
    "from nought": {"numbers": [0, 1]},
    "too large": {"numbers": [1, LARGEST_NUMBER + 1]},
    "broken": {"numbers": [1, 2.5]},
    "a switch": {"numbers": [True, 2]},
    "in words": {"numbers": "12"},
    "with something else": {"numbers": [1, 2], "objects": []},
    "something else": {"x": 1.0, "y": 1.0},
}


@pytest.mark.parametrize("geometry", NUMBERS.values(), ids=NUMBERS.keys())
def test_numbers_that_cannot_be_are_refused(seated: SeatedAt, stored: Stored, geometry: Any) -> None:
    desk = seated("glas")
    before = stored()
    answer = desk.save("glands", marked(geometry), masks=[packed((1, 1)), packed((5, 5))])
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_answer")
    assert stored() == before
