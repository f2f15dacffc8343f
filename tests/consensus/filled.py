"""A study of the size of a paper, read by all, written straight into the tables: for benchmarks and killed workers.

The masks are those of real ellipses; only the pictures are missing, which no fusion looks at.
"""

import numpy as np
from django.utils import timezone

from annotator.models import (
    Assignment,
    Case,
    CaseImage,
    Image,
    Membership,
    Reading,
    Revision,
    Study,
    Subject,
    User,
)
from annotator.services.studies import change_state
from tests import cast

DIGEST = "a" * 64


def filled_study(*, cases: int, graders: int, width: int = 2124, height: int = 2056) -> tuple[Study, User]:
    """Disc, cup and fovea of every case by every grader; the study and its senior."""
    organiser, senior = cast.person("Olga Organiser", can_create_studies=True), cast.person("Sven Senior")
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=[cast.person(f"Grader {n}") for n in range(graders)], senior=senior)
    _add_cases(study, organiser, cases, width, height)
    cast.assign_all(study, actor=organiser)
    study = change_state(
        study=study, version=Study.objects.get(pk=study.pk).version, state=Study.State.READING, actor=organiser
    )
    _read_all(study, width, height)
    return study, senior


def unread_study(*, cases: int, width: int = 2124, height: int = 2056) -> Study:
    """Cases that nobody has read, image-00000.jpg and so on."""
    organiser = cast.person("Olga Organiser", can_create_studies=True)
    study = cast.study_of("refuge", organiser=organiser)
    _add_cases(study, organiser, cases, width, height)
    return study


def _add_cases(study: Study, organiser: User, count: int, width: int, height: int) -> None:
    subjects = Subject.objects.bulk_create(Subject(study=study, pseudonym=f"P{n:05d}") for n in range(count))
    images = Image.objects.bulk_create(
        Image(
            study=study,
            subject=subject,
            sha256=f"{number:064x}",
            format="jpeg",
            served_format="jpeg",
            byte_count=1,
            width=width,
            height=height,
            bits=8,
            channels=3,
            original_name=f"image-{number:05d}.jpg",
            added_by=organiser,
        )
        for number, subject in enumerate(subjects)
    )
    rows = Case.objects.bulk_create(Case(study=study, number=number + 1) for number in range(count))
    CaseImage.objects.bulk_create(
        CaseImage(case=case, image=image, position=1) for case, image in zip(rows, images, strict=True)
    )


def _read_all(study: Study, width: int, height: int) -> None:
    now, lots = timezone.now(), np.random.default_rng(7)
    targets = {row.key: row for row in study.targets.all()}
    images = dict(CaseImage.objects.filter(case__study=study).values_list("case_id", "image_id"))
    for member in Membership.objects.filter(study=study, role="grader").select_related("user"):
        assignments = list(Assignment.objects.filter(grader=member))
        readings = Reading.objects.bulk_create(
            [
                Reading(
                    assignment=row,
                    number=1,
                    submitted_at=now,
                    submitted_by=member.user,
                    opened_at=now,
                    active_ms=1000,
                    digest=DIGEST,
                )
                for row in assignments
            ],
            batch_size=500,
        )
        revisions = []
        for row, reading in zip(assignments, readings, strict=True):
            for key, geometry in _marks(lots, width, height).items():
                kind = targets[key].kind
                place = {"image_id": images[row.case_id], "target": targets[key]}
                revisions.append(Revision(reading=reading, kind=kind, geometry=geometry, digest=DIGEST, **place))
        Revision.objects.bulk_create(revisions, batch_size=500)
    Assignment.objects.filter(round__study=study).update(state="submitted", submitted_at=now, opened_at=now)


def _marks(lots: np.random.Generator, width: int, height: int) -> dict[str, dict[str, float]]:
    """A disc of about a seventh of the height, a cup in it, and a fovea, each a little elsewhere for every grader."""
    dx, dy, grow, turn = lots.normal(0, height / 300, 4).tolist()
    middle, radius = {"cx": width * 0.3 + dx, "cy": height * 0.5 + dy}, height / 14 + grow
    return {
        "disc": {**middle, "a": radius, "b": radius * 0.92, "theta_deg": turn % 180},
        "cup": {**middle, "a": radius * 0.5, "b": radius * 0.45, "theta_deg": turn % 180},
        "fovea": {"x": width * 0.6 + dx, "y": height * 0.52 + dy},
    }
