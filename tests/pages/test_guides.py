"""The guides of docs/ as pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from annotator.models import User
from annotator.views.guides import GUIDES, guide_file
from consensus.export_words import FORMATS

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


def test_a_guide_is_a_page_with_the_headings_and_tables_of_its_text(organiser: User, browser_of: Browser) -> None:
    page = browser_of(organiser).get("/guides/export/").content.decode()
    assert "<h1>Taking a dataset home</h1>" in page
    assert page.count("<h2>") == guide_file("export", "en").read_text().count("\n## ")
    assert "<td>train a segmentation model</td>" in page
    assert "With the small Python client:" in page  # whose own text is no page
    assert '.md"' not in page


def test_a_guide_is_in_the_reader_s_language(organiser: User, browser_of: Browser) -> None:
    page = browser_of(organiser).get("/guides/export/", headers={"accept-language": "zh-hans"}).content.decode()
    assert "<h1>导出数据集</h1>" in page


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES if code != "en"])
@pytest.mark.parametrize("guide", sorted(GUIDES))
def test_a_guide_says_the_same_in_every_language(guide: str, language: str) -> None:
    """As far as that can be counted: headings, rows, points, and whatever is code."""

    def shape(file: Path) -> list[object]:
        text = file.read_text()
        lines = text.splitlines()
        counts = [sum(line.startswith(begin) for line in lines) for begin in ("#", "|", "- ", "    ")]
        return [*counts, sorted(set(re.findall(r"`[^`]+`", text)))]

    translated = guide_file(guide, language)
    assert translated.parent.name == language
    assert shape(translated) == shape(guide_file(guide, "en"))


def test_the_guide_to_formats_names_every_format_and_no_other() -> None:
    table = guide_file("export", "en").read_text().split("## Which format")[1].split("\n\n")[1]
    named = {key for row in table.splitlines()[2:] for key in re.findall(r"`([^`]+)`", row.split("|")[2])}
    assert named == set(FORMATS)


def test_what_is_no_guide_is_not_found(organiser: User, browser_of: Browser) -> None:
    for name in ("decisions", "..", "zh-hans"):
        assert browser_of(organiser).get(f"/guides/{name}/").status_code == 404
