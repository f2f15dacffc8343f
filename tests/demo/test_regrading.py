"""The demo's AIROGS to its end: the grader who drifts is removed, others read again, disputes are settled, and every
eye has its final label, worked out again from what everybody said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from annotator.answers import Given
from annotator.demo import people
from annotator.models import Assignment, CaseImage, Job, Study
from annotator.services.job_run import run_job
from consensus import demo
from consensus.models import Reference
from consensus.selectors.adjudication import open_cases
from consensus.selectors.removals import read_instead
from consensus.services.removing import remove_grader
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET
from tests.demo.programme_scene import EYES, careless, graders_of, said_by, true_labels, whole_eyes
from tests.demo.test_programme import small_pictures as small_pictures
from tests.demo.test_programme import study as study

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


def as_it_is(number: int) -> tuple[str, ...]:
    """The labels of an eye's photographs up to the first that can be read."""
    labels = true_labels(number)
    until = next((place for place, label in enumerate(labels) if label != "U"), len(labels) - 1)
    return tuple(labels[: until + 1])


def final_labels(number: int, said: list[tuple[str, ...]]) -> list[str]:
    """Two equal labels stand; what differs, or was reached by one alone, is settled as it is; an eye needs no
    photograph behind the first that can be read."""
    found: list[str] = []
    for place, truth in enumerate(true_labels(number)):
        given = [one[place] for one in said if place < len(one)]
        if not given or (found and found[-1] != "U"):
            break
        found.append(given[0] if len(given) == 2 and len(set(given)) == 1 else truth)
    return found


def read_what_waits(study: Study) -> int:
    """Everybody reads rightly what is left; how many first readings that were."""
    count = 0
    for one in Assignment.objects.filter(grader__study=study, grader__active=True, state="waiting").select_related(
        "case"
    ):
        labels = as_it_is(one.case.number - 1)
        scene.read(one, [Given(TARGET, position=place, label=label) for place, label in enumerate(labels, start=1)])
        count += one.repeat_of_id is None
    return count


def finish(study: Study) -> None:
    """Jobs that wait are done, what can be fused is fused, and all disputes are settled."""
    adjudicator = people.person(people.ADJUDICATOR)
    for job in Job.objects.filter(study=study, finished_at=None).order_by("pk"):
        run_job(job.pk)
    demo.settle(study)
    while cases := list(open_cases(adjudicator, study)):
        for case in cases:
            demo._adjudicate(study, case, adjudicator)


def test_the_drifting_grader_is_removed_and_every_eye_gets_its_final_label(
    study: Study, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    worst, organiser = careless(), people.person(people.ORGANISER)
    said = said_by(study)
    left = {number for number in range(EYES) if number not in whole_eyes(said)}
    own, bad = set(said[worst]), graders_of(study)[worst]

    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        removal = remove_grader(study=study, grader=bad, reason="Sees glaucoma everywhere.", actor=organiser)
    assert read_instead(removal).total == len(own) == 2 * EYES // 5
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        assert read_what_waits(study) == len(own) + len(left)
    finish(study)

    assert (read_instead(removal).done, read_instead(removal).total) == (len(own), len(own))
    for number in range(EYES):
        kept = [mine[number] for reader, mine in said.items() if reader != worst and number in mine]
        expected = final_labels(number, [*kept, *[as_it_is(number)] * (2 - len(kept))])
        rows = CaseImage.objects.filter(case__study=study, case__number=number + 1).order_by("position")
        heads = [Reference.objects.filter(image=row.image_id, following=None).first() for row in rows]
        assert [head.label for head in heads[: len(expected)] if head is not None] == expected, number
    assert not open_cases(people.person(people.ADJUDICATOR), study).exists()
