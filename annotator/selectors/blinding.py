"""Who could read what in a study, and since when, told from the log.

It holds what people did, not what they looked at; so this says what each could have seen, which is never too little.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from annotator.access import ALLOWED, ONLOOKERS, May
from annotator.models import AuditEvent, Membership, Role, Study
from annotator.selectors.audit import Fault, audit_faults
from annotator.selectors.recipes import recipe_of
from protocols.names import Blinded

TAKEN_OUT = ("dataset.exported", "dataset.downloaded", "dataset.fetched")


@dataclass
class Stay:
    """One person in one role; `until` is open while the role is held."""

    person: int
    name: str
    role: Role
    since: datetime
    until: datetime | None = None
    reason: str = ""

    @property
    def may(self) -> list[May]:
        return sorted(ALLOWED[self.role])

    @property
    def looks_on(self) -> bool:
        """Whether the role shows the work of others."""
        return self.role in ONLOOKERS


@dataclass(frozen=True)
class BothSides:
    """Somebody who read and could also see the work of others, at whatever time."""

    name: str
    roles: tuple[Role, ...]
    first_saw: datetime
    readings_after: int
    readings: int
    reason: str


@dataclass(frozen=True)
class BlindingReport:
    events: int
    faults: list[Fault]
    stays: list[Stay]
    both_sides: list[BothSides]
    not_hidden: list[Blinded]
    taken_out: dict[str, int]
    labels_shown: bool = False  # to adjudicators, before they decide; graders learn nothing by it
    unlogged: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing was found that could have told a grader anything."""
        return not (self.faults or self.both_sides or self.not_hidden or self.unlogged)


def blinding_report(study: Study) -> BlindingReport:
    events = list(
        AuditEvent.objects.filter(chain=study.public_id).select_related("actor").order_by("number").defer("before")
    )
    members = {one.code: one for one in Membership.objects.filter(study=study).select_related("user")}
    stays = list(_stays(events, members))
    told = {(stay.person, stay.role) for stay in stays}
    unlogged = [one.user.name for one in members.values() if (one.user_id, Role(one.role)) not in told]
    recipe = recipe_of(study)
    hidden = set(recipe.blinding.hidden)
    taken: dict[str, int] = {}
    for event in events:
        if event.action in TAKEN_OUT and event.actor is not None:
            taken[event.actor.name] = taken.get(event.actor.name, 0) + 1
    return BlindingReport(
        events=len(events),
        faults=[fault for fault in audit_faults() if fault.chain == study.public_id],
        stays=stays,
        both_sides=list(_both_sides(stays, events)),
        not_hidden=[one for one in Blinded if one not in hidden],
        taken_out=taken,
        labels_shown=recipe.review.adjudicator_sees_labels,
        unlogged=sorted(unlogged),
    )


def _stays(events: Iterable[AuditEvent], members: dict[str, Membership]) -> Iterator[Stay]:
    """In the order in which they began."""
    present: dict[str, Stay] = {}
    for event in events:
        member = members.get(event.subject)
        if member is None:
            continue
        after = event.after if isinstance(event.after, dict) else {}
        if event.action in {"member.added", "member.returned"}:
            role, reason = Role(after.get("role", member.role)), after.get("reason") or member.both_sides_reason
            stay = Stay(member.user_id, member.user.name, role, event.at, reason=reason)
            present[member.code] = stay
            yield stay
        elif event.action == "member.left" and member.code in present:
            present.pop(member.code).until = event.at


def _both_sides(stays: Iterable[Stay], events: Iterable[AuditEvent]) -> Iterator[BothSides]:
    by_person: dict[int, list[Stay]] = {}
    for stay in stays:
        by_person.setdefault(stay.person, []).append(stay)
    submitted: dict[int, list[datetime]] = {}
    for event in events:
        if event.action == "reading.submitted" and event.actor_id is not None:
            submitted.setdefault(event.actor_id, []).append(event.at)
    for person, own in by_person.items():
        saw = [stay.since for stay in own if stay.looks_on]
        if saw and any(stay.role == Role.GRADER for stay in own):
            read = submitted.get(person, [])
            yield BothSides(
                name=own[0].name,
                roles=tuple(dict.fromkeys(stay.role for stay in own)),
                first_saw=min(saw),
                readings_after=sum(at >= min(saw) for at in read),
                readings=len(read),
                reason=next((stay.reason for stay in own if stay.reason), ""),
            )
