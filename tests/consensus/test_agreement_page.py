"""The agreement of a study: measured in the background, shown to those who see all work, and to nobody else."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from annotator.answers import Given
from annotator.errors import Conflict
from annotator.models import AuditEvent, Image, Job, Membership, Study, User
from annotator.services.job_run import run_job
from annotator.services.reopening import reopen_reading
from consensus.models import AgreementReport, Reference
from consensus.selectors.letters import letters_of
from consensus.services.agreement import request_report
from protocols import PUBLISHED
from tests import cast
from tests.consensus import scene
from tests.consensus.lines import draw_line

pytestmark = pytest.mark.django_db
SHIFTS = (0.0, 0.5, 6.0)
NOT_SEEN = (Given("spur_right", answer="cannot-be-determined"),)


@pytest.fixture
def read_study(organiser: User, senior: User, graders: list[User]) -> Study:
    answers = [scene.refuge_answers(shift) for shift in SHIFTS]
    return scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=3)


@pytest.fixture
def measured(read_study: Study, organiser: User) -> Study:
    measure(read_study, organiser)
    return read_study


def measure(study: Study, actor: User) -> Job:
    job = request_report(study=study, actor=actor)
    run_job(job.pk)
    job.refresh_from_db()
    return job


def page(study: Study, user: User, of: str = "") -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse("study_agreement", args=[study.public_id]), {"of": of} if of else {})
    assert answer.status_code == 200
    return answer.content.decode()


def letter(study: Study, user: User) -> str:
    return letters_of(study)[Membership.objects.get(study=study, user=user, role="grader").pk]


def test_the_report_finds_the_grader_who_differs(measured: Study, graders: list[User]) -> None:
    content = AgreementReport.objects.get().content

    bad = content["graders"].index(letter(measured, graders[2]))
    with_others = [row["with_others"] for row in content["targets"]["disc"]["per_grader"]]
    distances = [row["distance"] for row in content["targets"]["fovea"]["per_grader"]]
    assert with_others.index(min(with_others)) == bad
    assert distances.index(max(distances)) == bad
    # the others' mean lies at +0.25, so the third grader stands 5.75 px to its right
    assert content["targets"]["fovea"]["per_grader"][bad]["bias_x"] == pytest.approx(5.75)


def test_areas_are_compared_as_shares_of_the_field_of_view(measured: Study, senior: User) -> None:
    content = AgreementReport.objects.get().content
    # Everybody draws discs of one size: no grader's share is above the others'.
    assert [row["read"] for row in content["measures"]["area_disc"]["per_grader"]] == [3, 3, 3]
    assert "share of the field of view" in page(measured, senior, of="area_disc")


def test_the_page_names_nobody_to_the_senior_and_everybody_to_the_organiser(
    measured: Study, senior: User, organiser: User, graders: list[User]
) -> None:
    to_senior, to_organiser = page(measured, senior), page(measured, organiser)

    assert all(user.name not in to_senior for user in graders)
    assert all(user.name in to_organiser for user in graders)
    assert to_senior.count("furthest from the others") == 1


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("disc", "Mean Dice of every two graders"),
        ("fovea", "seen from the mean of the others"),
        ("vcdr", "Bland–Altman"),
    ],
)
def test_every_kind_of_target_has_its_tables_and_charts(of: str, words: str, measured: Study, senior: User) -> None:
    assert words in page(measured, senior, of)


def test_labels_on_a_scale_are_compared_by_their_steps(organiser: User, senior: User, graders: list[User]) -> None:
    steps = [{"key": key, "name": key} for key in ("benign", "atypical", "malignant")]
    said = [("benign", "benign"), ("benign", "atypical"), ("atypical", "atypical"), ("malignant", "malignant")]
    changes: dict[str, object] = {
        f"split.parts[{number}].labels": [] for number in range(len(PUBLISHED["glas"].split.parts))
    }
    changes |= {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 2}
    changes |= {"targets[1].options": steps, "targets[1].ordered": True}
    study = cast.study_of("glas", organiser=organiser, changes=changes)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    cast.add_pictures(study, len(said), actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for place, grader in enumerate(graders[:2]):
        for assignment, labels in zip(scene.assignments_of(study, grader), said, strict=True):
            scene.read(assignment, (Given("glands", answer="absent"), Given("grade", label=labels[place])))
    measure(study, organiser)

    shown = page(study, senior, of="grade")

    # One step apart in one of four cases; by chance, with 2, 1, 1 beside 1, 2, 1: 2·(2+2) + (1+1) + (2+2) = 14 of 16.
    assert "Cohen’s kappa, mean of the pairs, linear weights" in shown
    assert f"{1 - (1 / 4) / (14 / 16):.3f}" in shown
    assert "Cohen&#x27;s kappa of every two graders, quadratic weights" in shown
    client = Client()
    client.force_login(senior)
    told = client.get(f"/api/v1/studies/{study.public_id}/agreement/").json()
    grade = next(one for one in told["results"] if one["of"] == "grade")
    assert [one["statistic"] for one in grade["weighted_pairs"]] == ["cohen-kappa linear", "cohen-kappa quadratic"]
    table = client.get(reverse("agreement_table", args=[study.public_id, "pairs"]), {"of": "grade"}).content.decode()
    assert table.count("cohen-kappa") == 2


def test_a_table_can_be_had_as_csv(measured: Study, senior: User) -> None:
    client = Client()
    client.force_login(senior)

    answer = client.get(reverse("agreement_table", args=[measured.public_id, "figures"]), {"of": "disc"})

    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    gci = AgreementReport.objects.get().content["targets"]["disc"]["figures"][0]
    assert rows[0]["statistic"] == "gci"
    assert float(rows[0]["value"]) == gci["value"]
    assert (rows[0]["n"], rows[0]["left_out"]) == ("3", "0")


def test_programs_get_every_figure_of_the_page(measured: Study, senior: User, graders: list[User]) -> None:
    client = Client()
    client.force_login(senior)
    told = client.get(f"/api/v1/studies/{measured.public_id}/agreement/").json()
    kept = AgreementReport.objects.get(study=measured).content

    assert (told["cases"], told["stale"], len(told["graders"])) == (3, False, 3)
    by_key = {one["of"]: one for one in told["results"]}
    assert set(by_key) == {"disc", "cup", "fovea", "vcdr", "area_disc", "area_cup"}
    figures = {one["statistic"]: one["value"] for one in by_key["disc"]["figures"]}
    assert figures["gci"] == kept["targets"]["disc"]["figures"][0]["value"]
    worst = min(range(3), key=lambda one: by_key["disc"]["per_grader"][one]["with_others"])
    assert told["graders"][worst] == letter(measured, graders[2])
    assert not [name for name in (user.name for user in graders) if name in str(told)]


def test_no_cell_of_a_table_is_run_by_a_spreadsheet(measured: Study, senior: User) -> None:
    report = AgreementReport.objects.get()
    disc = report.content["targets"]["disc"]
    disc["strata"] = [{"name": "=1+1", "value": "@SUM(1)", "figures": disc["figures"]}]
    report.pk = None
    report.save()
    client = Client()
    client.force_login(senior)

    answer = client.get(reverse("agreement_table", args=[measured.public_id, "strata"]), {"of": "disc"})

    cells = [cell for row in csv.reader(io.StringIO(answer.content.decode())) for cell in row]
    assert {"'=1+1", "'@SUM(1)"} <= set(cells)
    assert not any(cell.startswith(("=", "@")) for cell in cells)


@pytest.mark.parametrize("asked", [("nothing", "disc"), ("figures", "moon")])
def test_a_table_that_is_not_there_is_not_found(asked: tuple[str, str], measured: Study, senior: User) -> None:
    client = Client()
    client.force_login(senior)

    answer = client.get(reverse("agreement_table", args=[measured.public_id, asked[0]]), {"of": asked[1]})

    assert answer.status_code == 404


def test_measuring_the_same_readings_again_writes_nothing_new(measured: Study, organiser: User) -> None:
    measure(measured, organiser)

    assert AgreementReport.objects.count() == 1
    assert AuditEvent.objects.filter(action="agreement.measured").count() == 1


def test_a_reading_that_is_taken_back_makes_the_page_say_so(
    measured: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    [assignment, *_others] = scene.assignments_of(measured, graders[0])
    reopen_reading(assignment=assignment, actor=organiser, reason="wrong eye")

    assert "Readings have changed since this was measured" in page(measured, senior)
    assert measure(measured, organiser).state == "done"
    assert "Readings have changed" not in page(measured, senior)


def test_a_study_that_nobody_has_read_is_refused_in_words(organiser: User) -> None:
    study = cast.study_of("refuge", organiser=organiser)

    with pytest.raises(Conflict, match="Nobody has submitted"):
        request_report(study=study, actor=organiser)

    shown = page(study, organiser)
    assert "Not measured yet" in shown
    assert "Measure the agreement" not in shown


def test_a_case_that_one_grader_has_read_is_counted_as_left_out(
    organiser: User, senior: User, graders: list[User]
) -> None:
    study = scene.read_study(
        "refuge",
        organiser=organiser,
        senior=senior,
        graders=graders[:1],
        answers=[scene.refuge_answers()],
        cases=2,
    )
    measure(study, organiser)

    gci = AgreementReport.objects.get().content["targets"]["disc"]["figures"][0]
    assert (gci["value"], gci["n"], gci["left_out"]) == (None, 0, 2)
    assert "Statistics" in page(study, senior)


def test_after_a_run_the_agreement_is_measured_once(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    [job] = Job.objects.filter(kind="measure_agreement")
    run_job(job.pk)
    assert AgreementReport.objects.count() == 1


def test_opening_distances_are_compared_once_a_senior_has_drawn_the_lines(
    organiser: User, senior: User, graders: list[User]
) -> None:
    """50 µm per pixel; the cornea runs level, the iris falls away from it by one row in two columns. Ten columns from
    the spur it is as far away as half the columns from where they meet: 0.275, 0.325 and 0.375 mm."""
    study = scene.read_study(
        "age",
        organiser=organiser,
        senior=senior,
        graders=graders,
        answers=[(Given("spur_left", geometry={"x": x, "y": 2.0}), *NOT_SEEN) for x in (1.0, 3.0, 5.0)],
        cases=2,
    )
    scene.fuse_all(study, actor=senior)
    Image.objects.filter(study=study).update(um_per_px_x=50.0, um_per_px_y=50.0)
    spurs = Reference.objects.filter(case__study=study, target__key="spur_left")
    draw_line(spurs, "cornea_left", [[0.0, 2.0], [20.0, 2.0]])
    draw_line(spurs, "iris_left", [[0.0, 2.0], [20.0, 12.0]])
    run_job(Job.objects.get(study=study, kind="measure_agreement").pk)  # asked for by the run

    content = AgreementReport.objects.filter(study=study).latest("pk").content["measures"]["aod500_left"]
    assert [row["read"] for row in content["per_grader"]] == [2, 2, 2]
    assert sorted(row["bias"] for row in content["per_grader"]) == pytest.approx([-0.075, 0.0, 0.075])
    assert "Readings have changed" not in page(study, senior)
    newest = Reference.objects.filter(case__study=study, target__key="iris_left")[0]
    newest.pk, newest.version, newest.previous_id = None, 2, newest.pk
    newest.save()
    assert "Readings have changed" in page(study, senior)  # and so have the distances
