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
from itertools import islice
from typing import Final, NamedTuple

from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.site_name import site_names
from scrapy_webtext.metadata.sources import Sources, once
from scrapy_webtext.metadata.titles import (
    MAX_CHARS,
    MAX_PIECES,
    SAME,
    Declared,
    declared_titles,
    joined,
    likeness,
    names_site,
    pieces_of,
    support,
    without_site,
)
from scrapy_webtext.metadata.words import clean, folded, one_line

#: Blocks above the text that are looked at.
REACH: Final = 30
#: Blocks into the text where its headline may stand, below the site's name.
NEAR: Final = 4
#: Headings of a page that are looked at.
MAX_HEADINGS: Final = 200
#: Less speaks for no candidate.
LEAST: Final = 0.5
#: What a link to the start of the site speaks against it.
HOME: Final = 1.5
_HEADINGS: Final = {"h1": 1.2, "h2": 0.6, "h3": 0.4, "h4": 0.3, "h5": 0.2, "h6": 0.1}
_HOME: Final = re.compile(
    r"(?:https?:)?(?://[^/?#]*)?/?(?:index\.(?:html?|php|aspx?)|[a-z]{2}/?)?(?:[?#].*)?|\./",
    re.IGNORECASE,
)


class Candidate(NamedTuple):
    """A text that readers see."""

    text: str
    words: str
    node: int
    bonus: float
    source: str
    is_heading: bool = True


@once
def find_headline(sources: Sources) -> tuple[Found | None, int]:
    """Return the title and the block in which it stands; None and -1 where there is none."""
    declared = list(declared_titles(sources))
    site = site_names(sources)
    best = _obvious(sources, declared) or _elected(sources, declared)
    if best is not None:
        agree = [one.source for one in declared if one.words == best.words]
        source = ", ".join([best.source, *agree[:2]])
        return Found(clean(best.text), source), _block_of(sources, best.node)
    declared = [one for one in declared if not names_site(one.words, site)]
    # A <title> often names the site alone, where what stands above the text does not bear it out.
    if declared and (declared[0].source != "<title>" or not _has_head(sources)):
        first = declared[0]
        return Found(without_site(first.text, site), first.source), -1
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
    site = site_names(sources)
    same = any(words == one.words for one in declared) or any(
        likeness(words, one, site) >= SAME for one in declared
    )
    if not same or words in site:
        return None
    return Candidate(text, words, seen[0], 0.0, "<h1>")


def _elected(sources: Sources, declared: Sequence[Declared]) -> Candidate | None:
    """Return the candidate that declared titles and its place speak for most, if they do."""
    total = sum(one.weight for one in declared) or 1.0
    site = site_names(sources)
    votes: dict[str, float] = {}
    best: Candidate | None = None
    headings: dict[str, Candidate] = {}
    most = LEAST
    declared = joined(declared)
    for candidate in _candidates(sources, declared):
        words = candidate.words
        if words not in votes:
            votes[words] = support(words, declared, site)
        supported = votes[words]
        if candidate.is_heading and not supported:
            score = 0.6 * candidate.bonus
        elif candidate.is_heading or supported >= 0.5 * total:
            score = 4 * supported / total + candidate.bonus
        else:
            continue
        headings[words] = candidate
        if score <= most:
            continue
        if _leads_home(sources, candidate.node):
            score -= HOME
        if score > most:
            best, most = candidate, score
    if best is None or any(one.words == best.words for one in declared):
        return best
    return _below_site(sources, best, declared, headings) or best


def _below_site(
    sources: Sources, best: Candidate, declared: Sequence[Declared], headings: dict[str, Candidate]
) -> Candidate | None:
    """Return the heading near the text that is the rest of a title which begins with the site."""
    chosen = sources.extraction.chosen
    for one in declared:
        if one.words.startswith(best.words + " "):
            rest = headings.get(one.words[len(best.words) + 1 :])
            if rest is not None and rest.node > best.node and rest.is_heading:
                within = sources.page.blocks_in(rest.node)
                if chosen and len(within) and within.start <= chosen[0] + NEAR:
                    return rest
    return None


def _candidates(sources: Sources, declared: Sequence[Declared]) -> Iterator[Candidate]:
    page = sources.page
    nodes, hidden, blocks, runs = page.nodes, page.hidden, page.blocks, page.runs
    chosen = sources.extraction.chosen
    start = chosen[0] if chosen else len(blocks)
    wanted = frozenset(piece for one in declared for piece in (one.words, *pieces_of(one.text)))
    lengths = {len(one.words) for one in declared}
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
                if folded(part) in wanted and 3 * len(part) > len(text):
                    yield Candidate(part, folded(part), node, bonus, f"in <{tag}>")
    for block in range(max(0, start - REACH), min(start + 2, len(blocks))):
        node = blocks.node[block]
        if block in headed or hidden[runs.node[blocks.first_run[block]]]:
            continue
        line, _, more = blocks.text[block][:MAX_CHARS].partition("\n")
        if more and folded(line) in wanted:
            bonus = _nearness(block, start)
            yield Candidate(line, folded(line), node, bonus, "above the text", False)
        if 3 < blocks.chars[block] <= MAX_CHARS:
            text = one_line(blocks.text[block])
            words = folded(text)
            if words in wanted or any(0.4 < len(words) / one < 2.5 for one in lengths):
                bonus = _nearness(block, start)
                yield Candidate(text, words, node, bonus, "above the text", False)


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


def _has_head(sources: Sources) -> bool:
    """Whether the page shows anything above the text."""
    page = sources.page
    chosen = sources.extraction.chosen
    first = page.blocks.first_run[chosen[0]] if chosen else len(page.runs)
    return not all(page.hidden[node] for node in page.runs.node[:first])


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
