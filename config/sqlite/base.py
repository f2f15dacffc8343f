"""The database wrapper that asks for the writers' turn before BEGIN IMMEDIATE and gives it back after the end; a
statement that writes outside a transaction, such as a job's heartbeat, takes a turn of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.turn import TurnTimeoutError, WriteTurn

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class TurnCursor(base.SQLiteCursorWrapper):
    """Statements alone are transactions too. Such a turn ends with the statement, or with the cursor where rows of what
    was written are still to be fetched: SQLite commits after the last of them."""

    def __init__(self, connection: Any, wrapper: "DatabaseWrapper") -> None:
        super().__init__(connection)
        self._wrapper = wrapper

    def execute(self, query: str, params: Any = None) -> Any:
        with self._turn_of(query):
            return super().execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        with self._turn_of(query):
            return super().executemany(query, param_list)

    def close(self) -> None:
        super().close()
        self._wrapper.end_lone_turn()

    @contextmanager
    def _turn_of(self, query: str) -> Iterator[None]:
        if not self._wrapper.begins_lone_turn(query):
            yield
            return
        try:
            yield
        except BaseException:
            self._wrapper.end_lone_turn()
            raise
        if self.description is None:
            self._wrapper.end_lone_turn()


class DatabaseWrapper(base.DatabaseWrapper):
    _turn: WriteTurn | None = None
    _turn_is_lone = False

    def _write_turn(self) -> WriteTurn | None:
        if self._turn is None and not self.is_in_memory_db():
            self._turn = WriteTurn(str(self.settings_dict["NAME"]))
        return self._turn

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.is_in_memory_db():
            file = Path(self.settings_dict["NAME"])
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.touch(mode=0o600)  # whose folder may be open to others
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=lambda connection: TurnCursor(connection, self))

    def begins_lone_turn(self, query: str) -> bool:
        """Whether the statement writes on its own, outside a transaction; the turn is then taken."""
        if not self.autocommit or not query.lstrip()[:7].upper().startswith(WRITES):
            return False
        turn = self._write_turn()
        if turn is None:
            return False
        self._take(turn)
        self._turn_is_lone = True
        return True

    def end_lone_turn(self) -> None:
        if self._turn_is_lone:
            self._turn_is_lone = False
            self._give_turn_back()

    @staticmethod
    def _take(turn: WriteTurn) -> None:
        try:
            turn.take()
        except TurnTimeoutError:
            raise OperationalError("database is locked: another writer did not finish") from None

    def _start_transaction_under_autocommit(self) -> None:
        turn = self._write_turn()
        if turn is None:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            return
        self._take(turn)
        self._turn_is_lone = False  # a turn that its statement has not ended yet now belongs to the transaction
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            turn.give_back()
            raise

    def _give_turn_back(self) -> None:
        if self._turn is not None:
            self._turn.give_back()

    def _commit(self) -> Any:
        # A commit that fails (a full disk, say) leaves the transaction open; the rollback that follows ends the turn.
        answer = super()._commit()  # type: ignore[misc]
        self._give_turn_back()
        return answer

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self._give_turn_back()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]
        finally:
            if self._turn is not None:
                self._turn.close()
                self._turn = None
