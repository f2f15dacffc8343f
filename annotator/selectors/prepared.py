"""Queries that every change of a draft asks: making their SQL takes ten times as long as running it, so it is made
once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

STAND_INS = {int: range(31_001, 31_100), str: [f"stand-in {number}" for number in range(100)]}  # fit into any field


@dataclass(frozen=True)
class _Made:
    """The SQL of a query on one kind of database; a name stands where a value of the day belongs."""

    compiler: SQLCompiler
    sql: str
    names: list[str | None]
    constants: tuple[Any, ...]
    converters: dict[int, Any]  # of a column, where the database keeps its values in another form

    def parameters(self, values: dict[str, int | str]) -> list[Any]:
        return [values[name] if name else constant for name, constant in zip(self.names, self.constants, strict=True)]


class Prepared:
    """`Prepared(lambda number: Case.objects.filter(number=number).values_list("pk"), number=int).rows(number=3)`

    The query is built with a stand-in for each value; its SQL is then kept and run with the values of the day.
    """

    def __init__(self, build: "Callable[..., QuerySet[Any, tuple[Any, ...]]]", **values: type[int] | type[str]) -> None:
        self._build = build
        self._stand_ins = {name: STAND_INS[kind][place] for place, (name, kind) in enumerate(values.items())}
        self._made: dict[str, _Made] = {}

    def rows(self, **values: int | str) -> list[tuple[Any, ...]]:
        made = self._made.get(connection.vendor) or self._make()
        with connection.cursor() as cursor:
            cursor.execute(made.sql, made.parameters(values))
            found: list[tuple[Any, ...]] = cursor.fetchall()
        if not made.converters:
            return found
        return [tuple(row) for row in made.compiler.apply_converters(found, made.converters)]

    def _make(self) -> _Made:
        """Per kind of database; two threads that come first at the same time make the same."""
        compiler = self._build(**self._stand_ins).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        named = {stand_in: name for name, stand_in in self._stand_ins.items()}
        names = [named.get(parameter) for parameter in parameters]
        if {*names} - {None} != {*self._stand_ins}:
            raise ValueError("a value is not used by the query")
        columns = [column for column, _sql, _alias in compiler.select[: compiler.col_count]]
        made = _Made(compiler, str(sql), names, tuple(parameters), compiler.get_converters(columns))
        self._made[connection.vendor] = made
        return made
