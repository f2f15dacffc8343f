"""`manage.py rank`: what it answers to good tables and to bad ones."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFUGE = "team,auc,dice_disc,dice_cup,mae_vcdr\n"
AIROGS = "team,pauc_90_100,sensitivity_at_95_specificity,kappa_ungradable,auc_ungradable\n"
Run = Callable[..., Any]
Written = Callable[[str | bytes], Path]


@pytest.fixture
def table(tmp_path: Path) -> Written:
    def write(text: str | bytes) -> Path:
        path = tmp_path / "teams.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def places(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(entry["team"], entry["score"], entry["rank"]) for entry in answer["entries"]]


def test_refuge_by_hand(run: Run, table: Written) -> None:
    text = REFUGE + "ada,0.9,0.95,0.85,0.05\nben,0.95,0.94,0.86,0.04\ncleo,0.9,0.93,0.84,0.06\n"

    answer = run("rank", "refuge", "--table", table(text))

    # ada S_segm 0.35·1 + 0.25·2 + 0.4·2 = 1.65, ben 0.35·2 + 0.25·1 + 0.4·1 = 1.35, cleo 3
    keys = ("auc", "dice_disc", "dice_cup", "mae_vcdr", "classification", "segmentation")
    assert answer == {
        "protocol": "refuge",
        "edition": "paper",
        "entries": [
            {"team": "ben", "score": 1.0, "rank": 1, "ranks": dict(zip(keys, (1, 2, 1, 1, 1, 1), strict=True))},
            {"team": "ada", "score": 2.0, "rank": 2, "ranks": dict(zip(keys, (2, 1, 2, 2, 2, 2), strict=True))},
            {"team": "cleo", "score": 2.6, "rank": 3, "ranks": dict(zip(keys, (2, 3, 3, 3, 2, 3), strict=True))},
        ],
    }


def test_airogs_takes_the_mean_of_four_ranks_and_teams_share(run: Run, table: Written) -> None:
    # zoe 2, 2, 1, 2; yan 1, 1, 3, 2; xia 3, 3, 2, 1
    text = AIROGS + "zoe,0.8,0.8,0.9,0.5\nyan,0.9,0.9,0.7,0.5\nxia,0.7,0.7,0.8,0.6\n"

    assert places(run("rank", "airogs", "--table", table(text))) == [
        ("zoe", 1.75, 1),
        ("yan", 1.75, 1),
        ("xia", 2.25, 3),
    ]


def test_two_phases_are_ranked_alone_and_their_positions_averaged(run: Run, table: Written) -> None:
    text = (
        "phase,team,auc\noffline,ada,0.9\nOffline,ben,0.8\noffline,cleo,0.7\n"
        "onsite,cleo,0.9\nonsite,Ben,0.8\nonsite,ada,0.7\n"
    )

    answer = run("rank", "refuge", "--table", table(text))

    # 0.3·3 + 0.7·1, 0.3·2 + 0.7·2, 0.3·1 + 0.7·3
    assert places(answer) == [("cleo", 1.6, 1), ("ben", 2.0, 2), ("ada", 2.4, 3)]
    assert answer["entries"][0]["ranks"] == {"offline": 3, "onsite": 1}


def test_a_team_without_a_phase_has_no_score_and_comes_last(run: Run, table: Written) -> None:
    text = "team,phase,auc\nada,offline,0.9\nben,offline,0.8\nben,onsite,0.8\n"

    answer = run("rank", "refuge", "--table", table(text))

    assert places(answer) == [("ben", 1.3, 1), ("ada", None, None)]
    assert answer["entries"][1]["ranks"] == {"offline": 1, "onsite": None}


def test_an_empty_cell_takes_a_team_out_of_its_track(run: Run, table: Written) -> None:
    text = REFUGE + "ada,0.9,0.95,,0.05\nben,0.8,0.94,0.86,0.04\n"

    answer = run("rank", "refuge", "--table", table(text))

    assert places(answer) == [("ben", 1.4, 1), ("ada", None, None)]  # 0.4·2 + 0.6·1
    missing = dict.fromkeys(("dice_disc", "dice_cup", "mae_vcdr", "segmentation"))
    assert answer["entries"][1]["ranks"] == {"auc": 1, "classification": 1} | missing


def test_adam_sets_equal_scores_apart_by_the_amd_rank(run: Run, table: Written) -> None:
    text = "team,auc,dice_disc,f1_disc\nada,0.8,0.9,0.9\nben,0.9,0.9,0.9\n"

    answer = run("rank", "adam", "--table", table(text))

    assert [(entry["team"], entry["ranks"]["disc"]) for entry in answer["entries"]] == [("ben", 1), ("ada", 2)]


def test_glas_merged_columns_are_summed(run: Run, table: Written) -> None:
    text = "team,f1,ari,object_hausdorff\nada,0.9,0.5,40\nben,0.8,0.6,50\n"

    assert places(run("rank", "glas", "--table", table(text))) == [("ada", 4, 1), ("ben", 5, 2)]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfteam,auc\r\nada,0.8\r\nben,0.9\r\n",
        b" AUC , Team \n0.8,ada\n\n0.9,ben",
        b'"team","auc"\n"ada"," 0.8 "\nben,9e-1\n',
    ],
    ids=["byte order mark and CRLF", "any order and case, a blank line", "quotes"],
)
def test_tables_of_every_program_are_read(run: Run, table: Written, data: bytes) -> None:
    assert places(run("rank", "refuge", "--table", table(data))) == [("ben", 1, 1), ("ada", 2, 2)]


@pytest.mark.parametrize(
    ("protocol", "text", "said"),
    [
        ("refuge", REFUGE + "ada,0.9,0.9,0.9,nan\n", "line 2: “nan” in column “mae_vcdr” is not a finite number."),
        ("refuge", "team,auc\nada,inf\n", "line 2: “inf” in column “auc”"),
        ("refuge", "team,auc\nada,0.9\nben,0,9\n", "line 3: The line has 3 cells, the header 2."),
        ("refuge", "team,auc\nada,0.9\n\nADA,0.8\n", "line 4: “ADA” was named in line 2 already."),
        ("refuge", "team,auc,note\nada,0.9,x\n", "line 1: The column “note” is not known."),
        ("refuge", "team,auc,AUC\nada,0.9,0.9\n", "line 1: The column “auc” stands twice."),
        (
            "refuge",
            "team;auc\nada;0.9\n",
            "line 1: The cells are separated by semicolons",
        ),
        ("refuge", "auc\n0.9\n", "line 1: The column “team” is missing."),
        ("refuge", "team\nada\n", "line 1: no column of a metric is there"),
        ("refuge", "team,auc\n,0.9\n", "line 2: The cell in column “team” is empty."),
        ("refuge", "team,auc\n", "The table has no line below its header."),
        ("refuge", "", "line 1: The first line must name the columns."),
        ("refuge", "team,auc,dice_disc\nada,0.9,0.9\n", "line 1: the column “dice_cup” is missing"),
        ("refuge", "team,phase,auc\nada,online,0.9\n", "line 2: “online” is not allowed in column “phase”"),
        ("refuge", "team,phase,auc\nada,,0.9\n", "line 2: The cell in column “phase” is empty."),
        ("refuge", "team,phase,auc\nada,onsite,0.9\n", "the phase “offline” has no line"),
        ("airogs", "team,phase,kappa_ungradable\n", "line 1: The column “phase” is not known."),
        ("airogs", "team,kappa_ungradable\nada,0.9\n", "line 1: the column “pauc_90_100” is missing"),
        ("glas", "team,f1,f1_a\nada,1,1\n", "line 1: the columns f1, f1_a are not ranked together"),
        ("age", "team,mean_distance_spur\nada,1\n", "line 1: the column “delta_aod” is missing"),
        ("adam", "team,dice_scar\nada,1\n", "line 1: the column “f1_scar” is missing"),
    ],
)
def test_a_bad_table_is_refused_by_file_and_line(
    refusal: Run, table: Written, protocol: str, text: str, said: str
) -> None:
    line = refusal("rank", protocol, "--table", table(text))

    assert "teams.csv" in line
    assert said in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("octa",), "octa"),
        ((), "protocol"),
        (("refuge", "--edition", "draft"), "draft"),
        (("refuge", "--seed", "1"), "--seed"),
        (("refuge", "--ed", "paper"), "--ed"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(
    refusal: Run, table: Written, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refusal("rank", *arguments, "--table", table("team,auc\nada,1\n"))


def test_a_table_that_is_not_there_is_named(refusal: Run, tmp_path: Path) -> None:
    assert "nowhere.csv" in refusal("rank", "refuge", "--table", tmp_path / "nowhere.csv")
    assert str(tmp_path) in refusal("rank", "refuge", "--table", tmp_path)
    assert "--table" in refusal("rank", "refuge")


def test_people_get_a_table_and_no_installation_is_needed(table: Written, tmp_path: Path) -> None:
    path, place = table("team,auc\nada,0.8\nben,0.9\ncleo,\n"), tmp_path / "installation"
    environment = os.environ | {"QUORUM_DATA_ROOT": str(place), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", "rank", "refuge", "--table", str(path)]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["rank", "team", "score", "auc", "classification"],
        ["1", "ben", "1", "1", "1"],
        ["2", "ada", "2", "2", "2"],
        ["–", "cleo", "–", "–", "–"],
    ]
    assert not place.exists() or list(place.iterdir()) == []
