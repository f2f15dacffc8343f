"""In the demo an adjudicator has begun: some disputes are settled as the eye was drawn, others are left to try."""

from __future__ import annotations

import pytest

from annotator.demo import people
from annotator.demo.cases import DRAW, true_airogs_label
from annotator.imaging.synthetic.grader_profiles import cast as team
from annotator.models import Image, User
from consensus import demo
from consensus.models import Reference
from consensus.selectors.adjudication import open_cases
from tests.consensus.adjudication_scene import disputed_study
from tests.consensus.scene import case_of, latest


@pytest.mark.django_db
def test_disputes_are_settled_once_but_for_every_fifth_case(organiser: User, senior: User, graders: list[User]) -> None:
    adjudicator = people.person(people.ADJUDICATOR)
    labels = [("RG", "NRG"), ("U", "RG"), ("NRG", "NRG"), ("NRG", "NRG"), ("RG", "U")]
    study = disputed_study(labels, organiser=organiser, senior=senior, graders=graders[:2], adjudicators=[adjudicator])
    for number, image in enumerate(Image.objects.filter(study=study).order_by("pk"), start=1):
        Image.objects.filter(pk=image.pk).update(original_name=f"TRAIN{number:06d}_1.jpg")

    demo.play(study)

    settled = {number: latest(case_of(study, number), "referable_glaucoma") for number in (1, 2, 5)}
    # The second eye of the demo is the glaucomatous one of four; every fifth is left.
    assert [(row.state, row.label) for row in settled.values()] == [
        ("adjudicated", "NRG"),
        ("adjudicated", "RG"),
        ("automatic", ""),
    ]
    assert [case.number for case in open_cases(adjudicator, study)] == [5]

    before = Reference.objects.count()
    demo.play(study)
    assert Reference.objects.count() == before


@pytest.mark.parametrize("number", [1, 2, 5, 17])
def test_the_label_of_a_name_is_that_of_the_picture_drawn(number: int) -> None:
    graders = team("airogs", 2)
    drawn = DRAW["airogs"](number, 7, graders)
    assert true_airogs_label(drawn.pictures[0].name) == {1: "RG", 2: "NRG", 5: "U", 17: "U"}[number]
