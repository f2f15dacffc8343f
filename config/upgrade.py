"""Everything between `git pull` and serving: a backup, migrations, static files, and the demo on the first start."""

import contextlib
import hashlib
import io
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotator.models.triggers import install_triggers


def bring_up_to_date() -> None:
    first_start = not _has_tables()
    demo_waits = settings.DATA_ROOT / "demo.waits"  # lies there until the demo is whole: a start may be interrupted
    if first_start and settings.DEMO:
        demo_waits.touch()
    if _migrations_wait():
        if not first_start:
            _back_up()
        _say("Preparing the database…")
        with _nobody_waits():
            call_command("migrate", verbosity=0, interactive=False)
    else:
        install_triggers()
    call_command("createcachetable", verbosity=0)
    _collect_static_files()
    if settings.DEMO and demo_waits.exists():
        _say("Making the five demo studies (about two minutes)…")
        call_command("demo", stdout=io.StringIO())  # the server says who can sign in
        demo_waits.unlink()
    connection.close()  # children open their own


@contextlib.contextmanager
def _nobody_waits() -> Iterator[None]:
    """A migration holds the database for long; before the server runs, there is nobody to warn for."""
    logger = logging.getLogger("quorum.database")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _has_tables() -> bool:
    return "annotator_user" in connection.introspection.table_names()


def _migrations_wait() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _back_up() -> None:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = settings.DATA_ROOT / "backups" / f"before-upgrade-{stamp}.tar"
    file.parent.mkdir(parents=True, exist_ok=True)
    _say(f"The database will change: backing up to {file}…")
    call_command("backup", str(file))


def _collect_static_files() -> None:
    """Hashing and compressing take seconds, so it is done only when something to be served has changed."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    fingerprint = _fingerprint()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return
    _say("Collecting static files…")
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(fingerprint)


def _fingerprint() -> str:
    digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for _prefix, folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                facts = path.stat()
                digest.update(f"{path}:{facts.st_mtime_ns}:{facts.st_size}".encode())
    return digest.hexdigest()
