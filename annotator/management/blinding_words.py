"""A blinding report for a terminal and for a program."""

import textwrap
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.utils import timezone

from annotator.access import ALLOWED, May
from annotator.models import Invitation, Role, Study
from annotator.selectors.blinding import BlindingReport, BothSides, Person
from annotator.selectors.blinding_log import Did, Looks, Removed, Stay, TakenOut, TokenMade

WIDTH = 100
NOTHING = "nothing"
NOBODY = "nobody"


def lines(study: Study, report: BlindingReport) -> list[str]:
    """No line is longer than a terminal of a hundred columns; what matters most comes first."""
    whole = "The log is whole" if not report.faults else "The log is NOT whole"
    return [
        *_wrapped(f"Blinding of “{study.name}”", 0),
        *_wrapped(f"{whole}: {report.events} rows of this study and those of the system.", 0),
        *_section("Verdict", _verdict(report)),
        *_section("What each role could read", _roles(report)),
        *_section("Who had which role, and did what", _people(report), NOBODY),
        *_section("Removed with their readings", map(_removed, report.removed), NOBODY),
        *_section("Invited and not come", map(_invited, report.invited), NOBODY),
        *_section("Took data out of the house", map(_taken, report.taken_out), NOBODY),
        *_section("Programs that could come in (API tokens)", map(_token, report.tokens), NOTHING),
        *_section("Looks under /admin/, past all roles, since the study was made", map(_looks, report.looks), NOBODY),
        *_section("In the log without a role in the study", report.strangers, NOBODY),
        *_section("What this rests on", [ABOUT]),
    ]


ABOUT = (
    "The log holds what people did, not which pages they looked at: this is what each could have read. Looks under "
    "/admin/ are logged one by one. What a role may read is what this edition of the program lets it read."
)


def _section(title: str, entries: Iterable[str], none: str = "") -> list[str]:
    found = list(entries) or [none]
    return ["", title, *(line for entry in found for line in _wrapped(entry, 2))]


def _wrapped(text: str, indent: int) -> list[str]:
    """A line break in the text stays; what follows it stands further in."""
    found: list[str] = []
    for number, part in enumerate(text.split("\n")):
        start = " " * (indent + (2 if number else 0))
        found += textwrap.wrap(part, WIDTH, initial_indent=start, subsequent_indent=start + "  ") or [""]
    return found


def findings(report: BlindingReport) -> list[dict[str, str]]:
    """What keeps the blinding from holding, each with a code for programs and a sentence."""
    found = [_finding("log", "", f"The log is not whole: {fault}.") for fault in report.faults]
    found += [_finding("both_sides", one.name, both_sides(one)) for one in report.both_sides if one.breaks]
    for one in [] if report.labels_shown else report.not_blind:
        words = f"{one.name} settled case {one.case} on {_moment(one.at)} knowing what its graders had said."
        found.append(_finding("not_blind", one.name, words))
    for name in report.unlogged:
        found.append(_finding("unlogged", name, f"{name} has a role of which the log tells nothing."))
    for hidden in report.not_hidden:
        found.append(_finding("not_hidden", "", f"The recipe does not hide from graders: {_spaced(hidden)}."))
    return found


def _finding(code: str, person: str, words: str) -> dict[str, str]:
    return {"code": code, "person": person, "words": words}


def both_sides(one: BothSides) -> str:
    roles = ", ".join(role.value for role in one.roles)
    how = "could see the work of others" if one.by_role else "looked past the roles under /admin/"
    words = f"{one.name} ({roles}) read cases and {how} from {_moment(one.first_saw)}: "
    words += f"{one.readings_after} of {one.readings} readings came after that"
    words += f"; took data out {_times(one.taken_out)}" if one.taken_out else ""
    words += "; both are possible today" if one.still else ""
    return words + (f". Reason on record: {one.reason}" if one.reason else ". No reason on record.")


def _verdict(report: BlindingReport) -> Iterator[str]:
    found = findings(report)
    if not found:
        yield "The blinding holds: nothing was found that could have told a reader anything."
    else:
        yield f"The blinding does not hold in {len(found)} {'point' if len(found) == 1 else 'points'}:"
        yield from (f"{number}. {one['words']}" for number, one in enumerate(found, start=1))
    for one in report.both_sides:
        if not one.breaks:
            yield f"For the record: {both_sides(one)}"
    looked = {looks.name for looks in report.looks}
    for person in report.people:
        if person.is_administrator and person.name not in looked and _is(person, Role.GRADER):
            yield f"For the record: {person.name}, grader, is an administrator; no look under /admin/ is in the log."


def _roles(report: BlindingReport) -> Iterator[str]:
    for role in ALLOWED:
        had = [person.name for person in report.people if _is(person, role)]
        could = "; ".join(may.value for may in May if may in ALLOWED[role])
        yield f"{role.value.capitalize()} ({', '.join(had) or NOBODY}): {could}"
    yield f"What graders said is shown to adjudicators {'before' if report.labels_shown else 'after'} they decide."
    if report.discussed:
        yield (
            f"Discussions: {report.discussed}. Graders who differed saw one another's labels and reasons, without "
            "names, after their readings had become part of a reference."
        )


def _is(person: Person, role: Role) -> bool:
    return any(stay.role == role for stay in person.stays)


def _people(report: BlindingReport) -> Iterator[str]:
    for person in report.people:
        notes = ", administrator" if person.is_administrator else ""
        parts = [f"{person.name}{notes}", *map(_stay, person.stays)]
        parts.append("did: " + ("; ".join(map(_deed, person.did)) or NOTHING))
        yield "\n".join(parts)


def _deed(did: Did) -> str:
    """Readings, decisions and what was taken out with their days, which are held against those of the roles."""
    words = f"{did.action} {_times(did.count)}"
    if not did.action.startswith(("reading.", "reference.", "cases.accepted", "dataset.")):
        return words
    days = dict.fromkeys(f"{at:%Y-%m-%d}" for at in (did.first, did.last))
    return f"{words} ({' to '.join(days)})"


def _stay(stay: Stay) -> str:
    until = "until now" if stay.until is None else f"until {_moment(stay.until)}"
    reason = f"; reason for both sides: {stay.reason}" if stay.reason else ""
    return f"{stay.role.value} {stay.code}, from {_moment(stay.since)} {until}{reason}"


def _removed(one: Removed) -> str:
    back = f"; taken back on {_moment(one.until)}" if one.until else ""
    return f"{one.name} ({one.code}) on {_moment(one.at)} by {one.by}, {one.readings} readings: {one.reason}{back}"


def _invited(one: Invitation) -> str:
    state = f"revoked on {_moment(one.revoked_at)}" if one.revoked_at else f"open until {_moment(one.expires_at)}"
    if not one.revoked_at and one.expires_at <= timezone.now():
        state = f"ran out on {_moment(one.expires_at)}"
    return f"{one.email} as {one.role}, on {_moment(one.created_at)} by {one.invited_by.name}; {state}"


def _taken(one: TakenOut) -> str:
    return f"{one.name}: {one.how} “{one.version}” on {_moment(one.at)}"


def _token(one: TokenMade) -> str:
    end = f"revoked on {_moment(one.until)}" if one.until else f"valid until {one.expires or 'it is revoked'}"
    return f"{one.name}: “{one.token}” for {', '.join(one.scopes)}, made on {_moment(one.at)}, {end}"


def _looks(one: Looks) -> str:
    pages, first, last = ", ".join(sorted(one.pages)), _moment(min(one.times)), _moment(max(one.times))
    return f"{one.name}: {_times(len(one.times))}, from {first} to {last}; at {pages}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _spaced(name: str) -> str:
    return name.replace("-", " ")


def _moment(at: datetime | None) -> str:
    return "now" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def as_data(study: Study, report: BlindingReport) -> dict[str, Any]:
    return {
        "study": study.name,
        "id": study.public_id,
        "holds": report.holds,
        "findings": findings(report),
        "events": report.events,
        "faults": [str(fault) for fault in report.faults],
        "roles": {role.value: [may.value for may in May if may in ALLOWED[role]] for role in ALLOWED},
        "people": [_person_data(person) for person in report.people],
        "both_sides": [_both_sides_data(one) for one in report.both_sides],
        "not_hidden": [one.value for one in report.not_hidden],
        "labels_shown_to_adjudicators": report.labels_shown,
        "discussions": report.discussed,
        "not_blind": [{"name": one.name, "case": one.case, "at": _iso(one.at)} for one in report.not_blind],
        "unlogged": report.unlogged,
        "removed": [
            {
                "code": one.code,
                "name": one.name,
                "by": one.by,
                "reason": one.reason,
                "readings": one.readings,
                "at": _iso(one.at),
                "taken_back_at": _iso(one.until),
            }
            for one in report.removed
        ],
        "invited": [
            {
                "email": one.email,
                "role": one.role,
                "by": one.invited_by.name,
                "at": _iso(one.created_at),
                "expires_at": _iso(one.expires_at),
                "revoked_at": _iso(one.revoked_at),
            }
            for one in report.invited
        ],
        "taken_out": [
            {"name": one.name, "how": one.how, "version": one.version, "at": _iso(one.at)} for one in report.taken_out
        ],
        "tokens": [
            {
                "name": one.name,
                "token": one.token,
                "scopes": list(one.scopes),
                "at": _iso(one.at),
                "expires_at": one.expires or None,
                "revoked_at": _iso(one.until),
            }
            for one in report.tokens
        ],
        "admin_looks": [
            {"name": one.name, "pages": sorted(one.pages), "at": [_iso(at) for at in one.times]} for one in report.looks
        ],
        "without_a_role": report.strangers,
    }


def _person_data(person: Person) -> dict[str, Any]:
    return {
        "name": person.name,
        "administrator": person.is_administrator,
        "could": [may.value for may in person.may],
        "roles": [
            {
                "role": stay.role.value,
                "code": stay.code,
                "reason": stay.reason,
                "since": _iso(stay.since),
                "until": _iso(stay.until),
            }
            for stay in person.stays
        ],
        "did": [
            {"action": did.action, "count": did.count, "first": _iso(did.first), "last": _iso(did.last)}
            for did in person.did
        ],
    }


def _both_sides_data(one: BothSides) -> dict[str, Any]:
    return {
        "name": one.name,
        "roles": [role.value for role in one.roles],
        "by_role": one.by_role,
        "since": _iso(one.first_saw),
        "readings": one.readings,
        "readings_after": one.readings_after,
        "reason": one.reason,
        "taken_out": one.taken_out,
        "still": one.still,
        "breaks": one.breaks,
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
