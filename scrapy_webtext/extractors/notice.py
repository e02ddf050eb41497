"""Tell pages that are sent in an article's place: challenges, consent walls, missing pages.

Such a page has little text, and says what it is in its title, a heading or most of its text. What
services put into scripts and class names is on ordinary pages, too, so only text counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from scrapy_webtext.page import Page

Notice = Literal["blocked", "consent", "not found"]
KINDS: Final[tuple[Notice, ...]] = ("blocked", "not found", "consent")

#: Characters outside links that a page has at most, by kind.
MOST_CHARS: Final = {"blocked": 1_500, "not found": 1_500, "consent": 6_000}
#: A sentence, or a label: a block with fewer characters outside links is no prose.
_PROSE: Final = 30
#: Share of the prose that must be in blocks with a phrase, if the title and headings have none.
_SHARE: Final = 0.5
#: Distinct phrases of a consent wall: one alone may be the footer's.
_LEAST_CONSENT: Final = 3
_HEADINGS: Final = frozenset({"h1", "h2"})


def find_notice(page: Page) -> Notice | None:
    """Return what a page is sent for in place of an article; None if that is not sure."""
    return page.cached("notice", lambda: _find_notice(page))


def _find_notice(page: Page) -> Notice | None:
    blocks = page.blocks
    chars = sum(blocks.chars) - sum(blocks.link_chars)
    if chars > MOST_CHARS["consent"]:
        return None
    texts = [text.lower() for text in blocks.text]
    unlinked = [a - b for a, b in zip(blocks.chars, blocks.link_chars, strict=True)]
    prose = [text for text, n in zip(texts, unlinked, strict=True) if n >= _PROSE]
    names, headings = page.nodes.tag, [page.title.lower()]
    headings += [t for t, i in zip(texts, blocks.node, strict=True) if names[i] in _HEADINGS]
    for kind in KINDS:
        if chars <= MOST_CHARS[kind] and _is(kind, headings, prose):
            return kind
    return None


def _is(kind: Notice, headings: Iterable[str], prose: list[str]) -> bool:
    phrases = _phrases()[kind]
    said = [text for text in prose if any(phrase in text for phrase in phrases)]
    share = sum(map(len, said)) / (sum(map(len, prose)) or 1)
    if kind == "consent":
        text = "\n".join((*headings, *prose))
        return share >= _SHARE and sum(p in text for p in phrases) >= _LEAST_CONSENT
    in_heading = any(phrase in text for text in headings for phrase in phrases)
    return in_heading or share >= _SHARE


@lru_cache(1)
def _phrases() -> dict[Notice, tuple[str, ...]]:
    """Return the phrases of each kind, lower-cased."""
    found: dict[str, list[str]] = {}
    path = Path(__file__).parent / "data" / "notices.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = current = []
        elif line and not line.startswith("#"):
            current.append(line)
    return {kind: tuple(found[kind]) for kind in KINDS}
