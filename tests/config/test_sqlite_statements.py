"""A statement that writes outside a transaction waits for its turn like a transaction does."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from config.sqlite.turn import WriteTurn
from tests.config.test_sqlite_turn import is_locked


@pytest.fixture
def database(db: None, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    handler = ConnectionHandler({"default": {"ENGINE": "config.sqlite", "NAME": str(tmp_path / "db")}})
    connection = handler["default"]
    connection.inc_thread_sharing()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, beats INTEGER)")
        cursor.execute("INSERT INTO heartbeat (beats) VALUES (%s)", [0])
    yield connection
    connection.close()


def room(database: BaseDatabaseWrapper) -> str:
    return f"{database.settings_dict['NAME']}.room-lock"


def test_a_heartbeat_waits_until_the_writer_before_it_is_done(database: BaseDatabaseWrapper) -> None:
    before = WriteTurn(str(database.settings_dict["NAME"]))
    before.take()
    order: list[str] = []

    def beat() -> None:
        with database.cursor() as cursor:
            cursor.execute("UPDATE heartbeat SET beats = beats + %s", [1])
        order.append("beat")

    waiter = threading.Thread(target=beat)
    waiter.start()
    time.sleep(0.05)
    order.append("before")
    before.give_back()
    waiter.join()
    assert order == ["before", "beat"]


@pytest.mark.parametrize("query", ["UPDATE heartbeat SET beats = 1", "SELECT beats FROM heartbeat"])
def test_the_turn_ends_with_the_statement(database: BaseDatabaseWrapper, query: str) -> None:
    with database.cursor() as cursor:
        cursor.execute(query)
        assert not is_locked(room(database))


def test_a_row_that_was_written_and_is_still_to_be_fetched_keeps_the_turn(database: BaseDatabaseWrapper) -> None:
    with database.cursor() as cursor:
        cursor.execute("INSERT INTO heartbeat (beats) VALUES (5) RETURNING id")
        assert is_locked(room(database))
        assert cursor.fetchone() == (2,)
    assert not is_locked(room(database))


def test_a_statement_that_fails_gives_its_turn_back(database: BaseDatabaseWrapper) -> None:
    with pytest.raises(Exception, match="no such column"), database.cursor() as cursor:
        cursor.execute("UPDATE heartbeat SET missing = 1")
    assert not is_locked(room(database))


def test_a_statement_in_a_transaction_leaves_the_turn_to_it(database: BaseDatabaseWrapper) -> None:
    database.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with database.cursor() as cursor:
        cursor.executemany("INSERT INTO heartbeat (beats) VALUES (%s)", [[1], [2]])
    assert is_locked(room(database))
    database.commit()
    assert not is_locked(room(database))


def test_a_new_database_is_readable_for_its_owner_alone(database: BaseDatabaseWrapper) -> None:
    assert Path(database.settings_dict["NAME"]).stat().st_mode & 0o777 == 0o600
