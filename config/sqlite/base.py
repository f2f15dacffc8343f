"""The database wrapper that asks for the writers' turn before BEGIN IMMEDIATE and gives it back after the end."""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.turn import TurnTimeoutError, WriteTurn


class DatabaseWrapper(base.DatabaseWrapper):
    _turn: WriteTurn | None = None

    def _write_turn(self) -> WriteTurn | None:
        if self._turn is None and not self.is_in_memory_db():
            self._turn = WriteTurn(str(self.settings_dict["NAME"]))
        return self._turn

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.is_in_memory_db():
            Path(self.settings_dict["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        return super().get_new_connection(conn_params)

    def _start_transaction_under_autocommit(self) -> None:
        turn = self._write_turn()
        if turn is None:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            return
        try:
            turn.take()
        except TurnTimeoutError:
            raise OperationalError("database is locked: another writer did not finish") from None
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
