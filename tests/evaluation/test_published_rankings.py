"""The papers' rankings, reproduced by `manage.py rank` from the columns that they print."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import published_tables as printed

Ranked = Callable[..., dict[str, dict[str, Any]]]


@pytest.fixture
def ranked(run: Callable[..., Any], tmp_path: Path) -> Ranked:
    """Entries by team, in the order of the answer."""

    def call(protocol: str, table: str, edition: str = "paper") -> dict[str, dict[str, Any]]:
        (tmp_path / "table.csv").write_text(table)
        answer = run("rank", protocol, "--table", tmp_path / "table.csv", "--edition", edition)
        assert (answer["protocol"], answer["edition"]) == (protocol, edition)
        return {entry["team"]: entry for entry in answer["entries"]}

    return call


def without(table: str, *columns: str) -> str:
    rows = [line.split(",") for line in table.splitlines()]
    kept = [place for place, name in enumerate(rows[0]) if name not in columns]
    return "\n".join(",".join(row[place] for place in kept) for row in rows) + "\n"


@pytest.mark.parametrize("edition", ["paper", "published"])
def test_refuge_table_4_ranks_by_auc(ranked: Ranked, edition: str) -> None:
    entries = ranked("refuge", printed.REFUGE_4, edition)

    assert [entry["rank"] for entry in entries.values()] == list(range(1, 13))
    assert entries["VRT"] == {"team": "VRT", "score": 1, "rank": 1, "ranks": {"auc": 1, "classification": 1}}
    assert entries["AIML"]["score"] == 12


def test_refuge_table_6_comes_out_of_the_published_edition(ranked: Ranked) -> None:
    entries = ranked("refuge", printed.REFUGE_6, "published")

    found = {
        team: (entry["score"], *(entry["ranks"][key] for key in ("dice_cup", "dice_disc", "mae_vcdr")))
        for team, entry in entries.items()
    }
    assert found == printed.REFUGE_6_PRINTED
    assert [entry["rank"] for entry in entries.values()] == list(range(1, 13))


def test_refuge_equation_3_would_put_buct_second(ranked: Ranked) -> None:
    entries = ranked("refuge", printed.REFUGE_6, "paper")

    # Eq. 3 by hand from the ranks of Table 6: 0.35·1 + 0.25·2 + 0.4·2, 0.35·3 + 0.25·3 + 0.4·3, 0.35·7 + 0.25·1 + 0.4·1
    first = [(team, entry["score"]) for team, entry in entries.items()][:3]
    assert first == [("CUHKMED", 1.65), ("BUCT", 3), ("Masker", 3.1)]


def test_adam_tables_3_5_7_and_9_give_their_ranks(ranked: Ranked) -> None:
    entries = ranked("adam", printed.ADAM)

    boards = ("amd", "disc", "fovea", "lesion")
    assert {team: tuple(entry["ranks"][key] for key in boards) for team, entry in entries.items()} == (
        printed.ADAM_PRINTED
    )
    # 0.3·1 + 0.1·6 + 0.1·1 + 0.5·1; nobody is better
    assert (entries["VUNO EYE TEAM"]["rank"], entries["VUNO EYE TEAM"]["score"]) == (1, 1.5)
    # Two teams lack a task: they come last and without a score, in the order of the table.
    assert [(team, entry["score"], entry["rank"]) for team, entry in entries.items()][-2:] == [
        ("CHING WEI WANG (NTUST)", None, None),
        ("Voxelcloud Team", None, None),
    ]


def test_adam_table_5_shares_rank_8_where_nobody_knows_the_amd_ranks(ranked: Ranked) -> None:
    lesions = [
        name for name in printed.ADAM.partition("\n")[0].split(",") if name not in ("team", "dice_disc", "f1_disc")
    ]
    table = without(printed.ADAM, *lesions).replace("Voxelcloud Team,,\n", "")

    entries = ranked("adam", table)

    assert (entries["Zasti_AI"]["score"], entries["Muenai_Tim"]["score"]) == (8, 8)  # 0.4·5 + 0.6·10, 0.4·8 + 0.6·8
    assert (entries["Zasti_AI"]["rank"], entries["Muenai_Tim"]["rank"]) == (8, 8)
    assert entries["CHING WEI WANG (NTUST)"]["rank"] == 10


@pytest.mark.parametrize(
    ("table", "expected"), [(printed.AGE_3, printed.AGE_3_PRINTED), (printed.AGE_4, printed.AGE_4_PRINTED)]
)
def test_age_tables_3_and_4_come_out_of_the_published_edition(
    ranked: Ranked, table: str, expected: dict[str, tuple[float, ...]]
) -> None:
    entries = ranked("age", table, "published")

    found = {
        team: (entry["ranks"]["online"], entry["ranks"]["onsite"], entry["score"], entry["rank"])
        for team, entry in entries.items()
    }
    assert found == expected


def test_age_weights_of_the_paper_would_give_another_winner(ranked: Ranked) -> None:
    entries = ranked("age", printed.AGE_3, "paper")

    # 0.3·1 + 0.7·3 and 0.3·4 + 0.7·2
    assert [(team, entry["score"]) for team, entry in entries.items()][:2] == [("Dream Sun", 2.4), ("EFFUNET", 2.6)]


def test_glas_table_2_gives_its_rank_sums_once_the_printed_tie_is_parted(ranked: Ranked) -> None:
    table = printed.GLAS_2.replace("0.882,0.786", "0.882,0.7861")

    entries = ranked("glas", table)

    assert {team: (*entry["ranks"].values(), entry["score"]) for team, entry in entries.items()} == (
        printed.GLAS_2_PRINTED
    )
    assert [entry["rank"] for entry in entries.values()] == list(range(1, 11))


def test_glas_printed_values_share_the_rank_that_rounding_made_equal(ranked: Ranked) -> None:
    entries = ranked("glas", printed.GLAS_2)

    assert entries["ExB1"]["ranks"]["object_dice_b"] == entries["Freiburg2"]["ranks"]["object_dice_b"] == 2
    assert (entries["ExB1"]["score"], entries["Freiburg2"]["score"]) == (21, 23)


def test_glas_rank_sums_of_one_part_name_the_three_best_of_the_paper(ranked: Ranked) -> None:
    # Section 8.2: CUMedVision2, ExB2 and ExB3 for part A; CUMedVision1, ExB1 and Freiburg2 for part B
    part_a = ranked("glas", without(printed.GLAS_2, "f1_b", "object_dice_b", "object_hausdorff_b"))
    part_b = ranked("glas", without(printed.GLAS_2, "f1_a", "object_dice_a", "object_hausdorff_a"))

    assert list(part_a)[:3] == ["CUMedVision2", "ExB2", "ExB3"]
    assert list(part_b)[:3] == ["CUMedVision1", "ExB1", "Freiburg2"]
