"""A fixed cast of people and small studies for all tests; everything is made by the services that a click calls.

    study_of("refuge", organiser=olga)          a study from a published recipe
    add_cast(study, senior=..., graders=[...])  people with roles
    add_pictures(study, 3, actor=olga)          tiny pictures, in the store and in the study
    assign_all(study, actor=olga)               every grader reads every case

`tests/conftest.py` offers the people as fixtures: organiser, senior, adjudicator, observer, graders, outsider, admin,
and `study`, a REFUGE study in which all but the last two have their role.
"""

import io
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from PIL import Image as Picture

from annotator.imaging.pipeline import Source, Taken, take_in_files
from annotator.models import Image, Membership, Role, Study, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.images import add_images, image_store
from annotator.services.intake_desk import Facts
from annotator.services.people import add_member
from annotator.services.studies import changed_recipe, create_study
from protocols.recipe import Recipe

PASSWORD = "a-long-enough-phrase"  # one for everybody in the cast


def person(name: str, **rights: Any) -> User:
    """Somebody who can sign in as <name>@example.org with PASSWORD."""
    email = f"{name.lower().replace(' ', '.')}@example.org"
    return User.objects.create_user(email, PASSWORD, name=name, **rights)


def study_of(protocol: str, *, organiser: User, name: str = "", changes: Mapping[str, Any] | None = None) -> Study:
    """A study from a published recipe, with changes to it if any."""
    recipe = changed_recipe(protocol=protocol, changes=changes) if changes else _published(protocol)
    return create_study(name=name or f"A study of {protocol}", recipe=recipe, actor=organiser)


@cache
def _published(protocol: str) -> Recipe:
    return changed_recipe(protocol=protocol, changes={})


def add_cast(
    study: Study,
    *,
    actor: User,
    graders: Sequence[User] = (),
    senior: User | None = None,
    adjudicator: User | None = None,
    observer: User | None = None,
) -> list[Membership]:
    """Memberships in the order of the arguments; graders get the codes G1, G2, … in their order."""
    wanted = [(user, Role.GRADER) for user in graders]
    others = ((senior, Role.SENIOR), (adjudicator, Role.ADJUDICATOR), (observer, Role.OBSERVER))
    wanted += [(user, role) for user, role in others if user is not None]
    return [add_member(study=study, user=user, role=role, actor=actor) for user, role in wanted]


def tiny_png(seed: int, *, width: int = 32, height: int = 24) -> bytes:
    """A picture of random colours; different seeds give different files, the same seed the same file."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Picture.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def add_pictures(study: Study, count: int, *, actor: User, first_seed: int = 1, side: str = "R") -> list[Image]:
    """Tiny pictures of one subject each, named picture-<seed>.png by whoever made them."""
    arrivals = []
    for seed in range(first_seed, first_seed + count):
        arrivals.append((_taken(seed), Facts(subject=f"P{seed:04d}", side=side)))
    added = add_images(study=study, arrivals=arrivals, actor=actor)
    return [image for image in added if isinstance(image, Image)]


def _taken(seed: int) -> Taken:
    source = Source(f"picture-{seed}.png", lambda: io.BytesIO(tiny_png(seed)))
    (outcome,) = take_in_files([source], image_store().root, workers=0)
    assert isinstance(outcome, Taken)
    return outcome


def assign_all(study: Study, *, actor: User, graders_per_case: int | None = None) -> int:
    """Every grader reads every case, or as many graders per case as asked; the number of new assignments."""
    return assign_cases(study=study, rule=Rule(graders_per_case), actor=actor)
