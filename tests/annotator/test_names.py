"""Names that people give to studies, versions and themselves."""

import pytest

from annotator.errors import DomainError
from annotator.names import checked_name


def refusal(name: str) -> str:
    with pytest.raises(DomainError) as refused:
        checked_name(name, missing="Give a name.")
    assert refused.value.field == "name"
    return refused.value.code


def test_blanks_are_put_right() -> None:
    assert checked_name("  Disc \t and\ncup ", missing="") == "Disc and cup"


@pytest.mark.parametrize("name", ["", "  \n", "\u200d\u200c"])
def test_a_name_is_needed(name: str) -> None:
    assert refusal(name) == "name_missing"


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u202egpj.exe", "a\u2066b", "a\x07b", "\ufeffdisc", "half \ud800"])
def test_what_cannot_be_seen_or_turns_the_text_around_is_refused(name: str) -> None:
    assert refusal(name) == "bad_character"


@pytest.mark.parametrize("name", ["视盘", "می\u200cخواهم", "Größe ±1 µm (%)", "👩\u200d⚕️"])
def test_every_script_can_be_written(name: str) -> None:
    assert checked_name(name, missing="") == name


def test_a_name_has_an_end() -> None:
    assert len(checked_name("x" * 120, missing="")) == 120
    assert refusal("x" * 121) == "name_too_long"


def test_a_formula_is_refused() -> None:
    assert refusal(" =1+1") == "formula"
