"""What pages and the log say about runs and decisions."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


def run_words(result: dict[str, Any]) -> str:
    """What came of a run, in a sentence or more."""
    cases, left = int(result.get("cases", 0)), int(result.get("changed_meanwhile", 0))
    refused = result.get("refused", [])
    said = [ngettext("%(count)s case was fused.", "%(count)s cases were fused.", cases) % {"count": f"{cases:,}"}]
    if left:
        words = ngettext(
            "%(count)s was changed by its graders meanwhile; run it again.",
            "%(count)s were changed by their graders meanwhile; run it again.",
            left,
        )
        said.append(words % {"count": f"{left:,}"})
    said += [_("Case %(number)s: %(message)s") % {"number": one["case"], "message": one["message"]} for one in refused]
    return " ".join(said)


EVENT_WORDS = {
    "agreement.measured": gettext_lazy("Agreement measured"),
    "alert.closed": gettext_lazy("Alert closed"),
    "alert.raised": gettext_lazy("Alert raised"),
    "drawings.compared": gettext_lazy("Drawings compared"),
    "consensus.begun": gettext_lazy("Consensus run begun"),
    "consensus.fused": gettext_lazy("Readings fused"),
    "reference.decided": gettext_lazy("References decided"),
    "reference.undone": gettext_lazy("Decision taken back"),
    "case.deferred": gettext_lazy("Case deferred"),
    "discussion.opened": gettext_lazy("Discussion opened"),
    "discussion.said": gettext_lazy("Word in a discussion"),
    "discussion.passed_on": gettext_lazy("Discussion passed on to the adjudicator"),
    "cases.accepted": gettext_lazy("Cases accepted together"),
    "dataset.frozen": gettext_lazy("Version frozen"),
    "dataset.signed": gettext_lazy("Study signed off"),
    "dataset.refused": gettext_lazy("Sign-off refused"),
    "split.made": gettext_lazy("Split made"),
    "dataset.exported": gettext_lazy("Version exported"),
    "dataset.downloaded": gettext_lazy("Export downloaded"),
    "dataset.fetched": gettext_lazy("References fetched"),
    "export.removed": gettext_lazy("Archive of an export removed"),
    "truth.imported": gettext_lazy("Clinical truth imported"),
    "annotations.imported": gettext_lazy("Readings imported"),
    "references.imported": gettext_lazy("References imported"),
    "grader.removed": gettext_lazy("Grader removed"),
    "grader.taken_back": gettext_lazy("Removal of a grader taken back"),
    "exam.set_up": gettext_lazy("Exam set up"),
    "exam.marked": gettext_lazy("Exam marked"),
}


def _numbers(after: Mapping[str, Any]) -> dict[str, Any]:
    return {"number": after.get("case", "?")}


def _grader(after: Mapping[str, Any]) -> dict[str, Any]:
    return {"grader": after.get("grader", "?")}


def _version(after: Mapping[str, Any]) -> dict[str, Any]:
    return {"number": after.get("number", "?"), "name": after.get("name", "?")}


EVENT_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "agreement.measured": lambda after: _("had the agreement of the graders measured"),
    "alert.closed": lambda after: _("closed an alert about grader %(grader)s") % _grader(after),
    "alert.raised": lambda after: _("raised an alert about grader %(grader)s") % _grader(after),
    "drawings.compared": lambda after: _("had the graders' drawings compared with the vote of the others"),
    "consensus.begun": lambda after: _("began a consensus run of the study"),
    "consensus.fused": lambda after: _fused(after),
    "reference.decided": lambda after: _("decided the references of case %(number)s") % _numbers(after),
    "reference.undone": lambda after: _("took a decision about case %(number)s back") % _numbers(after),
    "case.deferred": lambda after: _("deferred case %(number)s") % _numbers(after),
    "discussion.opened": lambda after: _("opened the discussion of case %(number)s") % _numbers(after),
    "discussion.said": lambda after: _("had a word in the discussion of case %(number)s") % _numbers(after),
    "discussion.passed_on": lambda after: _("passed the discussion of case %(number)s on") % _numbers(after),
    "cases.accepted": lambda after: _accepted(after),
    "dataset.frozen": lambda after: _("froze version %(number)s, “%(name)s”") % _version(after),
    "dataset.signed": lambda after: _("signed the study off as version %(number)s, “%(name)s”") % _version(after),
    "split.made": lambda after: _("made the split “%(name)s”") % {"name": after.get("name", "?")},
    "dataset.exported": lambda after: _("exported version %(number)s, “%(name)s”") % _version(after),
    "dataset.downloaded": lambda after: _("downloaded an export of version %(number)s, “%(name)s”") % _version(after),
    "dataset.fetched": lambda after: _("fetched the references of version %(number)s, “%(name)s”") % _version(after),
    "export.removed": lambda after: _("removed the archive of an export of version %(number)s") % _version(after),
    "dataset.refused": lambda after: _("tried to sign the study off with a wrong password"),
    "truth.imported": lambda after: _imported(after),
    "annotations.imported": lambda after: _readings_imported(after),
    "references.imported": lambda after: _references_imported(after),
}
EVENT_FIELDS = {
    "above": gettext_lazy("Agreement of at least"),
    "drawings": gettext_lazy("Drawings"),
    "bound": gettext_lazy("Bound"),
    "limit": gettext_lazy("Limit"),
    "look": gettext_lazy("Final labels at the look"),
    "of": gettext_lazy("Cases counted"),
    "rate": gettext_lazy("Value"),
    "case": gettext_lazy("Case"),
    "cases": gettext_lazy("Cases"),
    "code_version": gettext_lazy("Program"),
    "meaning": gettext_lazy("Meaning"),
    "readings": gettext_lazy("Readings"),
    "corrected": gettext_lazy("Corrected"),
    "file": gettext_lazy("File"),
    "format": gettext_lazy("Format"),
    "new": gettext_lazy("New"),
    "same": gettext_lazy("The same as before"),
    "replaces": gettext_lazy("Replaced"),
    "rejected": gettext_lazy("Rejected"),
    "graders": gettext_lazy("Graders"),
    "new_graders": gettext_lazy("New graders"),
    "note": gettext_lazy("Note"),
    "references": gettext_lazy("References"),
    "wish": gettext_lazy("Asked for"),
    "seed": gettext_lazy("Seed"),
    "version": gettext_lazy("Version"),
    "sha256": gettext_lazy("Fingerprint"),
    "source": gettext_lazy("Source"),
    "grader": gettext_lazy("Grader"),
    "formats": gettext_lazy("Formats"),
    "split": gettext_lazy("Split"),
    "withheld": gettext_lazy("Answers left out"),
}


def _fused(after: Mapping[str, Any]) -> str:
    count = len(after.get("cases", []))
    return ngettext("fused %(count)s case", "fused %(count)s cases", count) % {"count": count}


def _accepted(after: Mapping[str, Any]) -> str:
    count = len(after.get("cases", []))
    return ngettext("accepted %(count)s case", "accepted %(count)s cases", count) % {"count": count}


def _imported(after: Mapping[str, Any]) -> str:
    count = int(after.get("answers", 0))
    words = ngettext("imported %(count)s answer of the clinic", "imported %(count)s answers of the clinic", count)
    return words % {"count": f"{count:,}"}


def _readings_imported(after: Mapping[str, Any]) -> str:
    count = int(after.get("readings", 0))
    words = ngettext("imported %(count)s reading from a file", "imported %(count)s readings from a file", count)
    return words % {"count": f"{count:,}"}


def _references_imported(after: Mapping[str, Any]) -> str:
    count = int(after.get("references", 0))
    words = ngettext("imported %(count)s reference from a file", "imported %(count)s references from a file", count)
    return words % {"count": f"{count:,}"}


def look_words(result: dict[str, Any]) -> str:
    """What came of looking at a file of annotations."""
    count = int(result.get("items", 0))
    words = ngettext("The file holds %(count)s entry.", "The file holds %(count)s entries.", count)
    return words % {"count": f"{count:,}"}


def annotation_words(result: dict[str, Any]) -> str:
    """What came of importing annotations."""
    if "references" in result:
        count = int(result["references"])
        words = ngettext("%(count)s reference was imported.", "%(count)s references were imported.", count)
    else:
        count = int(result.get("readings", 0))
        words = ngettext("%(count)s reading was imported.", "%(count)s readings were imported.", count)
    return words % {"count": f"{count:,}"}


def report_words(result: dict[str, Any]) -> str:
    """What came of measuring agreement."""
    cases = int(result.get("cases", 0))
    words = ngettext(
        "The agreement in %(count)s case was measured.", "The agreement in %(count)s cases was measured.", cases
    )
    return words % {"count": f"{cases:,}"}


def drawing_words(result: dict[str, Any]) -> str:
    """What came of comparing drawings."""
    count = int(result.get("drawings") or 0)
    words = ngettext("%(count)s drawing was compared.", "%(count)s drawings were compared.", count)
    return words % {"count": f"{count:,}"}


def export_words(result: dict[str, Any]) -> str:
    """What came of an export."""
    files = int(result.get("files") or 0)
    words = ngettext("The archive holds %(count)s file.", "The archive holds %(count)s files.", files)
    return words % {"count": f"{files:,}"}


def automatic_words(count: int) -> str:
    words = ngettext(
        "%(count)s reference has not been decided by anybody.",
        "%(count)s references have not been decided by anybody.",
        count,
    )
    return words % {"count": f"{count:,}"}


def held_words(counts: Mapping[str, Any]) -> str:
    """How much a version holds."""
    cases, references = int(counts["cases"]), int(counts["references"])
    words = ngettext("%(count)s reference of %(cases)s", "%(count)s references of %(cases)s", references)
    of_cases = ngettext("%(count)s case", "%(count)s cases", cases) % {"count": f"{cases:,}"}
    return words % {"count": f"{references:,}", "cases": of_cases}


def undecided_words(count: int) -> str:
    words = ngettext("%(count)s reference is still undecided.", "%(count)s references are still undecided.", count)
    return words % {"count": f"{count:,}"}
