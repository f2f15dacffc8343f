"""A backup taken from a running installation makes the same installation again elsewhere."""

import io
import json
import shutil
import sqlite3
import tarfile
from pathlib import Path

import pytest

from tests.running.installation import Installation

MAKE_KEYS = """
from django.conf import settings
from config.keys import make_missing_keys
make_missing_keys(settings.DATA_ROOT)
"""
FILL = """
from tests import cast
organiser = cast.person("Olga Organiser", can_create_studies=True)
study = cast.study_of("refuge", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[cast.person("Gina Grader")])
cast.add_pictures(study, 3, actor=organiser)
cast.assign_all(study, actor=organiser)

import hashlib
from evaluation.models import Submission
from evaluation.services.archives import archive_path
from tests.consensus.handmade import empty_version
from tests.evaluation.challenge_scene import submission_by_hand
archive = archive_path(hashlib.sha256(b"results").hexdigest())
archive.parent.mkdir(parents=True)
archive.write_bytes(b"results")
submission_by_hand(study, empty_version(study, organiser), organiser=organiser)
Submission.objects.update(sha256=archive.name)
"""
TAKE_STOCK = """
import json
from annotator.models import *
from annotator.services.images import image_store
from evaluation.models import Submission
from evaluation.services.archives import archive_path
images = sorted(Image.objects.values_list("sha256", flat=True))
store = image_store()
print(json.dumps({
    "people": sorted(User.objects.values_list("email", flat=True)),
    "images": images,
    "originals": [len(store.open(sha256).read()) for sha256 in images],
    "thumbnails": all(store.has_rendition("thumbnail", sha256) for sha256 in images),
    "heads": sorted(AuditHead.objects.values_list("chain", "count", "digest")),
    "assigned": Assignment.objects.count(),
    "submitted": [archive_path(one.sha256).read_text() for one in Submission.objects.all()],
}))
"""


@pytest.fixture(scope="module")
def filled(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """None of the tests changes it."""
    installation = Installation(tmp_path_factory.mktemp("installation") / "first")
    installation.begin_with(empty_database)
    installation.run(MAKE_KEYS + FILL)
    return installation


@pytest.fixture(scope="module")
def made(filled: Installation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    backup = tmp_path_factory.mktemp("backup") / "quorum.tar"
    done = filled.manage("backup", str(backup))
    assert done.returncode == 0, done.stderr
    return backup


@pytest.fixture
def backup(made: Path, tmp_path: Path) -> Path:
    """A copy to spoil, with its keys beside it."""
    for name in (made.name, f"{made.name}.keys"):
        shutil.copy2(made.with_name(name), tmp_path / name)
    return tmp_path / made.name


def test_a_restored_backup_is_the_same_installation(filled: Installation, backup: Path, tmp_path: Path) -> None:
    second = Installation(tmp_path / "second")
    restored = second.manage("restore", str(backup))
    assert restored.returncode == 0, restored.stderr
    assert json.loads(second.run(TAKE_STOCK)) == json.loads(filled.run(TAKE_STOCK))
    assert "The log is whole" in second.manage("audit", "verify").stdout
    assert (second.folder / "quorum.sqlite3").stat().st_mode & 0o777 == 0o600


GO_ON_WORKING = """
from pathlib import Path
from django.db import transaction
from annotator.models import Study
from annotator.services import backup
from annotator.services.audit import record
digest = backup._file_digest
def meanwhile(snapshot):
    with transaction.atomic():
        record(action="study.changed", actor=None, study=Study.objects.get())
    return digest(snapshot)
backup._file_digest = meanwhile
backup.back_up(file=Path(r"%s"), report=lambda done, total: None)
"""


def test_the_manifest_tells_the_log_of_the_copy_and_not_of_what_was_done_since(
    filled: Installation, tmp_path: Path
) -> None:
    first, second = Installation(tmp_path / "first"), Installation(tmp_path / "second")
    shutil.copytree(filled.folder, first.folder)
    first.run(GO_ON_WORKING % (tmp_path / "quorum.tar"))
    restored = second.manage("restore", str(tmp_path / "quorum.tar"))
    assert restored.returncode == 0, restored.stderr


def test_the_keys_lie_apart_and_only_their_owner_reads_them(filled: Installation, made: Path) -> None:
    key = (filled.folder / "audit.key").read_bytes()
    assert key not in made.read_bytes()
    assert [file.stat().st_mode & 0o777 for file in (made, made.with_name("quorum.tar.keys"))] == [0o600, 0o600]


def test_a_restore_refuses_an_installation_with_data(filled: Installation, backup: Path) -> None:
    refused = filled.manage("restore", str(backup))
    assert refused.returncode == 1
    assert "Restore into an empty one" in refused.stderr


@pytest.mark.parametrize("damage", ["altered picture", "stranger", "link", "cut short", "no keys"])
def test_a_damaged_backup_is_refused_and_leaves_no_database(backup: Path, tmp_path: Path, damage: str) -> None:
    spoil(backup, damage)
    second = Installation(tmp_path / "second")
    refused = second.manage("restore", str(backup))
    assert refused.returncode == 1, refused.stdout
    assert "Traceback" not in refused.stderr
    with sqlite3.connect(second.folder / "quorum.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def spoil(backup: Path, damage: str) -> None:
    if damage == "cut short":
        backup.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    elif damage == "no keys":
        Path(f"{backup}.keys").unlink()
    elif damage == "altered picture":
        with tarfile.open(backup) as tar:
            member = next(member for member in tar if member.name.startswith("originals/"))
        data = bytearray(backup.read_bytes())
        data[member.offset_data + 20] ^= 1
        backup.write_bytes(data)
    else:
        member = tarfile.TarInfo("../evil")
        if damage == "link":
            member.name, member.type, member.linkname = "originals/link", tarfile.SYMTYPE, "/etc/passwd"
        with tarfile.open(backup, "a") as tar:
            tar.addfile(member, io.BytesIO(b"") if damage == "stranger" else None)
