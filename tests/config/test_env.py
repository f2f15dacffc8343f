"""Settings refuse what they do not understand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


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


def test_the_server_says_in_one_line_why_it_does_not_start(tmp_path: Path) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("QUORUM_", "DJANGO_"))}
    variables |= {"QUORUM_DATA_ROOT": str(tmp_path), "QUORUM_DATABASE_URL": "oracle://x/y"}
    done = subprocess.run([sys.executable, "-m", "config.serve"], env=variables, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "Quorum cannot start: QUORUM_DATABASE_URL must start with sqlite:/// or postgresql://.\n"
