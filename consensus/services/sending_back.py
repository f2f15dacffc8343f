"""A senior asks one grader to look again; the annotator makes the round and the assignment."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Assignment, Case, User
from annotator.services.sending_back import send_back
from consensus.selectors.readings import by_name
from consensus.selectors.taking_part import readings_taking_part
from consensus.services.leases import held_review, refuse_held_elsewhere


@transaction.atomic
def send_case_back(*, case: Case, actor: User, tab: str, reading: str, comment: str) -> Assignment:
    refuse_held_elsewhere(held_review(case), actor, tab, timezone.now())
    rows = readings_taking_part().filter(assignment__case=case)
    found = by_name(rows.select_related("assignment__grader", "assignment__case")).get(reading)
    if found is None:
        raise Conflict("reading_withdrawn", _("A reading is no longer there. Look at the case again."))
    return send_back(reading=found, actor=actor, request=comment)
