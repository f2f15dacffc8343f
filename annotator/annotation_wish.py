"""What is wished of a file of annotations."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class ImportWish:
    """As references, or as readings: of one grader, by code or name, or of those whom folders and files name. `target`:
    the only one to take. `called`: what the files call targets, by their keys."""

    format: str
    as_reference: bool = False
    grader: str = ""
    by_folder: bool = False
    target: str = ""
    called: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)
