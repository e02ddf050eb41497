"""Chosen runs or blocks to text: one line per block, lines of ``<pre>`` and ``<br>`` kept."""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_webtext.page.text import BREAK, SEPARATORS
from scrapy_webtext.page.tree import Page


def render_runs(page: Page, chosen: Iterable[int]) -> str:
    """Text of these runs, given in ascending order.

    Two chosen runs are set off by the widest gap between them, so that leaving out an aside
    in mid-sentence joins no words.
    """
    runs = page.runs
    gaps = runs.gap
    as_it_stands = runs.preformatted.get
    parts: list[str] = []
    last = -1
    for k in chosen:
        piece = as_it_stands(k)
        if parts:
            gap = gaps[k] if k == last + 1 else max(gaps[last + 1 : k + 1])
            if gap == BREAK:
                parts[-1] = parts[-1].rstrip()
            parts.append(SEPARATORS[gap])
        else:
            gap = BREAK
        if piece is None:
            piece = runs.text[k]
        elif gap == BREAK:
            piece = piece.lstrip("\r\n")
        parts.append(piece)
        last = k
    return "".join(parts).rstrip()


def render_blocks(page: Page, chosen: Iterable[int]) -> str:
    """Text of these blocks, given in ascending order, one line each."""
    text = page.blocks.text
    return "\n".join(text[b] for b in chosen)
