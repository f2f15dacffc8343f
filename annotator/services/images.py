"""Images come into a study: rows for pictures that are already safe in the store, and the cases they form."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.imaging.pipeline import Taken
from annotator.models import Image, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.intake_desk import Desk, Facts
from annotator.spreadsheet import refuse_formula
from annotator.store import Store


@dataclass(frozen=True)
class Refused:
    """A picture that the study does not take, and why."""

    name: str
    code: str
    message: str


def image_store() -> Store:
    return Store(settings.MEDIA_ROOT)


def check_facts(*, name: str, facts: Facts) -> None:
    """What stands in tables that people open in a spreadsheet must not run there."""
    refuse_formula(name, field="file")
    refuse_formula(facts.subject, field="subject")
    refuse_formula(facts.device, field="device")


def add_images(*, study: Study, arrivals: Sequence[tuple[Taken, Facts]], actor: User) -> list[Image | Refused]:
    """One short transaction for a handful of pictures; the answer keeps their order."""
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
