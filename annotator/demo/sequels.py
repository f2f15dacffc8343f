"""What other apps add to the demo once its readings are there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import Study

    Sequel = Callable[[Study], None]

_sequels: "list[Sequel]" = []


def register_sequel(sequel: "Sequel") -> None:
    """Called for every demo study, each time the demo is made: what is already there must be left alone."""
    if sequel not in _sequels:
        _sequels.append(sequel)


def play_sequels(study: "Study") -> None:
    for sequel in _sequels:
        sequel(study)
