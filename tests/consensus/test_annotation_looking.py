"""Archives and many files of annotations are looked at like a folder of a few."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import DomainError
from annotator.models import Revision, Study, User
from annotator.services.annotation_look import look
from tests import cast
from tests.consensus.arriving import arrived, drawn, laid, looked, png, square

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def bare(organiser: User) -> Study:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 2, actor=organiser)
    return study


def packed(folder: Path, **files: bytes) -> Path:
    place = folder / "masks.tar.gz"
    with tarfile.open(place, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name.replace("__", "/").replace("_", "-") + ".png")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return place


def test_an_archive_that_is_one_stream_is_read_like_a_folder(bare: Study, organiser: User, tmp_path: Path) -> None:
    place = packed(tmp_path, disc__picture_2=png(square(12)), disc__picture_1=png(square(11)))

    arrived(bare, organiser, place, tmp_path / "spool", grader="Anna")

    found = Revision.objects.order_by("image")
    assert [bool(drawn(one)[8, 11]) for one in found] == [True, False]


def test_an_archive_that_leaves_its_folder_is_refused_as_a_whole(bare: Study, tmp_path: Path) -> None:
    place = tmp_path / "masks.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("disc/picture-1.png", png(square(9)))
        archive.writestr("../disc/picture-2.png", png(square(9)))

    with pytest.raises(DomainError, match="a name that leaves its folder"):
        looked(bare, place, tmp_path / "spool", grader="Anna")


def test_many_files_are_read_by_several_processes_in_the_same_order(
    organiser: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.annotation_workers.FILES_PER_BATCH", 2)
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 5, actor=organiser)
    place = laid(tmp_path / "in", {f"disc/picture-{n}.png": png(square(n)) for n in range(1, 6)})
    alone, _wish, _spool = looked(study, place, tmp_path / "one", grader="Anna")
    spool = Spool(tmp_path / "two")

    look(study=study, wish=ImportWish("masks", grader="Anna"), place=place, shown="in", spool=spool, workers=2)

    assert list(spool.items()) == [one.item for one in alone.outcomes]
