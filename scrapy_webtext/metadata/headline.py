"""The title of the article: the headline that readers see, where other sources bear it out.

What the head declares is often made for search engines and networks, and has the site's name in
it; what stands above the text may be a section or a logo. So headings of the page, and what stands
close above the text, are candidates, and each declared title votes for those that it contains. A
declared title is taken where nothing that is seen agrees with it.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.words import clean, folded, one_line, plain_text

if TYPE_CHECKING:
    from scrapy_webtext.metadata.sources import Sources

#: Blocks above the text that are looked at.
REACH: Final = 30
#: Headings of a page that are looked at.
MAX_HEADINGS: Final = 200
#: A headline has at most so many characters.
MAX_CHARS: Final = 400
#: Less speaks for no candidate.
LEAST: Final = 0.5
#: What a link to the start of the site speaks against it.
HOME: Final = 1.5

#: How like a declared title is that has no more than the site's name beside a text.
SAME: Final = 0.95
#: Pieces of a title, and blocks of a heading, that are looked at.
MAX_PIECES: Final = 12

_HEADINGS: Final = {"h1": 1.2, "h2": 0.6, "h3": 0.4, "h4": 0.3, "h5": 0.2, "h6": 0.1}
#: What parts the headline from the site's name and sections in a title.
_SEPARATOR: Final = re.compile(
    r"\s+[|–—·•»«›‹:/~\\*<>:-]+\s+|\s*[|｜»«›‹·•_]+\s*|(?<=[\u3040-\u9fff])\s*[-–—]+\s*"
    r"|\s*[-–—]+\s*(?=[\u3040-\u9fff])|:\s+"
)


_HOME: Final = re.compile(
    r"(?:https?:)?(?://[^/?#]*)?/?(?:index\.(?:html?|php|aspx?)|[a-z]{2}/?)?(?:[?#].*)?|\./",
    re.IGNORECASE,
)


class Declared(NamedTuple):
    """A title that the page declares."""

    text: str
    words: str  #: folded
    source: str
    weight: float


class Candidate(NamedTuple):
    """A text that readers see."""

    text: str
    words: str
    node: int
    bonus: float
    source: str
    is_heading: bool = True


def find_headline(sources: Sources) -> tuple[Found | None, int]:
    """Return the title and the block in which it stands; None and -1 where there is none."""
    declared = list(declared_titles(sources))
    best = _obvious(sources, declared) or _elected(sources, declared)
    if best is not None:
        agree = [one.source for one in declared if one.words == best.words]
        source = ", ".join([best.source, *agree[:2]])
        return Found(clean(best.text), source), _block_of(sources, best.node)
    if declared and declared[0].source != "<title>":  # which often names the site alone
        first = declared[0]
        return Found(_without_site(first.text, sources.site_names), first.source), -1
    return None, -1


def _obvious(sources: Sources, declared: Sequence[Declared]) -> Candidate | None:
    """Return the page's one <h1> where a declared title is the same, as on most pages of today."""
    page = sources.page
    first, end = page.runs.first, page.runs.end
    tops = sources.tagged("h1")
    seen = [i for i in tops if first[i] < end[i] and not page.hidden[i]]
    if len(seen) != 1:
        return None
    text = sources.text_of(seen[0])
    words = folded(text)
    if len(text) > MAX_CHARS:
        return None
    same = any(words == one.words for one in declared) or any(
        _likeness(words, one, sources.site_names) >= SAME for one in declared
    )
    if not same or words in sources.site_names:
        return None
    return Candidate(text, words, seen[0], 0.0, "<h1>")


def _elected(sources: Sources, declared: Sequence[Declared]) -> Candidate | None:
    """Return the candidate that declared titles and its place speak for most, if they do."""
    total = sum(one.weight for one in declared) or 1.0
    votes: dict[str, float] = {}
    best: Candidate | None = None
    most = LEAST
    for candidate in _candidates(sources, declared):
        words = candidate.words
        if words not in votes:
            votes[words] = support(words, declared, sources.site_names)
        supported = votes[words]
        if candidate.is_heading and not supported:
            score = 0.6 * candidate.bonus
        elif candidate.is_heading or supported >= 0.5 * total:
            score = 4 * supported / total + candidate.bonus
        else:
            continue
        if score <= most:
            continue
        if _leads_home(sources, candidate.node):
            score -= HOME
        if score > most:
            best, most = candidate, score
    return best


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
def _pieces(title: str) -> frozenset[str]:
    """Return what separators part, and what remains without an end, folded."""
    signs = islice(_SEPARATOR.finditer(title), MAX_PIECES)
    ends = [0, *(end for found in signs for end in found.span()), len(title)]
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    parts = [title[first:end] for first, end in spans]
    parts += [title[first:] for first, _ in spans[1:-1]]
    parts += [title[:end] for _, end in spans[1:-1]]
    return frozenset(map(folded, parts))


def support(words: str, declared: Sequence[Declared], site: frozenset[str]) -> float:
    """Return how much declared titles speak for a text, 0 where none does."""
    if not words or words in site:
        return 0.0
    return sum(one.weight * _likeness(words, one, site) for one in declared)


def _likeness(words: str, title: Declared, site: frozenset[str]) -> float:
    if words == title.words:
        return 1.0
    share = len(words) / len(title.words)
    if share < 1 and words in title.words and words in _pieces(title.text):
        rest = title.words.replace(words, "", 1).strip()
        return SAME if rest in site else 0.5 + 0.4 * share
    if share < 1 and f" {words} " in f" {title.words} ":
        return 0.2 + 0.6 * share
    if share > 1 and f" {title.words} " in f" {words} ":
        return 0.2 + 0.6 / share
    one, other = set(words.split()), set(title.words.split())
    common = len(one & other) / (len(one | other) or 1)
    return 0.7 * common if common >= 0.4 else 0.0


def _candidates(sources: Sources, declared: Sequence[Declared]) -> Iterator[Candidate]:
    page = sources.page
    nodes, hidden, blocks, runs = page.nodes, page.hidden, page.blocks, page.runs
    chosen = sources.extraction.chosen
    start = chosen[0] if chosen else len(blocks)
    wanted = frozenset(piece for one in declared for piece in (one.words, *_pieces(one.text)))
    headed: set[int] = set()
    headings = heapq.merge(*map(sources.tagged, _HEADINGS))
    shown = (i for i in headings if not hidden[i] and runs.first[i] < runs.end[i])
    for node in islice(shown, MAX_HEADINGS):
        tag = nodes.tag[node]
        bonus = _HEADINGS[tag]
        within = page.blocks_in(node)
        block = within.start if len(within) else 0
        headed.update(within[:MAX_PIECES])
        text = sources.text_of(node)
        if not text or len(text) > MAX_CHARS:
            continue
        bonus += _nearness(block, start)
        words = folded(text)
        yield Candidate(text, words, node, bonus, f"<{tag}>")
        if words not in wanted:
            for part in _parts(sources, node):
                if folded(part) in wanted:
                    yield Candidate(part, folded(part), node, bonus, f"in <{tag}>")
    for block in range(max(0, start - REACH), min(start + 2, len(blocks))):
        node = blocks.node[block]
        if block in headed or hidden[runs.node[blocks.first_run[block]]]:
            continue
        if 3 < blocks.chars[block] <= MAX_CHARS:
            text = one_line(blocks.text[block])
            bonus = _nearness(block, start)
            yield Candidate(text, folded(text), node, bonus, "above the text", False)


def _nearness(block: int, start: int) -> float:
    """Return 1 for what stands right above the text, less for what stands farther above it."""
    above = start - block
    if above < -1:
        return -0.5
    return max(0.0, 1 - max(above - 1, 0) / REACH)


def _leads_home(sources: Sources, node: int) -> bool:
    """Whether an element is, is in, or has first in it, a link to the start of a site."""
    nodes = sources.page.nodes
    around = [node, nodes.parent[node], *range(node + 1, min(node + 3, nodes.end[node]))]
    for one in around:
        if one >= 0 and nodes.tag[one] == "a":
            match = _HOME.fullmatch(sources.attribute(one, "href")[:200].strip())
            return match is not None
    return False


def _parts(sources: Sources, node: int) -> Iterator[str]:
    """Yield what remains of a heading without its first or last pieces of text."""
    runs = sources.page.runs
    pieces = runs.text[runs.first[node] : runs.end[node]][:8]
    for k in range(1, len(pieces)):
        yield " ".join(pieces[k:])
        yield " ".join(pieces[:k])


def _block_of(sources: Sources, node: int) -> int:
    blocks = sources.page.blocks_in(node)
    return blocks.start if len(blocks) else -1


def _without_site(title: str, site: frozenset[str]) -> str:
    """Return a title without the pieces at its ends that name the site."""
    spans = [found.span() for found in _SEPARATOR.finditer(title)]
    while spans and folded(title[spans[-1][1] :]) in site:
        title = title[: spans.pop()[0]]
    while spans and folded(title[: spans[0][0]]) in site:
        cut = spans.pop(0)[1]
        title = title[cut:]
        spans = [(first - cut, end - cut) for first, end in spans]
    return title.strip()
