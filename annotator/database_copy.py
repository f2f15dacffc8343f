"""One consistent copy of the whole database, while it is in use, in the database's own format."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from annotator.errors import DomainError


def vendor() -> str:
    return connection.vendor


def tables() -> set[str]:
    return set(connection.introspection.table_names())


def is_empty() -> bool:
    """No table at all, or tables that nobody has written to."""
    if "annotator_user" not in tables():
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM annotator_user)")
        return not cursor.fetchone()[0]


def dump(place: Path, question: str) -> list[tuple[Any, ...]]:
    """Copy the database to `place`. The rows that answer the question are those of the copy, not of a moment later."""
    if vendor() == "sqlite":
        source, copy = sqlite3.connect(connection.settings_dict["NAME"]), sqlite3.connect(place)
        with closing(source), closing(copy):
            source.backup(copy)
            return copy.execute(question).fetchall()
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        _run(["pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", "--file", str(place)])
        cursor.execute(question)
        return list(cursor.fetchall())


def load(place: Path) -> None:
    """Replace the (empty) database by the copy."""
    if vendor() == "sqlite":
        connection.close()
        target = Path(connection.settings_dict["NAME"])
        target.parent.mkdir(parents=True, exist_ok=True)
        for leftover in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
        partial = target.with_name(f".{target.name}.partial")
        partial.touch(mode=0o600)
        shutil.copyfile(place, partial)
        with partial.open("rb") as stream:
            os.fsync(stream.fileno())
        partial.rename(target)
        return
    _run(["pg_restore", "--clean", "--if-exists", "--no-owner", "--exit-on-error", str(place)])


def _run(command: list[str]) -> None:
    """Name the database through the environment, so that no password stands in the list of processes."""
    given = connection.settings_dict
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    variables = {name: str(given[key]) for name, key in names.items() if given[key]}
    if command[0] == "pg_restore":
        command = [*command[:1], "--dbname", str(given["NAME"]), *command[1:]]
    try:
        done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise DomainError("tool_missing", f"{command[0]} is not installed: install PostgreSQL's client.") from None
    if done.returncode:
        raise DomainError("copy_failed", f"{command[0]}: {done.stderr.strip().splitlines()[-1]}")
