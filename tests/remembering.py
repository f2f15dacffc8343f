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
_written: dict[Any, tuple[list[tuple[str, Any]], Any]] = {}


def remembered(request: pytest.FixtureRequest, given: Sequence[Model], make: Callable[[], Made]) -> Made:
    """`make()`, or what it wrote when a test of the same file began in the same state, with the same rows `given`."""
    if connection.vendor != "sqlite":  # elsewhere numbers go on after a rollback, so that no two tests begin alike
        return make()
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
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name")
        return tuple(cursor.fetchall())


def _recorded(make: Callable[[], Model]) -> tuple[list[tuple[str, Any]], Any]:
    statements: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(WRITES):
            statements.extend((sql, one) for one in (list(parameters) if many else [parameters]))
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(note):
        made = make()
    return statements, (type(made), made.pk)
