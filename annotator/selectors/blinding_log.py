"""What the log tells about who could know what: roles, removals, decisions, data taken out, tokens, administrators."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min, QuerySet

from annotator.access import ALLOWED, ONLOOKERS, May
from annotator.audit_chain import SYSTEM_CHAIN
from annotator.models import AuditEvent, Membership, Role, Study

TAKEN_OUT = {
    "dataset.exported": "exported",
    "dataset.downloaded": "downloaded",
    "dataset.fetched": "fetched by a program",
}
# Pages of the administration that show more than accounts, tokens and second factors.
TELLING_PAGE = re.compile(r"/admin/(?:annotator|consensus|evaluation)/(?!user/|apitoken/)(\w+)/")
NOT_BLIND = "not_blind"


@dataclass
class Stay:
    """One person in one role; `until` is open while the role is held."""

    person: int
    name: str
    code: str
    role: Role
    since: datetime
    until: datetime | None = None
    reason: str = ""

    @property
    def may(self) -> list[May]:
        return [may for may in May if may in ALLOWED[self.role]]

    @property
    def looks_on(self) -> bool:
        """Whether the role shows the work of others."""
        return self.role in ONLOOKERS


@dataclass(frozen=True)
class Did:
    """How often somebody did something, and when first and last."""

    action: str
    count: int
    first: datetime
    last: datetime


@dataclass(frozen=True)
class TakenOut:
    person: int
    name: str
    how: str
    version: str
    at: datetime


@dataclass(frozen=True)
class Removed:
    """A grader whose readings were set aside; `until` is when that was taken back."""

    code: str
    name: str
    at: datetime
    by: str
    reason: str
    readings: int
    until: datetime | None


@dataclass(frozen=True)
class NotBlind:
    """An adjudicator settled a case who knew what its graders had said."""

    name: str
    case: int
    at: datetime


@dataclass(frozen=True)
class TokenMade:
    """A program that came in with a person's rights; `until` is when the token was revoked."""

    person: int
    name: str
    token: str
    scopes: tuple[str, ...]
    at: datetime
    expires: str
    until: datetime | None


@dataclass
class Looks:
    """What somebody opened under /admin/, which passes by all roles."""

    person: int
    name: str
    times: list[datetime] = field(default_factory=list)
    pages: set[str] = field(default_factory=set)


def stays_of(study: Study, members: Mapping[str, Membership]) -> Iterator[Stay]:
    """In the order in which they began."""
    present: dict[str, Stay] = {}
    for event in _events(study, "member.added", "member.returned", "member.left"):
        member = members.get(event.subject)
        if member is None:
            continue
        if event.action == "member.left":
            if member.code in present:
                present.pop(member.code).until = event.at
            continue
        after = _told(event)
        role, reason = Role(after.get("role", member.role)), after.get("reason") or member.both_sides_reason
        stay = Stay(member.user_id, member.user.name, member.code, role, event.at, reason=reason)
        present[member.code] = stay
        yield stay


def deeds_of(study: Study) -> dict[int, list[Did]]:
    """By person, in the order of their first time; counted by the database, because a log has a million rows."""
    rows = (
        AuditEvent.objects.filter(chain=study.public_id, actor__isnull=False)
        .order_by()
        .values_list("actor", "action")
        .annotate(Count("pk"), Min("at"), Max("at"))
    )
    found: dict[int, list[Did]] = {}
    for actor, action, count, first, last in rows:
        found.setdefault(actor, []).append(Did(action, count, first, last))
    return {actor: sorted(deeds, key=lambda did: (did.first, did.action)) for actor, deeds in found.items()}


def taken_out_of(study: Study) -> list[TakenOut]:
    return [
        TakenOut(event.actor.pk, event.actor.name, TAKEN_OUT[event.action], str(_told(event).get("name", "")), event.at)
        for event in _events(study, *TAKEN_OUT)
        if event.actor is not None
    ]


def removals_of(study: Study, members: Mapping[str, Membership]) -> list[Removed]:
    back: dict[str, list[datetime]] = {}
    for event in _events(study, "grader.taken_back"):
        back.setdefault(event.subject, []).append(event.at)
    found = []
    for event in _events(study, "grader.removed"):
        told, code = _told(event), event.subject
        found.append(
            Removed(
                code=code,
                name=members[code].user.name if code in members else code,
                at=event.at,
                by=event.actor.name if event.actor else "",
                reason=str(told.get("reason", "")),
                readings=int(told.get("readings", 0)),
                until=min((at for at in back.get(code, []) if at >= event.at), default=None),
            )
        )
    return found


def not_blind_in(study: Study) -> list[NotBlind]:
    found = []
    for event in _events(study, "reference.decided"):
        told = _told(event)
        if event.actor is not None and any(one.get(NOT_BLIND) for one in told.get("references", [])):
            found.append(NotBlind(event.actor.name, int(told.get("case", 0)), event.at))
    return found


def tokens_of(study: Study, people: Iterable[int]) -> list[TokenMade]:
    """Those that open the study: made while its person was a member, or before, by the log of the system."""
    revoked = {event.subject: event.at for event in _events(None, "token.revoked")}
    found = []
    for event in _events(None, "token.made").filter(actor__in=list(people)):
        told = _told(event)
        if event.actor is not None and told.get("study", study.public_id) == study.public_id:
            scopes, expires = tuple(told.get("scopes", [])), str(told.get("expires", ""))
            until = revoked.get(event.subject)
            name = str(told.get("name", ""))
            found.append(TokenMade(event.actor.pk, event.actor.name, name, scopes, event.at, expires, until))
    return found


def looks_since(study: Study) -> list[Looks]:
    """At pages that show readings, references, people or the log of any study, since this one was made."""
    found: dict[int, Looks] = {}
    for event in _events(None, "admin.used").filter(at__gte=study.created_at):
        page = TELLING_PAGE.search(event.subject)
        if page is not None and event.actor is not None:
            looks = found.setdefault(event.actor.pk, Looks(event.actor.pk, event.actor.name))
            looks.times.append(event.at)
            looks.pages.add(page[1])
    return sorted(found.values(), key=lambda looks: looks.name)


def submitted_by(study: Study, people: Iterable[int]) -> dict[int, list[datetime]]:
    rows = AuditEvent.objects.filter(chain=study.public_id, action="reading.submitted", actor__in=list(people))
    found: dict[int, list[datetime]] = {}
    for actor, at in rows.order_by("number").values_list("actor", "at").iterator(chunk_size=5000):
        if actor is not None:
            found.setdefault(actor, []).append(at)
    return found


def _events(study: Study | None, *actions: str) -> QuerySet[AuditEvent]:
    """Of a study's chain, or of the system's."""
    chain = SYSTEM_CHAIN if study is None else study.public_id
    rows = AuditEvent.objects.filter(chain=chain, action__in=actions).select_related("actor")
    return rows.defer("before").order_by("number")


def _told(event: AuditEvent) -> dict[str, Any]:
    return event.after if isinstance(event.after, dict) else {}
