"""Files damaged anywhere: one value of a document replaced by any other."""

from typing import Any

from hypothesis import strategies as st

ANYTHING: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=6,
)


def changed(document: Any, data: st.DataObject, values: Any = ANYTHING) -> Any:
    """The same document with another value in some place of it."""
    place = document
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
            place = inner
            continue
        place[key] = data.draw(values)
        return document
