"""What the database itself refuses, whatever program writes to it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotator.models import (
    Assignment,
    Case,
    CaseImage,
    Draft,
    Eye,
    Image,
    Job,
    Membership,
    Reading,
    Revision,
    Round,
    Study,
    Subject,
    Target,
    Team,
    User,
)
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.contract]
DIGEST = "a" * 64


class Scene:
    """One assigned case of a REFUGE study, and a second study beside it."""

    def __init__(self, organiser: User, graders: list[User], outsider: User) -> None:
        self.organiser = organiser
        self.study = cast.study_of("refuge", organiser=organiser)
        self.other_study = cast.study_of("adam", organiser=outsider)
        cast.add_cast(self.study, actor=organiser, graders=graders)
        self.image = cast.add_pictures(self.study, 1, actor=organiser)[0]
        self.other_image = cast.add_pictures(self.other_study, 1, actor=outsider, first_seed=50)[0]
        cast.assign_all(self.study, actor=organiser)
        self.assignment = Assignment.objects.filter(case__study=self.study).order_by("pk")[0]
        self.disc = Target.objects.get(study=self.study, key="disc")
        self.fovea = Target.objects.get(study=self.study, key="fovea")

    def reading(self, number: int = 1, **changes: object) -> Reading:
        now = timezone.now()
        fields: dict[str, object] = {
            "assignment": self.assignment,
            "number": number,
            "submitted_at": now,
            "submitted_by": self.assignment.grader.user,
            "opened_at": now,
            "active_ms": 1,
            "digest": DIGEST,
        }
        return Reading.objects.create(**(fields | changes))

    def revision(self, **changes: object) -> Revision:
        fields: dict[str, object] = {
            "reading": Reading.objects.filter(assignment=self.assignment).first() or self.reading(),
            "image": self.image,
            "target": self.fovea,
            "kind": "point",
            "geometry": {"x": 1, "y": 2},
            "digest": DIGEST,
        }
        return Revision.objects.create(**(fields | changes))

    def picture(self, **changes: object) -> Image:
        fields: dict[str, object] = {
            "study": self.study,
            "subject": self.image.subject,
            "eye": self.image.eye,
            "order_in_eye": 2,
            "sha256": "b" * 64,
            "format": "png",
            "served_format": "png",
            "byte_count": 1,
            "width": 4,
            "height": 4,
            "bits": 8,
            "channels": 3,
            "original_name": "x.png",
            "added_by": self.organiser,
        }
        return Image.objects.create(**(fields | changes))

    def assigned(self, **changes: object) -> Assignment:
        first = self.assignment
        fields = {"grader": first.grader, "case": first.case, "round": first.round, "position": 99}
        return Assignment.objects.create(**(fields | changes))


@pytest.fixture
def scene(organiser: User, graders: list[User], outsider: User) -> Scene:
    return Scene(organiser, graders, outsider)


def second_study_case(scene: Scene) -> Case:
    return Case.objects.get(study=scene.other_study)


REFUSED: dict[str, Callable[[Scene], object]] = {
    "a study in an unknown state": lambda s: Study.objects.filter(pk=s.study.pk).update(state="lost"),
    "two studies of one name": lambda s: Study.objects.filter(pk=s.other_study.pk).update(name=s.study.name),
    "a pseudonym twice in a study": lambda s: Subject.objects.create(
        study=s.study, pseudonym=s.image.subject.pseudonym
    ),
    "a subject without a pseudonym": lambda s: Subject.objects.create(study=s.study, pseudonym=""),
    "two right eyes": lambda s: Eye.objects.create(subject=s.image.subject, side="R"),
    "an eye on no side": lambda s: Eye.objects.create(subject=s.image.subject, side="X"),
    "the same picture twice in a study": lambda s: s.picture(sha256=s.image.sha256),
    "two photographs with one number": lambda s: s.picture(order_in_eye=1),
    "a picture without width": lambda s: s.picture(width=0),
    "a picture of 12 bits": lambda s: s.picture(bits=12),
    "a pixel of no size": lambda s: s.picture(um_per_px_x=0),
    "a picture of another study's subject": lambda s: s.picture(study=s.other_study),
    "a picture whose eye is another's": lambda s: s.picture(eye=s.other_image.eye),
    "an image in two cases": lambda s: CaseImage.objects.create(
        case=Case.objects.create(study=s.study, number=7), image=s.image, position=1
    ),
    "a case with another study's image": lambda s: CaseImage.objects.create(
        case=s.assignment.case, image=s.other_image, position=2
    ),
    "a case number twice": lambda s: Case.objects.create(study=s.study, number=1),
    "a target key twice": lambda s: Target.objects.create(
        study=s.study, key="disc", name="x", kind="mask", position=77
    ),
    "a target of unknown kind": lambda s: Target.objects.create(
        study=s.study, key="new", name="x", kind="cube", position=77
    ),
    "a role twice": lambda s: Membership.objects.create(study=s.study, user=s.organiser, role="organiser", code="O9"),
    "an unknown role": lambda s: Membership.objects.create(study=s.study, user=s.organiser, role="king", code="K1"),
    "a code twice": lambda s: Membership.objects.create(study=s.study, user=s.organiser, role="observer", code="G1"),
    "a leaver without a leaving time": lambda s: Membership.objects.filter(study=s.study).update(active=False),
    "a team name twice": lambda s: Team.objects.bulk_create([Team(study=s.study, name="A") for _ in range(2)]),
    "a round that closes before it opens": lambda s: Round.objects.create(
        study=s.study, number=2, opens=timezone.now(), closes=timezone.now() - timedelta(days=1)
    ),
    "an assignment twice": lambda s: s.assigned(),
    "a place in the worklist twice": lambda s: s.assigned(repeat_of=s.assignment, position=s.assignment.position),
    "a repeat twice": lambda s: (s.assigned(repeat_of=s.assignment), s.assigned(repeat_of=s.assignment, position=98)),
    "an assignment of another study's case": lambda s: s.assigned(case=second_study_case(s)),
    "an assignment in another study's round": lambda s: s.assigned(
        repeat_of=s.assignment, round=Round.objects.get(study=s.other_study)
    ),
    "a lease without an end": lambda s: Assignment.objects.update(lease_holder="tab"),
    "a submitted assignment without a time": lambda s: Assignment.objects.update(state="submitted"),
    "two drafts of one target": lambda s: Draft.objects.bulk_create(
        [Draft(assignment=s.assignment, image=s.image, target=s.disc, content={}) for _ in range(2)]
    ),
    "a draft of version zero": lambda s: Draft.objects.create(
        assignment=s.assignment, image=s.image, target=s.disc, content={}, version=0
    ),
    "a draft about another study's image": lambda s: Draft.objects.create(
        assignment=s.assignment, image=s.other_image, target=s.disc, content={}
    ),
    "a draft of another study's target": lambda s: Draft.objects.create(
        assignment=s.assignment, image=s.image, target=Target.objects.filter(study=s.other_study)[0], content={}
    ),
    "a repeat of what another grader read": lambda s: s.assigned(
        repeat_of=Assignment.objects.filter(case__study=s.study).exclude(grader=s.assignment.grader)[0]
    ),
    "another time of submission": lambda s: (s.reading(), Reading.objects.update(submitted_at=timezone.now())),
    "another digest of a reading": lambda s: (s.reading(), Reading.objects.update(digest="b" * 64)),
    "another comment on a reading": lambda s: (s.reading(), Reading.objects.update(comment="Not what was said.")),
    "another author of a reading": lambda s: (s.reading(), Reading.objects.update(submitted_by=s.organiser)),
    "two readings in force": lambda s: (s.reading(1), s.reading(2)),
    "a reading number twice": lambda s: (s.reading(1, withdrawn_at=timezone.now()), s.reading(1)),
    "a reading submitted before it was opened": lambda s: s.reading(opened_at=timezone.now() + timedelta(hours=1)),
    "a reading set aside without a reason": lambda s: s.reading(set_aside_at=timezone.now(), set_aside_by=s.organiser),
    "two answers to one target": lambda s: (s.revision(), s.revision()),
    "a point without geometry": lambda s: s.revision(geometry=None),
    "a point with a mask": lambda s: s.revision(runs=b"x"),
    "geometry of what is not visible": lambda s: s.revision(answer="not-visible"),
    "an answer of another kind than its target": lambda s: s.revision(
        target=s.disc, kind="mask", runs=b"x", geometry=None
    ),
    "an answer about another study's image": lambda s: s.revision(image=s.other_image),
    "an answer to another study's target": lambda s: s.revision(
        target=Target.objects.get(study=s.other_study, key="fovea")
    ),
    "a confidence above one": lambda s: s.revision(confidence=1.5),
    "a changed answer": lambda s: (s.revision(), Revision.objects.update(geometry={"x": 9, "y": 9})),
    "a running job without a heartbeat": lambda s: Job.objects.create(
        kind="import_images", owner=s.organiser, state="running"
    ),
    "a finished job without an end": lambda s: Job.objects.create(
        kind="import_images", owner=s.organiser, state="done"
    ),
    "two people with one address": lambda s: User.objects.create(email=s.organiser.email.upper(), name="x"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_the_database_refuses(what: str, scene: Scene) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        REFUSED[what](scene)


def test_the_database_takes_what_is_right(scene: Scene) -> None:
    scene.picture()
    scene.assigned(repeat_of=scene.assignment)
    reading = scene.revision().reading
    reading.withdrawn_at = timezone.now()
    reading.save()
