"""The renderings that a user may ask for beside the text, all made of the text's own outline."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.page.tree import Page
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import (
    Outline,
    outline_of_blocks,
    outline_of_lines,
    outline_of_runs,
)
from scrapy_webtext.render.plain_text import render_text
from scrapy_webtext.render.rows import render_rows

#: Name of a result -> what makes it. They need the page's attributes.
FORMATS: Final[Mapping[str, Callable[[Outline], Any]]] = {
    "main_markdown": render_markdown,
    "main_html": render_html,
    "blocks": render_rows,
}


def render_formats(
    page: Page,
    text: str,
    chosen: Sequence[int],
    runs: Sequence[int],
    names: Collection[str],
    links: bool = True,
) -> dict[str, Any]:
    """Return the renderings of these names (of `FORMATS`) of a text that was found on a page.

    ``chosen`` are the blocks that the text was made of, ``runs`` the runs, where blocks were
    taken in part. Of a text that is not theirs (from the page's metadata, or of an extractor that
    makes its own) only the lines are known: each is a paragraph. Without ``links`` the words of
    links stay, and where they lead is left out.
    """
    if not names:
        return {}
    outline = outline_of_runs(page, runs) if runs else outline_of_blocks(page, chosen)
    if render_text(outline) != text:
        outline = outline_of_lines(text)
    if not links:
        outline = replace(outline, links=False)
    return {name: FORMATS[name](outline) for name in names}
