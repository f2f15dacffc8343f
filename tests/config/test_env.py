"""Settings refuse what they do not understand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from config.keys import make_missing_keys, read_secret
from tests.servers.throwaway import free_port


def read(value: str, parse, default=None):  # type: ignore[no-untyped-def]
    return env.Environment({"QUORUM_THING": value}).read("THING", parse, default)


def test_an_absent_variable_gives_the_default() -> None:
    assert env.Environment({}).read("THING", env.flag, True) is True


def test_a_postgresql_address_becomes_a_database() -> None:
    database = read("postgresql://ann:p%40ss@db.example.org:5433/quorum", env.database)
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("ann", "p@ss", "db.example.org")
    assert (database["PORT"], database["NAME"]) == ("5433", "quorum")


def test_a_sqlite_address_becomes_an_absolute_path() -> None:
    assert read("sqlite:////srv/quorum/db.sqlite3", env.database)["NAME"] == "/srv/quorum/db.sqlite3"


@pytest.mark.parametrize(
    ("parse", "bad"),
    [
        (env.flag, "maybe"),
        (env.whole_number(1, 8), "0"),
        (env.whole_number(1, 8), "9"),
        (env.whole_number(1, 8), "2.5"),
        (env.database, "mysql://host/name"),
        (env.database, "sqlite:///relative.db"),
        (env.database, "postgresql://host"),
        (env.database, "postgresql://host:port/name"),
        (env.broker, "amqp://host"),
        (env.directory, "relative/path"),
        (env.secret, "short"),
        (env.secret, "a" * 60),
        (env.hex_key, "zz" * 32),
        (env.address, "localhost"),
        (env.address, "localhost:99999"),
        (env.origins, "quorum.example.org"),
        (env.origins, "https://quorum.example.org/path"),
        (env.words, "a,,b"),
        (env.mail, "http://host"),
        (env.one_of("en", "zh-hans"), "fr"),
        (env.database, "sqlite:////srv/quorum.db?mode=ro"),
        (env.database, "postgresql://host:99999/name"),
        (env.broker, "redis://"),
        (env.broker, "redis://host:port/0"),
        (env.mail, "smtp://host:port"),
        (env.origin, "https://one.example.org,https://two.example.org"),
        (env.sender, ""),
        (env.sender, "Quorum"),
        (env.sender, "quorum@example.org\nBcc: all@example.org"),
        (env.time_zone, "Mars/Phobos"),
        (env.time_zone, ""),
    ],
)
def test_a_bad_value_is_refused_with_the_variables_name(parse, bad: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ImproperlyConfigured, match="QUORUM_THING"):
        read(bad, parse)


def test_a_misspelt_variable_is_refused() -> None:
    environment = env.Environment({"QUORUM_DEBGU": "1", "PATH": "/bin"})
    environment.read("DEBUG", env.flag, False)
    with pytest.raises(ImproperlyConfigured, match="QUORUM_DEBGU"):
        environment.refuse_unknown()


def started(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("QUORUM_", "DJANGO_"))}
    variables |= {"QUORUM_DATA_ROOT": str(folder), **settings}
    return subprocess.run([sys.executable, *command], env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("command", "status"), [(("-m", "config.serve"), 2), (("manage.py", "check"), 1)])
def test_server_and_commands_say_in_one_line_why_they_do_not_start(
    tmp_path: Path, command: tuple[str, ...], status: int
) -> None:
    done = started(tmp_path, *command, QUORUM_DATABASE_URL="oracle://x/y")
    assert done.returncode == status
    assert done.stderr == "Quorum cannot start: QUORUM_DATABASE_URL must start with sqlite:/// or postgresql://.\n"


def test_a_database_that_does_not_answer_is_said_in_a_sentence(tmp_path: Path) -> None:
    address = f"postgresql://nobody@/none?host={tmp_path}"  # a folder without a socket
    done = started(tmp_path, "-m", "config.serve", QUORUM_DATABASE_URL=address, QUORUM_BIND=f"127.0.0.1:{free_port()}")
    assert done.returncode == 2
    assert done.stderr.startswith("Quorum cannot start: the database does not answer: ")
    assert "Traceback" not in done.stderr


def test_a_key_file_that_was_cut_short_is_refused_and_named(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"secret\.key must have at least 50 characters"):
        read_secret(tmp_path / "secret.key")


def test_keys_are_made_once_where_only_their_owner_looks(tmp_path: Path) -> None:
    root = tmp_path / "new"
    make_missing_keys(root)
    first = (root / "secret.key").read_text()
    make_missing_keys(root)
    assert (root / "secret.key").read_text() == first == read_secret(root / "secret.key")
    assert [path.stat().st_mode & 0o777 for path in (root, root / "secret.key", root / "audit.key")] == [
        0o700,
        *[0o600] * 2,
    ]
