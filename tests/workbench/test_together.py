"""Writes that wait at the same time share a transaction, and nobody is told of one that was not committed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from annotator.models import User
from annotator.services.together import Together
from tests.waiting import until

if TYPE_CHECKING:
    Change = Callable[[], bool]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.contract]


def naming(name: str, threads: dict[str, int] | None = None) -> Change:
    """A change that any thread can make; notes which one did."""

    def change() -> bool:
        if threads is not None:
            threads[name] = threading.get_ident()
        return User.objects.filter(name="Nobody").update(name=name) == 1

    return change


def seen_by_another() -> str:
    """What a connection of its own finds."""
    try:
        return User.objects.get().name
    finally:
        connection.close()


class Busy:
    """Somebody writes; the others come one after the other and wait until he is let go."""

    def __init__(self, together: Together, *changes: Change) -> None:
        self._pool, self._go, begun = ThreadPoolExecutor(len(changes) + 1), threading.Event(), threading.Event()

        def hold() -> bool:
            begun.set()
            return self._go.wait(20)

        self.first = self._pool.submit(self._write, together, hold)
        begun.wait(20)
        self.others: list[Future[bool]] = []
        for count, change in enumerate(changes, 1):
            self.others.append(self._pool.submit(self._write, together, change))
            until(lambda: len(together._queue), count)

    @staticmethod
    def _write(together: Together, change: Change) -> bool:
        try:
            return together.write(change)
        finally:
            connection.close()

    def answers(self) -> list[bool]:
        self._go.set()
        self._pool.shutdown()
        assert self.first.result() is True
        return [one.result() for one in self.others]


def test_whoever_waits_at_the_same_time_is_written_by_one_of_them_and_answered_for_himself() -> None:
    User.objects.create(name="Nobody", email="n@example.org")
    threads: dict[str, int] = {}
    busy = Busy(Together(), naming("Ann", threads), naming("Ben", threads), naming("Cem", threads))

    assert busy.answers() == [True, False, False]  # the first one is there no more for the second

    assert len(set(threads.values())) == 1
    assert User.objects.get().name == "Ann"


def test_what_is_answered_has_been_committed() -> None:
    User.objects.create(name="Nobody", email="n@example.org")
    assert Together().write(naming("Ann"))
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(seen_by_another).result() == "Ann"


def test_where_one_fails_nothing_of_the_group_is_written_and_the_next_group_goes_on() -> None:
    User.objects.create(name="Nobody", email="n@example.org")

    def fail() -> bool:
        raise IntegrityError

    together = Together()
    assert Busy(together, naming("Ann"), fail).answers() == [False, False]
    assert User.objects.get().name == "Nobody"
    assert Busy(together, naming("Ann")).answers() == [True]


def test_who_cannot_begin_at_all_is_told_why_and_blocks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    User.objects.create(name="Nobody", email="n@example.org")
    together = Together()

    def locked() -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(transaction, "atomic", locked)
        with pytest.raises(OperationalError, match="locked"):
            together.write(naming("Ann"))
    assert together.write(naming("Ben"))
    assert User.objects.get().name == "Ben"


def test_inside_a_transaction_it_is_part_of_it() -> None:
    User.objects.create(name="Nobody", email="n@example.org")
    with transaction.atomic():
        assert Together().write(naming("Ann"))
        transaction.set_rollback(True)
    assert User.objects.get().name == "Nobody"
