"""An AIROGS exam of ten images, its truth, and candidates who sit it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from annotator.models import CaseImage, Membership, Role, Study, User
from annotator.services.people import add_member
from consensus import code_version
from consensus.fusion.digests import word_digest
from consensus.models import ConsensusRun, Exam, ExamResult, Reference
from consensus.services.exams import hand_in
from protocols.names import Performance
from protocols.reading import Limit
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer

if TYPE_CHECKING:
    from collections.abc import Sequence

TRUTH = ("RG", "RG", "NRG", "NRG", "NRG", "NRG", "NRG", "NRG", "NRG", "NRG")
LIMITS = {
    Role.GRADER: (Limit(TARGET, Performance.ACCURACY, 0.85), Limit(TARGET, Performance.SPECIFICITY, 0.85)),
    Role.ADJUDICATOR: (Limit(TARGET, Performance.ACCURACY, 0.95),),
}


def known(study: Study, labels: Sequence[str], *, actor: User) -> None:
    """The answers as an import keeps them; a second time as corrections."""
    run = ConsensusRun.objects.create(
        study=study,
        kind=ConsensusRun.Kind.IMPORT,
        started_by=actor,
        recipe_digest=study.recipe_digest,
        rules={},
        code_version=code_version.of_fusion(),
        cases_total=len(labels),
        finished_at=timezone.now(),
    )
    target = study.targets.get(key=TARGET)
    for row, label in zip(CaseImage.objects.filter(case__study=study).order_by("case__number"), labels, strict=True):
        before = Reference.objects.filter(image=row.image, target=target, following=None).first()
        Reference.objects.create(
            run=run,
            case=row.case,
            image=row.image,
            target=target,
            version=before.version + 1 if before else 1,
            previous=before,
            kind="label",
            state=Reference.State.IMPORTED,
            label=label,
            source="EODAT",
            inputs_digest=word_digest(label),
            digest=word_digest(label),
        )


def sit(exam: Exam, user: User, labels: Sequence[str], *, organiser: User) -> Membership:
    """The candidate is given the exam and submits it, label after label."""
    member = add_member(study=exam.held_in, user=user, role=Role.GRADER, actor=organiser)
    cast.assign_all(exam.held_in, actor=organiser)
    if Study.objects.get(pk=exam.held_in_id).state != Study.State.READING:
        scene.open_study(exam.held_in, actor=organiser)
    for assignment, label in zip(scene.assignments_of(exam.held_in, user), labels, strict=True):
        scene.read(assignment, answer(label))
    return member


def passed_by(exam: Exam, user: User, labels: Sequence[str], *, organiser: User) -> ExamResult:
    return hand_in(exam=exam, candidate=sit(exam, user, labels, organiser=organiser), actor=user)


ONE_FALSE_ALARM = (*TRUTH[:-1], "RG")  # accuracy 9/10, specificity 7/8
