"""Queries that every change of a draft asks: making their SQL takes ten times as long as running it, so it is made
once."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

STAND_INS = {int: range(31_001, 31_100), str: [f"stand-in {number}" for number in range(100)]}  # fit into any field


class Prepared:
    """`Prepared(lambda number: Case.objects.filter(number=number).values_list("pk"), number=int).rows(number=3)`

    The query is built with a stand-in for each value; its SQL is then kept and run with the values of the day.
    """

    def __init__(self, build: "Callable[..., QuerySet[Any, tuple[Any, ...]]]", **values: type[int] | type[str]) -> None:
        self._build = build
        self._stand_ins = {name: STAND_INS[kind][place] for place, (name, kind) in enumerate(values.items())}
        self._made: dict[str, tuple[SQLCompiler, str, list[str | None], tuple[Any, ...]]] = {}

    def rows(self, **values: int | str) -> list[tuple[Any, ...]]:
        compiler, sql, names, constants = self._compiled()
        given = [values[name] if name else constant for name, constant in zip(names, constants, strict=True)]
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
            return [tuple(row) for row in compiler.results_iter([cursor.fetchall()])]

    def _compiled(self) -> tuple[SQLCompiler, str, list[str | None], tuple[Any, ...]]:
        """Per kind of database; two threads that come first at the same time make the same."""
        if connection.vendor not in self._made:
            compiler = self._build(**self._stand_ins).query.get_compiler(connection=connection)
            sql, parameters = compiler.as_sql()
            named = {stand_in: name for name, stand_in in self._stand_ins.items()}
            names = [named.get(parameter) for parameter in parameters]
            if {*names} - {None} != {*self._stand_ins}:
                raise ValueError("a value is not used by the query")
            self._made[connection.vendor] = compiler, str(sql), names, tuple(parameters)
        return self._made[connection.vendor]
