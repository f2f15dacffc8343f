"""Eyes with a second photograph that only one of two graders has reached: who settles it, and when nobody has to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotator.answers import Given
from annotator.models import Study, User
from consensus.models import Reference
from consensus.selectors.readiness import standing_before_freeze
from consensus.services.freezing import freeze_dataset
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, Bench
from tests.workbench.desk import add_eye

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User) -> Study:
    """One grader cannot read the first photograph and calls the second RG; the other calls the first NRG."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior, adjudicator=adjudicator)
    add_eye(study, 2, actor=organiser)
    cast.assign_all(study, actor=organiser)
    study = scene.open_study(study, actor=organiser)
    first, second = (scene.assignments_of(study, grader)[0] for grader in graders[:2])
    scene.read(first, [Given(TARGET, label="U"), Given(TARGET, position=2, label="RG", signs=("large_cup",))])
    scene.read(second, [Given(TARGET, label="NRG")])
    scene.fuse_all(study, actor=senior)
    return study


@pytest.fixture
def bench(study: Study, adjudicator: User, browser_of: Callable[[User], Client]) -> Bench:
    return Bench(browser_of(adjudicator), study)


def asked(bench: Bench) -> list[int]:
    return [image["position"] for image in bench.get(1).json()["images"]]


def settle(bench: Bench, position: int, label: str) -> int:
    content = {"answer": "present", "label": label, "signs": []}
    verdict = {"position": position, "target": TARGET, "content": content}
    return int(bench.post(1, "decide", verdicts=[verdict]).status_code)


def labels(study: Study) -> list[tuple[int, str]]:
    rows = Reference.objects.filter(case__study=study, following__isnull=True).order_by("image__order_in_eye")
    return list(rows.values_list("image__order_in_eye", "label"))


def test_first_only_the_photograph_on_which_they_differ_is_asked_about(bench: Bench) -> None:
    assert bench.queue() == [1]
    assert asked(bench) == [1]
    assert settle(bench, 2, "RG") == 409


def test_if_it_is_ungradable_the_adjudicator_reads_the_next_one_too(study: Study, bench: Bench, senior: User) -> None:
    assert settle(bench, 1, "U") == 201
    assert bench.queue() == [1]
    assert asked(bench) == [2]
    assert standing_before_freeze(study).readiness.references_undecided == 1
    assert settle(bench, 2, "RG") == 201
    assert bench.queue() == []
    assert labels(study) == [(1, "U"), (2, "RG")]
    assert freeze_dataset(study=study, actor=senior, name="First").counts["references"] == 2


def test_if_it_can_be_read_nobody_needs_the_next_one_and_it_holds_nothing_up(
    study: Study, bench: Bench, senior: User
) -> None:
    assert settle(bench, 1, "NRG") == 201
    assert bench.queue() == []
    assert labels(study) == [(1, "NRG"), (2, "")]
    version = freeze_dataset(study=study, actor=senior, name="First")
    assert version.counts["references"] == 1
