"""`manage.py compare`: several submissions ranked, with what can be relied on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.scoring.delong import areas_under_curves, compare_areas
from tests.evaluation.challenge_files import encoded

CASES = 60
LABELS = (np.arange(CASES) % 3 == 0).astype(int)
Run = Callable[..., Any]


def write(folder: Path, risks: Any, fovea: Any = None) -> Path:
    """A folder in REFUGE's layout: glaucoma risks and, where given, distances of the fovea from its place."""
    folder.mkdir()
    lines = [f"case{number}.jpg,{risk}" for number, risk in enumerate(risks)]
    (folder / "classification.csv").write_text("\n".join(["FileName,Glaucoma Risk", *lines]) + "\n")
    if fovea is not None:
        lines = [f"case{number}.jpg,{500 + away},400" for number, away in enumerate(fovea)]
        (folder / "fovea_location.csv").write_text("\n".join(["ImageName,Fovea_X,Fovea_Y", *lines]) + "\n")
    return folder


RNG = np.random.default_rng(1)
RISKS = {"good": LABELS + RNG.normal(0, 0.2, CASES), "fair": LABELS + RNG.normal(0, 0.9, CASES)}
AWAY = {"good": np.abs(RNG.normal(5, 2, CASES)), "fair": np.abs(RNG.normal(9, 2, CASES))}


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    return write(tmp_path / "reference", LABELS, np.zeros(CASES))


@pytest.fixture
def submissions(tmp_path: Path) -> list[Path]:
    return [write(tmp_path / team, RISKS[team], AWAY[team]) for team in ("fair", "good")]


def test_the_better_submission_is_first_and_stays_there(run: Run, reference: Path, submissions: list[Path]) -> None:
    options = ("--bootstrap", 300, "--seed", 4)

    answer = run("compare", "refuge", "--reference", reference, "--submissions", *submissions, *options)

    assert (answer["protocol"], answer["edition"], answer["n_cases"]) == ("refuge", "paper", CASES)
    first, second = answer["entries"]
    assert (first["team"], first["rank"], first["rank_interval"], first["score"]) == ("good", 1, [1, 1], 1)
    assert (second["team"], second["rank"], second["rank_interval"]) == ("fair", 2, [2, 2])
    assert (first["share_first"], answer["kendall_tau"]) == (1, [1, 1, 1])
    assert first["ranks"] == {"auc": 1}
    assert first["metrics"]["mean_distance_fovea"] == pytest.approx(AWAY["good"].mean())
    low, high = first["ci"]["mean_distance_fovea"]
    assert low < AWAY["good"].mean() < high
    assert answer["bands"] == [["good"], ["fair"]]


def test_areas_are_compared_by_delong_and_distances_case_by_case(
    run: Run, reference: Path, submissions: list[Path]
) -> None:
    metrics = run("compare", "refuge", "--reference", reference, "--submissions", *submissions, "--bootstrap", 20)[
        "metrics"
    ]

    areas = areas_under_curves(LABELS == 1, np.array([RISKS["good"], RISKS["fair"]]))
    assert metrics["auc"]["test"] == "delong"
    # Holm: the smaller of the two one-sided p values is doubled.
    assert metrics["auc"]["p"]["good|fair"] == pytest.approx(2 * stats.norm.sf(compare_areas(areas, 0, 1).z))
    fovea = metrics["mean_distance_fovea"]
    nearer = stats.wilcoxon(AWAY["fair"] - AWAY["good"], alternative="greater", method="asymptotic").pvalue
    assert (fovea["test"], fovea["p"]["good|fair"]) == ("wilcoxon-signed-rank", pytest.approx(2 * nearer))
    assert list(fovea["ranks"]) == ["aggregate_then_rank", "rank_then_aggregate", "test_then_rank"]
    assert all(ranks == {"fair": 2, "good": 1} for ranks in fovea["ranks"].values())
    assert metrics["sensitivity_at_85_specificity"]["test"] == "bootstrap"


def test_the_difference_of_two_submissions_has_an_interval_of_its_own(
    run: Run, reference: Path, submissions: list[Path]
) -> None:
    answer = run("compare", "refuge", "--reference", reference, "--submissions", *submissions, "--bootstrap", 2000)

    apart = AWAY["fair"] - AWAY["good"]
    difference, low, high = answer["metrics"]["mean_distance_fovea"]["difference"]["fair|good"]
    assert difference == pytest.approx(apart.mean())
    # The bootstrap of a mean is nearly normal.
    half = 1.96 * apart.std() / np.sqrt(CASES)
    assert (low, high) == pytest.approx((apart.mean() - half, apart.mean() + half), abs=0.08)


def test_the_best_submissions_are_joined_where_the_protocol_joins_them(
    run: Run, reference: Path, submissions: list[Path]
) -> None:
    answer = run("compare", "refuge", "--reference", reference, "--submissions", *submissions, "--bootstrap", 40)

    stretched = [(own - own.min()) / (own.max() - own.min()) for own in RISKS.values()]
    areas = areas_under_curves(LABELS == 1, np.array([RISKS["good"], sum(stretched)]))
    found = answer["metrics"]["auc"]["ensembles"]
    assert (found["rule"], found["teams"]) == ("mean-normalised-likelihood", ["good", "fair"])
    assert found["values"] == pytest.approx(areas.values.tolist())
    assert "ensembles" not in answer["metrics"]["mean_distance_fovea"]  # REFUGE joins no points


def discs(folder: Path, drawn: Any) -> Path:
    """Pictures in REFUGE's layout, of 0 (nothing), 1 (disc) and 2 (cup)."""
    (folder / "segmentation").mkdir(parents=True)
    for number, areas in enumerate(drawn):
        values = np.array([255, 128, 0], np.uint8)[areas]
        (folder / "segmentation" / f"case{number}.png").write_bytes(encoded(values))
    return folder


@pytest.mark.parametrize("edition", ["paper", "published"])
def test_masks_of_the_best_are_joined_by_pixels_and_score_like_a_submission(
    run: Run, tmp_path: Path, edition: str
) -> None:
    """The witness counts votes pixel by pixel, writes them as a submission, and has it scored."""
    rows, columns = np.mgrid[:20, :24]
    away = np.hypot(rows - 10, columns - 12)
    truth = (away < 8).astype(int) + (away < 4)
    lots = np.random.default_rng(3)
    teams = {
        team: [np.roll(truth, tuple(lots.integers(-slip, slip + 1, 2)), (0, 1)) for _case in range(3)]
        for team, slip in (("ada", 3), ("ben", 4), ("cem", 5))
    }
    reference = discs(tmp_path / "reference", [truth] * 3)
    folders = [discs(tmp_path / team, drawn) for team, drawn in teams.items()]
    start = ("compare", "refuge", "--reference", reference, "--submissions", *folders, "--bootstrap", 2)

    metrics = run(*start, "--edition", edition, "--mask-ensembles")["metrics"]

    assert "ensembles" not in run(*start, "--edition", edition)["metrics"]["dice_cup"]
    for key in ("dice_cup", "dice_disc", "mae_vcdr"):
        found = metrics[key]["ensembles"]
        assert (found["rule"], sorted(found["teams"])) == ("majority-vote", ["ada", "ben", "cem"])
        for many in (1, 2, 3):
            best = [teams[team] for team in found["teams"][:many]]
            disc, cup = (np.sum(np.array(best) >= level, axis=0) * 2 > many for level in (1, 2))
            joined = discs(tmp_path / f"{key}{many}", disc.astype(int) + cup)
            sides = ("--reference", reference, "--submission", joined)
            alone = run("score", "refuge", *sides, "--edition", edition)["metrics"][key]
            assert found["values"][many - 1] == pytest.approx(alone, abs=1e-12)


def test_strata_are_looked_at_alone(run: Run, reference: Path, submissions: list[Path], tmp_path: Path) -> None:
    devices = ["Zeiss" if number < 20 else "Canon" for number in range(CASES)]
    lines = [f"CASE{number}.png,{device}" for number, device in enumerate(devices)]
    (tmp_path / "devices.csv").write_text("\n".join(["name,stratum", "another.jpg,Kowa", *lines]))
    start = ("compare", "refuge", "--reference", reference, "--submissions", *submissions, "--bootstrap", 40)

    answer = run(*start, "--strata", tmp_path / "devices.csv")

    assert {name: one["n_cases"] for name, one in answer["strata"].items()} == {"Zeiss": 20, "Canon": 40}
    found = answer["strata"]["Zeiss"]["metrics"]
    assert found["mean_distance_fovea"]["good"] == pytest.approx(AWAY["good"][:20].mean())
    area = areas_under_curves(LABELS[:20] == 1, RISKS["fair"][None, :20]).values[0]
    assert found["auc"]["fair"] == pytest.approx(area)
    differ = answer["strata_differ"]["mean_distance_fovea"]["good"]
    theirs = stats.mannwhitneyu(AWAY["good"][:20], AWAY["good"][20:])
    assert (differ["test"], differ["p"]) == ("rank-sum", pytest.approx(theirs.pvalue))
    assert "auc" not in answer["strata_differ"]


def test_a_case_without_a_stratum_is_named(
    refusal: Run, reference: Path, submissions: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "devices.csv").write_text("name,stratum\ncase0,Zeiss\n")

    said = refusal(
        *("compare", "refuge", "--reference", reference, "--submissions", *submissions),
        *("--strata", tmp_path / "devices.csv"),
    )

    assert "devices.csv" in said
    assert "case1" in said


def test_too_few_resamples_to_tell_entries_apart_are_said(run: Run, reference: Path, submissions: list[Path]) -> None:
    start = ("compare", "refuge", "--reference", reference, "--submissions", *submissions)

    # Of two entries the smallest p after Holm is 2 / (N + 1).
    assert "at least 40 are needed" in run(*start, "--bootstrap", 39)["notes"][0]
    assert run(*start, "--bootstrap", 40)["notes"] == []
    assert run(*start)["resamples"] == 2000


def test_equal_submissions_share_a_rank_and_a_band(run: Run, reference: Path, tmp_path: Path) -> None:
    twins = [write(tmp_path / team, RISKS["good"]) for team in ("ada", "ben")]

    answer = run("compare", "refuge", "--reference", reference, "--submissions", *twins, "--bootstrap", 50)

    assert [(entry["rank"], entry["rank_interval"]) for entry in answer["entries"]] == [(1, [1, 1]), (1, [1, 1])]
    assert answer["bands"] == [["ada", "ben"]]
    assert answer["notes"] == []
    assert answer["kendall_tau"] == [None, None, None]


def test_a_submission_without_a_ranked_track_comes_last(
    run: Run, reference: Path, submissions: list[Path], tmp_path: Path
) -> None:
    lost = write(tmp_path / "lost", RISKS["good"], AWAY["good"])
    (lost / "classification.csv").unlink()

    answer = run("compare", "refuge", "--reference", reference, "--submissions", lost, *submissions, "--bootstrap", 50)

    last = answer["entries"][-1]
    assert (last["team"], last["score"], last["rank"], last["rank_interval"]) == ("lost", None, None, [None, None])
    assert last["metrics"]["auc"] is None
    assert last["ci"]["auc"] == [None, None]
    assert answer["metrics"]["auc"]["p"]["lost|good"] is None
    assert answer["bands"] == [["good"], ["fair"]]


def test_what_cannot_be_compared_is_refused(
    refusal: Run, reference: Path, submissions: list[Path], tmp_path: Path
) -> None:
    start = ("compare", "refuge", "--reference", reference, "--submissions")
    (tmp_path / "again").mkdir()
    twin = write(tmp_path / "again" / "good", RISKS["good"])
    only_fovea = write(tmp_path / "fovea", RISKS["good"], AWAY["good"])
    (only_fovea / "classification.csv").unlink()

    assert "another submission is called good" in refusal(*start, *submissions, twin)
    assert "nothing of mean_distance_fovea is ranked" in refusal(*start, only_fovea)
    assert "nowhere" in refusal(*start, tmp_path / "nowhere")
    assert "“0” is not a whole number of at least 1" in refusal(*start, *submissions, "--bootstrap", 0)
    assert "“-1” is not a whole number" in refusal(*start, *submissions, "--seed=-1")


def test_people_get_a_table_with_intervals(
    capsys: pytest.CaptureFixture[str], reference: Path, submissions: list[Path]
) -> None:
    from evaluation.management.commands.compare import Command

    arguments = ["--reference", str(reference), "--submissions", *map(str, submissions), "--bootstrap", "20"]
    Command().run_from_argv(["manage.py", "compare", "refuge", *arguments])

    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head.split()[:6] == ["rank", "95", "%", "team", "score", "auc"]
    assert first.split()[:4] == ["1", "1–1", "good", "1"]
