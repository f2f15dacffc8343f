"""The table of single cases: every column has a name, and the worst case is found."""

import pytest

from evaluation.models import Scorecard
from evaluation.views.case_table import case_columns, column_name, lines_shown, sorted_cases
from protocols import PUBLISHED

COLUMNS = [
    (protocol, column)
    for protocol, recipe in PUBLISHED.items()
    for track in recipe.scoring.tracks
    for column in track.case_values
]


@pytest.mark.parametrize(("protocol", "column"), COLUMNS)
def test_every_column_of_every_protocol_has_a_name(protocol: str, column: str) -> None:
    assert column_name(PUBLISHED[protocol], column) not in (column, column.replace("_", " "))


def worst_first(protocol: str, *lines: dict[str, object]) -> list[str]:
    card = Scorecard(cases=list(lines))
    columns = case_columns(PUBLISHED[protocol], card)
    return [str(line["case"]) for line in sorted_cases(lines_shown(card), columns, columns[0].key)]


def test_where_there_are_likelihoods_alone_the_worst_is_surest_of_the_wrong_label() -> None:
    sure = {"case": "sure", "risk": 0.9, "label": 1}
    doubt = {"case": "doubt", "risk": 0.6, "label": 0}
    wrong = {"case": "wrong", "risk": 0.2, "label": 1}
    assert worst_first("refuge", sure, doubt, wrong) == ["wrong", "doubt", "sure"]


def test_an_ungradable_eye_has_no_side_to_be_wrong_on_and_comes_last() -> None:
    rest = {"rg_binary": False, "ungradability_score": 0.0, "ungradability_binary": False}
    cases = [("U", 0.9), ("RG", 0.1), ("NRG", 0.4)]
    lines = [{"case": label, "class": label, "rg_likelihood": likelihood, **rest} for label, likelihood in cases]
    assert worst_first("airogs", *lines) == ["RG", "NRG", "U"]


def test_of_a_score_that_is_cut_at_nought_only_the_wrong_side_counts() -> None:
    found = lines_shown(
        Scorecard(cases=[{"case": "a", "score": -3.0, "label": 1}, {"case": "b", "score": -3.0, "label": 0}])
    )
    assert [line["off"] for line in found] == [3.0, 0.0]


def test_masks_alone_have_no_label_to_lie_off() -> None:
    assert "off" not in lines_shown(Scorecard(cases=[{"case": "a", "dice_cup": 0.5}]))[0]
