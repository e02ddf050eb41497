"""Laws of the renderings of every text: the same words in the same order, safe HTML."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any, Final

from markdown_it import MarkdownIt

from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.hidden import find_permalinks
from scrapy_webtext.render import FORMATS, render_blocks, render_formats
from scrapy_webtext.render.outline import outline_blocks
from scrapy_webtext.results import Extraction

LINK: Final = re.compile(r"(</?)a\b")
PLAYERS: Final = frozenset("iframe embed object video audio lite-youtube amp-youtube".split())
MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])

#: Elements of main_html with their attributes.
ALLOWED: Final = {
    **dict.fromkeys(
        "p h1 h2 h3 h4 h5 h6 ul dl dt dd blockquote pre table caption tr figure figcaption "
        "strong em del q sub sup br hr".split(),
        frozenset[str](),
    ),
    "ol": frozenset({"start", "type"}),
    "li": frozenset({"value"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan"}),
    "code": frozenset({"class"}),
    "a": frozenset({"href"}),
    "img": frozenset({"src", "alt", "width", "height"}),
}
SAFE_ADDRESS: Final = re.compile(r"(?:(?:https?|mailto|tel|ftp):|(?![a-zA-Z][a-zA-Z0-9+.-]*:))")
WORD: Final = re.compile(r"\w+")


class Elements(HTMLParser):
    """Start tags of a fragment, read without repairs of the tree."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def elements_of(html: str) -> list[tuple[str, list[tuple[str, str | None]]]]:
    reader = Elements()
    reader.feed(html)
    reader.close()
    return reader.found


def check_safe(html: str) -> None:
    """Raise AssertionError if a fragment has an element, attribute or address that is not safe."""
    for tag, attributes in elements_of(html):
        assert tag in ALLOWED, tag
        for name, value in attributes:
            assert name in ALLOWED[tag], (tag, name)
            if name in ("href", "src"):
                assert SAFE_ADDRESS.match(value or ""), value


def words_of(html: str) -> list[str]:
    """Return the words of a fragment without marks of references."""
    outline = outline_blocks(page := parse(html), range(len(page.blocks)))
    return WORD.findall(" ".join(part.text for part in outline.parts))


def text_again(html: str) -> str:
    """Return the text of main_html, read as a page."""
    page = parse(html)
    if find_permalinks(page.nodes):  # in the rendering only; read as text
        page = parse(LINK.sub(r"\1span", html))
    return render_blocks(page, range(len(page.blocks)))


def formats_of(page: Page, extraction: Extraction) -> dict[str, Any]:
    chosen, runs = extraction.chosen, extraction.runs
    return render_formats(page, extraction.text, chosen, runs, FORMATS)


def check_formats(page: Page, extraction: Extraction) -> dict[str, Any]:
    """Return all renderings of a text; AssertionError where a law does not hold."""
    found = formats_of(page, extraction)
    text, html, markdown = extraction.text, found["main_html"], found["main_markdown"]
    for value in (html, markdown):
        value.encode()
        assert len(value) <= 40 * len(page.source) + 1000
    check_safe(html)
    blocks: Sequence[Any] = found["blocks"]
    at = 0
    for block in blocks:
        assert at <= block.start < block.end <= len(text)
        assert text[block.start : block.end] == block.text
        at = block.end
    said = " ".join(block.text for block in blocks)
    assert words_of(html) == WORD.findall(said)
    marked = words_of(MARKDOWN.render(markdown))
    if page.nodes.tagged(PLAYERS):  # Markdown has a link to each, with its title
        rest = iter(marked)
        assert all(word in rest for word in WORD.findall(said))
    else:
        assert marked == WORD.findall(said)
    if any(block.xpath for block in blocks):
        assert text_again(html) == text
    return found
