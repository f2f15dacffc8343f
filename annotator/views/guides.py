"""Guides of the program as pages: the texts of docs/, in the reader's language where there is such a text."""

import re
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.errors import NotVisible
from annotator.markdown import render_markdown
from annotator.views.base import SignedInView

GUIDES = frozenset({"export", "import"})
TO_ANOTHER_TEXT = re.compile(r"\[([^\]]+)\]\(([\w-]+)\.md\)")


class GuidePage(SignedInView):
    def get(self, request: HttpRequest, guide: str) -> HttpResponse:
        if guide not in GUIDES:
            raise NotVisible("not_found", _("There is no such guide."))
        title, _line, text = guide_file(guide, get_language() or "").read_text("utf-8").partition("\n")
        text = TO_ANOTHER_TEXT.sub(_to_guide, text)
        context = {"title": title.removeprefix("# "), "text": render_markdown(text, headings_from=1)}
        return render(request, "overview/guide.html", context)


def _to_guide(link: re.Match[str]) -> str:
    """A link between texts of docs/, as a link between pages; its words alone where the other text is no page."""
    words, name = link.groups()
    return f"[{words}]({reverse('guide', args=[name])})" if name in GUIDES else words


def guide_file(name: str, language: str) -> Path:
    docs = Path(settings.BASE_DIR) / "docs"
    translated = docs / language / f"{name}.md"
    return translated if language and translated.is_file() else docs / f"{name}.md"
