"""Chosen blocks as text, Markdown, HTML and rows, all rendered from one outline.

`containers` finds the lists, tables, quotes and code around each block. `outline` holds the blocks
with their containers. `text`, `markdown` and `html` render the outline.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import Outline, outline_blocks, outline_lines, outline_runs
from scrapy_webtext.render.text import render_blocks as render_blocks
from scrapy_webtext.render.text import render_images, render_links, render_rows, render_text
from scrapy_webtext.render.text import render_runs as render_runs

#: Name of a result -> the function that renders it. All of them read the page's attributes.
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
    """Return the renderings of a text, by name; ``names`` are keys of `FORMATS`.

    ``chosen`` are the blocks of the text. ``runs`` are its runs if blocks were chosen in part. A
    text from elsewhere (metadata, another package) has one paragraph per line. Without ``links``,
    the text of links stays and the addresses are left out. ``headline`` is the text and the block
    of the headline. Markdown and HTML begin with it.
    """
    if not names:
        return {}
    outline = outline_runs(page, runs) if runs else outline_blocks(page, chosen)
    if render_text(outline) != text:
        outline = outline_lines(page, text)
    outline = replace(outline, links=links)
    title, block = headline
    below = [part for part in outline.parts if part.block != block or block < 0]
    titled = replace(outline, headline=title if text else "", parts=below)
    return {name: FORMATS[name](titled if name in _TITLED else outline) for name in names}
