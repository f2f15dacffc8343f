"""A case is sent back to one of its graders with a request: read once more, in a round of its own, still blind."""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, Case, Membership, Reading, Round, Study, User
from annotator.selectors.turn import next_position
from annotator.services.audit import record
from annotator.services.seeding import seed_drafts

LONGEST_REQUEST = 2000


@transaction.atomic
def send_back(*, reading: Reading, actor: User, request: str) -> Assignment:
    """The grader begins from the own reading, which stays in force until the new one is submitted."""
    request = request.strip()
    if not request:
        raise DomainError("comment_missing", _("Say what the grader should look at."), field="comment")
    if len(request) > LONGEST_REQUEST:
        message = _("Use at most %(count)s characters.") % {"count": LONGEST_REQUEST}
        raise DomainError("too_long", message, field="comment")
    grader, case = reading.assignment.grader, reading.assignment.case
    study = Study.objects.select_for_update(of=("self",)).get(pk=case.study_id)
    if study.state != Study.State.READING:
        raise Conflict("study_not_reading", _("The study is not open for reading."))
    if not grader.active:
        raise Conflict("grader_left", _("This grader has left the study."))
    if not grader.user.is_active:
        raise Conflict("grader_outside", _("This grader read elsewhere, and cannot be asked to look again."))
    if _is_waiting(grader, case):
        raise Conflict("sent_back_already", _("This grader has not read the case again yet."))
    round = _round_for(study, grader, case)
    here = {"round": round, "position": next_position(grader.pk), "request": request}
    assignment = Assignment.objects.create(grader=grader, case=case, **here)
    seed_drafts(assignment, reading)
    after = {"case": case.number, "round": round.number, "comment": request, "grader": grader.code}
    record(action="case.sent_back", actor=actor, study=study, subject=assignment.public_id, after=after)
    return assignment


def _is_waiting(grader: Membership, case: Case) -> bool:
    begun = (Assignment.State.WAITING, Assignment.State.STARTED)
    return Assignment.objects.filter(grader=grader, case=case, state__in=begun, repeat_of=None).exists()


def _round_for(study: Study, grader: Membership, case: Case) -> Round:
    """The round of everything sent back; a further one where the grader has had the case in it before."""
    rounds = Round.objects.filter(study=study, kind=Round.Kind.SEND_BACK, closes=None)
    free = rounds.exclude(assignments__grader=grader, assignments__case=case)
    for round in free.order_by("number"):
        return round
    number = Round.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    return Round.objects.create(study=study, kind=Round.Kind.SEND_BACK, number=number + 1)
