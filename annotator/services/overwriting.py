"""A row is overwritten on every change of a draft: making the SQL takes ten times as long as running it, so it is made
once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django.db import DatabaseError, connection
from django.db.models import Field, Model

if TYPE_CHECKING:
    _Made = tuple[str, list[Field[Any, Any]]]


class Overwriting:
    """`Overwriting(Case, ["number"]).of(case)` writes what `case.save(update_fields=["number"])` does, for columns of
    the row's own table; no signal is sent."""

    def __init__(self, model: type[Model], names: Sequence[str]) -> None:
        self._model, self._names = model, names
        self._made: dict[str, _Made] = {}

    def of(self, row: Model) -> None:
        quoted = connection.ops.quote_name
        if not self.where(row, f"{quoted(str(self._model._meta.pk.column))} = %s", [row.pk]):
            raise DatabaseError("the row is not there any more")

    def where(self, row: Model, condition: str, parameters: Sequence[Any]) -> bool:
        """Only the row that fits the condition; whether there was one."""
        sql, fields = self._made.get(connection.vendor) or self._make()
        values = [field.get_db_prep_save(field.pre_save(row, False), connection) for field in fields]
        with connection.cursor() as cursor:
            cursor.execute(sql + condition, [*values, *parameters])
            return int(cursor.rowcount) == 1

    def _make(self) -> "_Made":
        """Per kind of database; two threads that come first at the same time make the same."""
        meta, quoted = self._model._meta, connection.ops.quote_name
        fields = [cast("Field[Any, Any]", meta.get_field(name)) for name in self._names]
        columns = ", ".join(f"{quoted(str(field.column))} = %s" for field in fields)
        self._made[connection.vendor] = f"UPDATE {quoted(meta.db_table)} SET {columns} WHERE ", fields  # noqa: S608
        return self._made[connection.vendor]
