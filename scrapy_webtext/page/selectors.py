"""Pages without the elements that CSS selectors leave out.

An element that is left out stays as an empty element, so that XPaths are those of the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final

import cssselect
from lxml import etree

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.page.nodes import Nodes, attributes_of, nodes_of
from scrapy_webtext.page.tree import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

_TRANSLATOR: Final = cssselect.HTMLTranslator()
#: Always kept, also if ``within`` does not name it: the main text is never in it.
_HEAD: Final = frozenset({"head"})


@dataclass(frozen=True, slots=True)
class Selectors:
    """Selectors, each with its XPath: the main text is ``within`` these and ``without`` those."""

    within: dict[str, etree.XPath]  #: empty for no limit
    without: dict[str, etree.XPath]


def read_selectors(within: str, without: str, where: str) -> Selectors:
    """Return the selectors of two lists as CSS has them, set off by commas; either may be empty.

    SettingsError, which begins with ``where`` and the name, for what is no selector of elements.
    """
    return Selectors(_xpaths(within, f"{where}within"), _xpaths(without, f"{where}without"))


def _xpaths(css: object, name: str) -> dict[str, etree.XPath]:
    if not isinstance(css, str):
        raise SettingsError(f"{name} = {css!r} is not allowed: it must be a str of CSS selectors")
    try:
        return {
            selector.canonical(): etree.XPath(
                _TRANSLATOR.selector_to_xpath(selector, translate_pseudo_elements=True)
            )
            for selector in (cssselect.parse(css) if css.strip() else ())
        }
    except cssselect.SelectorError as error:
        raise SettingsError(f"{name} = {css!r} is not allowed: {error}") from None


def select(page: Page, root: _Element, selectors: Selectors) -> Page:
    """Return a page without what the selectors leave out; the page itself if that is nothing.

    ``root`` is the tree that the page was read from. If no selector of ``within`` matches an
    element, these have no say.
    """
    tops = [root, *root.itersiblings()]
    elements = (one for top in tops for one in top.iter() if isinstance(one.tag, str))
    number = {element: k for k, element in enumerate(elements)}
    found = {
        css: [number[one] for top in tops for one in xpath(top) if one in number]
        for css, xpath in (*selectors.within.items(), *selectors.without.items())
    }
    unmatched = tuple(css for css, nodes in found.items() if not nodes)
    within = {node for css in selectors.within for node in found[css]}
    without = {node for css in selectors.without for node in found[css]}
    if not within and not without:
        return replace(page, unmatched=unmatched)
    return _pruned(page, within, without, unmatched)


def _pruned(page: Page, within: set[int], without: set[int], unmatched: tuple[str, ...]) -> Page:
    nodes = page.nodes
    limits = _tops(nodes, sorted(within) or range(len(nodes)))
    allowed = nodes.below([*limits, *nodes.tagged(_HEAD)])
    around = _around(nodes, limits)
    emptied = _tops(
        nodes,
        (i for i in range(len(nodes)) if i in without or not (allowed[i] or i in around)),
    )
    left_out, dropped = nodes.below(emptied), nodes.below(emptied)
    for i in around:
        left_out[i] = not allowed[i]
    for i in emptied:
        dropped[i] = 0
    kept = [i for i, is_dropped in enumerate(dropped) if not is_dropped]
    place = list(accumulate((not is_dropped for is_dropped in dropped), initial=0))
    rows = [[part for pair in nodes.attributes[i] for part in pair] for i in kept]
    first = list(accumulate(map(len, rows), initial=0))
    texts = (None if left_out[i] else nodes.text[i] for i in kept)
    parents = [nodes.parent[i] for i in kept]
    tails = (
        None if parent >= 0 and left_out[parent] else nodes.tail[i]
        for i, parent in zip(kept, parents, strict=True)
    )
    pruned = nodes_of(
        [nodes.tag[i] for i in kept],
        [place[parent] if parent >= 0 else -1 for parent in parents],
        [place[nodes.end[i]] for i in kept],
        attributes_of(list(chain.from_iterable(rows)), first),
        texts,
        tails,
    )
    return Page(
        page.url,
        "",
        pruned,
        page.json_ld,
        page.is_truncated,
        page,
        tuple(kept),
        unmatched,
    )


def _tops(nodes: Nodes, some: Iterable[int]) -> list[int]:
    """Return of some nodes, given ascending, those that are inside no other of them."""
    tops: list[int] = []
    for i in some:
        if not tops or i >= nodes.end[tops[-1]]:
            tops.append(i)
    return tops


def _around(nodes: Nodes, some: Iterable[int]) -> set[int]:
    """Return the ancestors of some nodes."""
    found: set[int] = set()
    for i in some:
        above = nodes.parent[i]
        while above >= 0 and above not in found:
            found.add(above)
            above = nodes.parent[above]
    return found
