"""Events of the log as sentences; names stand in for the identifiers that the log keeps."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotator.event_words import EVENT_FIELDS, EVENT_SENTENCES, EVENT_WORDS
from annotator.job_kinds import KIND_WORDS
from annotator.models import AuditEvent, Role, Study
from annotator.selectors.log import LogNames
from annotator.views.words import JOB_KIND_WORDS, link_to

DIGEST = re.compile("[0-9a-f]{64}")
ACTION_WORDS = {
    "study.created": gettext_lazy("Study created"),
    "study.duplicated": gettext_lazy("Study duplicated"),
    "study.described": gettext_lazy("Name or description changed"),
    "study.recipe_changed": gettext_lazy("Protocol changed"),
    "study.state_changed": gettext_lazy("State changed"),
    "target.instructed": gettext_lazy("Instructions changed"),
    "target.example_added": gettext_lazy("Example added"),
    "target.example_removed": gettext_lazy("Example removed"),
    "member.added": gettext_lazy("Person added"),
    "member.returned": gettext_lazy("Person returned"),
    "member.left": gettext_lazy("Person deactivated"),
    "member.qualified": gettext_lazy("Person qualified"),
    "member.reminded": gettext_lazy("Person reminded"),
    "member.specialty": gettext_lazy("Specialty of an adjudicator changed"),
    "study.qualification": gettext_lazy("Exam asked for, or not"),
    "member.invited": gettext_lazy("Person invited"),
    "member.uninvited": gettext_lazy("Invitation withdrawn"),
    "images.added": gettext_lazy("Images added"),
    "cases.assigned": gettext_lazy("Cases assigned"),
    "assignment.started": gettext_lazy("Case opened"),
    "assignment.skipped": gettext_lazy("Case skipped"),
    "assignment.unskipped": gettext_lazy("Case no longer skipped"),
    "case.sent_back": gettext_lazy("Case sent back"),
    "reading.submitted": gettext_lazy("Reading submitted"),
    "reading.withdrawn": gettext_lazy("Reading taken back"),
    "reading.reopened": gettext_lazy("Reading reopened"),
    "cases.shown_again": gettext_lazy("Cases shown again"),
    "case.eye_corrected": gettext_lazy("Eye of a case corrected"),
    "cases.urgent": gettext_lazy("Cases to be read first"),
    "round.begun": gettext_lazy("Round begun"),
    "round.dated": gettext_lazy("Dates of a round changed"),
    "round.closed": gettext_lazy("Round closed"),
    "round.reopened": gettext_lazy("Round reopened"),
    "flag.raised": gettext_lazy("Case flagged"),
    "flag.answered": gettext_lazy("Flag answered"),
    "flag.closed": gettext_lazy("Flag closed"),
    "demo.made": gettext_lazy("Demo made"),
    "job.requested": gettext_lazy("Job started"),
    "job.cancelled": gettext_lazy("Job cancelled"),
    "token.made": gettext_lazy("API token made"),
    "token.revoked": gettext_lazy("API token revoked"),
}
FIELD_WORDS = {
    "answer": gettext_lazy("Answer"),
    "answers": gettext_lazy("Answers"),
    "caption": gettext_lazy("Caption"),
    "comment": gettext_lazy("Comment"),
    "closes": gettext_lazy("Closes"),
    "count": gettext_lazy("Count"),
    "description": gettext_lazy("Description"),
    "digest": gettext_lazy("Fingerprint"),
    "example": gettext_lazy("Example"),
    "expires": gettext_lazy("Expires"),
    "kind": gettext_lazy("Kind"),
    "name": gettext_lazy("Name"),
    "number": gettext_lazy("Number"),
    "protocol": gettext_lazy("Protocol"),
    "reason": gettext_lazy("Reason"),
    "recipe": gettext_lazy("Recipe"),
    "role": gettext_lazy("Role"),
    "round": gettext_lazy("Round"),
    "scopes": gettext_lazy("Scopes"),
    "seed": gettext_lazy("Seed"),
    "specialty": gettext_lazy("Specialty"),
    "state": gettext_lazy("State"),
    "text": gettext_lazy("Text"),
    "used": gettext_lazy("Used by consensus"),
}


@dataclass(frozen=True)
class Told:
    """One event as a page shows it."""

    number: int
    at: datetime
    who: str
    sentence: str
    url: str
    before: list[tuple[str, str]]
    after: list[tuple[str, str]]
    digest: str


def action_words(action: str) -> str:
    """The kind of an event; one that is not known here is shown by its own name."""
    known = ACTION_WORDS.get(action) or EVENT_WORDS.get(action)
    return str(known or action.replace(".", ": ").replace("_", " "))


def told(event: AuditEvent, names: LogNames) -> Told:
    job = names.jobs.get(event.subject)
    return Told(
        number=event.number,
        at=event.at,
        who=str(event.actor) if event.actor else _("Quorum"),
        sentence=_sentence(event, names),
        url=link_to("job", job.public_id) if job else "",
        before=_pairs(event.before),
        after=_pairs(event.after),
        digest=event.digest[:12],
    )


def _sentence(event: AuditEvent, names: LogNames) -> str:
    after: Mapping[str, Any] = event.after if isinstance(event.after, dict) else {}
    area = event.action.split(".")[0]
    if area == "member":
        return _about_person(event, names, after)
    if event.action == "study.state_changed":
        return _("set the state to “%(state)s”") % {"state": _state(after.get("state", ""))}
    if event.action in TARGET_SENTENCES:
        target = _(names.targets.get(event.subject, event.subject))
        return str(TARGET_SENTENCES[event.action]) % {"target": target}
    if event.action == "images.added" and event.subject.isdecimal():
        count = int(event.subject)
        return ngettext("added %(count)s image", "added %(count)s images", count) % {"count": count}
    if event.action == "cases.assigned":
        count = int(after.get("count", 0))
        return ngettext("assigned %(count)s reading", "assigned %(count)s readings", count) % {"count": count}
    if area == "job":
        return _about_job(event, names, after)
    if event.action in EVENT_SENTENCES:
        return EVENT_SENTENCES[event.action](after)
    return str(PLAIN_SENTENCES.get(event.action, action_words(event.action)))


TARGET_SENTENCES = {
    "target.instructed": gettext_lazy("changed the instructions for %(target)s"),
    "target.example_added": gettext_lazy("added an example for %(target)s"),
    "target.example_removed": gettext_lazy("removed an example for %(target)s"),
}
PLAIN_SENTENCES = {
    "study.created": gettext_lazy("created the study"),
    "study.duplicated": gettext_lazy("made this study as a copy of another"),
    "study.described": gettext_lazy("changed the name or the description"),
    "study.recipe_changed": gettext_lazy("changed the protocol of this study"),
    "demo.made": gettext_lazy("made this demo"),
    "assignment.started": gettext_lazy("opened a case"),
    "assignment.skipped": gettext_lazy("skipped a case"),
    "assignment.unskipped": gettext_lazy("put a skipped case back in its turn"),
    "case.sent_back": gettext_lazy("sent a case back to its grader"),
    "reading.submitted": gettext_lazy("submitted a reading"),
    "reading.withdrawn": gettext_lazy("took a reading back"),
    "reading.reopened": gettext_lazy("reopened a reading"),
    "study.qualification": gettext_lazy("changed whether an exam is asked for"),
    "cases.shown_again": gettext_lazy("let cases come back to a grader"),
    "case.eye_corrected": gettext_lazy("corrected the eye of a case"),
    "cases.urgent": gettext_lazy("named cases to be read first"),
    "round.begun": gettext_lazy("began a round"),
    "round.dated": gettext_lazy("changed the dates of a round"),
    "round.closed": gettext_lazy("closed a round"),
    "round.reopened": gettext_lazy("reopened a round"),
    "flag.raised": gettext_lazy("flagged a case"),
    "flag.answered": gettext_lazy("answered a flag"),
    "flag.closed": gettext_lazy("closed a flag without an answer"),
    "token.made": gettext_lazy("made an API token that opens this study"),
    "token.revoked": gettext_lazy("revoked an API token that opened this study"),
}


def _about_person(event: AuditEvent, names: LogNames, after: Mapping[str, Any]) -> str:
    member = names.members.get(event.subject)
    person = f"{member.user} ({member.code})" if member else event.subject
    role = _role(str(after.get("role", "")) or (member.role if member else ""))
    if event.action == "member.added":
        return _("added %(person)s as %(role)s") % {"person": person, "role": role}
    if event.action == "member.returned":
        return _("brought %(person)s back as %(role)s") % {"person": person, "role": role}
    if event.action == "member.left":
        return _("deactivated %(person)s") % {"person": person}
    if event.action == "member.invited":
        return _("invited somebody as %(role)s") % {"role": role}
    if event.action == "member.specialty":
        values = {"person": person, "specialty": after.get("specialty", "")}
        if not values["specialty"]:
            return _("took the specialty of %(person)s away") % values
        return _("set the specialty of %(person)s to “%(specialty)s”") % values
    if event.action == "member.uninvited":
        return _("withdrew an invitation")
    if event.action == "member.reminded":
        return _("reminded %(person)s") % {"person": person}
    if event.action == "member.qualified":
        return _("let %(person)s be given cases") % {"person": person}
    return action_words(event.action)


def _about_job(event: AuditEvent, names: LogNames, after: Mapping[str, Any]) -> str:
    job = names.jobs.get(event.subject)
    name = job.kind if job else str(after.get("kind", ""))
    kind = str(JOB_KIND_WORDS.get(name) or KIND_WORDS.get(name) or _("Background work"))
    if event.action == "job.requested":
        return _("started a job: %(kind)s") % {"kind": kind}
    if event.action == "job.cancelled":
        return _("cancelled a job: %(kind)s") % {"kind": kind}
    return action_words(event.action)


def _role(value: str) -> str:
    return str(Role(value).label) if value in Role.values else value


def _state(value: str) -> str:
    return str(Study.State(value).label) if value in Study.State.values else value


def _pairs(stored: Any) -> list[tuple[str, str]]:
    """What was stored, as name and value; long lists are counted, not printed."""
    if stored is None:
        return []
    if isinstance(stored, dict):
        return [(_field(name), _said(name, value)) for name, value in stored.items() if _worth_telling(name, value)]
    return [("", _short(stored))]


def _field(name: str) -> str:
    """The word for a field of the record; one that is not known here is shown by its own name."""
    return str(FIELD_WORDS.get(name) or EVENT_FIELDS.get(name) or name.replace("_", " "))


def _said(name: str, value: Any) -> str:
    """Names of the program in the page's words, everything else as it was stored."""
    if name == "role":
        return _role(str(value))
    if name == "state":
        return _state(str(value))
    if name == "kind":
        return str(JOB_KIND_WORDS.get(str(value)) or KIND_WORDS.get(str(value)) or _short(value))
    return _short(value)


def _worth_telling(name: str, value: Any) -> bool:
    """Row numbers and identifiers say nothing to a reader; the sentence has the name."""
    return name not in {"person", "of"} and value not in ("", None, [])


def _short(value: Any) -> str:
    if isinstance(value, list) and (len(value) > 6 or any(isinstance(entry, dict) for entry in value)):
        return ngettext("%(count)s entry", "%(count)s entries", len(value)) % {"count": len(value)}
    if isinstance(value, list):
        return ", ".join(_short(entry) for entry in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_short(entry)}" for name, entry in value.items())
    text = str(value)
    if DIGEST.fullmatch(text):
        return text[:12]
    return text if len(text) <= 400 else f"{text[:400]}…"
