"""An AGE study whose pictures are drawn scans: graders have placed the spurs, and the surfaces can be traced."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence

import cv2

from annotator.answers import Given
from annotator.imaging.synthetic.asoct import AsOctPicture, draw_asoct
from annotator.models import Study, User
from annotator.services.intake_desk import Facts
from annotator.services.uploads import take_upload
from tests import cast
from tests.consensus import scene

WIDTH, HEIGHT = 1065, 499
SEED = 3
UM_PER_PX = 15.0


@functools.cache
def scan(seed: int = SEED) -> AsOctPicture:
    """Open angles on both sides."""
    return draw_asoct(seed, width=WIDTH, height=HEIGHT)


def add_scans(study: Study, count: int, *, actor: User, um_per_px: float | None = UM_PER_PX) -> None:
    for number in range(count):
        _done, png = cv2.imencode(".png", scan(SEED + number).image)
        facts = Facts(subject=f"P{number}", side="R", um_per_px_x=um_per_px, um_per_px_y=um_per_px)
        content = functools.partial(io.BytesIO, png.tobytes())
        take_upload(study=study, name=f"{number}.png", content=content, facts=facts, actor=actor)


def spurs(shift: float, seed: int = SEED) -> tuple[Given, ...]:
    """Both spurs, moved from the true ones along the cornea by about so many pixels."""
    truth = scan(seed).truth
    given = []
    for angle, way in ((truth.left, 1), (truth.right, -1)):
        x, y = angle.spur
        given.append(Given(f"spur_{angle.side}", geometry={"x": x + way * shift, "y": y - shift}))
    return tuple(given)


def read_angles(
    organiser: User,
    senior: User,
    graders: Sequence[User],
    *,
    cases: int = 1,
    um_per_px: float | None = UM_PER_PX,
    shifts: Sequence[float] = (-2.0, 0.0, 2.0),
) -> Study:
    """Read and fused; the mean of the spurs is the true one."""
    study = cast.study_of("age", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior)
    add_scans(study, cases, actor=organiser, um_per_px=um_per_px)
    cast.assign_all(study, actor=organiser, graders_per_case=len(graders))
    study = scene.open_study(study, actor=organiser)
    for user, shift in zip(graders, shifts, strict=True):
        for number, assignment in enumerate(scene.assignments_of(study, user)):
            scene.read(assignment, spurs(shift, SEED + number))
    scene.fuse_all(study, actor=senior)
    return study
