"""What people change about themselves."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import User
from annotator.services.audit import record


@transaction.atomic
def rename_person(*, person: User, name: str, actor: User) -> User:
    """The name others see. The log keeps the former one, so that a reading's author stays known."""
    name = " ".join(name.split())
    if not name:
        raise DomainError("name_missing", _("Please give your name."), field="name")
    if len(name) > 120:
        raise DomainError("name_too_long", _("A name has at most 120 characters."), field="name")
    before, person.name = person.name, name
    person.save(update_fields=["name"])
    record(action="person.renamed", actor=actor, subject=str(person.pk), before={"name": before}, after={"name": name})
    return person
