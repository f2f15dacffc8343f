"""What many tests of a file begin with is made once, through the services. For the next ones the same rows are written
again, statement by statement: with the same numbers, in the same order, past the same constraints and triggers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import Model

if TYPE_CHECKING:
    import pytest

Made = TypeVar("Made", bound=Model)
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
OWN_TABLES = ("annotator_", "consensus_", "evaluation_")
NUMBERS = {
    "sqlite": "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    "postgresql": "SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename",
}
_first_numbers: list[Any] = []
_written: dict[Any, tuple[list[tuple[str, Any]], Any]] = {}


def remembered(request: pytest.FixtureRequest, given: Sequence[Model], make: Callable[[], Made]) -> Made:
    """`make()`, or what it wrote when a test of the same file began in the same state, with the same rows `given`."""
    which = (request.path, request.fixturename, str(settings.MEDIA_ROOT), *((type(row), row.pk) for row in given))
    began = (*which, _numbers())
    if began not in _written:
        _written[began] = _recorded(make)
    else:
        with connection.cursor() as cursor:
            for sql, parameters in _written[began][0]:
                cursor.execute(sql, parameters)
    kind, key = _written[began][1]
    made: Made = kind._base_manager.get(pk=key)
    return made


def _numbers() -> tuple[Any, ...]:
    """The last number that each table has given: where they are equal, new rows get equal numbers."""
    return tuple(_asked(NUMBERS[connection.vendor]))


def begin_numbers_anew() -> None:
    """PostgreSQL does not take numbers back with a transaction: without this no two tests would begin alike."""
    if connection.vendor != "postgresql":
        return
    first = _first_numbers or _asked(NUMBERS["postgresql"])
    _first_numbers[:] = first
    own = [row for row in first if row[0].startswith(OWN_TABLES)]
    _asked(
        "SELECT " + ", ".join(["setval(%s, %s, %s)"] * len(own)),
        [value for name, last in own for value in (name, last or 1, last is not None)],
    )


def _asked(sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def _recorded(make: Callable[[], Model]) -> tuple[list[tuple[str, Any]], Any]:
    statements: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(WRITES):
            parameters = list(parameters) if many else parameters
            statements.extend((sql, one) for one in (parameters if many else [parameters]))
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(note):
        made = make()
    return statements, (type(made), made.pk)
