"""Charts of a submission, against numbers worked out by hand."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import User
from evaluation.metrics.evidence import Scored
from evaluation.scoring.scorecard import About, Findings, TrackFindings
from evaluation.selectors.curves import Points
from evaluation.views.case_table import CaseColumn
from evaluation.views.entry_charts import box_panels, roc_panels
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey
from tests.evaluation.challenge_scene import frozen_refuge, opened, risks, score_all, sent, team_of


def nobody(track: str) -> Points:
    return {}


def findings(positive: list[bool], scores: list[float]) -> Findings:
    scored = Scored(np.array(positive), np.array(scores))
    names = {str(place): str(place) for place in range(len(scores))}
    track = TrackFindings("classification", list(names), {About(Scored, ("glaucoma",)): scored}, {})
    return Findings(names, [track])


def test_a_curve_goes_from_the_origin_by_every_threshold_to_the_end() -> None:
    # By falling score: positive, negative, positive, negative. So up, right, up, right.
    found = findings([True, False, True, False], [0.9, 0.8, 0.7, 0.1])
    (panel,) = roc_panels(PUBLISHED["refuge"], EditionKey.PAPER, found, team="Ours", graders=nobody)
    (drawn,) = panel.curves
    chance = panel.lines[0]
    assert drawn.places[0] == (chance.x1, chance.y1)
    assert drawn.places[-1] == (chance.x2, chance.y2)
    middle = (chance.x1 + chance.x2) / 2, (chance.y1 + chance.y2) / 2
    assert middle in drawn.places  # half of both kinds after two cases
    assert panel.legend == [("curve-1", "Ours")]


def test_graders_lie_on_the_same_ground_as_the_curve_with_both_intervals() -> None:
    point = {"sensitivity": [0.5, 0.25, 0.75], "specificity": [1.0, 0.5, 1.0]}
    found = findings([True, False], [0.9, 0.1])
    panels = roc_panels(PUBLISHED["refuge"], EditionKey.PAPER, found, team="Ours", graders=lambda track: {"B": point})
    (panel,) = panels
    (mark,) = panel.marks
    chance, upright, level = panel.lines
    height = chance.y1 - chance.y2
    assert (mark.x, mark.y, mark.label) == (chance.x1, chance.y2 + height / 2, "B")
    assert abs(upright.y2 - upright.y1) == pytest.approx(height / 2)
    assert (level.x1, level.x2) == (chance.x1, (chance.x1 + chance.x2) / 2)
    assert [kind for kind, _words in panel.legend] == ["curve-1", "zero"]


def test_without_one_of_the_classes_there_is_no_curve() -> None:
    found = findings([True, True], [0.9, 0.8])
    assert roc_panels(PUBLISHED["refuge"], EditionKey.PAPER, found, team="Ours", graders=nobody) == []


def test_a_box_has_its_median_and_names_what_lies_outside() -> None:
    # Quartiles of 1, 2, 3, 4, 100 are 2, 3 and 4, so the whiskers end at 1 and 4.
    lines = [{"case": f"T{place}", "distance_fovea": value} for place, value in enumerate((1.0, 2.0, 3.0, 4.0, 100.0))]
    (panel,) = box_panels(lines, [CaseColumn("distance_fovea", "Distance", False), CaseColumn("risk", "Risk", None)])
    assert [mark.title for mark in panel.marks] == ["T4: 100.0000"]
    assert panel.note == "median 3.0000"


@pytest.mark.parametrize("value", [None, True, "U"])
def test_what_is_no_number_is_in_no_box(value: object) -> None:
    assert box_panels([{"case": "T1", "dice_cup": value}], [CaseColumn("dice_cup", "Dice", True)]) == []


@pytest.mark.django_db
def test_the_report_is_one_file_with_its_charts_where_single_cases_are_shown(
    organiser: User, senior: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    study = frozen_refuge(organiser=organiser, senior=senior, graders=graders)
    phase = opened(study, organiser=organiser, shows_results=True).phases.get()
    team = team_of(study, "Ours", organiser=organiser)
    submission = sent(phase, team, risks(phase))
    score_all()
    address = reverse("submission_report", args=[phase.challenge.public_id, submission.public_id])
    whole = browser_of(organiser).get(address).content.decode()
    assert "<polyline" in whole
    assert re.findall(r'(?:src|href)="(?!data:)', whole) == []  # it needs no other file
    assert "<svg" not in browser_of(team.members.get()).get(address).content.decode()  # a curve tells every label
