"""What others do while a run or a report of a study goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from annotator.errors import Conflict
from annotator.models import Job, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.job_run import run_job
from consensus.models import AgreementReport, Reference, ReferenceInput
from consensus.selectors import standing
from consensus.services import agreement, runs
from tests import cast
from tests.consensus import scene


@pytest.fixture
def read_study(organiser: User, senior: User, graders: list[User]) -> Study:
    """Two graders have read as many cases as two chunks of a run hold."""
    answers = [scene.refuge_answers(shift) for shift in (0.0, 1.0)]
    return scene.read_study(
        "refuge", organiser=organiser, senior=senior, graders=graders[:2], answers=answers, cases=runs.CHUNK + 1
    )


@pytest.fixture
def newcomer(read_study: Study, organiser: User, graders: list[User]) -> Callable[[], None]:
    """A third grader joins and has read everything at once."""

    def join() -> None:
        cast.add_cast(read_study, actor=organiser, graders=[graders[2]])
        cast.assign_all(read_study, actor=organiser)
        for assignment in scene.assignments_of(read_study, graders[2]):
            scene.read(assignment, scene.refuge_answers(2.0))

    return join


def before_the_second(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, happens: Callable[[], None]) -> None:
    """Something happens between the first and the second call of a function."""
    original, calls = getattr(module, name), iter((None, happens))

    def called(*args: Any) -> Any:
        first = next(calls, None)
        if first is not None:
            first()
        return original(*args)

    monkeypatch.setattr(module, name, called)


@pytest.mark.django_db
def test_somebody_who_joins_and_reads_during_a_run_takes_part_in_the_rest_of_it(
    read_study: Study, senior: User, newcomer: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before_the_second(monkeypatch, runs, "_fused", newcomer)

    job = scene.fuse_all(read_study, actor=senior)

    last = scene.latest(scene.case_of(read_study, runs.CHUNK + 1), "disc")
    assert (job.state, Reference.objects.count()) == ("done", 3 * (runs.CHUNK + 1))
    assert ReferenceInput.objects.filter(reference=last).count() == 3
    assert list(audit_faults()) == []


@pytest.mark.django_db
def test_somebody_who_joins_and_reads_while_agreement_is_measured_waits_for_the_next_report(
    read_study: Study, senior: User, newcomer: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "CHUNK", runs.CHUNK)
    before_the_second(monkeypatch, agreement, "gather", newcomer)

    job = agreement.request_report(study=read_study, actor=senior)
    run_job(job.pk)

    job.refresh_from_db()
    assert job.state == "done"
    assert AgreementReport.objects.get().content["graders"] == ["A", "B"]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_ask_for_a_run_at_the_same_moment_one_is_told_that_it_goes_on(
    read_study: Study, senior: User, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    together, cases_to_fuse = threading.Barrier(2), standing.cases_to_fuse

    def both_have_looked(study: Study) -> list[int]:
        found = cases_to_fuse(study)
        together.wait()
        return found

    monkeypatch.setattr(runs, "cases_to_fuse", both_have_looked)
    monkeypatch.setattr("annotator.services.jobs.ring", lambda job: None)

    def ask(actor: User) -> str:
        try:
            runs.request_run(study=read_study, actor=actor)
        except Conflict as refusal:
            return refusal.code
        finally:
            connection.close()
        return "begun"

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(ask, [senior, organiser]))

    assert sorted(answers) == ["begun", "run_going_on"]
    assert Job.objects.filter(kind=runs.KIND).count() == 1
