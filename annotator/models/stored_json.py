"""JSON that may have been damaged where it is stored."""

from typing import Any

from django.db import models


class StoredJSON(models.JSONField):
    """What is no JSON any more is the text that is there. Whoever reads an answer looks at its form, and can then say
    which one is damaged; an exception while rows are loaded would hide all the others too."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        try:
            return super().from_db_value(value, expression, connection)
        except ValueError:
            return str(value)

    def deconstruct(self) -> Any:
        """The same column as any other JSON: migrations need not know."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options
