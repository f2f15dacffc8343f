"""A label goes round among those who differ on it: small talks, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.programme.discussion import Outcome, Talk, talk

LABELS = st.sampled_from(["RG", "NRG", "U"])


def two(*statements: str, rounds: int = 2) -> Talk:
    return talk(["RG", "NRG"], statements, rounds=rounds, quorum=1.0)


def three(*statements: str, quorum: float = 2 / 3, rounds: int = 2) -> Talk:
    return talk(["RG", "RG", "NRG"], statements, rounds=rounds, quorum=quorum)


def test_nothing_is_settled_before_anybody_has_spoken() -> None:
    assert two() == Talk(("RG", "NRG"), None, "", turn=0, round=1)
    assert three().outcome is None  # although two of three said the same before


def test_the_first_who_comes_round_ends_it() -> None:
    assert two("NRG") == Talk(("NRG", "NRG"), Outcome.AGREED, "NRG", turn=1, round=1)


def test_who_keeps_the_own_label_passes_the_turn_on() -> None:
    assert two("RG") == Talk(("RG", "NRG"), None, "", turn=1, round=1)
    assert two("RG", "NRG") == Talk(("RG", "NRG"), None, "", turn=0, round=2)


def test_after_the_last_round_it_is_passed_on() -> None:
    assert two("RG", "NRG", "RG").outcome is None
    assert two("RG", "NRG", "RG", "NRG").outcome is Outcome.PASSED_ON
    assert two("RG", "NRG", rounds=1).outcome is Outcome.PASSED_ON


def test_both_may_come_round_and_still_differ() -> None:
    assert two("NRG").outcome is Outcome.AGREED  # so the second is never asked
    assert two("U", "RG").said == ("U", "RG")
    assert two("U", "RG").outcome is None


def test_a_quorum_counts_once_everybody_was_heard() -> None:
    assert three("RG", "RG").outcome is None
    assert (three("RG", "RG", "NRG").outcome, three("RG", "RG", "NRG").label) == (Outcome.QUORUM, "RG")
    assert three("RG", "NRG", "NRG").label == "NRG"


def test_all_are_needed_where_the_quorum_is_all() -> None:
    assert three("RG", "RG", "NRG", quorum=1.0).outcome is None
    assert three("RG", "RG", "RG", quorum=1.0).outcome is Outcome.AGREED


def test_half_is_no_quorum() -> None:
    four = talk(["RG", "RG", "NRG", "NRG"], ["RG", "RG", "NRG", "NRG"], rounds=1, quorum=0.5)
    assert (four.outcome, four.label) == (Outcome.PASSED_ON, "")


def test_somebody_alone_has_nobody_to_talk_to() -> None:
    with pytest.raises(ValueError, match="nobody to discuss with"):
        talk(["RG"], [], rounds=1, quorum=1.0)


@given(
    st.lists(LABELS, min_size=2, max_size=5).filter(lambda first: len(set(first)) > 1),
    st.lists(LABELS, max_size=30),
    st.integers(1, 4),
    st.floats(0.5, 1.0),
)
def test_every_talk_ends_in_time_and_with_the_label_that_most_then_give(
    first: list[str], statements: list[str], rounds: int, quorum: float
) -> None:
    spoken: list[str] = []
    state = talk(first, spoken, rounds=rounds, quorum=quorum)
    for label in statements:
        if state.outcome is not None:
            break
        spoken.append(label)
        state = talk(first, spoken, rounds=rounds, quorum=quorum)
    assert len(spoken) <= rounds * len(first)
    if state.label:
        share = state.said.count(state.label) / len(first)
        assert share > 0.5
        assert share >= quorum - 1e-9
    if len(spoken) == rounds * len(first):
        assert state.outcome is not None
