"""A study in the middle of its work, for tests of the pages about images, people and reading."""

from annotator.models import Assignment, Study, User
from annotator.services.studies import change_state
from tests import cast


def open_for_reading(study: Study, organiser: User) -> None:
    version = Study.objects.get(pk=study.pk).version
    change_state(study=study, version=version, state=Study.State.READING, actor=organiser)


def in_full_swing(study: Study, organiser: User, pictures: int = 3) -> None:
    """Pictures are there, every grader has every case, and reading has begun."""
    cast.add_pictures(study, pictures, actor=organiser)
    cast.assign_all(study, actor=organiser)
    open_for_reading(study, organiser)


def own_cases(study: Study, grader: User) -> list[Assignment]:
    rows = Assignment.objects.filter(grader__user=grader, round__study=study)
    return list(rows.order_by("round__number", "position"))
