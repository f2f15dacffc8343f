"""Annotations from elsewhere become readings: everything is checked first, then written in one transaction, so that
nothing is ever half imported."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import Conflict
from annotator.ids import new_public_id
from annotator.models import AnnotationImport, Assignment, Membership, Reading, Revision, Round, Study, User
from annotator.selectors.annotation_match import WRITTEN, Outcome, Verdict, digest_of
from annotator.selectors.annotation_readings import Held, ReadingPlan, plan_readings
from annotator.services.audit import record
from annotator.services.outside_graders import add_outside_grader
from annotator.services.readings import reading_digest

AT_ONCE = 200  # readings whose pixels are in memory together
COPIED = ("image_id", "target_id", "kind", "answer", "geometry", "label", "signs", "confidence", "digest")


@dataclass
class Part:
    """All that is new of one grader's reading of one case."""

    grader: str
    case_id: int
    outcomes: list[Outcome]


def import_readings(
    *,
    held: AnnotationImport,
    wish: ImportWish,
    spool: Spool,
    seen: str | None = None,
    actor: User | None = None,
    fence: Callable[[], None] = lambda: None,
) -> dict[str, int]:
    """Called with what was looked at; `seen` is the digest of the plan that somebody saw, `actor` whoever carries it
    out if that is not the person who sent it in. Called again after it was done, it says what was done. `fence` is
    called inside the transaction, and raises where somebody else does it."""
    with transaction.atomic():
        study = Study.objects.select_for_update(of=("self",)).get(pk=held.study_id)  # two who import take turns
        row = AnnotationImport.objects.select_for_update(of=("self",)).get(pk=held.pk)
        if row.counts is not None:
            return dict(row.counts)
        fence()
        refuse_closed(study)
        plan = plan_readings(study, wish, spool.items())
        refuse_unseen(seen, digest_of(plan.outcomes))
        refuse_nothing(plan.outcomes)
        actor = actor or row.actor
        counts = _write(row, study, plan, spool, actor)
        finish(row, counts, action="annotations.imported", actor=actor)
    return counts


def refuse_closed(study: Study) -> None:
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; nothing can be imported."))


def refuse_unseen(seen: str | None, digest: str) -> None:
    if seen is not None and seen != digest:
        raise Conflict("plan_changed", _("The study has changed since you looked. Look at the table again."))


def refuse_nothing(outcomes: list[Outcome]) -> None:
    if not any(one.verdict in WRITTEN for one in outcomes):
        raise Conflict("nothing_to_import", _("Nothing of it is new, so that there is nothing to import."))


def finish(row: AnnotationImport, counts: dict[str, int], *, action: str, actor: User) -> None:
    row.counts, row.applied_at = counts, timezone.now()
    row.save(update_fields=["counts", "applied_at"])
    told: dict[str, Any] = {"file": row.file_name, "sha256": row.sha256, "format": row.format, "source": row.source}
    record(action=action, actor=actor, study=row.study, subject=row.public_id, after=told | counts)


def verdict_counts(outcomes: list[Outcome]) -> dict[str, int]:
    return {verdict.value: sum(one.verdict is verdict for one in outcomes) for verdict in Verdict}


def _write(row: AnnotationImport, study: Study, plan: ReadingPlan, spool: Spool, actor: User) -> dict[str, int]:
    parts = _parts(plan)
    members = dict(plan.members)
    for name in sorted({part.grader for part in parts} - set(members)):
        members[name] = add_outside_grader(study=study, name=name, actor=actor)
    round = study.rounds.filter(kind=Round.Kind.MAIN).latest("number")
    writer = _Writer(row, round, spool, timezone.now(), actor)
    for start in range(0, len(parts), AT_ONCE):
        some = parts[start : start + AT_ONCE]
        writer.write([(part, members[part.grader], plan.held.get(_place(part, members))) for part in some])
    return {
        **verdict_counts(plan.outcomes),
        "readings": len(parts),
        "graders": len({part.grader for part in parts}),
        "new_graders": len(members) - len(plan.members),
    }


def _place(part: Part, members: dict[str, Membership]) -> tuple[int, int]:
    return members[part.grader].pk, part.case_id


def _parts(plan: ReadingPlan) -> list[Part]:
    """By grader and case; a reading that would say the same as before is not written again."""
    found: dict[tuple[str, int], Part] = {}
    for one in plan.outcomes:
        if one.verdict in WRITTEN:
            photograph, _target = one.spot
            key = (one.grader, photograph.case_id)
            found.setdefault(key, Part(*key, [])).outcomes.append(one)
    return list(found.values())


class _Writer:
    """Assignments, readings and their answers, some at a time."""

    def __init__(self, row: AnnotationImport, round: Round, spool: Spool, now: datetime, actor: User) -> None:
        self._row, self._round, self._spool, self._now, self._actor = row, round, spool, now, actor
        own = Assignment.objects.filter(grader__study=round.study_id).order_by()
        last = own.values_list("grader_id").annotate(Max("position"))
        self._last: dict[int, int] = dict(last)

    def write(self, parts: "list[tuple[Part, Membership, Held | None]]") -> None:
        former = [held for _part, _member, held in parts if held is not None]
        Assignment.objects.filter(pk__in=[held.assignment.pk for held in former]).update(
            state=Assignment.State.SUBMITTED, submitted_at=self._now, opened_at=self._now
        )
        before = [held.reading.pk for held in former if held.reading is not None]
        Reading.objects.filter(pk__in=before).update(withdrawn_at=self._now)
        new = [self._assignment(part, member) for part, member, held in parts if held is None]
        made = iter(Assignment.objects.bulk_create(new))
        assignments = [next(made) if held is None else held.assignment for _part, _member, held in parts]
        packed = dict(Revision.objects.filter(reading__in=before, runs__isnull=False).values_list("pk", "runs"))
        answers = [self._answers(part, held, packed) for part, _member, held in parts]
        readings = Reading.objects.bulk_create(
            self._reading(assignment, revisions, held)
            for assignment, revisions, (_part, _member, held) in zip(assignments, answers, parts, strict=True)
        )
        for reading, revisions in zip(readings, answers, strict=True):
            for revision in revisions:
                revision.reading = reading
        Revision.objects.bulk_create(chain.from_iterable(answers))

    def _assignment(self, part: Part, member: Membership) -> Assignment:
        self._last[member.pk] = self._last.get(member.pk, 0) + 1
        return Assignment(
            grader=member,
            case_id=part.case_id,
            round=self._round,
            position=self._last[member.pk],
            state=Assignment.State.SUBMITTED,
            opened_at=self._now,
            submitted_at=self._now,
        )

    def _reading(self, assignment: Assignment, revisions: list[Revision], held: Held | None) -> Reading:
        return Reading(
            assignment=assignment,
            number=held.reading.number + 1 if held is not None and held.reading is not None else 1,
            submitted_at=self._now,
            submitted_by=self._actor,
            opened_at=self._now,
            active_ms=0,
            digest=reading_digest([revision.digest for revision in revisions]),
            annotation_import=self._row,
        )

    def _answers(
        self, part: Part, held: Held | None, packed: "Mapping[int, bytes | memoryview[int] | None]"
    ) -> list[Revision]:
        """What is new, and what the reading before said of everything else."""
        new = [self._revision(outcome) for outcome in part.outcomes]
        places = {(revision.image_id, revision.target_id) for revision in new}
        kept = [one for place, one in (held.answers if held else {}).items() if place not in places]
        return new + [
            Revision(**{name: getattr(one, name) for name in COPIED}, runs=packed.get(one.pk)) for one in kept
        ]

    def _revision(self, outcome: Outcome) -> Revision:
        item = outcome.item
        photograph, target = outcome.spot
        return Revision(
            image_id=photograph.image_id,
            target=target,
            kind=item.kind,
            answer=item.answer,
            geometry=item.geometry,
            runs=self._spool.packed(item),
            label=item.label,
            signs=list(item.signs),
            confidence=item.confidence,
            digest=item.digest,
        )


def begin(
    *, study: Study, actor: User, wish: ImportWish, source: str, file_name: str, sha256: str, public_id: str = ""
) -> AnnotationImport:
    """The row that everything imported will point to."""
    return AnnotationImport.objects.create(
        public_id=public_id or new_public_id(),
        study=study,
        actor=actor,
        format=wish.format,
        file_name=file_name[-255:],
        sha256=sha256,
        source=source,
        wish=wish.as_data(),
    )
