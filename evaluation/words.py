"""What pages and the log say about scores."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


def grader_words(result: dict[str, Any]) -> str:
    count = int(result.get("graders", 0))
    return ngettext("%(count)s grader was scored.", "%(count)s graders were scored.", count) % {"count": count}


EVENT_WORDS = {"graders.scored": gettext_lazy("Graders scored")}
EVENT_SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "graders.scored": lambda after: _("had the graders scored"),
}
