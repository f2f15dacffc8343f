"""Images come into a study: rows for pictures that are already safe in the store, and the cases they form."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.imaging.pipeline import Taken
from annotator.models import Image, Study, Subject, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.intake_desk import Desk, Facts
from annotator.spreadsheet import refuse_formula
from annotator.store import Store

LONGEST_PSEUDONYM = Subject._meta.get_field("pseudonym").max_length or 0
LONGEST_DEVICE = Image._meta.get_field("device").max_length or 0


@dataclass(frozen=True)
class Refused:
    """A picture that the study does not take, and why."""

    name: str
    code: str
    message: str


def image_store() -> Store:
    return Store(settings.MEDIA_ROOT)


def check_facts(*, name: str, facts: Facts) -> None:
    """What stands in tables that people open in a spreadsheet must not run there, and must fit its column here."""
    refuse_formula(name, field="file")
    refuse_formula(facts.subject, field="subject")
    refuse_formula(facts.device, field="device")
    _refuse_long(facts.subject, LONGEST_PSEUDONYM, field="subject")
    _refuse_long(facts.device, LONGEST_DEVICE, field="device")


def _refuse_long(text: str, longest: int, *, field: str) -> None:
    if len(text) > longest:
        message = _("“%(text)s…” is longer than %(limit)s characters.") % {"text": text[:20], "limit": longest}
        raise DomainError("too_long", message, field=field)


def add_images(*, study: Study, arrivals: Sequence[tuple[Taken, Facts]], actor: User) -> list[Image | Refused]:
    """One short transaction for a handful of files; the answer keeps their order. Of a file with several pictures it
    is the first."""
    arrivals = [(taken, facts.completed_by(taken.stated)) for taken, facts in arrivals]
    recipe_of(study)  # read and checked now, and kept: it takes longer than all that follows
    return _add_images(study, arrivals, actor)


@transaction.atomic
def _add_images(study: Study, arrivals: Sequence[tuple[Taken, Facts]], actor: User) -> list[Image | Refused]:
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; no image can be added."))
    desk = Desk(study, recipe_of(study), arrivals, actor)
    outcomes: list[Image | Refused] = []
    for taken, facts in arrivals:
        try:
            check_facts(name=taken.name, facts=facts)
            outcomes.append(desk.take(taken, facts))
        except DomainError as refusal:
            outcomes.append(Refused(taken.name, refusal.code, refusal.message))
    desk.write()
    added = [{"image": image.public_id, "sha256": image.sha256} for image in outcomes if isinstance(image, Image)]
    if added:
        record(action="images.added", actor=actor, study=study, subject=f"{len(added)}", after=added)
    return outcomes
