"""What pages and the log say about scores and challenges."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


def grader_words(result: dict[str, Any]) -> str:
    count = int(result.get("graders", 0))
    return ngettext("%(count)s grader was scored.", "%(count)s graders were scored.", count) % {"count": count}


def scored_words(result: dict[str, Any]) -> str:
    return _("The submission was scored.")


def ranked_words(result: dict[str, Any]) -> str:
    return _("The phase was ranked.")


EVENT_WORDS = {
    "graders.scored": gettext_lazy("Graders scored"),
    "challenge.opened": gettext_lazy("Challenge opened"),
    "phase.changed": gettext_lazy("Phase changed"),
    "submission.received": gettext_lazy("Submission received"),
    "submission.scored": gettext_lazy("Submission scored"),
    "submission.withdrawn": gettext_lazy("Submission withdrawn"),
    "team.added": gettext_lazy("Team added"),
    "team.invited": gettext_lazy("Team member invited"),
    "team.joined": gettext_lazy("Team member added"),
    "team.left": gettext_lazy("Team member removed"),
}


def _named(after: Mapping[str, Any]) -> dict[str, Any]:
    return {name: after.get(name, "?") for name in ("name", "team", "phase", "number", "version", "person")}


EVENT_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "graders.scored": lambda after: _("had the graders scored"),
    "challenge.opened": lambda after: _("opened the challenge “%(name)s”") % _named(after),
    "phase.changed": lambda after: _("changed the phase “%(name)s”") % _named(after),
    "submission.received": lambda after: (
        _("sent in submission %(number)s of the team “%(team)s” to “%(phase)s”") % _named(after)
    ),
    "submission.scored": lambda after: (
        _("had submission %(number)s of the team “%(team)s” scored against version %(version)s") % _named(after)
    ),
    "submission.withdrawn": lambda after: _("withdrew submission %(number)s of the team “%(team)s”") % _named(after),
    "team.added": lambda after: _("added the team “%(name)s”") % _named(after),
    "team.invited": lambda after: _("invited somebody to the team “%(name)s”") % _named(after),
    "team.joined": lambda after: _("put %(person)s into the team “%(name)s”") % _named(after),
    "team.left": lambda after: _("took %(person)s out of the team “%(name)s”") % _named(after),
}
EVENT_FIELDS = {
    "edition": gettext_lazy("Edition"),
    "phase": gettext_lazy("Phase"),
    "phases": gettext_lazy("Phases"),
    "team": gettext_lazy("Team"),
    "opens_at": gettext_lazy("Opens"),
    "closes_at": gettext_lazy("Closes"),
    "limit": gettext_lazy("Submissions of a team"),
    "shows_results": gettext_lazy("Teams see their results"),
    "shows_references": gettext_lazy("Teams see single cases and references"),
}
