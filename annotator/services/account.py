"""What people change about themselves, and administrators about others."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils.translation import gettext as _

from annotator.models import User
from annotator.names import checked_name
from annotator.services.audit import record

RIGHTS = ("name", "email", "is_active", "can_create_studies", "is_staff", "is_superuser")


@transaction.atomic
def rename_person(*, person: User, name: str, actor: User) -> User:
    """The name others see. The log keeps the former one, so that a reading's author stays known."""
    name = checked_name(name, missing=_("Please give your name."))
    before, person.name = person.name, name
    person.save(update_fields=["name"])
    record(action="person.renamed", actor=actor, subject=str(person.pk), before={"name": before}, after={"name": name})
    return person


@transaction.atomic
def note_account_change(*, person: User, before: User | None, actor: User) -> None:
    """An administrator made or changed an account. A former address no longer signs in or gets a new password."""
    EmailAddress.objects.filter(user=person).exclude(email__iexact=person.email).delete()
    former = None if before is None else {name: getattr(before, name) for name in RIGHTS}
    after = {name: getattr(person, name) for name in RIGHTS}
    action = "person.added" if before is None else "person.changed"
    record(action=action, actor=actor, subject=str(person.pk), before=former, after=after)
