"""Cases that came back to their grader: measured by hand-worked numbers, and part of nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from annotator.models import Assignment, Study, User
from annotator.services.repeats import draw_repeats
from annotator.services.submission import withdraw_reading
from consensus.agreement.collection import Origin, Sheet
from consensus.agreement.twice import AGAIN, BOTH, FIRST, measure_twice
from consensus.models import AgreementReport, Reference, ReferenceInput
from consensus.selectors.agreement import readings_digest
from consensus.services.agreement import make_report
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.consensus.test_agreement import WRIGHT, WRIGHT_AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.test import Client

    from annotator.answers import Given

pytestmark = pytest.mark.django_db
ALL_AT_ONCE = {"repeats.share": 1.0, "repeats.gap_cases": 0, "repeats.gap_days": 0}


def read_twice(
    protocol: str, first: Sequence[Sequence[Given]], again: Sequence[Sequence[Given]], users: Mapping[str, User]
) -> Study:
    """Two graders read as many cases as there are answers; to the first of them all come back."""
    study = cast.study_of(protocol, organiser=users["organiser"], changes=ALL_AT_ONCE)
    graders = [users["one"], users["other"]]
    cast.add_cast(study, actor=users["organiser"], graders=graders, senior=users["senior"])
    cast.add_pictures(study, len(first), actor=users["organiser"])
    cast.assign_all(study, actor=users["organiser"])
    study = scene.open_study(study, actor=users["organiser"])
    for grader in graders:
        for assignment, given in zip(scene.assignments_of(study, grader), first, strict=True):
            scene.read(assignment, given)
        if grader == users["one"]:
            draw_repeats(study=study, actor=users["organiser"])
    rows = Assignment.objects.filter(case__study=study).exclude(repeat_of=None).order_by("case__number")
    assert rows.count() == len(first)
    for assignment, given in zip(rows, again, strict=True):
        scene.read(assignment, given)
    return study


@pytest.fixture
def users(organiser: User, senior: User, graders: list[User]) -> dict[str, User]:
    return {"organiser": organiser, "senior": senior, "one": graders[0], "other": graders[1]}


def measured(study: Study, actor: User) -> AgreementReport:
    return make_report(study=study, actor=actor, tell=lambda _done, _total: None)


def figures(report: AgreementReport, key: str) -> dict[str, float]:
    part = report.content["targets"].get(key) or report.content["measures"][key]
    [row] = part["twice"]
    return {figure["key"]: figure["value"] for figure in row["figures"]}


def test_bland_and_altmans_meter_read_twice() -> None:
    """Bland and Altman 1986: the Wright meter, s_w 15.3, coefficient 1.96·√2·s_w."""
    sheet = Sheet(BOTH)
    for number, (one, other) in enumerate(zip(WRIGHT, WRIGHT_AGAIN, strict=True)):
        sheet.add_numbers(Origin(number, f"{number}", 1, number), {FIRST: float(one), AGAIN: float(other)})
    found = {figure.key: figure for figure in measure_twice(sheet)}
    assert found["within"].value == pytest.approx(15.307, abs=0.001)
    assert found["repeatability"].value == pytest.approx(42.43, abs=0.01)
    assert found["within"].low < 15.307 < found["within"].high
    assert found["icc 1"].n == len(WRIGHT)


def test_labels_of_one_grader_are_compared_with_the_own_first_ones(users: dict[str, User]) -> None:
    first = [answer(label) for label in ("RG", "RG", "NRG", "NRG")]
    again = [answer(label) for label in ("RG", "NRG", "NRG", "NRG")]
    found = figures(measured(read_twice("airogs", first, again, users), users["senior"]), TARGET)
    # Three of four the same; by chance ½·¼ + ½·¾ = ½, so that kappa is (¾ − ½) / ½.
    assert found["percent-agreement"] == pytest.approx(0.75)
    assert found["cohen-kappa"] == pytest.approx(0.5)


def test_drawings_of_one_grader_are_compared_with_the_own_first_ones(users: dict[str, User]) -> None:
    shifts = (0.0, 0.0, 3.0, 4.0)
    first = [scene.refuge_answers() for _shift in shifts]
    again = [scene.refuge_answers(shift) for shift in shifts]
    report = measured(read_twice("refuge", first, again, users), users["senior"])
    fovea = figures(report, "fovea")
    assert fovea["apart"] == pytest.approx(7 / 4)
    assert fovea["within"] == pytest.approx(math.sqrt((9 + 16) / 8), abs=1e-6)
    pictures = [scene.majority_picture([scene.disc_of(shift)]) for shift in (0.0, *shifts)]
    dice = [2 * (pictures[0] & one).sum() / (pictures[0].sum() + one.sum()) for one in pictures[1:]]
    assert figures(report, "disc")["pairwise-dice"] == pytest.approx(sum(dice) / 4, abs=1e-6)
    assert figures(report, "vcdr")["repeatability"] == 0  # moved, not resized


def test_repeats_take_part_in_no_reference_no_agreement_between_graders_and_no_monitor(
    users: dict[str, User], graders: list[User]
) -> None:
    first = [answer(label) for label in ("RG", "RG", "NRG", "NRG")]
    study = read_twice("airogs", first, [answer("U")] * 4, users)
    scene.fuse_all(study, actor=users["senior"])

    labels = Reference.objects.filter(case__study=study, following=None).order_by("case__number")
    assert list(labels.values_list("label", flat=True)) == ["RG", "RG", "NRG", "NRG"]
    assert not ReferenceInput.objects.filter(revision__reading__assignment__repeat_of__isnull=False).exists()
    part = measured(study, users["senior"]).content["targets"][TARGET]
    assert [row["read"] for row in part["per_grader"]] == [4, 4]
    assert {figure["value"] for figure in part["figures"] if figure["key"] == "percent-agreement"} == {1.0}


def test_a_report_is_old_once_a_case_was_read_again(users: dict[str, User]) -> None:
    study = read_twice("airogs", [answer("RG")] * 3, [answer("RG")] * 3, users)
    report = measured(study, users["senior"])
    assert report.inputs_digest == readings_digest(study)
    one = Assignment.objects.filter(case__study=study).exclude(repeat_of=None).select_related("grader__study", "round")
    withdraw_reading(assignment=one[0], actor=users["one"])
    assert report.inputs_digest != readings_digest(study)


def test_the_page_and_its_table_show_them_by_letter(
    users: dict[str, User], browser_of: Callable[[User], Client]
) -> None:
    study = read_twice("refuge", [scene.refuge_answers()] * 3, [scene.refuge_answers(1.0)] * 3, users)
    address = reverse("study_agreement", args=[study.public_id])
    measured(study, users["senior"])
    senior = browser_of(users["senior"])
    page = senior.get(address, {"of": "fovea"}).content.decode()
    assert "The same grader twice" in page
    assert users["one"].name not in page
    assert users["one"].name in browser_of(users["organiser"]).get(address, {"of": "fovea"}).content.decode()
    table = senior.get(reverse("agreement_table", args=[study.public_id, "twice"]), {"of": "fovea"}).content.decode()
    assert table.splitlines()[0] == "grader,statistic,value,low,high,n,left_out"
    assert ",apart,1.0," in table
    assert browser_of(users["one"]).get(address).status_code in {403, 404}
