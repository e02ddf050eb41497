"""Renders chosen blocks as text, Markdown, HTML and data, all from the same rows.

`containers` finds the lists, tables, quotes and code that contain each block. `outline` combines
the blocks with their containers: as rows, and as parts with pictures. `text` writes plain text from
rows. `tree` makes a tree of the parts, which `markdown` and `html` write with a function per kind.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import (
    Outline,
    outline_captions,
    outline_lines,
    outline_rows,
    rows_of_blocks,
    rows_of_runs,
)
from scrapy_webtext.render.text import render_blocks as render_blocks
from scrapy_webtext.render.text import render_images, render_links, render_rows, render_text
from scrapy_webtext.render.text import render_runs as render_runs

#: Result field -> the function that renders it.
FORMATS: Final[Mapping[str, Callable[[Outline], Any]]] = {
    "main_markdown": render_markdown,
    "main_html": render_html,
    "blocks": render_rows,
    "links": render_links,
    "images": render_images,
}

#: Renderings that begin with the headline.
_TITLED: Final = frozenset({"main_markdown", "main_html"})
#: Renderings that have the captions of pictures.
_WITH_CAPTIONS: Final = _TITLED | {"images"}


def render_formats(
    page: Page,
    text: str,
    chosen: Sequence[int],
    runs: Sequence[int],
    names: Collection[str],
    links: bool = True,
    headline: tuple[str, int] = ("", -1),
) -> dict[str, Any]:
    """Return name -> rendering of a text; ``names`` are keys of `FORMATS`.

    ``chosen`` are the blocks of the text. ``runs`` are its runs if some blocks are chosen only in
    part. A text that is not from the page's blocks (JSON-LD, another package) has one paragraph per
    line. Without ``links``, the addresses of links are left out and their text is kept.
    ``headline`` is the text and the block of the headline, with which Markdown and HTML begin.
    """
    if not names:
        return {}
    rows = rows_of_runs(page, runs) if runs else rows_of_blocks(page, chosen)
    is_of_rows = render_text(page, rows) == text
    outline = outline_rows(page, rows) if is_of_rows else outline_lines(page, text)
    outline = replace(outline, links=links)
    whole = outline if _WITH_CAPTIONS.isdisjoint(names) else outline_captions(outline)
    title, block = headline
    below = [part for part in whole.parts if part.block != block or block < 0]
    titled = replace(whole, headline=title if text else "", parts=below)
    of_name = dict.fromkeys(_TITLED, titled) | {"images": whole}
    return {name: FORMATS[name](of_name.get(name, outline)) for name in names}
