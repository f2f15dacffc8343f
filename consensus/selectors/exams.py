"""Exams as organisers and candidates see them: what is known, who has read how much, who passed."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotator.models import Assignment, CaseImage, Membership, Reading, Revision, Role, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.selectors.studies import Progress
from annotator.selectors.turn import OWN_ORDER
from consensus.fusion.replies import Reply
from consensus.fusion.stored import reply_of
from consensus.models import Exam, ExamResult, Reference
from protocols.names import Bound, Kind, Performance, UngradableRule
from protocols.reading import Limit
from protocols.recipe import Recipe

PlaceKey = tuple[int, int]
"""Image and target, by their row numbers."""
KNOWN = ~Q(state=Reference.State.AUTOMATIC) & ~Q(answer=Reference.Answer.UNDECIDED)
"""What somebody vouches for. A vote is not the truth: in an exam it would be the candidates' own."""
ADMITTED_AS = (Role.GRADER, Role.ADJUDICATOR)
FIRST = Q(assignments__repeat_of=None)


@dataclass(frozen=True)
class Truth:
    """The known answers of an exam, and cases in which a target that is asked for has none."""

    answers: Mapping[PlaceKey, Reference]
    lacking: list[int]

    @property
    def digest(self) -> str:
        lines = sorted(f"{image} {target} {one.digest}" for (image, target), one in self.answers.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class Candidate:
    """`cases` are those of the exam; `result` is the latest; `admitted` the roles that the candidate has by now in the
    study that it admits to."""

    membership: Membership
    progress: Progress
    cases: int
    result: ExamResult | None
    admitted: frozenset[str]

    @property
    def finished(self) -> bool:
        return self.has_all and self.progress.total == self.progress.done

    @property
    def has_all(self) -> bool:
        """Whether every case of the exam was given: the limits mean nothing about a part of it."""
        return 0 < self.cases <= self.progress.total

    @property
    def admissible(self) -> list[Role]:
        """The roles that were passed for and not given yet."""
        if self.result is None:
            return []
        return [role for role in ADMITTED_AS if self.result.passed_as(role) and role not in self.admitted]


def exam_of(study: Study) -> Exam | None:
    return Exam.objects.filter(study=study).select_related("held_in").first()


def leads_to(place: Study, study: Study) -> bool:
    """Whether whoever is to be examined in `place` has to have passed, by however many steps, an exam in `study`."""
    met: set[int] = set()
    held_in: int | None = place.pk
    while held_in is not None and held_in not in met:
        if held_in == study.pk:
            return True
        met.add(held_in)
        held_in = Exam.objects.filter(study=held_in).values_list("held_in", flat=True).first()
    return False


def knows_answers(user: User, study: Study) -> bool:
    """Whether the person has, or ever had, a role in which one sees or settles what is true."""
    return Membership.objects.filter(user=user, study=study).exclude(role=Role.GRADER).exists()


def limits_of(exam: Exam, role: Role) -> list[Limit]:
    return limits_from(exam.limits.get(role, []))


def limits_from(data: Iterable[Mapping[str, Any]]) -> list[Limit]:
    return [Limit(one["target"], Performance(one["measure"]), float(one["value"]), Bound(one["bound"])) for one in data]


def published_limits(recipe: Recipe) -> dict[Role, tuple[Limit, ...]]:
    """By role, as the protocol has them."""
    if recipe.exam is None:
        return {Role.GRADER: (), Role.ADJUDICATOR: ()}
    return {Role.GRADER: recipe.exam.grader_limits, Role.ADJUDICATOR: recipe.exam.adjudicator_limits}


def limited_targets(exam: Exam) -> set[str]:
    return {limit.target for role in ADMITTED_AS for limit in limits_of(exam, role)}


def truth_of(exam: Exam) -> Truth:
    """Of the targets that the limits are about."""
    keys = limited_targets(exam)
    rows = Reference.objects.filter(KNOWN, case__study=exam.held_in_id, following=None, target__key__in=keys)
    answers = {(row.image_id, row.target_id): row for row in rows.select_related("image", "target").order_by("pk")}
    targets = set(exam.held_in.targets.filter(key__in=keys).values_list("pk", flat=True))
    first = CaseImage.objects.filter(case__study=exam.held_in_id, position=1).order_by("case__number")
    lacking = [
        number
        for image, number in first.values_list("image_id", "case__number")
        if any((image, target) not in answers for target in targets)
    ]
    return Truth(answers, lacking)


def readings_of(candidate: Membership) -> list[Reading]:
    """In force, of the first reading of each case."""
    rows = Reading.objects.filter(
        assignment__grader=candidate,
        assignment__state=Assignment.State.SUBMITTED,
        assignment__repeat_of=None,
        withdrawn_at=None,
    )
    return list(rows.select_related("assignment__case").order_by("pk"))


def handed_in_by(candidate: Membership, at: datetime) -> list[Reading]:
    """What was in force when the exam was handed in, whatever was given back or read again since."""
    rows = Reading.objects.filter(
        Q(withdrawn_at=None) | Q(withdrawn_at__gt=at),
        assignment__grader=candidate,
        assignment__repeat_of=None,
        submitted_at__lte=at,
    )
    return list(rows.select_related("assignment__case").order_by("pk"))


def said_by(readings: Iterable[Reading], truth: Truth) -> dict[PlaceKey, Revision]:
    """What the readings say where something is known."""
    images = {image for image, _target in truth.answers}
    rows = Revision.objects.filter(reading__in=list(readings), image__in=images).select_related("image", "target")
    return {(row.image_id, row.target_id): row for row in rows if (row.image_id, row.target_id) in truth.answers}


def reply_in(row: Reference | Revision) -> Reply:
    return reply_of(
        Kind(row.kind),
        answer=row.answer,
        geometry=row.geometry,
        packed=bytes(row.runs) if row.runs is not None else None,
        label=row.label,
        signs=(),
        width=row.image.width,
        height=row.image.height,
    )


def latest_results(exam: Exam) -> dict[int, ExamResult]:
    """By candidate."""
    return {row.candidate_id: row for row in ExamResult.objects.filter(exam=exam).order_by("number")}


def result_of(member: Membership) -> ExamResult | None:
    """How a member of the study did in its exam, as marked last."""
    rows = ExamResult.objects.filter(exam__study=member.study_id, candidate__user=member.user_id)
    return rows.select_related("exam__study", "exam__held_in", "candidate").order_by("number").last()


def candidates_of(exam: Exam) -> list[Candidate]:
    rows = (
        Membership.objects.filter(study=exam.held_in_id, role=Role.GRADER)
        .select_related("user")
        .annotate(
            total=Count("assignments", filter=FIRST & ~Q(assignments__state=Assignment.State.WITHDRAWN)),
            done=Count("assignments", filter=FIRST & Q(assignments__state=Assignment.State.SUBMITTED)),
        )
        .order_by("user__name", "pk")
    )
    results, cases = latest_results(exam), exam.held_in.cases.count()
    roles: dict[int, set[str]] = {}
    for user, role in Membership.objects.filter(
        study=exam.study_id, role__in=ADMITTED_AS, active=True, qualified_at__isnull=False
    ).values_list("user_id", "role"):
        roles.setdefault(user, set()).add(role)
    return [
        Candidate(row, Progress(row.done, row.total), cases, results.get(row.pk), frozenset(roles.get(row.user_id, ())))
        for row in rows
    ]


def sat_by(user: User, study: Study) -> list[tuple[Exam, Candidate]]:
    """The exams that are held in this study and that the person is a candidate of."""
    own = Membership.objects.filter(study=study, user=user, role=Role.GRADER, active=True)
    exams = Exam.objects.filter(held_in=study, held_in__memberships__in=own).select_related("study", "held_in")
    return [
        (exam, one)
        for exam in exams.order_by("pk")
        for one in candidates_of(exam)
        if one.membership.user_id == user.pk and one.membership.active
    ]


def is_stale(truth: Truth, candidates: Iterable[Candidate]) -> bool:
    """Whether somebody was marked by answers that were corrected since."""
    return any(one.result is not None and one.result.truth_digest != truth.digest for one in candidates)


def unqualified(study: Study) -> QuerySet[Membership]:
    """Who takes part and can be given no cases before passing, or being let off."""
    rows = Membership.objects.filter(study=study, role__in=ADMITTED_AS, active=True, qualified_at=None)
    return rows.select_related("user").order_by("user__name", "pk")


def errors_shown(exam: Exam, one: Candidate) -> list[dict[str, Any]]:
    """What the candidate may see of the own errors, each with `number`: where the case stands in the candidate's own
    list, the only number that a reader knows."""
    if one.result is None or not exam.shows_errors:
        return []
    rows = Assignment.objects.filter(grader=one.membership).exclude(state=Assignment.State.WITHDRAWN)
    ordered = rows.order_by(*OWN_ORDER).values_list("public_id", flat=True)
    places = {public_id: number for number, public_id in enumerate(ordered, start=1)}
    errors = [error for error in one.result.errors if error["assignment"] in places]
    numbered = [{**error, "number": places[error["assignment"]]} for error in errors]
    return sorted(numbered, key=lambda error: error["number"])


def to_hand_in(user: User, studies: Sequence[Study]) -> list[Study]:
    """Those in which the person has read the whole of an exam and not handed it in; one query tells that no exam is
    held there."""
    held = set(Exam.objects.filter(held_in__in=studies).values_list("held_in", flat=True))
    return [
        study
        for study in studies
        if study.pk in held and any(one.finished and one.result is None for _exam, one in sat_by(user, study))
    ]


def marked_in(user: User, studies: Sequence[Study]) -> list[Study]:
    """Those in which the person has handed in an exam."""
    rows = ExamResult.objects.filter(candidate__user=user, candidate__active=True, exam__held_in__in=studies)
    marked = set(rows.values_list("exam__held_in", flat=True))
    return [study for study in studies if study.pk in marked]


def asks_for_ungradable(exam: Exam) -> UngradableRule:
    """How calling a gradable image ungradable counts."""
    return recipe_of(exam.held_in).monitoring.ungradable
