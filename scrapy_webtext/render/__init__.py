"""Chosen blocks as text, Markdown, HTML and rows, all made of one outline.

`containers` says in which lists, tables, quotes and code text is, and which tables are tables;
`outline` has the blocks with theirs. `text`, `markdown` and `html` render it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import (
    Outline,
    blocks_in_tables,
    outline_of_blocks,
    outline_of_lines,
    outline_of_runs,
)
from scrapy_webtext.render.references import Link, Picture, render_images, render_links
from scrapy_webtext.render.text import (
    TextBlock,
    render_blocks,
    render_rows,
    render_runs,
    render_text,
)

__all__ = [
    "FORMATS",
    "Link",
    "Picture",
    "TextBlock",
    "blocks_in_tables",
    "outline_of_runs",
    "render_blocks",
    "render_formats",
    "render_runs",
    "render_text",
]

#: Name of a result -> the function that renders it. They need the page's attributes.
FORMATS: Final[Mapping[str, Callable[[Outline], Any]]] = {
    "main_markdown": render_markdown,
    "main_html": render_html,
    "blocks": render_rows,
    "links": render_links,
    "images": render_images,
}

#: Those that begin with the headline.
_TITLED: Final = frozenset({"main_markdown", "main_html"})


def render_formats(
    page: Page,
    text: str,
    chosen: Sequence[int],
    runs: Sequence[int],
    names: Collection[str],
    links: bool = True,
    headline: tuple[str, int] = ("", -1),
) -> dict[str, Any]:
    """Return the renderings of these names (of `FORMATS`) of a text that was found on a page.

    ``chosen`` are the blocks that the text was made of, ``runs`` the runs, where blocks were
    taken in part. Of a text that is not theirs (from the page's metadata, or of an extractor that
    makes its own) only the lines are known: each is a paragraph. Without ``links`` the words of
    links stay, and their addresses are left out. Markdown and HTML begin with the ``headline``,
    given with its block.
    """
    if not names:
        return {}
    outline = outline_of_runs(page, runs) if runs else outline_of_blocks(page, chosen)
    if render_text(outline) != text:
        outline = outline_of_lines(page, text)
    outline = replace(outline, links=links)
    title, block = headline
    below = [part for part in outline.parts if part.block != block or block < 0]
    titled = replace(outline, headline=title if text else "", parts=below)
    return {name: FORMATS[name](titled if name in _TITLED else outline) for name in names}
