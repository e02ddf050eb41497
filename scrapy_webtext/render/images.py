"""The pictures of chosen text: which stand in it, and where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from scrapy_webtext.page import prefix_sums, storable_text
from scrapy_webtext.page.tree import Page
from scrapy_webtext.render.lists import integer
from scrapy_webtext.render.urls import Addresses

#: Pictures set smaller than this, in pixels, are signs and counters.
MIN_PIXELS: Final = 33
#: The share of the text around a picture that must have been chosen.
MIN_SHARE: Final = 0.5
#: A picture without words that stands in a text so often is a tick or a line.
MANY: Final = 3
#: So many levels up text is looked for around a picture.
REACH: Final = 24

#: What holds an article.
_ARTICLES: Final = frozenset({"article", "main"})
#: A picture alone in one of these is none of the text.
_ASIDE: Final = frozenset({"nav", "footer", "aside"})

#: Where pages keep a picture's address that load it late.
_LATE: Final = ("data-src", "data-lazy-src", "data-original", "data-orig-src", "data-url")
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
#: The first candidate of a srcset.
_CANDIDATE: Final = re.compile(r"\A[\s,]*([^\s,][^\s]*)")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    node: int
    source: str  #: absolute where the page's address is known
    alt: str  #: white space folded
    width: int | None
    height: int | None


def images_of(page: Page, chosen: Sequence[int]) -> list[tuple[int, Image]]:
    """Return the pictures that stand in the text of these runs, given ascending.

    Each with the run before which it stands, in order. A picture belongs to the text if it
    stands in the article, or in what is around all of the text where the page names none; and if
    what stands before and behind it was chosen, or most of the text in the innermost element
    around it that has any. A caption that was not chosen leaves its picture in.
    """
    found = page.nodes.tagged(frozenset({"img"}))
    if not found or not chosen:
        return []
    hidden, first, end = page.hidden, page.runs.first, page.runs.end
    text = _TextAround(page, chosen)
    around = text.container()
    inside = range(around, page.nodes.end[around])
    addresses = Addresses(page)
    images = []
    for i in found:
        if i in inside and not hidden[i] and (text.is_within(first[i], end[i]) or text.holds(i)):
            image = _read(page, i, addresses)
            if image is not None:
                images.append((first[i], image))
    return _without_decoration(page, images)


def _without_decoration(page: Page, images: list[tuple[int, Image]]) -> list[tuple[int, Image]]:
    """Leave out what stands for nothing: declared without words, a drawing, or there repeatedly."""
    times = Counter(image.source for _, image in images)
    return [
        (at, image)
        for at, image in images
        if dict(page.nodes.attributes[image.node]).get("alt") != ""
        or (times[image.source] < MANY and not image.source.partition("?")[0].endswith(".svg"))
    ]


class _TextAround:
    """What was chosen of a page, to be asked for what is around a picture."""

    def __init__(self, page: Page, chosen: Sequence[int]) -> None:
        runs, hidden = page.runs, page.hidden
        self._page = page
        self._first, self._last = chosen[0], chosen[-1]
        self._is_chosen = bytearray(len(runs))
        for k in chosen:
            self._is_chosen[k] = 1
        lengths = [0 if hidden[i] else len(t) for t, i in zip(runs.text, runs.node, strict=True)]
        self._shown = prefix_sums(lengths)
        self._taken: list[int] = prefix_sums(map(mul, lengths, self._is_chosen))

    def container(self) -> int:
        """Return the innermost element around all of the text, or the article around that."""
        nodes, runs = self._page.nodes, self._page.runs
        node = runs.node[self._first]
        while runs.end[node] <= self._last and nodes.parent[node] >= 0:
            node = nodes.parent[node]
        article = node
        while article >= 0 and nodes.tag[article] not in _ARTICLES:
            article = nodes.parent[article]
        return article if article >= 0 else node

    def is_within(self, at: int, end: int) -> bool:
        """Whether the runs before and behind these are there and chosen."""
        are_there = at > 0 and end < len(self._is_chosen)
        return are_there and self._is_chosen[at - 1] + self._is_chosen[end] == 2

    def holds(self, node: int) -> bool:
        """Whether most of the text around a node was chosen."""
        nodes, runs = self._page.nodes, self._page.runs
        for _ in range(REACH):
            a, z = runs.first[node], runs.end[node]
            shown = self._shown[z] - self._shown[a]
            if nodes.tag[node] == "figure":
                if self.is_within(a, z):
                    return True
            elif shown:
                return self._taken[z] - self._taken[a] >= MIN_SHARE * shown
            if nodes.tag[node] in _ASIDE or nodes.parent[node] < 0:
                return False
            node = nodes.parent[node]
        return False


def _read(page: Page, node: int, addresses: Addresses) -> Image | None:
    attributes = dict(page.nodes.attributes[node])
    width, height = integer(attributes.get("width")), integer(attributes.get("height"))
    if any(size is not None and size < MIN_PIXELS for size in (width, height)):
        return None
    source = _source(attributes, addresses)
    if source is None:
        return None
    alt = " ".join(storable_text(attributes.get("alt", "")).split())
    return Image(node, source, alt, width, height)


def _source(attributes: dict[str, str], addresses: Addresses) -> str | None:
    """Return the picture's address: where it is loaded late, not that of its placeholder."""
    given = [attributes.get(name, "") for name in (*_LATE, "src")]
    for name in _SETS:
        candidate = _CANDIDATE.match(attributes.get(name, ""))
        if candidate:
            given.append(candidate[1].rstrip(","))
    return next((a for one in given if one and (a := addresses.picture(one))), None)
