"""Markdown that people write, as markup that can do no harm: no raw HTML, no pictures from elsewhere, no styles."""

from collections.abc import Sequence
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

DEEPEST_HEADING = 6


def render_markdown(text: str, *, headings_from: int = 3) -> SafeString:
    """HTML of `text`; its first level of headings becomes `headings_from`, to fit under the page's own headings.

    Addresses that run scripts (javascript:, data:, file:) are not made into links.
    """
    tokens = _parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = min(int(token.tag[1:]) + headings_from - 1, DEEPEST_HEADING)
            token.tag = f"h{level}"
    # Everything in it came out of the renderer below, which escapes all text and knows no raw HTML.
    return SafeString(_parser.renderer.render(tokens, _parser.options, {}))


class _Renderer(RendererHTML):
    def link_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        tokens[index].attrSet("rel", "noopener noreferrer nofollow")
        return self.renderToken(tokens, index, options, env)

    def image(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Its description only: a picture from elsewhere would tell a stranger who reads when."""
        return str(escape(tokens[index].content))

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A program too wide for its box is scrolled by keys too."""
        return f'<pre tabindex="0"><code>{escape(tokens[idx].content)}</code></pre>\n'

    fence = code_block

    def td_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        """Alignment by class, because the pages allow no inline style."""
        style = tokens[index].attrs.pop("style", None)
        if style == "text-align:right":
            tokens[index].attrSet("class", "num")
        return self.renderToken(tokens, index, options, env)

    th_open = td_open


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
    return parser.enable(["table", "strikethrough"])


_parser = _make_parser()
