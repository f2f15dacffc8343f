"""Markdown from people becomes markup that can do no harm."""

import pytest

from annotator.markdown import render_markdown


def test_headings_fit_under_those_of_the_page() -> None:
    assert render_markdown("# A\n## B") == "<h3>A</h3>\n<h4>B</h4>\n"


def test_headings_end_at_the_sixth_level() -> None:
    assert render_markdown("###### A") == "<h6>A</h6>\n"


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b onclick=x>b</b>"])
def test_raw_html_is_shown_as_text(text: str) -> None:
    rendered = render_markdown(text)

    assert "&lt;" in rendered
    assert "<script" not in rendered
    assert "<img" not in rendered
    assert "<b" not in rendered


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "JaVaScRiPt:x", "file:///x"]
)
def test_addresses_that_run_scripts_are_no_links(address: str) -> None:
    assert "<a" not in render_markdown(f"[see]({address})")


def test_links_tell_the_other_site_nothing() -> None:
    expected = '<p><a href="https://example.org/a" rel="noopener noreferrer nofollow">see</a></p>\n'
    assert render_markdown("[see](https://example.org/a)") == expected


def test_pictures_from_elsewhere_are_words_only() -> None:
    assert render_markdown('![the <rim>](https://example.org/spy.png "t")') == "<p>the &lt;rim&gt;</p>\n"


def test_tables_carry_no_style() -> None:
    rendered = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |")

    assert "style=" not in rendered
    assert '<td class="num">2</td>' in rendered
