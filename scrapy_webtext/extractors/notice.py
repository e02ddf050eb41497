"""Find pages that a site sends instead of an article: challenges, consent walls, missing pages.

Such a page has little text, and names itself in its title, a heading or most of its text. Scripts
and class names of these services are on ordinary pages, too, so only text counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from scrapy_webtext.page import Page

Notice = Literal["blocked", "consent", "not found"]
KINDS: Final[tuple[Notice, ...]] = ("blocked", "consent", "not found")

_SHORT: Final[tuple[Notice, ...]] = ("blocked", "not found")

#: Greatest number of characters outside links of a page: of the short kinds, and of any kind.
SHORT_CHARS: Final = 1_500
MOST_CHARS: Final = 4_000
#: A block with fewer characters outside links is a label, not prose.
_PROSE: Final = 30
#: Least share of the prose in blocks with a phrase, if the title and headings have no phrase.
_SHARE: Final = 0.5
#: Least number of distinct phrases of a consent wall. A footer has one or two.
_LEAST_CONSENT: Final = 3
#: Every consent wall has one of these words; without one the phrases are not searched.
_CONSENT: Final = re.compile(
    "cookie|priva|vie privée|datenschutz|einwillig|конфиденц|隐私|プライバシ"
)
_HEADINGS: Final = frozenset({"h1", "h2"})


def find_notice(page: Page) -> Notice | None:
    """Return the kind of a page that is sent instead of an article; None if not sure."""
    return page.cached("notice", lambda: _find_notice(page))


def _find_notice(page: Page) -> Notice | None:
    blocks = page.blocks
    chars = sum(blocks.chars) - sum(blocks.link_chars)
    if chars > MOST_CHARS:
        return None
    pairs = enumerate(zip(blocks.chars, blocks.link_chars, strict=True))
    prose = [blocks.text[b].lower() for b, (n, linked) in pairs if n - linked >= _PROSE]
    if chars <= SHORT_CHARS:
        for kind in _SHORT:
            if _is_kind(page, prose, kind):
                return kind
    elif not any(map(_CONSENT.search, prose)):
        return None
    return "consent" if _is_consent(page, prose) else None


def _is_kind(page: Page, prose: Sequence[str], kind: Notice) -> bool:
    phrases = _phrases()[kind]
    headings = _headings(page)
    return any(phrase in headings for phrase in phrases) or _share(prose, phrases) >= _SHARE


def _is_consent(page: Page, prose: Sequence[str]) -> bool:
    phrases = _phrases()["consent"]
    text = "\n".join((_headings(page), *prose))
    found = sum(phrase in text for phrase in phrases)
    return found >= _LEAST_CONSENT and _share(prose, phrases) >= _SHARE


def _share(prose: Sequence[str], phrases: Sequence[str]) -> float:
    """Return the share of the prose, in characters, that is in blocks with a phrase."""
    found = [text for text in prose if any(phrase in text for phrase in phrases)]
    return sum(map(len, found)) / (sum(map(len, prose)) or 1)


def _headings(page: Page) -> str:
    """Return the title and the headings, a line each, lower-cased."""
    tags, nodes = page.nodes.tag, page.blocks.node
    found = [text for text, i in zip(page.blocks.text, nodes, strict=True) if tags[i] in _HEADINGS]
    return "\n".join((page.title, *found)).lower()


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
