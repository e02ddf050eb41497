"""The titles that a page declares, and how far they speak for what readers see as the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import folded, plain_text

#: A headline has at most so many characters.
MAX_CHARS: Final = 400
#: How like a declared title is that has no more than the site's name beside a text.
SAME: Final = 0.95
#: Pieces of a title, and blocks of a heading, that are looked at.
MAX_PIECES: Final = 12
#: What parts the headline from the site's name and sections in a title.
_SEPARATOR: Final = re.compile(
    r"\s{1,9}[|–—·•»«›‹:/~\\*<>:-]{1,9}\s{1,9}|\s{0,9}[|｜»«›‹·•_]{1,9}\s{0,9}"
    r"|(?<=[\u3040-\u9fff])\s{0,9}[-–—]{1,9}\s{0,9}"
    r"|\s{0,9}[-–—]{1,9}\s{0,9}(?=[\u3040-\u9fff])|:\s{1,9}"
)


class Declared(NamedTuple):
    """A title that the page declares."""

    text: str
    words: str  #: folded
    source: str
    weight: float


def declared_titles(sources: Sources) -> Iterator[Declared]:
    """Yield the titles that the page declares, in order of trust."""
    for source, value in sources.values("headline", "name"):
        if "webpage" not in source or "headline" in source:
            yield from _declared(plain_text(value), source, 2.0)
    for prop in sources.properties:
        if prop.field == "title" and prop.is_own:
            text = sources.attribute(prop.node, "content") or sources.text_of(prop.node)
            yield from _declared(plain_text(text), f"microdata {prop.name}", 1.5)
    for name, texts in sources.head.values("title"):
        yield from _declared(texts[0], name, 2.0 if name == "meta og:title" else 1.0)
    yield from _declared(plain_text(sources.page.title), "<title>", 2.0)


def _declared(text: str, source: str, weight: float) -> Iterator[Declared]:
    if words := folded(text):
        yield Declared(text[:MAX_CHARS], words, source, weight)


@lru_cache(maxsize=256)
def pieces_of(title: str) -> frozenset[str]:
    """Return what separators part, and what remains without an end, folded."""
    signs = islice(_SEPARATOR.finditer(title), MAX_PIECES)
    ends = [0, *(end for found in signs for end in found.span()), len(title)]
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    parts = [title[first:end] for first, end in spans]
    parts += [title[first:] for first, _ in spans[1:-1]]
    parts += [title[:end] for _, end in spans[1:-1]]
    return frozenset(map(folded, parts))


def joined(declared: Sequence[Declared]) -> list[Declared]:
    """Return declared titles with those of the same text as one of their weight together."""
    weights: dict[str, float] = {}
    for one in declared:
        weights[one.text] = weights.get(one.text, 0.0) + one.weight
    first = {one.text: one for one in reversed(declared)}
    return [first[text]._replace(weight=weight) for text, weight in weights.items()]


def support(words: str, declared: Sequence[Declared], site: frozenset[str]) -> float:
    """Return how much declared titles speak for a text, 0 where none does."""
    if not words or words in site:
        return 0.0
    return sum(one.weight * likeness(words, one, site) for one in declared)


def likeness(words: str, title: Declared, site: frozenset[str]) -> float:
    """Return from 0 to 1 how much a text is what a title declares; both are folded."""
    if words == title.words:
        return 1.0
    share = len(words) / len(title.words)
    if share < 1 and words in title.words and words in pieces_of(title.text):
        rest = title.words.replace(words, "", 1).strip()
        return SAME if rest in site else 0.5 + 0.4 * share
    if share < 1 and f" {words} " in f" {title.words} ":
        return 0.2 + 0.6 * share
    if share > 1 and " " in title.words and f" {title.words} " in f" {words} ":
        return 0.2 + 0.6 / share
    one, other = _set_of(words), _set_of(title.words)
    both = len(one & other)
    common = both / (len(one) + len(other) - both or 1)
    return 0.7 * common if common >= 0.4 else 0.0


@lru_cache(maxsize=256)
def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


def names_site(words: str, site: frozenset[str]) -> bool:
    """Whether a title is made of the site's names alone."""
    for name in sorted(site, key=len, reverse=True):
        words = words.replace(name, "")
    return not words.strip()


def without_site(title: str, site: frozenset[str]) -> str:
    """Return a title without the pieces at its ends that name the site."""
    spans = [found.span() for found in _SEPARATOR.finditer(title)]
    while spans and folded(title[spans[-1][1] :]) in site:
        title = title[: spans.pop()[0]]
    while spans and folded(title[: spans[0][0]]) in site:
        cut = spans.pop(0)[1]
        title = title[cut:]
        spans = [(first - cut, end - cut) for first, end in spans]
    return title.strip()
