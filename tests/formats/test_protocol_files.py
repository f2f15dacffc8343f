"""A protocol's own files written from answers are read back by `score` as what they were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from annotator.formats.case_answers import CaseAnswers
from annotator.formats.grey_picture import read_grey
from annotator.formats.protocol_files import Content, blank_files, reference_files, unanswered
from annotator.formats.tree import FileTree
from annotator.geometry.runs import Toggles, encode
from evaluation.files.layouts import gather_trees
from evaluation.scoring.scorecard import Scorecard, score
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey, FileKind, Side
from protocols.standard import File

WIDTH, HEIGHT = 12, 10


def box(left: int, top: int, right: int, bottom: int) -> Toggles:
    mask = np.zeros((HEIGHT, WIDTH), bool)
    mask[top:bottom, left:right] = True
    return encode(mask)


DISC, CUP = box(2, 2, 9, 9), box(4, 4, 7, 8)
LESIONS = {"drusen": (box(0, 0, 2, 2),), "exudate": (), "hemorrhage": (), "scar": (), "other": ()}
CASES: dict[str, list[CaseAnswers]] = {
    "refuge": [
        CaseAnswers(f"T{n}", WIDTH, HEIGHT, f"P{n}", {"disc": [DISC], "cup": [CUP]}, {"fovea": (n + 1.5, 4.0)}, label)
        for n, label in enumerate(({"glaucoma": "glaucoma"}, {"glaucoma": "no-glaucoma"}))
    ],
    "adam": [
        CaseAnswers("T0", WIDTH, HEIGHT, "P0", {"disc": [DISC], **LESIONS}, {"fovea": (3.5, 4.5)}, {"amd": "amd"}),
        CaseAnswers(
            "T1", WIDTH, HEIGHT, "P1", {"disc": [], **dict.fromkeys(LESIONS, ())}, {"fovea": None}, {"amd": "no-amd"}
        ),
    ],
    "glas": [CaseAnswers("T0", WIDTH, HEIGHT, "P0", {"glands": [box(0, 0, 4, 4), box(6, 5, 11, 9)]})],
    "airogs": [
        CaseAnswers(f"T{n}", WIDTH, HEIGHT, f"P{n}", labels={"referable_glaucoma": label})
        for n, label in enumerate(("RG", "NRG", "U"))
    ],
    "age": [
        CaseAnswers(
            "T0",
            WIDTH,
            HEIGHT,
            "P0",
            points={"spur_left": (2.5, 3.5), "spur_right": None},
            labels={"closure_left": "closed", "closure_right": "open"},
            measures={"spur_left": 0.25, "spur_right": None},
        )
    ],
}


def files_of(protocol: str) -> list[File]:
    """Those of the reference for which every case has an answer."""
    recipe = PUBLISHED[protocol]
    return [
        file
        for file in recipe.files
        if file.side is not Side.SUBMISSION
        and file.kind is not FileKind.LIST
        and not any(unanswered(recipe, file, case) for case in CASES[protocol])
    ]


def scored(protocol: str, ours: Mapping[str, Content], theirs: Mapping[str, Content]) -> Scorecard:
    trees = FileTree(Path("reference"), ours), FileTree(Path("submission"), theirs)
    findings = gather_trees(PUBLISHED[protocol], EditionKey.PAPER, *trees, lambda done, total: None)
    return score(PUBLISHED[protocol], EditionKey.PAPER, findings)


@pytest.mark.parametrize("protocol", ["refuge", "adam", "glas", "age"])
def test_a_reference_sent_in_has_the_best_value_of_every_metric(protocol: str) -> None:
    recipe = PUBLISHED[protocol]
    written = reference_files(recipe, CASES[protocol], files_of(protocol))
    sent = {name: content for name, content in written.items() if name not in ("subjects.csv", "grades.csv")}
    card = scored(protocol, written, sent)
    metrics = {metric.key: metric for track in recipe.scoring.tracks for metric in track.metrics}
    known = {key: value for key, value in card.metrics.items() if not math.isnan(value)}
    assert known
    assert {
        key: value for key, value in known.items() if value != (1 if metrics[key].direction == "higher" else 0)
    } == {}


def test_a_cup_lies_on_its_disc_and_half_a_pixel_is_taken_off() -> None:
    written = reference_files(PUBLISHED["refuge"], CASES["refuge"], files_of("refuge"))
    assert written["fovea_location.csv"]().decode().splitlines()[1] == "T0,1.0,3.5"
    assert written["classification.csv"]().decode().splitlines()[1:] == ["T0,1", "T1,0"]
    tree = FileTree(Path("reference"), written)
    row = read_grey(tree.read("segmentation/T0.png"))[5]
    assert row.tolist() == [255, 255, 128, 128, 0, 0, 0, 128, 128, 255, 255, 255]


def test_an_angle_without_a_distance_has_an_empty_cell() -> None:
    written = reference_files(PUBLISHED["age"], CASES["age"], files_of("age"))
    assert written["aod.csv"]().decode().splitlines()[1] == "T0,0.25,"
    assert written["localization.csv"]().decode().splitlines()[1] == "T0,2.0,3.0,-1.0,-1.0"


def test_a_lesion_that_no_case_has_is_there_once_and_empty() -> None:
    written = reference_files(PUBLISHED["adam"], CASES["adam"], files_of("adam"))
    assert sorted(name for name in written if name.startswith("lesions/")) == [
        "lesions/drusen/T0.png",
        "lesions/exudate/T0.png",
        "lesions/hemorrhage/T0.png",
        "lesions/other/T0.png",
        "lesions/scar/T0.png",
    ]


@pytest.mark.parametrize("protocol", CASES)
def test_the_sample_is_accepted_against_the_blank_and_against_the_true_reference(protocol: str) -> None:
    recipe, scored_files = PUBLISHED[protocol], files_of(protocol)
    wanted = [file for file in recipe.files if file.side is Side.SUBMISSION and file.kind is not FileKind.LIST]
    wanted += [file for file in scored_files if file.side is Side.BOTH]
    sample = blank_files(recipe, CASES[protocol], wanted)
    blank = blank_files(recipe, CASES[protocol], scored_files)
    true = reference_files(recipe, CASES[protocol], scored_files)
    if protocol == "adam":  # 0, 0 means that the fovea is not visible
        sample["fovea.csv"] = lambda: b"FileName,Fovea_X,Fovea_Y\nT0,1,1\nT1,1,1\n"
    assert scored(protocol, blank, sample).metrics.keys() == scored(protocol, true, sample).metrics.keys()
