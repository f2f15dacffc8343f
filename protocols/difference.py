"""How a changed recipe differs from the published one. Records with a key are matched by it, not by position."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from protocols.errors import joined
from protocols.labels import PATH_LABELS, field_label, value_label
from protocols.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs. ``labels`` lead to it in words: ("Optic cup", "Consensus rule").

    ``field`` names records by key (``targets[cup].consensus.rule``), so it stays true when the order changes. None on
    one side of a keyed record means that the record is not there.
    """

    field: str
    labels: tuple[str, ...]
    published: object
    changed: object

    @property
    def label(self) -> str:
        return " › ".join(self.labels)

    def __str__(self) -> str:
        return f"{self.label}: {value_label(self.published)} → {value_label(self.changed)}"


def differences(published: Recipe, changed: Recipe) -> list[Difference]:
    """Every field in which ``changed`` differs from ``published``, in the order of the recipe."""
    return list(_compare("", (), published, changed))


def _compare(path: str, labels: tuple[str, ...], before: object, after: object) -> Iterator[Difference]:
    if before == after:
        return
    if is_dataclass(before) and type(before) is type(after):
        for field in fields(before):
            inner = joined(path, field.name)
            yield from _compare(inner, _labels(inner, labels), getattr(before, field.name), getattr(after, field.name))
    elif _keyed(before) and _keyed(after):
        yield from _compare_keyed(path, labels, _by_key(before), _by_key(after))
    else:
        yield Difference(path, labels, before, after)


def _compare_keyed(
    path: str, labels: tuple[str, ...], before: dict[str, object], after: dict[str, object]
) -> Iterator[Difference]:
    for key in dict.fromkeys([*before, *after]):
        entry = before.get(key, after.get(key))
        named = (*labels[:-1], str(getattr(entry, "name", key)))
        yield from _compare(f"{path}[{key}]", named, before.get(key), after.get(key))
    shared_before = [key for key in before if key in after]
    shared_after = [key for key in after if key in before]
    if shared_before != shared_after:
        yield Difference(path, (*labels, "order"), tuple(shared_before), tuple(shared_after))


def _labels(path: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """A field with a label of its own needs no section before it; inside a keyed record the record's name stays."""
    label = field_label(path)
    bare = "".join(part.partition("]")[2] if "]" in part else part for part in path.split("["))
    if bare not in PATH_LABELS:
        return (*labels, label)
    return (*labels[: path.count("[")], label)


def _keyed(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(hasattr(entry, "key") for entry in value)


def _by_key(value: object) -> dict[str, object]:
    assert isinstance(value, tuple)
    return {str(entry.key): entry for entry in value}
