"""A study's readings become references: in the background, once, and never half."""

import numpy as np
import pytest
from django.db import DatabaseError, transaction

from annotator.answers import Given
from annotator.errors import Conflict
from annotator.geometry import runs
from annotator.models import AuditEvent, Job, Reading, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.job_run import JobLost, Progress, run_job
from annotator.services.jobs import cancel_job
from annotator.services.reopening import reopen_reading
from consensus.fusion.soft import unpack_votes
from consensus.models import CaseReview, ConsensusRun, Reference, ReferenceInput
from consensus.selectors.standing import cases_with_standing
from consensus.services import fusing
from consensus.services import runs as run_services
from consensus.services.runs import request_run
from tests import cast
from tests.consensus import scene

pytestmark = pytest.mark.django_db
SHIFTS = (0.0, 1.0, 4.0)


@pytest.fixture
def read_study(organiser: User, senior: User, graders: list[User]) -> Study:
    answers = [scene.refuge_answers(shift) for shift in SHIFTS]
    return scene.read_study("refuge", organiser=organiser, senior=senior, graders=graders, answers=answers, cases=2)


def standing(study: Study, number: int = 1) -> str:
    return str(cases_with_standing(study).values_list("standing", flat=True).get(number=number))  # type: ignore[misc]


def test_a_run_makes_a_reference_of_every_target_of_every_case(read_study: Study, senior: User) -> None:
    job = scene.fuse_all(read_study, actor=senior)

    assert (job.state, job.error) == ("done", "")
    assert job.result == {"cases": 2, "references": 6, "changed_meanwhile": 0, "refused": []}
    assert Reference.objects.count() == 6
    assert {row.state for row in Reference.objects.all()} == {"automatic"}


def test_the_stored_mask_is_the_majority_of_the_graders_pixels(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    disc = scene.latest(scene.case_of(read_study), "disc")
    expected = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    assert disc.runs is not None
    stored = runs.decode(runs.unpack(bytes(disc.runs), scene.WIDTH, scene.HEIGHT), scene.WIDTH, scene.HEIGHT)
    assert (stored == expected).all()
    assert disc.digest == runs.digest(runs.encode(expected), scene.WIDTH, scene.HEIGHT)
    assert disc.votes is not None
    assert unpack_votes(bytes(disc.votes)).graders == 3


def test_the_mean_of_points_and_its_distances_are_kept(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    case = scene.case_of(read_study)
    fovea = scene.latest(case, "fovea")
    assert fovea.geometry == {"x": pytest.approx(4.5 + 5 / 3), "y": 11.0}
    assert CaseReview.objects.get(case=case).distance_px == pytest.approx(4 - 5 / 3)
    assert sorted(row["distance_px"] for row in fovea.measures["graders"].values()) == pytest.approx(
        [2 / 3, 5 / 3, 7 / 3]
    )


def test_the_review_knows_how_far_the_graders_disagree(organiser: User, senior: User, graders: list[User]) -> None:
    def answers(height: float) -> list[Given]:
        cup = Given("cup", geometry=scene.cup_of(0, height))
        return [scene.refuge_answers()[0], cup, scene.refuge_answers()[2]]

    study = scene.read_study(
        "refuge", organiser=organiser, senior=senior, graders=graders, answers=[answers(h) for h in (1.5, 2.5, 3.5)]
    )
    scene.fuse_all(study, actor=senior)

    review = CaseReview.objects.get()
    # The disc spans 10 rows; the cups 2, 4 and 6: no pixel centre lies on their upper and lower ends.
    assert review.vcdr_spread == pytest.approx(0.4)
    assert review.measures["vcdr"]["1"]["reference"] == pytest.approx(0.4)
    assert review.gci is not None
    assert review.disagreement == pytest.approx(max(1 - review.gci, 0.4))


def test_the_readings_of_a_reference_are_its_inputs_and_held_fast(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    cup = scene.latest(scene.case_of(read_study), "cup")
    assert ReferenceInput.objects.filter(reference=cup, included=True).count() == 3
    assert not Reading.objects.filter(used_at=None).exists()


def test_a_run_stands_in_the_log_with_its_rules_and_program(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    run = ConsensusRun.objects.get()
    assert run.rules["disc"]["rule"] == "majority"
    assert run.code_version.startswith("fusion-")
    assert run.finished_at is not None
    actions = set(AuditEvent.objects.filter(study=read_study).values_list("action", flat=True))
    assert {"consensus.begun", "consensus.fused"} <= actions
    assert list(audit_faults()) == []


def test_a_second_run_has_nothing_to_do(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)

    with pytest.raises(Conflict, match="up to date"):
        request_run(study=read_study, actor=senior)


def test_a_study_without_a_case_says_so(organiser: User) -> None:
    with pytest.raises(Conflict, match="There is no case to fuse yet"):
        request_run(study=cast.study_of("refuge", organiser=organiser), actor=organiser)


def test_two_runs_of_a_study_do_not_go_on_at_once(read_study: Study, senior: User) -> None:
    request_run(study=read_study, actor=senior)

    with pytest.raises(Conflict, match="going on already"):
        request_run(study=read_study, actor=senior)


def test_a_study_that_is_still_read_says_how_many_cases_wait(
    organiser: User, senior: User, graders: list[User]
) -> None:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    cast.add_pictures(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    scene.read(scene.assignments_of(study, graders[0])[0], scene.refuge_answers())

    with pytest.raises(Conflict, match="2 cases wait for readings") as refusal:
        request_run(study=study, actor=senior)
    assert refusal.value.code == "nothing_to_fuse"


def test_a_single_reading_of_a_case_is_its_reference(organiser: User, senior: User, graders: list[User]) -> None:
    study = scene.read_study(
        "refuge", organiser=organiser, senior=senior, graders=graders[:1], answers=[scene.refuge_answers()]
    )
    scene.fuse_all(study, actor=senior)

    review = CaseReview.objects.get()
    assert (review.gci, review.vcdr_spread, review.disagreement) == (None, None, 0)
    assert Reference.objects.count() == 3


def test_a_mask_of_another_size_keeps_its_case_back_and_no_other(
    read_study: Study, senior: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoilt = scene.case_of(read_study, 2).case_images.get().image_id
    original = fusing.fuse_case

    def fuse_case(inputs, letters):  # type: ignore[no-untyped-def]
        for place in inputs.places.values():
            if place.image.pk == spoilt:
                place.image.width = 8
                for revision in place.answers:
                    revision.kind, revision.geometry = "mask", None
                    revision.runs = runs.pack(np.array([700, 710], dtype=np.int32))
        return original(inputs, letters)

    monkeypatch.setattr(run_services, "fuse_case", fuse_case)
    job = scene.fuse_all(read_study, actor=senior)

    assert job.result is not None
    assert job.result["cases"] == 1
    assert [refused["case"] for refused in job.result["refused"]] == [2]
    assert "grader" in job.result["refused"][0]["message"]
    assert not Reference.objects.filter(case=scene.case_of(read_study, 2)).exists()


def test_a_reading_that_comes_back_changed_makes_the_reference_stale(
    read_study: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    scene.fuse_all(read_study, actor=senior)
    assignment = scene.assignments_of(read_study, graders[2])[0]
    reopen_reading(assignment=assignment, actor=organiser, reason="Wrong eye.")
    assert standing(read_study) == "waiting"
    scene.read(assignment, scene.refuge_answers(0.5))
    assert standing(read_study) == "stale"

    scene.fuse_all(read_study, actor=senior)

    disc = scene.latest(scene.case_of(read_study), "disc")
    assert (disc.version, standing(read_study)) == (2, "open")
    assert disc.previous is not None
    assert scene.latest(scene.case_of(read_study, 2), "disc").version == 1


def test_a_cancelled_run_stops_between_cases_and_a_new_one_goes_on(
    read_study: Study, senior: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_services, "CHUNK", 1)
    job = request_run(study=read_study, actor=senior)
    report = Progress.report

    def cancel_after_the_first(self: Progress, done: int, total: int) -> None:
        if done == 2:
            cancel_job(job=job, actor=senior)
        report(self, done, total)

    monkeypatch.setattr(Progress, "report", cancel_after_the_first)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert {row.case.number for row in Reference.objects.all()} == {1}

    monkeypatch.setattr(Progress, "report", report)
    scene.fuse_all(read_study, actor=senior)
    assert Reference.objects.count() == 6


def test_a_reading_taken_back_during_the_run_is_not_used(
    read_study: Study, organiser: User, senior: User, graders: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = fusing.fuse_case

    def take_back_meanwhile(inputs, letters):  # type: ignore[no-untyped-def]
        if inputs.case.number == 1:
            reopen_reading(
                assignment=scene.assignments_of(read_study, graders[0])[0], actor=organiser, reason="A mistake."
            )
        return original(inputs, letters)

    monkeypatch.setattr(run_services, "fuse_case", take_back_meanwhile)
    job = scene.fuse_all(read_study, actor=senior)

    assert job.result is not None
    assert (job.result["cases"], job.result["changed_meanwhile"]) == (1, 1)
    assert {row.case.number for row in Reference.objects.all()} == {2}


@pytest.mark.contract
def test_a_reference_cannot_be_changed(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)
    for table in (Reference, ReferenceInput):
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            table.objects.update(**{"comment" if table is Reference else "note": "Mine."})


@pytest.mark.contract
def test_a_reference_belongs_to_its_case_and_follows_its_own_former_version(read_study: Study, senior: User) -> None:
    scene.fuse_all(read_study, actor=senior)
    disc, other = (scene.latest(scene.case_of(read_study, number), "disc") for number in (1, 2))
    for changes in ({"image": other.image}, {"previous": other}, {"target": scene.latest(disc.case, "cup").target}):
        copy = Reference.objects.get(pk=disc.pk)
        copy.pk, copy.version, copy.previous = None, 2, disc
        for name, value in changes.items():
            setattr(copy, name, value)
        if "target" in changes:
            copy.kind = "point"
        with pytest.raises(DatabaseError), transaction.atomic():
            copy.save(force_insert=True)


def test_graders_keep_their_letters_when_another_joins(read_study: Study, organiser: User, senior: User) -> None:
    from consensus.selectors.letters import letters_of
    from consensus.services.letters import draw_letters

    before = draw_letters(study=read_study)
    assert sorted(before.values()) == ["A", "B", "C"]
    cast.add_cast(read_study, actor=organiser, graders=[cast.person("Gerd Grader")])
    after = draw_letters(study=read_study)
    assert {grader: after[grader] for grader in before} == before
    assert sorted(after.values()) == ["A", "B", "C", "D"]
    assert letters_of(read_study) == after


def test_a_job_that_was_lost_writes_nothing_more(read_study: Study, senior: User) -> None:
    job = request_run(study=read_study, actor=senior)
    Job.objects.filter(pk=job.pk).update(worker="somebody:1:else", state="running", heartbeat="2030-01-01T00:00Z")
    stale = Job.objects.get(pk=job.pk)
    stale.worker = "me:2:here"
    with pytest.raises(JobLost):
        run_services.run_fusion_job(stale, Progress(stale))
    assert not Reference.objects.exists()
