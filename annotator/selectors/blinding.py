"""Who could read what in a study, and since when, told from the log.

It holds what people did, not what they looked at; so this says what each could have seen, which is never too little.
The administration is the exception: it passes by all roles, and each look at it is in the log.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotator.access import May
from annotator.audit_chain import SYSTEM_CHAIN
from annotator.models import AuditEvent, Invitation, Membership, Role, Study, User
from annotator.selectors.audit import Fault, audit_faults
from annotator.selectors.blinding_log import (
    Did,
    Looks,
    NotBlind,
    Removed,
    Stay,
    TakenOut,
    TokenMade,
    deeds_of,
    looks_since,
    not_blind_in,
    removals_of,
    stays_of,
    submitted_by,
    taken_out_of,
    tokens_of,
)
from annotator.selectors.recipes import recipe_of
from protocols.names import Blinded


@dataclass(frozen=True)
class Person:
    """Everybody who has or had a role, with all that the log knows."""

    name: str
    stays: list[Stay]
    may: list[May]  # by all roles together
    did: list[Did]
    is_administrator: bool


@dataclass(frozen=True)
class BothSides:
    """Somebody who read and could also know the work of others. `by_role`: by a role that shows it; otherwise by looks
    under /admin/."""

    name: str
    roles: tuple[Role, ...]
    by_role: bool
    first_saw: datetime
    readings_after: int
    readings: int
    reason: str
    taken_out: int
    still: bool  # both are possible today

    @property
    def breaks(self) -> bool:
        """Whoever read first and looked on later knew nothing while reading."""
        return self.readings_after > 0 or self.still


@dataclass(frozen=True)
class BlindingReport:
    events: int
    faults: list[Fault]
    people: list[Person]
    both_sides: list[BothSides]
    not_hidden: list[Blinded]
    not_blind: list[NotBlind]
    unlogged: list[str]
    removed: list[Removed]
    taken_out: list[TakenOut]
    tokens: list[TokenMade]
    looks: list[Looks]
    invited: list[Invitation]
    strangers: list[str]
    discussed: int = 0  # labels that went round among those who had read them
    labels_shown: bool = False  # to adjudicators, before they decide, because the recipe says so

    @property
    def stays(self) -> list[Stay]:
        """In the order in which they began."""
        return sorted((stay for person in self.people for stay in person.stays), key=lambda stay: stay.since)

    @property
    def holds(self) -> bool:
        """Whether nothing was found that could have told a reader anything."""
        broken = [one for one in self.both_sides if one.breaks]
        not_blind = [] if self.labels_shown else self.not_blind
        return not (self.faults or broken or self.not_hidden or self.unlogged or not_blind)


def blinding_report(study: Study) -> BlindingReport:
    members = {one.code: one for one in Membership.objects.filter(study=study).select_related("user")}
    stays, deeds = list(stays_of(study, members)), deeds_of(study)
    told = {(stay.person, stay.role) for stay in stays}
    recipe = recipe_of(study)
    hidden = set(recipe.blinding.hidden)
    users = {one.user_id: one.user for one in members.values()}
    looks, taken = looks_since(study), taken_out_of(study)
    own_chains = {study.public_id, SYSTEM_CHAIN}
    acted = User.objects.filter(pk__in=set(deeds) - {stay.person for stay in stays})
    return BlindingReport(
        events=AuditEvent.objects.filter(chain=study.public_id).count(),
        faults=[fault for fault in audit_faults() if fault.chain in own_chains],
        people=[_person(user, stays, deeds.get(pk, [])) for pk, user in sorted(users.items(), key=_by_name)],
        both_sides=list(_both_sides(study, stays, looks, taken)),
        not_hidden=[one for one in Blinded if one not in hidden],
        not_blind=not_blind_in(study),
        unlogged=sorted(one.user.name for one in members.values() if (one.user_id, Role(one.role)) not in told),
        removed=removals_of(study, members),
        taken_out=taken,
        tokens=tokens_of(study, users),
        looks=looks,
        invited=list(
            Invitation.objects.filter(Q(study=study, team=None, accepted_at=None))
            .select_related("invited_by")
            .order_by("created_at")
        ),
        discussed=AuditEvent.objects.filter(chain=study.public_id, action="discussion.opened").count(),
        labels_shown=recipe.review.adjudicator_sees_labels,
        strangers=sorted(acted.values_list("name", flat=True)),
    )


def _by_name(pair: tuple[int, User]) -> tuple[str, int]:
    return pair[1].name, pair[0]


def _person(user: User, stays: Sequence[Stay], did: list[Did]) -> Person:
    own = [stay for stay in stays if stay.person == user.pk]
    allowed = {may for stay in own for may in stay.may}
    return Person(user.name, own, [may for may in May if may in allowed], did, user.is_staff and user.is_active)


def _both_sides(
    study: Study, stays: Sequence[Stay], looks: Sequence[Looks], taken: Sequence[TakenOut]
) -> Iterator[BothSides]:
    readers = {stay.person for stay in stays if stay.role == Role.GRADER}
    looked = {one.person: one.times for one in looks}
    read = submitted_by(study, readers)
    for person in sorted(readers):
        own = [stay for stay in stays if stay.person == person]
        by_role = [stay.since for stay in own if stay.looks_on]
        saw = [*by_role, *looked.get(person, [])]
        if not saw:
            continue
        times, now = read.get(person, []), {stay.role for stay in own if stay.until is None}
        yield BothSides(
            name=own[0].name,
            roles=tuple(dict.fromkeys(stay.role for stay in own)),
            by_role=bool(by_role),
            first_saw=min(saw),
            readings_after=sum(at >= min(saw) for at in times),
            readings=len(times),
            reason=next((stay.reason for stay in own if stay.reason), ""),
            taken_out=sum(one.person == person for one in taken),
            still=Role.GRADER in now and any(stay.looks_on for stay in own if stay.until is None),
        )
