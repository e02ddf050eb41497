"""The pictures of chosen text: which stand in it, and where."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.page.render.lists import integer
from scrapy_webtext.page.render.urls import Addresses
from scrapy_webtext.page.sums import prefix_sums
from scrapy_webtext.page.tree import Page

#: Pictures set smaller than this, in pixels, are signs and counters.
MIN_PIXELS: Final = 33
#: The share of the text around a picture that must have been chosen.
MIN_SHARE: Final = 0.5
#: So many levels up text is looked for around a picture.
REACH: Final = 24

#: Where pages keep a picture's address that load it late.
_LATE: Final = ("data-src", "data-lazy-src", "data-original", "data-orig-src", "data-url")
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
#: The first candidate of a srcset.
_CANDIDATE: Final = re.compile(r"[\s,]*([^\s,][^\s]*)")
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Image:
    """A picture."""

    node: int
    source: str  #: absolute where the page's address is known
    alt: str  #: white space folded
    width: int | None
    height: int | None


def images_of(page: Page, chosen: Sequence[int]) -> list[tuple[int, Image]]:
    """Return the pictures that stand in the text of these runs, ascending.

    Each with the run before which it stands. A picture belongs to the text if most of the text
    of the innermost element around it that has any was chosen, or what stands before and behind
    it; a caption that was not chosen leaves its picture in.
    """
    found = page.nodes.tagged(frozenset({"img"}))
    if not found or not chosen:
        return []
    nodes, runs, hidden = page.nodes, page.runs, page.hidden
    is_chosen = bytearray(len(runs))
    for k in chosen:
        is_chosen[k] = 1
    lengths = [0 if hidden[i] else len(t) for t, i in zip(runs.text, runs.node, strict=True)]
    shown = prefix_sums(lengths)
    taken = prefix_sums([n if c else 0 for n, c in zip(lengths, is_chosen, strict=True)])
    addresses = Addresses(page)
    images = []
    for i in found:
        if hidden[i]:
            continue
        at, end = runs.first[i], runs.end[i]
        is_inside = 0 < at < len(runs) and is_chosen[at - 1] and is_chosen[at]
        if not is_inside:
            around = i
            for _ in range(REACH):
                at_figure = nodes.tag[around] == "figure"
                if shown[runs.end[around]] > shown[runs.first[around]] and not at_figure:
                    break
                if at_figure:
                    at, end = runs.first[around], runs.end[around]
                if nodes.parent[around] < 0:
                    break
                around = nodes.parent[around]
            a, z = runs.first[around], runs.end[around]
            share = (taken[z] - taken[a]) / max(1, shown[z] - shown[a])
            is_between = at > 0 and end < len(runs) and is_chosen[at - 1] and is_chosen[end]
            if share < MIN_SHARE and not is_between:
                continue
        image = _read(page, i, addresses)
        if image is not None:
            images.append((runs.first[i], image))
    return images


def _read(page: Page, node: int, addresses: Addresses) -> Image | None:
    attributes = dict(page.nodes.attributes[node])
    width, height = integer(attributes.get("width")), integer(attributes.get("height"))
    if any(size is not None and size < MIN_PIXELS for size in (width, height)):
        return None
    source = _source(attributes, addresses)
    if source is None:
        return None
    alt = _SPACE.sub(" ", attributes.get("alt", "")).strip()
    return Image(node, source, alt, width, height)


def _source(attributes: dict[str, str], addresses: Addresses) -> str | None:
    """Return the picture's address: where it is loaded late, not that of its placeholder."""
    given = [attributes.get(name, "") for name in _LATE]
    for name in _SETS:
        candidate = _CANDIDATE.match(attributes.get(name, ""))
        if candidate:
            given.append(candidate[1].rstrip(","))
    late = next((a for one in given[: len(_LATE)] if one and (a := addresses.picture(one))), None)
    if late is not None:
        return late
    for one in (attributes.get("src", ""), *given[len(_LATE) :]):
        address = addresses.picture(one) if one else None
        if address is not None:
            return address
    return None
