"""A page: its elements, its text, and what is derived from them, each computed once.

Nothing here holds on to an lxml node: a :class:`Page` outlives its tree and can be pickled.
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

#: Characters of a page's title; on 4,638 pages it has 562 at most.
MAX_TITLE_CHARS: Final = 2_000

T = TypeVar("T")


@dataclass(frozen=True)
class Page:
    """One page. Not slotted, unlike the other central types: derived columns are cached."""

    url: str | None
    source: str  #: the decoded HTML, for `source_lines`; of a tree, as it was given with it
    nodes: Nodes
    json_ld: tuple[str, ...] = ()  #: texts of <script type="application/ld+json">, unparsed
    is_truncated: bool = False  #: the tree was cut at the parser's depth limit; see `from_root`
    left_out: tuple[int, ...] = ()  #: topmost nodes that a rule of its site leaves out
    unmatched: tuple[str, ...] = ()  #: selectors of that rule that match nothing
    kept: tuple[int, ...] = ()  #: topmost nodes whose text that rule keeps
    #: By field, the nodes that hold its value by that rule, each with an attribute ("": its text).
    values: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)

    @cached_property
    def runs(self) -> Runs:
        """The page's pieces of text."""
        return read_runs(self.nodes, self.hiding)

    @cached_property
    def blocks(self) -> Blocks:
        """The page's blocks of text."""
        return read_blocks(self.runs, self.containers, self.is_link, self.hidden)

    @cached_property
    def title(self) -> str:
        """The text of the <title>, white space folded, cut if it is long; empty if missing."""
        titles = self.nodes.tagged(tags.TITLE)
        text = self.nodes.text[titles[0]] if titles else None
        return " ".join((text or "").split())[:MAX_TITLE_CHARS]

    @cached_property
    def containers(self) -> array[int]:
        """Per node, the node or its nearest ancestor that is block-level."""
        return self.nodes.nearest(tags.BLOCK)

    @cached_property
    def is_link(self) -> bytearray:
        """Mask over nodes: 1 inside an <a>."""
        return self.nodes.inside(tags.LINK)

    @cached_property
    def metas(self) -> list[dict[str, str]]:
        """The attributes of each <meta>, by their names."""
        return self.nodes.attributes.rows(self.nodes.tagged(tags.META))

    @property
    def hidden(self) -> bytearray:
        """Mask over nodes: 1 if no text of the node is shown (:mod:`.hidden`)."""
        return self.hiding.mask

    @property
    def hidden_elements(self) -> list[int]:
        """Nodes that attributes hide with their subtrees, and permalinks of headings."""
        return self.hiding.elements

    @cached_property
    def hiding(self) -> Hidden:
        """The nodes that a browser does not show."""
        return find_hidden(self.nodes, self.left_out)

    @property
    def whole(self) -> Page:
        """The page without the rule's omissions, for metadata; nodes, runs and blocks are equal."""
        if not self.left_out:
            return self
        whole = replace(self, left_out=())
        whole.__dict__.update(runs=self.runs, blocks=self.blocks)
        return whole

    @cached_property
    def kept_nodes(self) -> Nodes:
        """The nodes, without the text that a rule leaves out."""
        if not self.left_out:
            return self.nodes
        return without_texts(self.nodes, self.nodes.below(self.left_out))

    @cached_property
    def _cache(self) -> dict[Hashable, Any]:
        return {}

    def cached(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what ``compute`` returns, computed once per key while the page lives.

        Several algorithms may need one value: a judge and an extractor both need the P values. The
        key names the value and its parameters.
        """
        known = self._cache
        if key not in known:
            known[key] = compute()
        return known[key]  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Leave cached values out of a pickle: they can be computed again."""
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}

    def blocks_in(self, node: int) -> range:
        """Return the indices of the blocks that begin in a node."""
        runs, first_run = self.runs, self.blocks.first_run
        first = bisect_left(first_run, runs.first[node])
        return range(first, bisect_left(first_run, runs.end[node], lo=first))

    def blocks_of_runs(self, runs: Iterable[int]) -> tuple[int, ...]:
        """Return the indices of the blocks with one of these runs, given ascending."""
        begun = list(accumulate(gap == BREAK for gap in self.runs.gap))
        return tuple(dict.fromkeys(begun[k] - 1 for k in runs))
