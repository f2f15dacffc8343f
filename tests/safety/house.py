"""A study in the middle of its work, with one of everything that an address can name and a secret in every field that
tells something. All who could knock at its doors are here: see `ROLES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator import models
from annotator.answers import Given
from annotator.models import (
    Assignment,
    Case,
    Flag,
    Image,
    Job,
    Membership,
    Reading,
    Role,
    Round,
    Study,
    Subject,
    Team,
    User,
)
from annotator.services.arrivals import begin_arrival
from annotator.services.assignments import Rule, request_assignment
from annotator.services.flags import close_flag, raise_flag
from annotator.services.job_run import run_job
from annotator.services.people import deactivate_member, invitation_token, invite
from annotator.services.readings import submit_reading
from annotator.services.studies import change_state
from annotator.services.tokens import make_token
from consensus.models import Alert, ConsensusRun, DatasetVersion
from consensus.services.exporting import checked_wish, request_export
from consensus.services.freezing import freeze_dataset
from consensus.services.runs import request_run
from consensus.services.truth import Table, import_truth
from evaluation.models import Challenge, Submission
from evaluation.services.grader_scores import request_scores
from tests import cast
from tests.consensus.arriving import sent_in
from tests.consensus.handmade import alerts_by_hand, discussion_by_hand, removal_by_hand, split_by_hand
from tests.evaluation.challenge_scene import opened, risks, score_all, sent

ROLES = (
    "anonymous",
    "outsider",  # an account, no role anywhere
    "grader",
    "colleague",  # another grader of the same study
    "senior",
    "adjudicator",
    "observer",
    "organiser",
    "other_organiser",  # organises another study
    "team_member",
    "leaver",  # was a grader of the study
    "administrator",
)
DISC = {"cx": 16.0, "cy": 12.0, "a": 6.0, "b": 5.0, "theta_deg": 30.0}
CUP = {"cx": 16.0, "cy": 12.0, "a": 3.0, "b": 2.5, "theta_deg": 30.0}
FOVEA = {"x": 4.5, "y": 11.0}
ANSWERS = (Given("disc", geometry=DISC), Given("cup", geometry=CUP), Given("fovea", geometry=FOVEA))
BY_OTHERS = {"disc": DISC | {"cx": 16.015625}, "cup": CUP | {"cx": 16.015625}, "fovea": FOVEA | {"x": 4.515625}}


@dataclass(frozen=True)
class House:
    study: Study
    people: Mapping[str, User]  # by role; nobody is anonymous
    names: Mapping[str, str]  # what stands behind each parameter of an address

    def browser(self, role: str, **options: Any) -> Client:
        client = Client(raise_request_exception=False, **options)
        if role != "anonymous":
            client.force_login(self.people[role])
        return client


def build() -> House:
    """Through the services that clicks call; only secrets without a service are written straight into the rows."""
    people = {role: _person(role) for role in ROLES if role != "anonymous"}
    olga = people["organiser"]
    study = cast.study_of("refuge", organiser=olga, name="The reading of many eyes")
    cast.add_cast(
        study,
        actor=olga,
        graders=[people["grader"], people["colleague"], people["leaver"]],
        senior=people["senior"],
        adjudicator=people["adjudicator"],
        observer=people["observer"],
    )
    cast.study_of("age", organiser=people["other_organiser"], name="Another study")
    team = Team.objects.create(study=study, name="Hiddencrew")
    team.members.add(people["team_member"])
    cast.add_pictures(study, 3, actor=olga)
    _plant()
    example = _example(study, olga)
    cast.assign_all(study, actor=olga)
    study = Study.objects.get(pk=study.pk)
    study = change_state(study=study, version=study.version, state=Study.State.READING, actor=olga)
    for role in ("colleague", "leaver"):
        _read_one(people[role])
    deactivate_member(membership=Membership.objects.get(user=people["leaver"]), actor=olga)
    fused = _fuse_one(study, people)
    truth = Table("truth.csv", f"case,glaucoma\n{fused.number},glaucoma\n".encode())
    import_truth(study=study, actor=olga, table=truth, source="Records of secretsource")
    version = freeze_dataset(study=study, actor=people["senior"], name="First", incomplete=True)
    submission = _compete(study, team, olga)
    with transaction.atomic():
        job = request_assignment(study=study, rule=Rule(None), actor=olga)
    flag = _ask(people["colleague"])
    invitation = invite(study=study, email="secret.guest@example.org", role=Role.OBSERVER, actor=olga)
    names = {
        "study_id": study.public_id,
        "image_id": Image.objects.filter(study=study).earliest("pk").public_id,
        "assignment_id": _unread(people["grader"]).public_id,
        "case_id": fused.public_id,
        "run_id": ConsensusRun.objects.filter(study=study).earliest("pk").public_id,
        "table": "figures",
        "settled": "labels",
        "challenge_id": submission.phase.challenge.public_id,
        "phase_id": submission.phase.public_id,
        "submission_id": submission.public_id,
        "name": "T0001",
        "team_id": team.public_id,
        "version_id": version.public_id,
        "split_id": split_by_hand(version).public_id,
        "export_id": _exported(version, olga),
        "import_id": sent_in(study, olga),
        "form": "json",
        "position": "1",
        "member_id": Membership.objects.get(user=people["colleague"]).public_id,
        "person_id": Membership.objects.get(user=people["colleague"]).public_id,
        "invitation_id": invitation.public_id,
        "token": invitation_token(invitation),
        "token_id": make_token(person=olga, name="Secretscript", scopes=["read"])[0].public_id,
        "job_id": job.public_id,
        "flag_id": flag.public_id,
        "removal_id": removal_by_hand(Membership.objects.get(user=people["grader"]), olga).public_id,
        "discussion_id": discussion_by_hand(fused).public_id,
        "alert_id": alerts_by_hand(people["colleague"], olga).public_id,
        "number": "1",
        "round_id": study.rounds.get().public_id,
        "reading_id": Reading.objects.get(submitted_by=people["colleague"]).assignment.public_id,
        "key": "refuge",
        "guide": "export",
        "target_key": "disc",
        "target": "disc",
        "example_id": example,
        "arrival_id": _arriving(study, olga),
    }
    return House(Study.objects.get(pk=study.pk), people, names)


def _arriving(study: Study, actor: User) -> str:
    """An archive of which nothing has come yet."""
    told: Any = {"name": "secretarchive.zip", "byte_count": 10, "fingerprint": "", "most_bytes": 10}
    return begin_arrival(study=study, actor=actor, **told).key


def _person(role: str) -> User:
    """Everybody's name is a word that stands nowhere else."""
    rights: dict[str, Any] = {}
    if role in {"organiser", "other_organiser"}:
        rights = {"can_create_studies": True}
    if role == "administrator":
        rights = {"can_create_studies": True, "is_staff": True, "is_superuser": True}
    return cast.person(f"Secret{role.replace('_', '')}", **rights)


def _plant() -> None:
    """What a grader must never learn: who the patient is, what the clinic says, which camera, which file."""
    for number, subject in enumerate(Subject.objects.filter(study__protocol="refuge"), start=1):
        subject.pseudonym = f"SecretSubject{number}"
        subject.save()
    Image.objects.update(device="SecretCamera", original_name="Secretfile_Miller.png")
    Case.objects.update(strata={"secretstratum": "secretglaucoma"})


def _example(study: Study, organiser: User) -> str:
    browser = Client()
    browser.force_login(organiser)
    file = SimpleUploadedFile("Secretfile_Example.png", cast.tiny_png(77))
    browser.post(reverse("example_add", args=[study.public_id, "disc"]), {"file": file, "caption": "The rim"})
    return models.TargetExample.objects.get(target__study=study).public_id


def _read_one(grader: User) -> Reading:
    assignment = Assignment.objects.filter(grader__user=grader).earliest("position")
    begun = timezone.now() - timedelta(minutes=1)
    answers = [Given(key, geometry=marked) for key, marked in BY_OTHERS.items()]
    return submit_reading(
        assignment=assignment, actor=grader, answers=answers, opened_at=begun, active_ms=900, comment="Secretcomment"
    )


def _unread(grader: User) -> Assignment:
    return Assignment.objects.filter(grader__user=grader).exclude(state="submitted").earliest("position")


def _fuse_one(study: Study, people: Mapping[str, User]) -> Case:
    """The case that the colleague has read is read by the last grader too, and its readings become references."""
    case = Reading.objects.get(submitted_by=people["colleague"]).assignment.case
    assignment = Assignment.objects.select_related("grader__user").get(grader__user=people["grader"], case=case)
    begun = timezone.now()
    submit_reading(assignment=assignment, actor=people["grader"], answers=ANSWERS, opened_at=begun, active_ms=900)
    run_job(request_run(study=study, actor=people["senior"]).pk)
    run_job(Job.objects.get(kind="measure_agreement").pk)  # asked for by the run
    run_job(request_scores(study=study, actor=people["organiser"]).pk)
    return case


def _compete(study: Study, team: Team, organiser: User) -> Submission:
    """A phase that hides its results, and a scored submission."""
    phase = opened(study, organiser=organiser).phases.get()
    submission = sent(phase, team, risks(phase))
    score_all()
    return submission


def _ask(grader: User) -> Flag:
    """A question of somebody else, answered: neither may come to another grader."""
    assignment = Assignment.objects.select_related("grader__study").filter(grader__user=grader).latest("position")
    flag = raise_flag(assignment=assignment, actor=grader, comment="Secretcomment: which eye?")
    organiser = User.objects.get(name="Secretorganiser")
    close_flag(flag=flag, actor=organiser, answer="Secretanswer: the left one")
    return raise_flag(assignment=assignment, actor=grader, comment="Secretcomment, once more")


def stored() -> dict[str, Any]:
    """How many rows of each kind there are, and what can change without a new row."""
    kinds = [getattr(models, name) for name in models.__all__ if hasattr(getattr(models, name), "_meta")]
    counted = " UNION ALL ".join(f"SELECT '{kind.__name__}', COUNT(*) FROM {kind._meta.db_table}" for kind in kinds)
    with connection.cursor() as cursor:  # in one query: it is asked a thousand times
        cursor.execute(counted)
        counts = dict(cursor.fetchall())
    changeable: dict[str, Any] = {
        "studies": list(Study.objects.order_by("pk").values_list("name", "version", "state", "recipe_digest")),
        "members": list(Membership.objects.order_by("pk").values_list("active", "role")),
        "jobs": list(Job.objects.order_by("pk").values_list("state", "cancel_asked")),
        "people": list(User.objects.order_by("pk").values_list("name", "email", "is_active", "password")),
        "invited": list(models.Invitation.objects.order_by("pk").values_list("revoked_at", "accepted_at")),
        "tokens": list(models.ApiToken.objects.order_by("pk").values_list("revoked_at", flat=True)),
        "rounds": list(Round.objects.order_by("pk").values_list("closes", flat=True)),
        "flags": list(Flag.objects.order_by("pk").values_list("answer", "closed_at", "seen_at")),
        "alerts": list(Alert.objects.order_by("pk").values_list("note", "closed_at")),
        "skipped": list(Assignment.objects.order_by("pk").values_list("skipped_at", flat=True)),
        "challenges": Challenge.objects.count(),
        "submitted": list(Submission.objects.order_by("pk").values_list("withdrawn_at", flat=True)),
        "started": list(Assignment.objects.order_by("pk").values_list("state", flat=True)),
    }
    return counts | changeable


def files() -> set[str]:
    """What lies in the image store and among the arrivals."""
    data = Path(settings.DATA_ROOT)
    roots = [Path(settings.MEDIA_ROOT), data / "incoming", data / "submissions"]
    return {str(path) for root in roots for path in root.rglob("*") if path.is_file()}


class undone:  # noqa: N801 - reads as a word of the sentence: with undone():
    """Whatever happens inside is taken back."""

    def __enter__(self) -> None:
        self._point = transaction.savepoint()

    def __exit__(self, *ended: object) -> None:
        connection.needs_rollback = False
        transaction.savepoint_rollback(self._point)


def kept(house: Callable[[], House], blocker: Any) -> Iterator[House]:
    """One house for a whole module: built in a transaction that is rolled back at the end."""
    with blocker.unblock():
        outer = transaction.atomic()
        outer.__enter__()
        try:
            yield house()
        finally:
            transaction.set_rollback(True)
            outer.__exit__(None, None, None)


def _exported(version: DatasetVersion, organiser: User) -> str:
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    return export.public_id
