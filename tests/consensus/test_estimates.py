"""Dawid–Skene over a whole study: estimated from all cases, kept with the run, and said of each case."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from django.test import Client

from annotator.answers import Given
from annotator.errors import Conflict
from annotator.models import Case, Study, User
from annotator.services.job_run import run_job
from consensus.fusion.estimate import Estimate, estimate, estimate_from, most_probable, posterior
from consensus.models import ConsensusRun, Reference
from consensus.selectors.standing import cases_to_fuse
from consensus.services.runs import fuse_study, request_run
from tests import cast
from tests.consensus import scene
from tests.consensus.senior import Table, content

Browser = Callable[[User], Client]
TARGET = "referable_glaucoma"
RULE = {"targets[0].consensus.rule": "dawid-skene"}
# Two who agree and one who says RG of everything: what he says tells nothing.
SAID = {1: "RG RG RG", 2: "NRG NRG RG", 3: "RG RG RG", 4: "NRG NRG RG", 5: "NRG RG RG", 6: "NRG NRG RG"}


def known() -> Estimate:
    """Worked by hand below: both true labels equally frequent; A is right in 9 of 10, B in 6 of 10."""
    confusion = np.array([[[0.9, 0.1], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]])
    return Estimate(("yes", "no"), ("A", "B"), np.array([0.5, 0.5]), confusion, 10, 3)


def test_the_probability_of_a_label_is_bayes_rule() -> None:
    shares = posterior(known(), [("A", "yes"), ("B", "no")])
    # 0.5·0.9·0.4 = 0.18 against 0.5·0.1·0.6 = 0.03
    assert shares == pytest.approx({"yes": 0.18 / 0.21, "no": 0.03 / 0.21})
    assert most_probable(shares) == "yes"


def test_somebody_of_whom_nothing_is_known_does_not_count() -> None:
    assert posterior(known(), [("A", "yes"), ("Z", "no")]) == pytest.approx({"yes": 0.9, "no": 0.1})


def test_equally_probable_labels_leave_it_open() -> None:
    assert most_probable(posterior(known(), [])) is None
    assert most_probable({}) is None


def test_the_estimate_comes_back_from_its_data() -> None:
    again = estimate_from(known().as_data())
    assert posterior(again, [("B", "no")]) == posterior(known(), [("B", "no")])


def test_graders_and_photographs_in_another_order_give_the_same_estimate() -> None:
    ratings = [(case, who, said) for case, line in SAID.items() for who, said in zip("ABC", line.split(), strict=True)]
    one, other = estimate(ratings, ["RG", "NRG", "U"]), estimate(ratings[::-1], ["RG", "NRG", "U"])
    assert one.graders == other.graders
    np.testing.assert_allclose(one.confusion, other.confusion, atol=1e-9)


def read_study(organiser: User, senior: User, graders: Sequence[User], said: dict[int, str]) -> Study:
    study = cast.study_of("airogs", organiser=organiser, changes=RULE)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    cast.add_pictures(study, len(said), actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    for place, grader in enumerate(graders):
        for assignment in scene.assignments_of(study, grader):
            label = said[assignment.case.number].split()[place]
            scene.read(assignment, (Given(TARGET, label=label),))
    return study


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    return read_study(organiser, senior, graders, SAID)


def labels(study: Study) -> dict[int, str]:
    rows = Reference.objects.filter(case__study=study, following__isnull=True)
    return dict(rows.values_list("case__number", "label"))


@pytest.mark.django_db
def test_a_grader_who_always_says_the_same_does_not_outvote_the_others(study: Study, senior: User) -> None:
    job = scene.fuse_all(study, actor=senior)

    assert job.state == "done"
    # Majority would call case 5 RG, two against one; here his voice weighs nothing and the two others are split.
    assert {number: label for number, label in labels(study).items() if number != 5} == {
        1: "RG",
        2: "NRG",
        3: "RG",
        4: "NRG",
        6: "NRG",
    }
    run = ConsensusRun.objects.get(study=study)
    told = run.estimates[TARGET]
    assert told["photographs"] == 6
    assert sum(told["prior"]) == pytest.approx(1.0)
    shares = scene.latest(scene.case_of(study, 2), TARGET).measures["posterior"]
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["NRG"] > 0.9


@pytest.mark.django_db
def test_the_posterior_of_each_case_is_that_of_the_fit(study: Study, senior: User) -> None:
    """The reference's numbers against the kernel's own last step, over all cases at once."""
    from consensus.fusion.dawid_skene import dawid_skene

    scene.fuse_all(study, actor=senior)
    order = ["RG", "NRG", "U"]
    ratings = [
        (case - 1, who, order.index(said)) for case, line in SAID.items() for who, said in enumerate(line.split())
    ]
    fit = dawid_skene(ratings, 6, 3, 3)
    for number in SAID:
        shares = scene.latest(scene.case_of(study, number), TARGET).measures["posterior"]
        np.testing.assert_allclose([shares[key] for key in order], fit.probability[number - 1], atol=1e-4)


@pytest.mark.django_db
def test_fewer_than_three_graders_are_refused_in_words(organiser: User, senior: User, graders: list[User]) -> None:
    study = read_study(organiser, senior, graders[:2], {1: "RG RG", 2: "NRG RG"})
    with pytest.raises(Conflict, match="at least 3 graders; 2 have read") as refused:
        request_run(study=study, actor=senior)
    assert refused.value.code == "too_few_graders"
    assert not ConsensusRun.objects.filter(study=study).exists()


@pytest.mark.django_db
def test_one_new_case_is_weighed_with_all_others_again_and_decisions_stay(
    study: Study, organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> None:
    scene.fuse_all(study, actor=senior)
    table = Table(browser_of(senior), study)
    decided = {"content": content(label="U"), "masks": []}
    answer = table.post("decide", decisions=[table.decision(TARGET, adjusted=decided)])
    assert answer.status_code == 200, answer.json()
    assert cases_to_fuse(study) == []
    cast.add_pictures(study, 2, actor=organiser, first_seed=50)
    cast.assign_all(study, actor=organiser)
    for grader, said in zip(graders, ("NRG", "NRG", "NRG"), strict=True):
        for assignment in scene.assignments_of(study, grader):
            if assignment.case.number > 6:
                scene.read(assignment, (Given(TARGET, label=said),))

    job = scene.fuse_all(study, actor=senior)

    assert job.result is not None
    assert job.result["cases"] == 8
    assert cases_to_fuse(study) == []
    assert scene.latest(scene.case_of(study, 1), TARGET).label == "U"
    assert scene.latest(scene.case_of(study, 1), TARGET).version == 2
    assert scene.latest(scene.case_of(study, 5), TARGET).version == 2  # what the third grader says now tells something


@pytest.mark.django_db
def test_at_the_table_a_reading_is_left_out_with_what_the_run_has_estimated(
    study: Study, senior: User, browser_of: Browser
) -> None:
    scene.fuse_all(study, actor=senior)
    table = Table(browser_of(senior), study)
    told = table.get()
    places = [{"position": 1, "target": TARGET, "excluded": [told["readings"][0]["id"]]}]
    answer = table.client.post(f"{table.case_address}preview/", {"decisions": places}, content_type="application/json")
    (vote,) = answer.json()["references"]
    assert vote["content"]["label"] == "RG"
    assert table.post("decide", decisions=[table.decision(TARGET)]).status_code == 200


@pytest.mark.django_db
def test_the_run_is_shown_with_its_rules_and_what_graders_tend_to_say(
    study: Study, senior: User, browser_of: Browser
) -> None:
    scene.fuse_all(study, actor=senior)
    run, case = ConsensusRun.objects.get(study=study), Case.objects.filter(study=study).earliest("number")
    client = browser_of(senior)
    address = f"/studies/{study.public_id}/table/runs/{run.public_id}/"
    assert address in client.get(f"/studies/{study.public_id}/table/{case.public_id}/history/").content.decode()
    page = client.get(address).content.decode()
    assert "Dawid–Skene" in page
    assert "Grader A" in page
    assert page.count('<td class="num">–</td>') == 9  # three graders, and no photograph that is truly ungradable


@pytest.mark.django_db
def test_a_run_that_was_stopped_leaves_the_rest_out_of_date_and_goes_on_with_what_it_had_estimated(
    study: Study, senior: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consensus.services.runs.CHUNK", 2)
    job = request_run(study=study, actor=senior)
    stopped = Stopping(after=2)
    with pytest.raises(Stopped):
        fuse_study(study=study, actor=senior, job=job, progress=stopped)  # type: ignore[arg-type]
    estimated = ConsensusRun.objects.get(study=study).estimates
    assert len(cases_to_fuse(study)) == 4

    run_job(job.pk)

    assert cases_to_fuse(study) == []
    assert ConsensusRun.objects.get(study=study).estimates == estimated
    assert len(labels(study)) == 6


class Stopped(Exception):
    pass


class Stopping:
    """A worker that ends in the middle."""

    def __init__(self, after: int) -> None:
        self.after = after

    def report(self, done: int, total: int) -> None:
        if done > self.after:
            raise Stopped
