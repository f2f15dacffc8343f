"""A backup is one tar file: database, originals, other kept files, and a manifest with their checksums. Keys go into a
file apart.

It is consistent while people work: the database is copied in one snapshot first, and originals are never changed or
removed, so all that the snapshot names are there afterwards. Thumbnails and served pictures are made again from them.
"""

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotator import database_copy
from annotator.audit_key import audit_key
from annotator.errors import Conflict, DomainError
from annotator.formats.file_names import is_unsafe
from annotator.imaging.intake import take_in
from annotator.imaging.pipeline import keep
from annotator.kept_files import kept_files
from annotator.models import AuditEvent, Image, TargetExample
from annotator.selectors.audit import audit_faults
from annotator.services.images import image_store

FORMAT = 1
HEADS = "SELECT chain, count, digest FROM annotator_audithead ORDER BY chain"
Report = Callable[[int, int], None]


def back_up(*, file: Path, report: Report) -> dict[str, Any]:
    """Write `file` and `file`.keys, readable for the owner alone; nothing appears under these names until complete."""
    if file.exists():
        raise Conflict("file_exists", _("%(file)s already exists.") % {"file": file})
    partial = file.with_name(f".{file.name}.partial")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            snapshot = Path(folder) / "database"
            heads = database_copy.dump(snapshot, HEADS)
            manifest = _manifest(snapshot, heads)
            _write_tar(partial, snapshot, manifest, report)
        os.rename(partial, file)
    finally:
        partial.unlink(missing_ok=True)
    _write_keys(_keys_file(file))
    return manifest


def _manifest(snapshot: Path, heads: list[tuple[Any, ...]]) -> dict[str, Any]:
    originals = set(Image.objects.values_list("sha256", flat=True))
    originals |= set(TargetExample.objects.values_list("sha256", flat=True))
    return {
        "format": FORMAT,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "database": database_copy.vendor(),
        "database_sha256": _file_digest(snapshot),
        "originals": sorted(originals),
        "files": dict(sorted(kept_files(database_copy.tables()).items())),
        "audit_heads": {chain: [count, digest] for chain, count, digest in heads},
    }


def _write_tar(partial: Path, snapshot: Path, manifest: dict[str, Any], report: Report) -> None:
    store, originals = image_store(), manifest["originals"]
    # It holds what patients' files say of them and how people sign in.
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream, tarfile.open(fileobj=stream, mode="w") as tar:
        text = json.dumps(manifest, indent=1).encode()
        member = tarfile.TarInfo("manifest.json")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
        tar.add(snapshot, arcname="database")
        for done, sha256 in enumerate(originals, start=1):
            tar.add(store.path(sha256), arcname=f"originals/{sha256}")
            report(done, len(originals))
        for path in manifest["files"]:
            tar.add(settings.DATA_ROOT / path, arcname=f"files/{path}")
        stream.flush()
        os.fsync(stream.fileno())


def _keys_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.keys")


def _write_keys(file: Path) -> None:
    keys = {"secret": settings.SECRET_KEY, "audit": audit_key().hex()}
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        json.dump(keys, stream)


def restore(*, file: Path, report: Report) -> dict[str, Any]:
    """Put a backup into an empty installation. The database goes in last, when all else has been checked."""
    if not database_copy.is_empty():
        raise Conflict("not_empty", _("This installation has data. Restore into an empty one."))
    try:
        with tarfile.open(file) as tar:
            manifest = _checked_manifest(tar)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                snapshot = Path(folder) / "database"
                _extract_checked(tar, "database", manifest["database_sha256"], snapshot)
                _restore_originals(tar, manifest["originals"], report)
                _restore_files(tar, manifest.get("files", {}))
                _restore_keys(_keys_file(file))
                database_copy.load(snapshot)
    except (tarfile.TarError, OSError, KeyError, json.JSONDecodeError) as fault:
        raise DomainError("bad_backup", _("%(file)s is not a whole backup: %(why)s") % _why(file, fault)) from fault
    return manifest


def _why(file: Path, fault: Exception) -> dict[str, Any]:
    return {"file": file, "why": fault}


def _checked_manifest(tar: tarfile.TarFile) -> dict[str, Any]:
    """Read the manifest and refuse any member that it does not name: links, `..` and strangers have no place here."""
    manifest: dict[str, Any] = json.load(_member(tar, "manifest.json"))
    if manifest["format"] != FORMAT or manifest["database"] != database_copy.vendor():
        raise DomainError("other_backup", _("The backup was made by another version or for another database."))
    named = {"manifest.json", "database", *(f"originals/{sha256}" for sha256 in manifest["originals"])}
    named |= {f"files/{path}" for path in manifest.get("files", {}) if not is_unsafe(path)}
    for member in tar:
        if member.name not in named or not member.isreg():
            raise DomainError("bad_backup", _("The backup holds a stranger: %(name)s") % {"name": member.name})
    return manifest


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    stream = tar.extractfile(name)
    if stream is None:
        raise KeyError(name)
    return stream


def _extract_checked(tar: tarfile.TarFile, name: str, sha256: str, place: Path) -> None:
    digest = hashlib.sha256()
    with place.open("wb") as out:
        for block in _blocks(_member(tar, name)):
            digest.update(block)
            out.write(block)
    if digest.hexdigest() != sha256:
        raise DomainError("bad_backup", _("%(name)s in the backup was altered.") % {"name": name})


def _restore_originals(tar: tarfile.TarFile, originals: list[str], report: Report) -> None:
    """Originals are content-addressed, so writing them before the database does no harm if something fails later."""
    store = image_store()
    for done, sha256 in enumerate(originals, start=1):
        data = _member(tar, f"originals/{sha256}").read()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise DomainError("bad_backup", _("%(name)s in the backup was altered.") % {"name": sha256})
        keep(take_in(data, sha256=sha256), data, store)
        report(done, len(originals))


def _restore_files(tar: tarfile.TarFile, files: dict[str, str]) -> None:
    for path, sha256 in files.items():
        place = settings.DATA_ROOT / path
        place.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        _extract_checked(tar, f"files/{path}", sha256, place)


def _restore_keys(file: Path) -> None:
    """The log can be checked only with the key that sealed it. A key given by the environment stays in force."""
    if settings.AUDIT_KEY is not None:
        return
    if not file.exists():
        raise DomainError("keys_missing", _("Put %(file)s beside the backup: it holds its keys.") % {"file": file})
    keys = json.loads(file.read_text())
    for name in ("secret", "audit"):
        place = settings.DATA_ROOT / f"{name}.key"
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
            stream.write(keys[name])


def restored_faults(manifest: dict[str, Any]) -> list[str]:
    """What `audit verify` finds after a restore, and ends of the log that the backup tells of and that are missing."""
    faults = [str(fault) for fault in audit_faults()]
    for chain, (count, digest) in manifest["audit_heads"].items():
        if not AuditEvent.objects.filter(chain=chain, number=count, digest=digest).exists():
            faults.append(f"{chain}, row {count}: not the last row that the backup tells of")
    return faults


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(1024 * 1024):
        yield block
