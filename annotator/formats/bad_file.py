"""A fault together with the file it was found in."""

from annotator.formats.fault import Fault


class BadFile(ValueError):
    """`str()` names the file and, in a table, the line."""

    def __init__(self, name: str, fault: Fault) -> None:
        super().__init__(name, fault)
        self.name, self.fault = name, fault

    def __str__(self) -> str:
        line = getattr(self.fault, "line", None)
        place = self.name if line is None else f"{self.name}, line {line}"
        return f"{place}: {self.fault}"
