"""A page: its elements, its text and values derived from them, each computed once.

A :class:`Page` has no reference to lxml objects, so it outlives the tree and can be pickled.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, TypeVar

from scrapy_webtext.page import tags
from scrapy_webtext.page.hidden import Hidden, find_hidden
from scrapy_webtext.page.nodes import Nodes, without_texts
from scrapy_webtext.page.text import BREAK, Blocks, Runs, read_blocks, read_runs

#: Maximum length of a page's title; the maximum on 4,638 pages is 562.
MAX_TITLE_CHARS: Final = 2_000

T = TypeVar("T")


@dataclass(frozen=True)
class Page:
    """One page. The class is not slotted, so that derived columns can be cached."""

    url: str | None
    body: bytes  #: the HTML as UTF-8, without NUL; for a ready tree, the HTML given with it
    nodes: Nodes
    json_ld: tuple[str, ...] = ()  #: contents of <script type="application/ld+json">, not decoded
    is_truncated: bool = False  #: whether the tree was cut at the parser's depth limit
    left_out: tuple[int, ...] = ()  #: topmost nodes that the site's rule leaves out
    around: tuple[int, ...] = ()  #: nodes of which it leaves out only the text directly in them
    unmatched: tuple[str, ...] = ()  #: selectors of the site's rule that match nothing
    kept: tuple[int, ...] = ()  #: topmost nodes whose text the site's rule keeps
    #: Field -> (node, attribute) pairs that the site's rule selects for it; attribute "" is the
    #: text.
    values: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)

    @cached_property
    def source(self) -> str:
        """The decoded HTML."""
        return self.body.decode()

    @cached_property
    def runs(self) -> Runs:
        """The page's pieces of text, also those that the site's rule leaves out."""
        return self.whole.runs if self.is_limited else read_runs(self.nodes, self.hiding)

    @cached_property
    def blocks(self) -> Blocks:
        """The page's blocks of text."""
        return read_blocks(self.runs, self.containers, self.is_link, self.hidden)

    @cached_property
    def title(self) -> str:
        """The text of the <title> with folded white space, cut if too long; empty if missing."""
        titles = self.nodes.tagged(tags.TITLE)
        text = self.nodes.text[titles[0]] if titles else None
        return " ".join((text or "").split())[:MAX_TITLE_CHARS]

    @cached_property
    def base_href(self) -> str | None:
        """The ``href`` of the first <base> that has one, as the page writes it; None if missing."""
        bases = self.nodes.tagged(frozenset({"base"}))
        given = (dict(self.nodes.attributes[i]).get("href") for i in bases)
        return next((href for href in given if href is not None), None)

    @cached_property
    def containers(self) -> array[int]:
        """Per node, the nearest block-level node at or above it."""
        return self.nodes.nearest(tags.BLOCK)

    @cached_property
    def is_link(self) -> bytearray:
        """Mask over nodes: 1 inside an <a>."""
        return self.nodes.inside(tags.LINK)

    @cached_property
    def metas(self) -> list[dict[str, str]]:
        """Name -> value of the attributes, for each <meta>."""
        return [dict(self.nodes.attributes[i]) for i in self.nodes.tagged(tags.META)]

    @property
    def hidden(self) -> bytearray:
        """Mask over nodes: 1 if no text of the node is shown (:mod:`.hidden`)."""
        return self.hiding.mask

    @property
    def hidden_elements(self) -> list[int]:
        """Nodes that attributes hide (with their subtrees), and permalinks."""
        return self.hiding.elements

    @cached_property
    def hiding(self) -> Hidden:
        """The nodes that a browser does not show."""
        return find_hidden(self.nodes, self.left_out, self.around)

    @property
    def is_limited(self) -> bool:
        """Whether the site's rule leaves text out."""
        return bool(self.left_out or self.around)

    @cached_property
    def whole(self) -> Page:
        """The page as if its site's rule left nothing out, for metadata.

        Its nodes, its runs and the numbers of its blocks are the same.
        """
        return replace(self, left_out=(), around=()) if self.is_limited else self

    @cached_property
    def outside(self) -> bytearray:
        """Mask over nodes: 1 if the site's rule leaves out the text directly in the node."""
        mask = self.nodes.below(self.left_out)
        for i in self.around:
            mask[i] = 1
        return mask

    @property
    def kept_nodes(self) -> Nodes:
        """The nodes without the text that the site's rule leaves out."""
        return without_texts(self.nodes, self.outside) if self.is_limited else self.nodes

    @cached_property
    def _cache(self) -> dict[Hashable, Any]:
        return {}

    def cached(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of ``compute``, which is called once per key and page.

        Several algorithms may need the same value: a judge and an extractor both need the P values.
        The key must contain a name of the value and its parameters.
        """
        known = self._cache
        if key not in known:
            known[key] = compute()
        return known[key]  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached values out of a pickle, because they can be computed again."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("_cache", "whole")
        }

    def blocks_in(self, node: int) -> range:
        """Return the indices of the blocks that begin in a node."""
        runs, first_run = self.runs, self.blocks.first_run
        first = bisect_left(first_run, runs.first[node])
        return range(first, bisect_left(first_run, runs.end[node], lo=first))

    def blocks_of_runs(self, runs: Iterable[int]) -> tuple[int, ...]:
        """Return the indices of the blocks that contain one of these runs; ``runs`` ascends."""
        begun = list(accumulate(gap == BREAK for gap in self.runs.gap))
        return tuple(dict.fromkeys(begun[k] - 1 for k in runs))
