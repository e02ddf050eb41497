"""Locations on the page: of nodes, as paths and as ranges of blocks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from scrapy_webtext.page import Page

#: Longest name of an element, in characters. Of an id or class no more is looked at than shows.
MAX_NAME: Final = 32
_MAX_LOOK: Final = 100


def describe_node(page: Page, node: int) -> str:
    """Return a node as in a CSS selector: ``div#story.wide``, cut where long."""
    # Once per node: those around many blocks may have thousands of attributes.
    known: dict[int, str] = page.cached("described nodes", dict)
    if node not in known:
        known[node] = _describe(page, node)
    return known[node]


def _describe(page: Page, node: int) -> str:
    attributes = dict(page.nodes.attributes[node])
    parts = [page.nodes.tag[node]]
    parts += ["#" + name for name in attributes.get("id", "")[:_MAX_LOOK].split()[:1]]
    parts += ["." + name for name in attributes.get("class", "")[:_MAX_LOOK].split()[:2]]
    name = "".join(parts)
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"


def node_blocks(page: Page, node: int) -> tuple[int, int] | None:
    """Return the first and last block with text inside a node, None where it has no text."""
    first, end = page.runs.first[node], page.runs.end[node]
    if first == end:
        return None
    first_run = page.blocks.first_run
    return bisect_right(first_run, first) - 1, bisect_left(first_run, end) - 1


def describe_path(page: Page, node: int, longest: int = 5) -> str:
    """Return the elements around a node, outermost first, the outer ones cut."""
    parts: list[str] = []
    while node >= 0 and len(parts) < longest:
        parts.append(describe_node(page, node))
        node = page.nodes.parent[node]
    return " › ".join((["…"] if node >= 0 else []) + parts[::-1])
