"""Finds notices: pages sent instead of an article, such as challenges and consent walls.

A notice has little text, and its title, a heading or most of its text has a typical phrase.
Ordinary pages have scripts and class names of the same services, so only text counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from scrapy_webtext.page import Page

Notice = Literal["blocked", "consent", "not found"]
KINDS: Final[tuple[Notice, ...]] = ("blocked", "consent", "not found")

_SHORT: Final[tuple[Notice, ...]] = ("blocked", "not found")

#: Maximum number of characters outside links: of a notice of a kind in `_SHORT`, of any notice.
SHORT_CHARS: Final = 1_500
MOST_CHARS: Final = 4_000
#: A block with fewer characters outside links is a label, not prose.
_PROSE: Final = 30
#: If title and headings have no phrase, blocks with a phrase must have this share of the prose.
_SHARE: Final = 0.5
#: A consent wall has at least this many distinct phrases, and blocks with phrases are most of its
#: prose; a footer has one or two phrases. Or it has at least `_LEAST_TOPICS` topics, and blocks
#: with two topics have at least `_SHARE_OF_TOPICS` of its text.
_LEAST_CONSENT: Final = 3
_LEAST_TOPICS: Final = 5
_SHARE_OF_TOPICS: Final = 0.6
#: Every consent wall has one of these words; without one the phrases are not searched.
_CONSENT: Final = (
    "cookie", "priva", "vie privée", "datenschutz", "einwillig", "конфиденц", "隐私", "プライバシ",
)  # fmt: skip
_HEADINGS: Final = frozenset({"h1", "h2"})


def find_notice(page: Page) -> Notice | None:
    """Return which notice a page is; None if it is none or the phrases do not suffice."""
    return page.cached("notice", lambda: _find_notice(page))


def _find_notice(page: Page) -> Notice | None:
    blocks = page.blocks
    chars = sum(blocks.chars) - sum(blocks.link_chars)
    if chars > MOST_CHARS:
        return None
    columns = zip(blocks.text, blocks.chars, blocks.link_chars, strict=True)
    prose = [(text.lower(), n - linked) for text, n, linked in columns if n - linked >= _PROSE]
    low = "\n".join(text for text, _ in prose)
    if chars > SHORT_CHARS and not _found(_CONSENT, low):
        return None
    tags = page.nodes.tag
    headings = [blocks.text[b] for b, i in enumerate(blocks.node) if tags[i] in _HEADINGS]
    named = "\n".join((page.title, *headings)).lower()
    if chars <= SHORT_CHARS:
        for kind in _SHORT:
            found = _found(_phrases()[kind], f"{named}\n{low}")
            if _found(found, named) or _is_most(prose, found):
                return kind
    found = _found(_phrases()["consent"], f"{named}\n{low}")
    is_wall = len(found) >= _LEAST_CONSENT and _is_most(prose, found)
    return "consent" if is_wall or _is_about_consent(prose, low, chars) else None


def _is_about_consent(prose: Sequence[tuple[str, int]], low: str, chars: int) -> bool:
    """Return whether most of a page's text has words of the topics of consent, in any language.

    ``prose`` has lower-cased blocks and their characters outside links, ``low`` all their text, and
    ``chars`` is the number of characters outside links of the page.
    """
    topics = [
        found for line in _phrases()["consent topics"] if (found := _found(line.split("|"), low))
    ]
    if len(topics) < _LEAST_TOPICS:
        return False
    own = sum(n for text, n in prose if sum(bool(_found(words, text)) for words in topics) > 1)
    return own >= _SHARE_OF_TOPICS * chars


def _found(phrases: Sequence[str], low: str) -> list[str]:
    """Return the phrases that occur in a lower-cased text."""
    return [phrase for phrase in phrases if phrase in low]


def _is_most(prose: Sequence[tuple[str, int]], found: Sequence[str]) -> bool:
    """Return whether blocks with one of these phrases have at least `_SHARE` of the prose."""
    shown = sum(len(text) for text, _ in prose if _found(found, text)) if found else 0
    return shown > 0 and shown >= _SHARE * sum(len(text) for text, _ in prose)


@lru_cache(1)
def _phrases() -> dict[str, tuple[str, ...]]:
    """Return the phrases of each kind and the topics of consent, lower-cased."""
    found: dict[str, list[str]] = {}
    path = Path(__file__).parent / "data" / "notices.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = current = []
        elif line and not line.startswith("#"):
            current.append(line)
    return {kind: tuple(phrases) for kind, phrases in found.items()}
