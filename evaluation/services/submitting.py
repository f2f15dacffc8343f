"""A team sends an archive in, and may withdraw it."""

from typing import BinaryIO

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.formats.bad_file import BadFile
from annotator.models import Team, User
from annotator.services.audit import record
from annotator.services.jobs import request_job
from evaluation.models import Phase, Submission
from evaluation.services.archives import Arrived, arriving
from evaluation.services.ranking import request_ranking
from evaluation.services.reference_files import Yardstick, opened_archive, refusal_of, yardstick_of

KIND = "score_submission"
LONGEST_NOTE = 500


def submit(*, phase: Phase, team: Team, actor: User, content: BinaryIO, file_name: str, note: str = "") -> Submission:
    """Checked before it counts, by the code of the command `score` against a blank reference: a refusal says nothing of
    the true one. What is refused is not kept."""
    name = file_name.replace("\\", "/").rpartition("/")[2][:255] or "submission"
    if len(note) > LONGEST_NOTE:
        raise DomainError("note_too_long", _("The note is too long."), field="note")
    _refuse_closed(phase)
    _refuse_beyond_limit(phase, team)
    yardstick = yardstick_of(phase)
    with arriving(content) as arrived:
        _check(yardstick, arrived, name)
        return _written(phase, team, actor, arrived, name, note.strip())


def _check(yardstick: Yardstick, arrived: Arrived, name: str) -> None:
    try:
        with opened_archive(yardstick.recipe, arrived.place, name) as theirs:
            yardstick.findings(yardstick.blank(), theirs, lambda done, total: None)
    except BadFile as fault:
        raise refusal_of(fault) from None


@transaction.atomic
def _written(phase: Phase, team: Team, actor: User, arrived: Arrived, name: str, note: str) -> Submission:
    """Two of one team take turns here, so that both together never pass the limit."""
    Team.objects.select_for_update(of=("self",)).get(pk=team.pk)
    phase = Phase.objects.select_related("challenge__study").get(pk=phase.pk)
    _refuse_closed(phase)
    _refuse_beyond_limit(phase, team)
    own = Submission.objects.filter(phase=phase, team=team)
    same = own.filter(sha256=arrived.sha256, withdrawn_at=None).first()
    if same is not None:
        message = _("This is the same archive as your submission %(number)s.") % {"number": same.number}
        raise Conflict("same_again", message, field="file")
    study = phase.challenge.study
    arrived.keep()
    submission = Submission.objects.create(
        phase=phase,
        team=team,
        number=own.count() + 1,
        submitted_by=actor,
        submitted_at=timezone.now(),
        file_name=name,
        sha256=arrived.sha256,
        byte_count=arrived.byte_count,
        note=note,
    )
    after = {"team": team.name, "phase": phase.name, "number": submission.number, "sha256": arrived.sha256}
    record(action="submission.received", actor=actor, study=study, subject=submission.public_id, after=after)
    request_scoring(submission=submission, actor=actor)
    return submission


def request_scoring(*, submission: Submission, actor: User) -> None:
    """Inside the transaction that made it necessary."""
    study = submission.phase.challenge.study
    arguments = {"submission": submission.public_id}
    submission.job = request_job(kind=KIND, owner=actor, study=study, arguments=arguments)
    submission.save(update_fields=["job"])


def used(phase: Phase, team: Team) -> int:
    """How many of a team's submissions the phase has taken; one that was withdrawn was taken too."""
    return Submission.objects.filter(phase=phase, team=team).count()


def _refuse_closed(phase: Phase) -> None:
    now = timezone.now()
    if now < phase.opens_at:
        opens = {"time": date_format(timezone.localtime(phase.opens_at), "DATETIME_FORMAT")}
        raise Conflict("not_open_yet", _("This phase opens on %(time)s.") % opens)
    if now >= phase.closes_at:
        raise Conflict("phase_closed", _("This phase is closed."))


def _refuse_beyond_limit(phase: Phase, team: Team) -> None:
    if phase.limit is not None and used(phase, team) >= phase.limit:
        message = _("Your team has used all its submissions of this phase (%(limit)s).") % {"limit": phase.limit}
        raise Conflict("limit_reached", message)


@transaction.atomic
def withdraw(*, submission: Submission, actor: User) -> Submission:
    """It is no longer ranked. It was taken, so it still counts towards the limit."""
    row = (
        Submission.objects.select_for_update(of=("self",))
        .select_related("phase__challenge__study", "team")
        .get(pk=submission.pk)
    )
    if row.withdrawn:
        raise Conflict("withdrawn", _("This submission was withdrawn already."))
    if timezone.now() >= row.phase.closes_at:
        raise Conflict("phase_closed", _("This phase is closed; a submission can no longer be withdrawn."))
    row.withdrawn_at, row.withdrawn_by = timezone.now(), actor
    row.save(update_fields=["withdrawn_at", "withdrawn_by"])
    after = {"team": row.team.name, "phase": row.phase.name, "number": row.number}
    study = row.phase.challenge.study
    record(action="submission.withdrawn", actor=actor, study=study, subject=row.public_id, after=after)
    request_ranking(phase=row.phase, actor=actor)
    return row
