"""``scrapy webtext rules``: the elements of a main text that pages of a site have in common."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from scrapy_webtext.log_text import printable
from scrapy_webtext.page import Page
from scrapy_webtext.repeats import host_of
from scrapy_webtext.results import Extractor

#: What a selector may be made of without quotation marks.
_NAME: Final = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
#: Characters of a text that are shown.
SHOWN_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Repeated:
    """An element that pages of a site have with the same text."""

    selector: str
    pages: int  #: that have it
    taken: int  #: pages of which the extractor takes text of it
    text: str  #: its first piece


def rules_of(
    pages: Sequence[Page], extractor: Extractor
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return a value of ``WEBTEXT_SITES`` for some pages, and a line about each of its selectors.

    A selector is in it if its elements repeat on at least half of the site's pages, and the
    extractor takes text of them.
    """
    by_host: defaultdict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_host[host_of(page.url) or "example.com"].append(page)
    rules, lines = {}, []
    for host, some in by_host.items():
        found = [one for one in repeated_elements(some, extractor) if one.taken]
        if found:
            rules[host] = {"without": ", ".join(one.selector for one in found)}
        lines += [
            f"{host}: {one.selector} on {one.pages} of {len(some)} pages, in the text of "
            f"{one.taken}: {printable(one.text)}"
            for one in found
        ]
    return rules, lines


def repeated_elements(pages: Sequence[Page], extractor: Extractor) -> list[Repeated]:
    """Return the outermost elements that repeat on at least half of the pages, and on two.

    An element repeats if others with its selector have the same text on other pages. Selectors that
    match an element with a text of its own page are left out.
    """
    least = max(2, (len(pages) + 1) // 2)
    on_pages: defaultdict[tuple[str, tuple[int, int]], set[int]] = defaultdict(set)
    for number, page in enumerate(pages):
        for _, selector, text in _elements(page):
            on_pages[selector, text].add(number)
    varied = {selector for (selector, _), found in on_pages.items() if len(found) < least}
    shown: dict[str, str] = {}
    counts, takes = Counter[str](), Counter[str]()
    for page in pages:
        outside, of_page, taken = 0, dict[str, str](), set[str]()
        chosen = set(extractor.extract(page).chosen)
        for node, selector, _ in _elements(page):
            if node >= outside and selector not in varied:
                outside = page.nodes.end[node]
                first = page.runs.first[node]
                of_page.setdefault(selector, page.runs.text[first][:SHOWN_CHARS])
                if chosen.intersection(page.blocks_in(node)):
                    taken.add(selector)
        counts.update(of_page.keys())
        takes.update(taken)
        shown = of_page | shown
    return [
        Repeated(selector, n, takes[selector], shown[selector])
        for selector, n in counts.most_common()
    ]


def _elements(page: Page) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Yield each element with text and a selector, with both, the text as a number."""
    runs = page.runs
    sums = list(accumulate(map(hash, runs.text), initial=0))
    for node in range(len(page.nodes)):
        first, end = runs.first[node], runs.end[node]
        selector = _selector(page, node) if first < end and not page.hidden[node] else ""
        if selector:
            yield node, selector, (end - first, sums[end] - sums[first])


def _selector(page: Page, node: int) -> str:
    """Return a selector by id or classes; "" for an element that has none."""
    given = dict(page.nodes.attributes[node])
    if _NAME.fullmatch(given.get("id", "")):
        return f"#{given['id']}"
    classes = [name for name in given.get("class", "").split() if _NAME.fullmatch(name)]
    return ".".join([page.nodes.tag[node], *classes]) if classes else ""
