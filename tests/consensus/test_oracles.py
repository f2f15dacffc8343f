"""Statistics beside what statsmodels, scikit-learn, krippendorff and pingouin gave for the same tables."""

import json
from typing import Any

import pytest

from tests.consensus.our_answers import ours
from tests.fixtures.agreement_oracles import FREE, GPL, HERE, tables

KEPT = json.loads(HERE.read_text())
JUDGED = [(name, table) for table in KEPT["tables"] for name in table["by"]]


@pytest.mark.parametrize(("oracle", "table"), JUDGED, ids=[f"{name} {n}" for n, (name, _table) in enumerate(JUDGED)])
def test_what_an_outside_program_says_we_say_too(oracle: str, table: dict[str, Any]) -> None:
    mine = ours(table)

    assert {key: mine[key] for key in table["by"][oracle]} == pytest.approx(table["by"][oracle], abs=1e-9)


def test_the_kept_tables_are_those_that_were_asked_about() -> None:
    assert [{key: value for key, value in table.items() if key != "by"} for table in KEPT["tables"]] == tables()
    assert set(KEPT["versions"]) == {*FREE, *GPL}
    assert {name for name, _table in JUDGED} == {*FREE, *GPL}
