"""Writes that wait for the disk at the same time go there together.

A write is answered once it is on the disk, and on SQLite one commit waits for the other. Whoever came meanwhile would
wait for as many commits as there are people before him. Instead the first of those who wait writes for all of them, in
one transaction.
"""

import threading
from collections.abc import Callable

from django.db import connection, transaction


class _Waiting:
    def __init__(self, write: "Callable[[], bool]") -> None:
        self.write = write
        self.leads = self.written = False
        self.woken = threading.Lock()
        self.woken.acquire()


class Together:
    """`Together().write(change)` calls `change` in a transaction, in this thread or in another, and answers what it
    answered once that is committed. If anything in the group fails, nothing of it is written and each is answered
    False: it has to be tried alone, which also tells whose fault it was."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queue: list[_Waiting] = []
        self._led = False

    def write(self, change: "Callable[[], bool]") -> bool:
        if connection.in_atomic_block:  # it belongs to what is around it
            return change()
        own = _Waiting(change)
        with self._lock:
            self._queue.append(own)
            own.leads, self._led = not self._led, True
        if not own.leads:
            own.woken.acquire()
        if own.leads:
            self._lead(own)
        return own.written

    def _lead(self, own: _Waiting) -> None:
        group: list[_Waiting] = []
        try:
            with transaction.atomic():  # whoever comes until it is our turn to write takes part
                group = self._taken()
                answers = [one.write() for one in group]
            for one, answer in zip(group, answers, strict=True):
                one.written = answer
        except Exception:
            if own not in group:
                raise
        finally:
            self._hand_over(own, group)

    def _taken(self) -> list[_Waiting]:
        with self._lock:
            group, self._queue = self._queue, []
        return group

    def _hand_over(self, own: _Waiting, group: list[_Waiting]) -> None:
        """The first of those who came too late for this group leads the next one."""
        with self._lock:
            self._queue = [one for one in self._queue if one is not own]
            following = self._queue[:1]
            self._led = bool(following)
        for one in following:
            one.leads = True
        for one in [*following, *group]:
            if one is not own:
                one.woken.release()
