"""Writers take turns: nobody is overtaken, nobody waits for ever, nobody's death blocks the others."""

import fcntl
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from config.sqlite.turn import TurnTimeoutError, WriteTurn
from tests.waiting import until


def write(turn: WriteTurn, order: list[str], name: str) -> None:
    turn.take()
    order.append(name)
    turn.give_back()


def is_locked(path: str) -> bool:
    with open(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_a_second_writer_waits_until_the_first_is_done(tmp_path: Path) -> None:
    database = str(tmp_path / "db")
    first, second = WriteTurn(database), WriteTurn(database)
    first.take()
    order: list[str] = []
    waiter = threading.Thread(target=write, args=(second, order, "second"))
    waiter.start()
    time.sleep(0.05)
    order.append("first")
    first.give_back()
    waiter.join()
    assert order == ["first", "second"]


def test_whoever_leaves_cannot_overtake_whoever_waits(tmp_path: Path) -> None:
    """A bulk job that takes turn after turn lets a waiting save in between any two of them."""
    database = str(tmp_path / "db")
    bulk, save = WriteTurn(database), WriteTurn(database)
    turns: list[str] = []
    bulk.take()
    waiter = threading.Thread(target=write, args=(save, turns, "save"))
    waiter.start()
    until(lambda: is_locked(f"{database}.door-lock"), True)  # the save now waits inside the door
    for _ in range(3):
        bulk.give_back()
        bulk.take()
        turns.append("bulk")
    bulk.give_back()
    waiter.join()
    assert turns == ["save", "bulk", "bulk", "bulk"]


def test_a_writer_that_waits_too_long_is_told(tmp_path: Path) -> None:
    database = str(tmp_path / "db")
    holder = WriteTurn(database)
    holder.take()
    with pytest.raises(TurnTimeoutError):
        WriteTurn(database, patience_seconds=0.05).take()
    holder.close()


def _take_and_die(database: str) -> None:
    WriteTurn(database).take()


def test_a_dead_writer_blocks_nobody(tmp_path: Path) -> None:
    database = str(tmp_path / "db")
    process = multiprocessing.get_context("spawn").Process(target=_take_and_die, args=(database,))
    process.start()
    process.join()
    WriteTurn(database, patience_seconds=0.05).take()


def test_a_long_turn_is_reported_to_the_operator(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="quorum.database")
    turn = WriteTurn(str(tmp_path / "db"))
    turn.take()
    time.sleep(0.11)
    turn.give_back()
    assert "held the database" in caplog.text
