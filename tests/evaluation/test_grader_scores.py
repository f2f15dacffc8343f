"""Graders scored like models: against the vote of the others, and against the reference."""

import csv
import io

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotator.errors import Conflict
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from annotator.models import AuditEvent, Job, Membership, Study, User
from annotator.services.job_run import run_job
from consensus.selectors.letters import letters_of
from consensus.services.freezing import freeze_dataset
from evaluation.models import GraderScores
from evaluation.services.grader_scores import request_scores
from tests.consensus import adjudication_scene, scene
from tests.consensus.adjudication_scene import Bench

pytestmark = pytest.mark.django_db
SHIFTS = (0.0, 0.5, 6.0)


@pytest.fixture
def read_study(organiser: User, senior: User, graders: list[User]) -> Study:
    answers = [scene.refuge_answers(shift) for shift in SHIFTS]
    return scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=3)


def scored(study: Study, actor: User) -> GraderScores:
    job = request_scores(study=study, actor=actor)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return GraderScores.objects.filter(study=study).latest("pk")


def letter(study: Study, user: User) -> str:
    return letters_of(study)[Membership.objects.get(study=study, user=user, role="grader").pk]


def values(scores: GraderScores, against: str, user: User) -> dict[str, float]:
    row = scores.content["against"][against]["rows"][letter(scores.study, user)]
    return {key: found[0] for key, found in row["metrics"].items()}


def picture(shift: float) -> np.ndarray:
    return rasterise_ellipse(Ellipse(**scene.disc_of(shift)), scene.WIDTH, scene.HEIGHT)


def dice(one: np.ndarray, other: np.ndarray) -> float:
    return float(2 * (one & other).sum() / (one.sum() + other.sum()))


def test_a_grader_is_compared_with_the_vote_of_the_others_alone(
    read_study: Study, organiser: User, graders: list[User]
) -> None:
    scores = scored(read_study, organiser)
    for place, grader in enumerate(graders):
        one, other = (picture(shift) for number, shift in enumerate(SHIFTS) if number != place)
        own = picture(SHIFTS[place])
        found = values(scores, "others", grader)
        assert found["dice_disc"] == pytest.approx(dice(one & other, own))  # of two, a tie is background
        mean = sum(shift for number, shift in enumerate(SHIFTS) if number != place) / 2
        assert found["mean_distance_fovea"] == pytest.approx(abs(SHIFTS[place] - mean))


def test_against_the_reference_the_own_answer_may_have_had_a_vote(
    read_study: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    assert scored(read_study, organiser).content["against"]["reference"]["together"] == {}
    scene.fuse_all(read_study, actor=senior)
    vote = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    found = values(scored(read_study, organiser), "reference", graders[2])
    assert found["dice_disc"] == pytest.approx(dice(vote, picture(SHIFTS[2])))


def test_a_frozen_version_is_named_and_stays_what_is_scored_against(
    read_study: Study, organiser: User, senior: User
) -> None:
    scene.fuse_all(read_study, actor=senior)
    version = freeze_dataset(study=read_study, actor=senior, name="First", incomplete=True)
    scores = scored(read_study, organiser)
    assert scores.version == version
    assert page(read_study, organiser, "reference").count("“First”") == 1


def test_the_same_is_not_scored_twice_and_the_log_tells(read_study: Study, organiser: User) -> None:
    first = scored(read_study, organiser)
    assert scored(read_study, organiser) == first
    assert AuditEvent.objects.filter(action="graders.scored").count() == 1


def test_while_it_is_going_on_nobody_can_ask_again(read_study: Study, organiser: User, senior: User) -> None:
    request_scores(study=read_study, actor=organiser)
    with pytest.raises(Conflict, match="already"):
        request_scores(study=read_study, actor=senior)


def test_without_a_reading_there_is_nobody_to_score(study: Study, organiser: User) -> None:
    with pytest.raises(Conflict, match="Nobody"):
        request_scores(study=study, actor=organiser)
    assert Job.objects.count() == 0


def page(study: Study, user: User, against: str = "") -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse("grader_scores", args=[study.public_id]), {"against": against} if against else {})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_says_what_graders_are_compared_with(read_study: Study, organiser: User, senior: User) -> None:
    assert "Not scored yet" in page(read_study, organiser)
    scene.fuse_all(read_study, actor=senior)
    scored(read_study, organiser)
    assert "with the vote of the others alone" in page(read_study, organiser)
    assert "no version is frozen yet" in page(read_study, organiser, "reference")


def test_names_are_for_the_organiser_and_letters_for_the_senior(
    read_study: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    scored(read_study, organiser)
    assert graders[0].name in page(read_study, organiser)
    assert graders[0].name not in page(read_study, senior)


def test_the_table_has_every_digit(read_study: Study, organiser: User, graders: list[User]) -> None:
    scores = scored(read_study, organiser)
    client = Client()
    client.force_login(organiser)
    answer = client.get(reverse("grader_scores_table", args=[read_study.public_id]), {"against": "others"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    wanted = values(scores, "others", graders[1])["dice_disc"]
    (found,) = [row for row in rows if (row["grader"], row["metric"]) == (letter(read_study, graders[1]), "dice_disc")]
    assert float(found["value"]) == wanted
    assert {row["grader"] for row in rows} == {*scores.content["graders"], "all"}
    missing = client.get(reverse("grader_scores_table", args=[read_study.public_id]), {"against": "fate"})
    assert missing.status_code == 404


def test_with_two_graders_an_eye_only_the_reference_is_there_to_compare_with(
    organiser: User, senior: User, adjudicator: User, graders: list[User]
) -> None:
    """Of three eyes one is disputed and not yet settled: it is left out."""
    study = adjudication_scene.disputed_study(
        [("RG", "RG"), ("NRG", "NRG"), ("RG", "NRG")],
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        adjudicators=[adjudicator],
    )
    scores = scored(study, organiser)
    assert scores.content["against"]["others"]["together"] == {}
    row = scores.content["against"]["reference"]["rows"][letter(study, graders[0])]
    assert (row["cases"]["screening"], row["left_out"]["screening"]) == (2, 1)
    assert "Too few graders have read each case" in page(study, organiser)


def test_programs_are_told_every_metric_by_letter(read_study: Study, organiser: User, graders: list[User]) -> None:
    scores = scored(read_study, organiser)
    client = Client()
    client.force_login(organiser)
    told = client.get(f"/api/v1/studies/{read_study.public_id}/graders/").json()
    assert (told["stale"], told["version"], told["edition"]) == (False, None, "paper")
    others = next(part for part in told["results"] if part["against"] == "others")
    assert [entry["grader"] for entry in others["entries"]] == [*scores.content["graders"], "all"]
    mine = next(entry for entry in others["entries"] if entry["grader"] == letter(read_study, graders[2]))
    assert {one["metric"]: one["value"] for one in mine["metrics"]} == values(scores, "others", graders[2])
    assert graders[2].name not in str(told)


@pytest.fixture
def settled(organiser: User, senior: User, adjudicator: User, graders: list[User]) -> Study:
    """Two eyes with referable glaucoma; the second grader has missed one, which the adjudicator settled."""
    labels = [("RG", "RG"), ("RG", "NRG")]
    study = adjudication_scene.disputed_study(
        labels, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator]
    )
    client = Client()
    client.force_login(adjudicator)
    assert Bench(client, study).decide(2, "RG").status_code == 201
    return study


def test_together_graders_miss_a_quarter(settled: Study, organiser: User) -> None:
    scores = scored(settled, organiser)
    assert scores.content["adjudicators"] == []
    assert scores.content["against"]["reference"]["together"]["sensitivity"][0] == pytest.approx(0.75)


def test_a_grader_who_settles_labels_too_is_shown_but_not_counted(
    settled: Study, organiser: User, adjudicator: User, graders: list[User]
) -> None:
    second = Membership.objects.get(study=settled, user=graders[1])
    Membership.objects.filter(pk=second.pk).update(user=adjudicator)
    scores = scored(settled, organiser)
    assert scores.content["adjudicators"] == [letters_of(settled)[second.pk]]
    assert scores.content["against"]["reference"]["together"]["sensitivity"][0] == 1.0
    assert "adjudicates, not counted below" in page(settled, organiser)


def test_the_row_of_all_graders_is_in_sight_however_many_there_are(read_study: Study, organiser: User) -> None:
    """A table of fixed height would hide its last row, which is the one that sums up."""
    scored(read_study, organiser)
    shown = page(read_study, organiser)
    assert "All graders together" in shown
    assert "table-scroll" not in shown
