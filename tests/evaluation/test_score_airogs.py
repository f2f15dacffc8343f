"""`manage.py score airogs`."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.challenge_files import Challenge

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())["airogs"]
HEADER = "challenge_id,rg_likelihood,rg_binary,ungradability_score,ungradability_binary\n"
GOOD = HEADER + "A1,0.9,1,-2,0\na1,0.1,0,-3.5,false\nB,0.5,0,7,TRUE\n"
LISTS = {
    "multiple-referable-glaucoma-likelihoods.json": [0.9, 0.1, 0.5],
    "multiple-referable-glaucoma-binary.json": [True, False, False],
    "multiple-ungradability-scores.json": [-2, -3.5, 7],
    "multiple-ungradability-binary.json": [False, False, True],
}
Run = Callable[..., Any]


@pytest.fixture
def airogs(challenge: Challenge) -> Challenge:
    """Ids that differ in capitals alone are different cases."""
    challenge.write("reference.csv", "challenge_id,class\nA1,RG\na1,NRG\nB,U\n", "reference")
    return challenge.write("submission.csv", GOOD, "submission")


def with_lists(airogs: Challenge, **changed: Sequence[Any]) -> Challenge:
    airogs.remove("submission.csv")
    for name, entries in LISTS.items():
        airogs.write(name, json.dumps(changed.get(name.split("-")[1], entries)), "submission")
    return airogs


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("edition", ["paper", "published"])
def test_the_organisers_own_values(name: str, edition: str, run: Run, challenge: Challenge) -> None:
    given = GOLDEN[name]
    classes = "".join(f"{place},{label}\n" for place, label in enumerate(given["cls"]))
    columns = zip(given["rg_likelihood"], given["u_score"], given["u_bin"], strict=True)
    rows = [f"{place},{rg},0,{score},{flag}\n" for place, (rg, score, flag) in enumerate(columns)]
    challenge.write("reference.csv", "challenge_id,class\n" + classes, "reference")
    challenge.write("submission.csv", HEADER + "".join(reversed(rows)), "submission")

    metrics = run("score", "airogs", *challenge.sides, "--edition", edition)["metrics"]

    assert metrics["pauc_90_100"] == pytest.approx(given["out"]["pauc90"], abs=1e-12)
    assert metrics["sensitivity_at_95_specificity"] == pytest.approx(given["out"]["sens95"], abs=1e-12)
    assert metrics["kappa_ungradable"] == pytest.approx(given["out"]["kappa"], abs=1e-12)
    assert metrics["auc_ungradable"] == pytest.approx(given["out"]["auc_u"], abs=1e-12)


def test_a_case_is_the_row_and_ids_match_exactly(run: Run, airogs: Challenge) -> None:
    answer = run("score", "airogs", *airogs.sides)

    assert answer["n_cases"] == 3
    assert answer["cases"][2] == {
        "case": "B",
        "class": "U",
        "rg_likelihood": 0.5,
        "rg_binary": False,
        "ungradability_score": 7.0,
        "ungradability_binary": True,
    }
    assert set(answer["metrics"].values()) == {1.0}


def test_the_lists_of_the_challenge_stand_in_the_order_of_the_reference(run: Run, airogs: Challenge) -> None:
    from_table = run("score", "airogs", *airogs.sides)

    assert run("score", "airogs", *with_lists(airogs).sides) == from_table


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"referable": [0.9, 0.1]}, "The list has 2 entries, the reference 3 cases."),
        ({"referable": [0.9, 0.1, 1.2]}, "Entry 3 of the list, “1.2”, is not a finite number between 0.0 and 1.0."),
        ({"ungradability": [1, float("nan"), 2]}, "Entry 2 of the list, “nan”, is not a finite number."),
        ({"ungradability": {"a": 1}}, "The file holds no list."),
    ],
)
def test_a_bad_list_is_named(changed: dict[str, Any], said: str, refusal: Run, airogs: Challenge) -> None:
    line = refusal("score", "airogs", *with_lists(airogs, **changed).sides)

    assert said in line
    assert f"multiple-{next(iter(changed))}" in line


def test_three_lists_are_not_enough(refusal: Run, airogs: Challenge) -> None:
    with_lists(airogs).remove("multiple-ungradability-binary.json")

    assert "There is no “multiple-ungradability-binary.json”" in refusal("score", "airogs", *airogs.sides)


def test_a_table_and_lists_are_one_too_many(refusal: Run, airogs: Challenge) -> None:
    airogs.write("multiple-ungradability-scores.json", "[1, 2, 3]", "submission")

    assert "only one can be" in refusal("score", "airogs", *airogs.sides)


@pytest.mark.parametrize(
    ("classes", "null"),
    [
        (("NRG", "NRG", "U"), {"pauc_90_100", "sensitivity_at_95_specificity", "sensitivity"}),
        (("RG", "RG", "U"), {"pauc_90_100", "sensitivity_at_95_specificity", "specificity"}),
        (("RG", "NRG", "NRG"), {"auc_ungradable"}),
        (
            ("U", "U", "U"),
            {"pauc_90_100", "sensitivity_at_95_specificity", "sensitivity", "specificity", "auc_ungradable"},
        ),
    ],
)
def test_what_a_reference_cannot_tell_is_null_with_a_note(
    classes: tuple[str, str, str], null: set[str], run: Run, airogs: Challenge
) -> None:
    rows = "".join(f"{name},{label}\n" for name, label in zip(("A1", "a1", "B"), classes, strict=True))
    airogs.write("reference.csv", "challenge_id,class\n" + rows, "reference")

    answer = run("score", "airogs", *airogs.sides)

    assert {key for key, value in answer["metrics"].items() if value is None} == null
    assert all(any(note.startswith(f"{key} is null") for note in answer["notes"]) for key in null)


def test_kappa_is_zero_where_nothing_is_ungradable_but_something_is_called_so(run: Run, airogs: Challenge) -> None:
    airogs.write("reference.csv", "challenge_id,class\nA1,RG\na1,NRG\nB,NRG\n", "reference")

    assert run("score", "airogs", *airogs.sides)["metrics"]["kappa_ungradable"] == 0


@pytest.mark.parametrize(
    ("reference", "submission", "said"),
    [
        ("challenge_id,class\nA1,RG\na1,NRG\nB,rg\n", GOOD, "reference.csv, line 4: “rg” is not allowed"),
        ("challenge_id,class\nA1,RG\na1,NRG\nC,U\n", GOOD, "submission.csv, line 4: “B” is not among the cases"),
        ("challenge_id,class\nA1,RG\na1,NRG\nB,U\nC,U\n", GOOD, "submission.csv: “C” is missing"),
        ("challenge_id,class,subject\nA1,RG,x\na1,NRG,\nB,U,y\n", GOOD, "reference.csv, line 3: The cell in column"),
        (
            None,
            GOOD.replace("0.9,1", "1.2,1"),
            "submission.csv, line 2: “1.2” in column “rg_likelihood” is not between",
        ),
        (
            None,
            GOOD.replace("0.9,1", "nan,1"),
            "submission.csv, line 2: “nan” in column “rg_likelihood” is not a finite",
        ),
        (None, GOOD.replace("0.9,1", "0.9,yes"), "submission.csv, line 2: “yes” is not allowed in column “rg_binary”"),
        (None, GOOD.replace(",-2,", ",inf,"), "submission.csv, line 2: “inf”"),
        (None, GOOD.replace("ungradability_binary", "u"), "submission.csv, line 1: The column “ungradability_binary”"),
        (None, GOOD + "B,0.5,0,7,1\n", "submission.csv, line 5: “B” was named in line 4 already."),
    ],
)
def test_a_bad_table_is_named_with_its_line(
    reference: str | None, submission: str, said: str, refusal: Run, airogs: Challenge
) -> None:
    if reference:
        airogs.write("reference.csv", reference, "reference")
    airogs.write("submission.csv", submission, "submission")

    assert said in refusal("score", "airogs", *airogs.sides)


def test_without_the_reference_s_table_nothing_is_scored(refusal: Run, airogs: Challenge) -> None:
    airogs.remove("reference.csv", "reference")
    airogs.write("classes.csv", "challenge_id,class\n", "reference")

    assert "There is no “reference.csv”" in refusal("score", "airogs", *airogs.sides)


def test_photographs_of_a_subject_are_drawn_together(run: Run, challenge: Challenge) -> None:
    """Two subjects of two photographs each, one read right and one wrong: sensitivity is 0, ½ or 1 in any resample."""
    rows = "A,RG,ada\nB,RG,ada\nC,RG,ben\nD,RG,ben\n"
    challenge.write("reference.csv", "challenge_id,class,subject\n" + rows, "reference")
    called = "".join(f"{name},0.5,{yes},0,0\n" for name, yes in zip("ABCD", "1100", strict=True))
    challenge.write("submission.csv", HEADER + called, "submission")

    answer = run("score", "airogs", *challenge.sides, "--bootstrap", 100)

    assert answer["metrics"]["sensitivity"] == 0.5
    assert answer["ci"]["sensitivity"] == [0, 1]
