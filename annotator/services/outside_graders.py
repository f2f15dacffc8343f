"""Graders who read elsewhere: they have a code and a letter like all others, and an account that nobody can sign in
to, because every reading needs its author."""

from annotator.ids import new_public_id
from annotator.models import Membership, Role, Study, User
from annotator.names import checked_name
from annotator.services.people import add_member

NOWHERE = "outside.invalid"
"""A domain that can never exist (RFC 2606), so that no letter can reach the address."""


def add_outside_grader(*, study: Study, name: str, actor: User) -> Membership:
    person = User(email=f"{new_public_id()}@{NOWHERE}", name=checked_name(name, missing=""), is_active=False)
    person.set_unusable_password()
    person.save()
    return add_member(study=study, user=person, role=Role.GRADER, actor=actor)
