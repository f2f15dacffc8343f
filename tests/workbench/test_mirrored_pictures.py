"""The pictures of a case shown mirrored: as in a mirror, and sent as those of any other case are."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image as Picture

from annotator.imaging.pipeline import Source, Taken, take_in_files
from annotator.models import Image, Study, User
from annotator.services.images import add_images, image_store
from annotator.services.intake_desk import Facts
from annotator.store import Store, StoreFull
from tests import cast
from tests.workbench.desk import Desk, desk_of, open_study, repeated

pytestmark = pytest.mark.django_db


def fetched(desk: Desk, address: str) -> Any:
    answer: Any = desk.client.get(address)
    assert answer.status_code == 200
    answer.body = b"".join(answer.streaming_content)
    return answer


def pixels(data: bytes) -> Any:
    return np.asarray(Picture.open(io.BytesIO(data))).astype(int)


def address(desk: Desk, what: str = "1/image") -> str:
    return f"/read/{desk.assignment.public_id}/{what}"


def jpeg(seed: int, **how: Any) -> bytes:
    y, x = np.mgrid[:90, :133]
    grey = 120 + 60 * np.sin(x / 19 + seed) + 50 * np.cos(y / 11 + x / 40)
    file = io.BytesIO()
    Picture.fromarray(np.stack([grey, grey / 2, grey / 3], axis=2).astype(np.uint8)).save(file, "JPEG", **how)
    return file.getvalue()


def deep(seed: int) -> bytes:
    samples = np.random.default_rng(seed).integers(0, 65_536, (24, 33), dtype=np.uint16)
    file = io.BytesIO()
    Picture.fromarray(samples).save(file, "PNG")
    return file.getvalue()


def turned_by_exif(seed: int) -> bytes:
    exif = Picture.Exif()
    exif[0x0112] = 6
    return jpeg(seed, exif=exif)


def eyes(organiser: User, graders: list[User], picture: Callable[[int], bytes], ending: str) -> Study:
    """Both eyes of one subject, of which the other may be looked at."""
    study = cast.study_of("airogs", organiser=organiser, changes={"viewer.fellow_eye": True})
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    arrivals = []
    for seed, side in enumerate("RL", start=1):
        source = Source(f"{side}.{ending}", lambda seed=seed: io.BytesIO(picture(seed)))  # type: ignore[misc]
        (taken,) = take_in_files([source], image_store().root, workers=0)
        assert isinstance(taken, Taken)
        arrivals.append((taken, Facts(subject="P1", side=side)))
    add_images(study=study, arrivals=arrivals, actor=organiser)
    return open_study(study, organiser)


PICTURES = pytest.mark.parametrize(
    ("picture", "ending", "off"),
    [(cast.tiny_png, "png", 0), (deep, "png", 0), (turned_by_exif, "jpg", 0), (jpeg, "jpg", 12)],
    ids=["png", "16 bits", "turned upright", "jpeg"],
)


@PICTURES
@pytest.mark.parametrize("what", ["1/image", "fellow/image"])
def test_pictures_are_those_of_the_first_reading_in_a_mirror(
    picture: Any, ending: str, off: int, what: str, organiser: User, graders: list[User]
) -> None:
    first = desk_of(graders[0], eyes(organiser, graders, picture, ending))
    repeat = repeated(first)
    one, other = fetched(first, address(first, what)), fetched(repeat, address(repeat, what))
    kept = fetched(repeat, address(repeat, what))

    assert np.abs(pixels(other.body) - np.fliplr(pixels(one.body))).max() <= off
    assert not np.array_equal(pixels(other.body), pixels(one.body))
    assert kept.body == other.body


@PICTURES
@pytest.mark.parametrize("what", ["1/image", "1/thumbnail", "fellow/image"])
def test_no_header_tells(picture: Any, ending: str, off: int, what: str, organiser: User, graders: list[User]) -> None:
    first = desk_of(graders[0], eyes(organiser, graders, picture, ending))
    repeat = repeated(first)
    one = fetched(first, address(first, what))
    for look in ("first", "second"):
        other = fetched(repeat, address(repeat, what))
        own = {"ETag", "Content-Length"}
        named = other["Content-Disposition"].replace(repeat.assignment.public_id, first.assignment.public_id)
        same = {name: value for name, value in one.headers.items() if name not in own}
        found = {name: value for name, value in other.headers.items() if name not in own}
        assert (look, found | {"Content-Disposition": named}) == (look, same)
        assert other["ETag"] != one["ETag"]
        assert len(other["ETag"]) == len(one["ETag"])
        assert int(other["Content-Length"]) == pytest.approx(int(one["Content-Length"]), rel=0.15)


def test_a_thumbnail_is_mirrored_too(organiser: User, graders: list[User]) -> None:
    first = desk_of(graders[0], eyes(organiser, graders, jpeg, "jpg"))
    repeat = repeated(first)
    one, other = (pixels(fetched(desk, address(desk, "1/thumbnail")).body) for desk in (first, repeat))
    assert np.abs(other - np.fliplr(one)).mean() < 2
    assert np.abs(other - one).mean() > 10


def test_the_original_stays_as_it_came_and_the_first_reading_is_shown_it(organiser: User, graders: list[User]) -> None:
    first = desk_of(graders[0], eyes(organiser, graders, cast.tiny_png, "png"))
    before = fetched(first, address(first)).body
    repeat = repeated(first)
    fetched(repeat, address(repeat))
    assert fetched(first, address(first)).body == before
    assert list(image_store().verify()) == []
    for image in Image.objects.all():
        with image_store().open(image.sha256) as file:
            assert file.read() in (cast.tiny_png(1), cast.tiny_png(2))


def test_a_full_disk_keeps_nobody_from_reading(
    organiser: User, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_what: Any, **_how: Any) -> None:
        raise StoreFull(28, "The image store is full")

    repeat = repeated(desk_of(graders[0], eyes(organiser, graders, cast.tiny_png, "png")))
    with monkeypatch.context() as patched:
        patched.setattr(Store, "put_rendition", full)
        shown = fetched(repeat, address(repeat)).body
    assert fetched(repeat, address(repeat)).body == shown
