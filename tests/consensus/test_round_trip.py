"""What was exported comes in again, and is exported again as the same files to the last pixel."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from annotator.formats.grey_picture import read_grey
from annotator.formats.protocol_files import reference_files
from annotator.imaging.pipeline import Source, Taken, take_in_files
from annotator.models import Reading, Study, User
from annotator.services.images import add_images, image_store
from annotator.services.intake_desk import Facts
from consensus.export_words import offered
from consensus.models import DatasetVersion, Reference
from consensus.services.freezing import freeze_dataset
from protocols import PUBLISHED
from tests import cast
from tests.consensus import scene
from tests.consensus.arriving import arrived, laid
from tests.consensus.exported import Archive, made
from tests.formats.test_protocol_files import CASES, HEIGHT, WIDTH, files_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


def with_images(protocol: str, organiser: User, name: str, images: list[str], size: tuple[int, int]) -> Study:
    """A new study whose pictures bear these names."""
    study = cast.study_of(protocol, organiser=organiser, name=name)
    width, height = size
    sources = [
        Source(f"{image}.png", partial(io.BytesIO, cast.tiny_png(seed, width=width, height=height)))
        for seed, image in enumerate(images)
    ]
    taken = [one for one in take_in_files(sources, image_store().root, workers=0) if isinstance(one, Taken)]
    arrivals = [(one, Facts(subject=f"P{seed}")) for seed, one in enumerate(taken)]
    assert len(add_images(study=study, arrivals=arrivals, actor=organiser)) == len(images)
    return study


def exported_again(
    study: Study, organiser: User, place: Path, spool: Path, form: str, formats: Sequence[str]
) -> Archive:
    """What a study exports that knows nothing but what comes in from this place."""
    arrived(study, organiser, place, spool, format=form, as_reference=True)
    version = freeze_dataset(study=study, actor=organiser, name="First")
    return made(version, organiser, formats=formats)


def contents(archive: Archive, *folders: str) -> dict[str, bytes]:
    return {name: archive.read(name) for name in archive.names if name.startswith(folders)}


@pytest.mark.parametrize("protocol", list(CASES))
def test_each_protocol_s_own_files_come_back_as_they_were(protocol: str, organiser: User, tmp_path: Path) -> None:
    cases = CASES[protocol]
    formats = [form for form in ("layout", "masks", "tables") if form in offered(PUBLISHED[protocol])]
    written = reference_files(PUBLISHED[protocol], cases, files_of(protocol))
    place = laid(tmp_path / "in", {name: content() for name, content in written.items()})
    first = with_images(protocol, organiser, "First", [case.name for case in cases], (WIDTH, HEIGHT))

    one = exported_again(first, organiser, place, tmp_path / "one", "layout", formats)

    for file in files_of(protocol):
        for number, case in enumerate(cases, start=1):
            path = file.path.replace("NAME", case.name).rpartition(".")[0] + ".png"
            if path in written:
                name = f"layout/{file.path.replace('NAME', f'c{number:04d}')}"
                assert np.array_equal(read_grey(one.read(name)), read_grey(written[path]())), path
    names = [row["image"] for row in one.rows("images.csv")]
    second = with_images(protocol, organiser, "Second", names, (WIDTH, HEIGHT))
    (tmp_path / "one.zip").write_bytes(one.content)
    two = exported_again(second, organiser, tmp_path / "one.zip", tmp_path / "two", "layout", formats)
    assert contents(two, "layout/") == contents(one, "layout/")
    assert contents(two, "masks/") == contents(one, "masks/")
    assert set(contents(one, "layout/")) > {"layout/subjects.csv"} or protocol == "airogs"


def test_masks_of_an_export_come_back_as_they_were(version: DatasetVersion, organiser: User, tmp_path: Path) -> None:
    one = made(version, organiser, formats=["masks", "bmp", "layout"])
    (tmp_path / "one.zip").write_bytes(one.content)
    names = [row["image"] for row in one.rows("images.csv")]
    second = with_images("refuge", organiser, "Second", names, (scene.WIDTH, scene.HEIGHT))

    two = exported_again(second, organiser, tmp_path / "one.zip", tmp_path / "s", "masks", ["masks", "bmp"])

    assert contents(two, "masks/", "bmp/") == contents(one, "masks/", "bmp/")
    states = set(Reference.objects.filter(case__study=second).values_list("state", "source"))
    assert states == {("imported", "Drawn with another program")}


def test_every_reading_of_an_export_comes_back_with_its_grader(
    version: DatasetVersion, organiser: User, senior: User, tmp_path: Path
) -> None:
    one = made(version, organiser, formats=["readings", "masks"])
    (tmp_path / "one.zip").write_bytes(one.content)
    names = [row["image"] for row in one.rows("images.csv")]
    second = with_images("refuge", organiser, "Second", names, (scene.WIDTH, scene.HEIGHT))
    cast.add_cast(second, actor=organiser, senior=senior)

    arrived(second, organiser, tmp_path / "one.zip", tmp_path / "spool", format="readings", by_folder=True)
    scene.fuse_all(second, actor=senior)
    again = freeze_dataset(study=second, actor=senior, name="First")
    two = made(again, organiser, formats=["readings", "masks"])

    assert Reading.objects.filter(assignment__round__study=second).count() == 12
    # Letters are drawn by lot anew: whose each is can be told, but not by the same letter.
    letters = _letters(one, two)
    renamed = {_renamed(name, letters): data for name, data in contents(one, "readings/disc/", "readings/cup/").items()}
    assert renamed == contents(two, "readings/disc/", "readings/cup/")
    for table in ("disc", "cup", "fovea"):
        rows = [{**row, "grader": letters[row["grader"]]} for row in one.rows(f"readings/{table}.csv")]
        assert sorted(map(str, rows)) == sorted(map(str, two.rows(f"readings/{table}.csv")))
    voted = [name for name in contents(one, "masks/") if "c0001" not in name]  # there a senior left a reading out
    assert all(one.read(name) == two.read(name) for name in voted)


def _letters(one: Archive, two: Archive) -> dict[str, str]:
    """Whose letter in the first archive is whose in the second, by what they said of the second photograph."""
    said = [
        {row["grader"]: row["x"] for row in archive.rows("readings/fovea.csv") if row["image"] == "c0002"}
        for archive in (one, two)
    ]
    return {first: second for first, at in said[0].items() for second, there in said[1].items() if at == there}


def _renamed(name: str, letters: dict[str, str]) -> str:
    folder, target, letter, file = name.split("/")
    return "/".join((folder, target, letters[letter], file))
