"""A challenge on AGE: opening distances of the reference come from its spurs and the senior's lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotator.answers import Given
from annotator.errors import DomainError
from annotator.models import Image, Study, Team, User
from consensus.models import Reference
from consensus.services.freezing import freeze_dataset
from consensus.services.truth import Table, import_truth
from evaluation.models import Phase, Scorecard
from evaluation.services.reference_files import yardstick_of
from tests.consensus import scene
from tests.consensus.lines import draw_line
from tests.evaluation.challenge_scene import names_of, opened, score_all, sent, team_of

pytestmark = pytest.mark.django_db
NOT_SEEN = Given("spur_right", answer="cannot-be-determined")


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    """50 µm per pixel. In the first case the cornea runs level and the iris falls away from it by one row in two
    columns: ten columns from the spur, which lies in column 3, they are 6.5 rows apart, 0.325 mm. In the second case
    nobody has drawn them. Right spurs cannot be determined."""
    spur = Given("spur_left", geometry={"x": 3.0, "y": 2.0})
    answers = [(spur, NOT_SEEN) for _ in graders]
    study = scene.read_study("age", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=2)
    scene.fuse_all(study, actor=senior)
    Image.objects.filter(study=study).update(um_per_px_x=50.0, um_per_px_y=50.0)
    first = Reference.objects.filter(case=scene.case_of(study), target__key="spur_left")
    draw_line(first, "cornea_left", [[0.0, 2.0], [20.0, 2.0]])
    draw_line(first, "iris_left", [[0.0, 2.0], [20.0, 12.0]])
    table = Table("truth.csv", b"case,closure_left,closure_right\n1,open,open\n2,closed,open\n")
    import_truth(study=study, actor=organiser, table=table, source="Gonioscopy")
    freeze_dataset(study=study, actor=senior, name="First")
    return study


@pytest.fixture
def phase(study: Study, organiser: User) -> Phase:
    return opened(study, organiser=organiser, key="online", shows_results=True, shows_references=True).phases.get()


@pytest.fixture
def team(study: Study, organiser: User) -> Team:
    return team_of(study, "Angle", organiser=organiser)


def answers_to(phase: Phase, *, opening: float = 0.425) -> dict[str, str]:
    """Every spur four pixels too far right, every angle so wide; closure as it is."""
    names = names_of(phase)
    spurs = [f"{name},6.5,1.5,20,10" for name in names]
    widths = [f"{name},{opening},{opening}" for name in names]
    closed = [f"{name},{1 if case.number == 2 else -1},-1" for name, case in names.items()]
    return {
        "localization.csv": "\n".join(["ASOCT_NAME,X_LEFT,Y_LEFT,X_RIGHT,Y_RIGHT", *spurs]),
        "aod.csv": "\n".join(["ASOCT_NAME,AOD_LEFT,AOD_RIGHT", *widths]),
        "classification.csv": "\n".join(["ASOCT_NAME,LEFT_ANGLE_RESULTS,RIGHT_ANGLE_RESULTS", *closed]),
    }


def test_the_reference_holds_the_distance_of_the_angle_whose_lines_are_drawn(phase: Phase) -> None:
    files = yardstick_of(phase).reference()
    rows = dict(line.split(",", 1) for line in files.read("aod.csv").decode().splitlines()[1:])
    by_number = {case.number: rows[name] for name, case in names_of(phase).items()}
    drawn, empty = by_number[1].split(",")
    assert float(drawn) == pytest.approx(0.325)
    assert empty == ""
    assert by_number[2] == ","


def test_a_submission_is_scored_and_ranked_on_both_tracks(phase: Phase, team: Team) -> None:
    sent(phase, team, answers_to(phase))
    score_all()
    metrics = Scorecard.objects.get().metrics
    assert metrics["mean_distance_spur"] == pytest.approx(4.0)
    assert metrics["delta_aod"] == pytest.approx(0.2 * 0.1)  # an open angle that is found wider counts a fifth
    assert metrics["auc"] == 1.0
    board = phase.leaderboards.get().content
    assert [(entry["team"], entry["rank"]) for entry in board["entries"]] == [("Angle", 1)]


def test_every_angle_must_be_answered_whatever_the_reference_knows(phase: Phase, team: Team) -> None:
    """Which angles take part would tell where the reference has no spur."""
    files = answers_to(phase)
    files["localization.csv"] = files["localization.csv"].replace("20,10", "-1,-1", 1)
    with pytest.raises(DomainError, match="right"):
        sent(phase, team, files)


def test_without_gonioscopy_distances_and_closure_are_not_scored(
    organiser: User, senior: User, graders: Sequence[User]
) -> None:
    spur = Given("spur_left", geometry={"x": 3.0, "y": 2.0})
    answers = [(spur, NOT_SEEN) for _ in graders]
    study = scene.read_study("age", organiser=organiser, senior=senior, graders=graders, answers=answers)
    scene.fuse_all(study, actor=senior)
    freeze_dataset(study=study, actor=senior, name="Spurs alone")
    phase = opened(study, organiser=organiser, key="online").phases.get()
    assert [file.key for file in yardstick_of(phase).files] == ["localization"]
