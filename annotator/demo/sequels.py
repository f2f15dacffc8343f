"""What other apps add to the demo: before its cases are assigned, between two sittings of its graders, and once its
readings are there."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotator.models import Study

_preludes: list[str] = []
_interludes: list[str] = []
_sequels: list[str] = []


def register_prelude(prelude: str) -> None:
    """Called with study and seed before cases are assigned, again where an interrupted demo is completed."""
    _register(prelude, _preludes)


def register_interlude(interlude: str) -> None:
    """Called after every sitting of a study whose graders read in several."""
    _register(interlude, _interludes)


def register_sequel(sequel: str) -> None:
    """It is called for every demo study, each time the demo is made: what is already there must be left alone."""
    _register(sequel, _sequels)


def _register(function: str, into: list[str]) -> None:
    """By its dotted name, so that nothing of it is loaded before a demo is made."""
    if function not in into:
        into.append(function)


def play_preludes(study: "Study", seed: int) -> None:
    _play(_preludes, study, seed)


def play_interludes(study: "Study") -> None:
    _play(_interludes, study)


def play_sequels(study: "Study") -> None:
    _play(_sequels, study)


def _play(functions: list[str], *arguments: Any) -> None:
    for function in functions:
        module, _, name = function.rpartition(".")
        getattr(import_module(module), name)(*arguments)
