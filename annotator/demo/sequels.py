"""What other apps add to the demo once its readings are there."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.models import Study

_sequels: list[str] = []


def register_sequel(sequel: str) -> None:
    """A function by its dotted name, so that nothing of it is loaded before a demo is made.

    It is called for every demo study, each time the demo is made: what is already there must be left alone.
    """
    if sequel not in _sequels:
        _sequels.append(sequel)


def play_sequels(study: "Study") -> None:
    for sequel in _sequels:
        module, _, name = sequel.rpartition(".")
        getattr(import_module(module), name)(study)
