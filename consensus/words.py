"""What pages say about runs."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def run_words(result: dict[str, Any]) -> str:
    """What came of a run, in a sentence or two."""
    cases, left = int(result.get("cases", 0)), int(result.get("changed_meanwhile", 0))
    fused = ngettext("%(count)s case was fused.", "%(count)s cases were fused.", cases) % {"count": f"{cases:,}"}
    if not left:
        return fused
    changed = ngettext(
        "%(count)s was changed by its graders meanwhile; run it again.",
        "%(count)s were changed by their graders meanwhile; run it again.",
        left,
    )
    return _("%(first)s %(second)s") % {"first": fused, "second": changed % {"count": f"{left:,}"}}


def report_words(result: dict[str, Any]) -> str:
    """What came of measuring agreement."""
    cases = int(result.get("cases", 0))
    words = ngettext(
        "The agreement in %(count)s case was measured.", "The agreement in %(count)s cases was measured.", cases
    )
    return words % {"count": f"{cases:,}"}
