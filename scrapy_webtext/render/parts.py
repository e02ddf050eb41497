"""The parts of a text: blocks in whole or in part, and the text of some of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrapy_webtext.page import Runs
from scrapy_webtext.page.text import SEPARATORS
from scrapy_webtext.render.containers import Path
from scrapy_webtext.render.pictures import Image


class Part(NamedTuple):
    """A block of the text, whole or in part, or a picture of its own."""

    text: str  #: its lines; white space folded, except in code
    path: Path = ()  #: the containers that it is in
    block: int = -1  #: of the page; -1 where the text is not the page's
    runs: Sequence[int] = ()  #: of the page, ascending
    image: Image | None = None


def joined(runs: Runs, chosen: Sequence[int], is_code: bool) -> str:
    """Return the text of some runs of one block, set off by the widest gap between each two."""
    as_it_stands = runs.preformatted if is_code else {}
    parts: list[str] = []
    last = chosen[0]
    for k in chosen:
        if parts:
            parts.append(SEPARATORS[widest_gap(runs, last, k)])
        parts.append(as_it_stands.get(k) or runs.text[k])
        last = k
    text = "".join(parts)
    return text.strip("\r\n").rstrip() if is_code else text


def widest_gap(runs: Runs, one: int, other: int) -> int:
    """Return how two chosen runs are set off, so that left out text joins no words."""
    gap = runs.gap
    return gap[other] if other == one + 1 else max(gap[one + 1 : other + 1])
