"""The demo's AIROGS made without painting an eye, and what its people say of it, worked out from what is drawn: tiny
pictures stand in for eyes, since what graders make of them depends on the truth alone."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from annotator.demo import cases, studies
from annotator.demo.cases import DrawnCase, draw_case, team, true_airogs_label
from annotator.drawn import jpeg
from annotator.imaging.synthetic import eye, fundus
from annotator.models import Assignment, CaseImage, Membership, Role, Study
from consensus import demo_exam
from consensus.models import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

SEED = 2018
SCRIPT = next(script for script in studies.SCRIPTS if script.protocol == "airogs")
EYES = 60
GraderEyes = dict[int, tuple[str, ...]]
"""By eye (from 0): what was said of its photographs."""


class AtOnce:
    """Draws in this process."""

    def submit(self, draw: Any, *arguments: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(draw(*arguments))
        return done


@contextmanager
def nobody_else() -> Iterator[AtOnce]:
    yield AtOnce()


def tiny(seed: int) -> bytes:
    return jpeg(np.random.default_rng(seed).integers(0, 256, (24, 32, 3), dtype=np.uint8))


@cache
def eye_drawn(number: int) -> DrawnCase:
    """Eye `number`, from 0."""
    return draw_case("airogs", number, SEED)


def unpainted(_protocol: str, number: int, _seed: int) -> DrawnCase:
    drawn = eye_drawn(number)
    small = [replace(one, data=tiny(10 * number + place)) for place, one in enumerate(drawn.pictures)]
    return replace(drawn, pictures=tuple(small))


def paint_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only AIROGS is made, in this process, with tiny pictures."""
    for name in ("paint_ground", "paint_disc", "paint_lesions", "paint_vessels", "vessel_maps"):
        monkeypatch.setattr(fundus, name, lambda *_arguments, **_options: None)
    monkeypatch.setattr(eye, "_draw_vessels", lambda *_arguments: ())  # they have lots of their own
    monkeypatch.setattr(fundus, "develop", lambda _picture, view, *_rest: np.zeros((view.height, view.width, 3), "u1"))
    monkeypatch.setattr(cases, "jpeg", lambda _image: b"")
    monkeypatch.setattr(studies, "draw_case", unpainted)
    monkeypatch.setattr(studies, "drawers", nobody_else)
    monkeypatch.setattr(studies, "SCRIPTS", (SCRIPT,))
    monkeypatch.setattr(studies, "write_for", lambda *_arguments: None)
    number = iter(range(5000, 5100))
    monkeypatch.setattr(demo_exam, "jpeg", lambda _image: tiny(next(number)))


def make() -> Study:
    studies.make_demo(seed=SEED, report=lambda done, total: None)
    return Study.objects.get(name=SCRIPT.name)


def graders_of(study: Study) -> list[Membership]:
    return list(Membership.objects.filter(study=study, role=Role.GRADER).select_related("user").order_by("pk"))


def careless() -> int:
    """Which of the graders, in the order of joining."""
    return next(number for number, profile in enumerate(team("airogs", SEED)) if profile.bad_apple)


def true_labels(number: int) -> list[str]:
    """Of the photographs of an eye, from 0."""
    return [true_airogs_label(picture.name) for picture in eye_drawn(number).pictures]


def said_by(study: Study) -> dict[int, GraderEyes]:
    """By grader, in the order of joining: of every eye read, what the person says at that place of the own list."""
    worst = careless()
    steady = SCRIPT.steady
    assert steady is not None
    said: dict[int, GraderEyes] = {}
    for reader, member in enumerate(graders_of(study)):
        mine = said.setdefault(reader, {})
        for place, one in enumerate(member.assignments.select_related("case").order_by("position")):
            if one.repeat_of_id is None and one.state == Assignment.State.SUBMITTED:
                drawn = eye_drawn(one.case.number - 1)
                answers = drawn.later if reader == worst and place >= steady else drawn.readings
                mine[one.case.number - 1] = tuple(given.label for given in answers[reader])
    return said


def whole_eyes(said: dict[int, GraderEyes]) -> dict[int, list[tuple[str, ...]]]:
    """Eyes that both graders have read."""
    eyes = {number: [mine[number] for mine in said.values() if number in mine] for number in range(EYES)}
    return {number: both for number, both in eyes.items() if len(both) == 2}


def upper_bound(right: int, of: int) -> float:
    """Wilson's, one-sided, 95 %; as in any textbook."""
    z, share = 1.6448536269514722, right / of
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (share + z * z / (2 * of) + half) / (1 + z * z / of)


def finals_of(study: Study, mine: GraderEyes) -> list[tuple[str, str]]:
    """Final label and what the grader had said of that photograph, in the order in which labels became final."""
    places = {row.image_id: row for row in CaseImage.objects.filter(case__study=study).select_related("case")}
    found = []
    for head in Reference.objects.filter(case__study=study, following=None).exclude(label=""):
        number, position = places[head.image_id].case.number - 1, places[head.image_id].position
        said = mine.get(number, ())
        if position <= len(said):
            found.append((head.created_at, number, head.label, said[position - 1]))
    return [(final, said) for _at, _number, final, said in sorted(found)]
