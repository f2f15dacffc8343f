"""An adjudicator's specialty, by which disputes find their way."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Membership, User
from annotator.services.audit import record
from annotator.specialties import checked_specialty


@transaction.atomic
def change_specialty(*, membership: Membership, specialty: str, actor: User) -> Membership:
    """From now on; what was settled stays settled. The same again changes nothing."""
    held = Membership.objects.select_for_update(of=("self",)).select_related("study", "user").get(pk=membership.pk)
    if not held.active:
        raise Conflict("not_active", _("This person has already left the study."))
    before, held.specialty = held.specialty, checked_specialty(specialty, held.role)
    if held.specialty == before:
        return held
    held.save(update_fields=["specialty"])
    changed = {"before": {"specialty": before}, "after": {"specialty": held.specialty}}
    record(action="member.specialty", actor=actor, study=held.study, subject=held.code, **changed)
    return held
