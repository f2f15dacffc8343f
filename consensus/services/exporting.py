"""A version is taken out of the house: asked for, made in the background, kept as a file until somebody removes it."""

import contextlib
import hashlib
import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import Conflict, DomainError
from annotator.models import Job, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.jobs import request_job
from annotator.store import StoreFull, naming_full_disk
from consensus import code_version
from consensus.export_words import FORMATS, offered
from consensus.models import DatasetVersion, Export, Split
from consensus.services.archive import Tell, Wish, foresee, write_archive
from consensus.services.freezing import require

KIND = "export_dataset"
USUAL = ("layout", "masks", "tables")
LONGEST_LICENCE = 200
UNFINISHED = ".making-"


def usually_withheld(version: DatasetVersion, split: Split | None) -> list[str]:
    """Parts that the recipe keeps the answers of to itself."""
    if split is None:
        return []
    hidden = {part.key for part in recipe_of(version.study).split.parts if part.labels_hidden}
    return [part["key"] for part in split.plan["parts"] if part["key"] in hidden]


def checked_wish(
    version: DatasetVersion,
    *,
    formats: Sequence[str],
    split: Split | None = None,
    withheld: Collection[str] = (),
    language: str = "en",
    licence: str = "",
) -> Wish:
    """In one order, so that the same wish is known again; DomainError names what is wrong with it."""
    unknown = [key for key in formats if key not in FORMATS]
    if unknown:
        message = _("“%(format)s” is not a format. Choose among: %(known)s.")
        words = {"format": unknown[0], "known": ", ".join(FORMATS)}
        raise DomainError("unknown_format", message % words, field="formats")
    if not formats:
        raise DomainError("no_format", _("Choose at least one format."), field="formats")
    fitting = offered(recipe_of(version.study))
    empty = [key for key in formats if key not in fitting]
    if empty:
        message = _(
            "“%(format)s” would be empty: the protocol asks for nothing that it can hold. Choose among: %(known)s."
        )
        words = {"format": empty[0], "known": ", ".join(fitting)}
        raise DomainError("empty_format", message % words, field="formats")
    if split is not None and split.version_id != version.pk:
        raise DomainError("other_version", _("The split is of another version."), field="split")
    parts = [part["key"] for part in split.plan["parts"]] if split is not None else []
    strange = [part for part in withheld if part not in parts]
    if strange:
        message = _("“%(part)s” is not a part of the split.") % {"part": strange[0]}
        raise DomainError("unknown_part", message, field="withheld")
    if language not in dict(settings.LANGUAGES):
        raise DomainError("unknown_language", _("This language is not known."), field="language")
    licence = " ".join(licence.split())
    if len(licence) > LONGEST_LICENCE:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_LICENCE}
        raise DomainError("too_long", message, field="licence")
    chosen = tuple(key for key in FORMATS if key in formats)
    return Wish(chosen, split, tuple(part for part in parts if part in withheld), language, licence)


def request_export(*, version: DatasetVersion, actor: User, wish: Wish) -> Export:
    """The one that is there already, where the same was asked for before and its file still lies here."""
    require(actor, version.study, May.EXPORT)
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=version.study_id)
        same = _same(version, wish)
        if same is not None:
            return same
        export = Export(
            version=version,
            split=wish.split,
            formats=list(wish.formats),
            withheld=list(wish.withheld),
            language=wish.language,
            licence=wish.licence,
            asked_by=actor,
            code_version=code_version.of_export(),
        )
        export.job = request_job(kind=KIND, owner=actor, study=version.study, arguments={"export": export.public_id})
        export.save(force_insert=True)
    return export


def repeat_export(*, export: Export, actor: User) -> Export:
    """What was asked for once, in the words of its time; a format that is no longer known is refused."""
    asked = wish_of(export)
    wish = checked_wish(
        export.version,
        formats=asked.formats,
        split=asked.split,
        withheld=asked.withheld,
        language=asked.language,
        licence=asked.licence,
    )
    return request_export(version=export.version, actor=actor, wish=wish)


def _same(version: DatasetVersion, wish: Wish) -> Export | None:
    asked = Export.objects.filter(
        version=version,
        split=wish.split,
        formats=list(wish.formats),
        withheld=list(wish.withheld),
        language=wish.language,
        licence=wish.licence,
        code_version=code_version.of_export(),
    ).select_related("job")
    for export in asked:
        going_on = export.job is not None and not export.job.finished
        if going_on or (export.made and archive_path(export).is_file()):
            return export
    return None


def run_export_job(job: Job, progress: Any) -> dict[str, Any]:
    """Safe to run twice: the file gets its name when it is whole, and the row is ended once."""
    export = Export.objects.select_related("version__study", "split", "asked_by").get(public_id=job.arguments["export"])
    if not export.made:
        _clear_away_unfinished(export)
        _make(export, progress.report)
    lacking = [asdict(one) for one in foresee(export.version, wish_of(export)).lacking]
    return {"export": export.public_id, "files": export.file_count, "bytes": export.byte_count, "lacking": lacking}


def wish_of(export: Export) -> Wish:
    return Wish(tuple(export.formats), export.split, tuple(export.withheld), export.language, export.licence)


def _make(export: Export, tell: Tell) -> None:
    """An attempt that was taken for dead may still be writing, so that each has a place of its own. The file gets its
    name together with the row's end: whoever was told to stop meanwhile leaves nothing behind."""
    file = archive_path(export)
    try:
        with _unfinished(file, f"{UNFINISHED}{export.public_id}-{secrets.token_hex(4)}") as place:
            files = _write(export.version, wish_of(export), place, tell)
            sha256, size = _sha256(place), place.stat().st_size
            with transaction.atomic():
                tell(1, 1)
                export.sha256, export.byte_count, export.file_count = sha256, size, files
                export.made_at = timezone.now()
                export.save(update_fields=["sha256", "byte_count", "file_count", "made_at"])
                record_export(version=export.version, actor=export.asked_by, wish=wish_of(export), sha256=sha256)
                os.replace(place, file)
    except StoreFull:
        message = _("The server has no room for the archive. Ask the operator for room, or remove older archives.")
        raise DomainError("store_full", message) from None


def _clear_away_unfinished(export: Export) -> None:
    """What earlier attempts, and exports that have ended, left behind when their worker was killed."""
    for place in archive_path(export).parent.glob(f"{UNFINISHED}*"):
        owner = place.name.removeprefix(UNFINISHED).split("-")[0]
        if owner == export.public_id or not Export.objects.filter(public_id=owner, job__finished_at=None).exists():
            place.unlink(missing_ok=True)


@contextlib.contextmanager
def _unfinished(file: Path, name: str) -> Iterator[Path]:
    """A place beside the file for what is not whole yet; what still lies there in the end is cleared away."""
    place = file.with_name(name)
    with naming_full_disk(file):
        file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        try:
            yield place
        finally:
            place.unlink(missing_ok=True)


def _write(version: DatasetVersion, wish: Wish, place: Path, tell: Tell) -> int:
    """Until it is on the disk."""
    with place.open("w+b") as out:
        files = write_archive(version=version, wish=wish, file=out, tell=tell)
        out.flush()
        os.fsync(out.fileno())
    return files


def write_file(*, version: DatasetVersion, wish: Wish, file: Path, tell: Tell) -> tuple[int, str]:
    """For the command: the archive under a name of one's own; the number of files in it, and its SHA-256."""
    with _unfinished(file, f"{UNFINISHED}{file.name}") as place:
        count, sha256 = _write(version, wish, place, tell), _sha256(place)
        os.replace(place, file)
    return count, sha256


def record_export(*, version: DatasetVersion, actor: User | None, wish: Wish, sha256: str) -> None:
    """Call it in the transaction that the export ends in."""
    after = {"number": version.number, "name": version.name, "sha256": sha256, "formats": list(wish.formats)}
    after |= {"split": wish.split.name if wish.split else "", "withheld": list(wish.withheld)}
    record(action="dataset.exported", actor=actor, study=version.study, subject=version.public_id, after=after)


def _sha256(place: Path) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def archive_path(export: Export) -> Path:
    return Path(settings.DATA_ROOT) / "exports" / f"{export.public_id}.zip"


def note_download(*, export: Export, actor: User, goes_on: bool) -> None:
    """Whoever takes an archive home is in the log. `goes_on`: with a piece that is not the first; of somebody who has
    never begun it is as good as the whole."""
    version = export.version
    if goes_on:
        taken = version.study.audit_events.filter(action="dataset.downloaded", actor=actor)
        if taken.filter(subject=version.public_id, after__sha256=export.sha256).exists():
            return
    with transaction.atomic():
        after = {"number": version.number, "name": version.name, "sha256": export.sha256}
        record(action="dataset.downloaded", actor=actor, study=version.study, subject=version.public_id, after=after)


def note_fetch(*, version: DatasetVersion, split: Split | None, withheld: Sequence[str], actor: User) -> None:
    """Whoever has the references of a version told page by page is in the log too: once a day and for each wish."""
    wish = {"split": None if split is None else split.public_id, "withheld": list(withheld)}
    since = timezone.now() - timedelta(days=1)
    fetched = version.study.audit_events.filter(action="dataset.fetched", actor=actor, at__gt=since)
    if any((event.after or {}).get("wish") == wish for event in fetched.filter(subject=version.public_id)):
        return
    with transaction.atomic():
        after = {"number": version.number, "name": version.name, "wish": wish}
        record(action="dataset.fetched", actor=actor, study=version.study, subject=version.public_id, after=after)


def remove_archive(*, export: Export, actor: User) -> None:
    """The file goes, what is known of it stays; it can be made again."""
    require(actor, export.version.study, May.EXPORT)
    if not export.made or not archive_path(export).is_file():
        raise Conflict("not_made", _("The archive is not there."))
    with transaction.atomic():
        version = export.version
        after = {"number": version.number, "name": version.name, "sha256": export.sha256}
        record(action="export.removed", actor=actor, study=version.study, subject=version.public_id, after=after)
    archive_path(export).unlink(missing_ok=True)
