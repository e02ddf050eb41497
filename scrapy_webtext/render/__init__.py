"""Renders chosen blocks as text, Markdown, HTML and data, all from one tree.

`outline` combines the chosen blocks, as parts, with their containers: lists, tables, quotes, code.
`tree` makes a tree of the parts, which `text`, `markdown` and `html` write.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scrapy_webtext.page import Page
from scrapy_webtext.render.html import render_html
from scrapy_webtext.render.markdown import render_markdown
from scrapy_webtext.render.outline import (
    Outline,
    outline_blocks,
    outline_captions,
    outline_lines,
    outline_runs,
)
from scrapy_webtext.render.text import render_blocks as render_blocks
from scrapy_webtext.render.text import render_images, render_links, render_rows, render_text
from scrapy_webtext.render.text import render_runs as render_runs
from scrapy_webtext.render.tree import Part, join_runs

#: Result field -> the function that renders it.
FORMATS: Final[Mapping[str, Callable[[Outline], Any]]] = {
    "main_markdown": render_markdown,
    "main_html": render_html,
    "blocks": render_rows,
    "links": render_links,
    "images": render_images,
}

#: The headline begins with one of the first runs of its block. If it is not found, the block counts
#: as a headline unless it is this many times as long.
_MAX_BEFORE: Final = 8
_LONGER: Final = 3

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
    outline = outline_runs(page, runs) if runs else outline_blocks(page, chosen)
    if render_text(outline) != text:
        outline = outline_lines(page, text)
    outline = replace(outline, links=links, chosen=outline.runs)
    whole = outline if _WITH_CAPTIONS.isdisjoint(names) else outline_captions(outline)
    titled = _with_headline(whole, *headline) if text else whole
    of_name = dict.fromkeys(_TITLED, titled) | {"images": whole}
    return {name: FORMATS[name](of_name.get(name, outline)) for name in names}


def _with_headline(outline: Outline, title: str, block: int) -> Outline:
    """Return an outline that begins with the headline, which is taken out of its block."""
    parts = [
        _without_title(outline.page, part, title) if part.block == block >= 0 else part
        for part in outline.parts
    ]
    return replace(outline, headline=title, parts=[part for part in parts if part is not None])


def _without_title(page: Page, part: Part, title: str) -> Part | None:
    """Return the part of the headline without it; None if nothing is left."""
    texts, wanted = [_letters(page.runs.text[k]) for k in part.runs], _letters(title)
    for first in range(min(len(texts), _MAX_BEFORE)):
        found = ""
        for end, text in enumerate(texts[first:], first + 1):
            found += text
            if found == wanted:
                runs = [*part.runs[:first], *part.runs[end:]]
                text = join_runs(page.runs, runs, part.formulas)
                return part._replace(text=text, runs=runs) if runs else None
            if not wanted.startswith(found):
                break
    return part if len(part.text) > _LONGER * len(title) else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
