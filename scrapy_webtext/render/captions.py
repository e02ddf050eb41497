"""Finds the captions of pictures: Markdown, HTML and `images` have them, plain text has not."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.nodes import prefix_sums

_PICTURES: Final = frozenset({"img", "amp-img", "picture"})
#: Elements whose captions are not captions of pictures.
_OTHERS: Final = frozenset("table pre blockquote code math iframe video audio embed object".split())
_FIGURE: Final = frozenset({"figure"})
_FIGCAPTION: Final = frozenset({"figcaption"})
#: A class name of captions. ("caption-s" is a size of letters.)
_NAMES: Final = re.compile(
    r"\S{0,40}(?:image|img|photo|pic(?:ture)?|fig(?:ure)?|wp|media|thumb)\S{0,20}caption\S*"
    r"|(?:\S{1,40}[_-])?captions?(?:[_-]{1,2}(?:text|credit|wrap(?:per)?|content|inner|with)\S*)?"
    r"|\S{0,20}cutline|\S{0,20}(?:slide|carousel|gallery)\S{0,20}description"
    r"|\S{0,20}(?:image|img|photo|picture)[_-]{0,2}credits?",
    re.IGNORECASE,
)
_SIGNS: Final = {
    "class": Signs("aption", "utline", "redit", "escription"),
    "itemprop": Signs("caption"),
}
#: Maximum number of levels between a caption and the element around it and its picture.
_REACH: Final = 8
#: Maximum number of characters of a caption, and of other text in the element around it.
MAX_CHARS: Final = 600
MAX_OTHER_CHARS: Final = 200
MAX_BESIDE: Final = 40  #: beside a caption that only its class name shows
_MAX_IN_FIGURE: Final = 50  #: blocks
MAX_BLOCKS: Final = 3  #: of a caption that is the text of a figure
#: Captions stay in the text if they have this many times as many characters as its other blocks.
MANY: Final = 2


def find_captions(page: Page) -> Mapping[int, int]:
    """Return block -> element around its picture, for the blocks that are captions of pictures.

    The element is -1 for other text of a figure: a button, a link to a larger picture.
    """
    return page.cached("captions", lambda: dict(_Finder(page).find()))


def without_captions(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` without captions; all blocks if they are mostly captions."""
    captions, texts = find_captions(page), page.blocks.text
    left = [b for b in chosen if b not in captions]
    if len(left) == len(chosen):
        return left
    of_left = sum([len(texts[b]) for b in left])
    of_all = sum([len(texts[b]) for b in chosen])
    return left if of_all - of_left < MANY * of_left else list(chosen)


def captions_of(page: Page, pictures: Collection[int]) -> list[int]:
    """Return the blocks that are captions of these pictures (nodes)."""
    nodes, end = sorted(pictures), page.nodes.end
    return [
        block
        for block, around in find_captions(page).items()
        if around >= 0 and _has_any(nodes, around, end[around])
    ]


def _has_any(nodes: Sequence[int], first: int, end: int) -> bool:
    """Return whether one of these nodes, which ascend, is ``first <= i < end``."""
    k = bisect_left(nodes, first)
    return k < len(nodes) and nodes[k] < end


class _Finder:
    def __init__(self, page: Page) -> None:
        self._page, self._nodes = page, page.nodes
        self._pictures = page.nodes.tagged(_PICTURES)
        self._others = page.nodes.tagged(_OTHERS)
        self._chars = prefix_sums(map(len, page.blocks.text))

    def find(self) -> Iterator[tuple[int, int]]:
        """Yield the blocks of captions, and other short text in their figures."""
        nodes, page = self._nodes, self._page
        given = nodes.attributes.with_signs(_SIGNS)
        has_name = cache(lambda value: any(map(_NAMES.fullmatch, value.split())))
        named = [i for i, _, value in given if 0 < self._count(i) <= MAX_CHARS and has_name(value)]
        captions = nodes.outermost(sorted({*named, *nodes.tagged(_FIGCAPTION)}))
        found: dict[int, int] = {}
        for element in captions:
            around = self._around(element)
            if around >= 0:
                found.update(dict.fromkeys(self._blocks(element), around))
        yield from found.items()
        for figure in nodes.tagged(_FIGURE):
            if len(page.blocks_in(figure)) <= _MAX_IN_FIGURE and self._is_of_pictures(figure):
                own = [b for b in self._blocks(figure) if b not in found]
                is_named = not found.keys().isdisjoint(page.blocks_in(figure))
                most = MAX_OTHER_CHARS if is_named else MAX_CHARS
                if len(own) <= MAX_BLOCKS and sum([self._length(b) for b in own]) <= most:
                    yield from dict.fromkeys(own, -1 if is_named else figure).items()

    def _blocks(self, element: int) -> list[int]:
        """Return the blocks in an element, except headings."""
        blocks, tag, end = self._page.blocks, self._nodes.tag, self._page.runs.end[element]
        inside = [b for b in self._page.blocks_in(element) if blocks.end_run[b] <= end]
        return [b for b in inside if tag[blocks.node[b]] not in tags.HEADINGS]

    def _length(self, block: int) -> int:
        return self._chars[block + 1] - self._chars[block]

    def _count(self, element: int) -> int:
        """Return the number of characters of the blocks in an element."""
        inside = self._page.blocks_in(element)
        return self._chars[inside.stop] - self._chars[inside.start]

    def _is_of_pictures(self, element: int) -> bool:
        """Return whether an element has pictures, and nothing else that has captions."""
        inside = element + 1, self._nodes.end[element]
        return _has_any(self._pictures, *inside) and not _has_any(self._others, *inside)

    def _around(self, caption: int) -> int:
        """Return the element around a caption and its picture; -1 if the caption has no picture."""
        tag, end, around, own = self._nodes.tag, self._nodes.end, caption, self._count(caption)
        for _ in range(_REACH):
            is_figure = tag[around] == "figure" and around != caption
            if self._is_of_pictures(around) and (is_figure or tag[caption] != "figcaption"):
                is_near = is_figure or self._count(around) - own <= MAX_BESIDE
                return around if is_near else self._before(caption)
            if is_figure:  # the picture may be loaded later
                is_empty = self._count(around) == own
                return (
                    around if is_empty and not _has_any(self._others, around, end[around]) else -1
                )
            around = self._nodes.parent[around]
            if around < 0:
                break
        return -1

    def _before(self, caption: int) -> int:
        """Return the sibling directly before a caption if it is a picture without text, else -1."""
        nodes, runs = self._nodes, self._page.runs
        before = caption - 1
        while before > nodes.parent[caption] and nodes.parent[before] != nodes.parent[caption]:
            before = nodes.parent[before]
        if before <= nodes.parent[caption] or runs.first[before] < runs.end[before]:
            return -1
        is_picture = nodes.tag[before] in _PICTURES or self._is_of_pictures(before)
        return before if is_picture else -1
