"""Chosen runs or blocks to text: one line per block, lines of ``<pre>`` and ``<br>`` kept."""

from __future__ import annotations

from collections.abc import Iterable

from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.page.tree import Page


def render_runs(page: Page, chosen: Iterable[int]) -> str:
    """Text of these runs, given in ascending order.

    Two chosen runs are set off by the widest gap between them, so that leaving out an aside
    in mid-sentence joins no words.
    """
    runs = page.runs
    gaps = runs.gap
    parts: list[str] = []
    last = -1
    for k in chosen:
        if parts:
            parts.append(SEPARATORS[gaps[k] if k == last + 1 else max(gaps[last + 1 : k + 1])])
        parts.append(runs.preformatted.get(k) or runs.text[k])
        last = k
    return "".join(parts)


def render_blocks(page: Page, chosen: Iterable[int]) -> str:
    """Text of these blocks, given in ascending order, one line each."""
    text = page.blocks.text
    return "\n".join(text[b] for b in chosen)
