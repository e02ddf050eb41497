"""Published algorithms with which the papers compare their own, so that they can be scored.

python -m scrapy webtext evaluate CORPUS --extractor pvalue,tests.benchmarks.baselines.Cetd
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import e, log
from typing import ClassVar

from scrapy_webtext.extractors.readings import literal_extraction
from scrapy_webtext.extractors.wffte import Held, WffteExtractor, general_support
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import prefix_sums
from scrapy_webtext.results import Extraction


@dataclass(frozen=True)
class Cetd:
    """Main text by composite text density (Sun, Song, Liao 2011), "CTD" of Lv et al.

    The density of a node is its characters per tag, times a factor that falls with its links; its
    density sum is the sum over its children. The threshold is the least density on the way from
    the node with the greatest sum up to the body. From the body down, below each node that is as
    dense, the node with the greatest sum is content.
    """

    name: ClassVar[str] = "cetd"

    def extract(self, page: Page) -> Extraction:
        nodes = page.nodes
        if not len(page.runs):
            return Extraction("", 0.0, self.name)
        density = densities(page)
        sums = [0.0] * len(nodes)
        for i in range(len(nodes) - 1, 0, -1):
            if nodes.parent[i] >= 0:
                sums[nodes.parent[i]] += density[i]
        greatest = list(range(len(nodes)))  # per node: where its subtree has the greatest sum
        for i in range(len(nodes) - 1, 0, -1):
            above = nodes.parent[i]
            if above >= 0 and sums[greatest[i]] >= sums[greatest[above]]:
                greatest[above] = greatest[i]
        body = nodes.tag.index("body") if "body" in nodes.tag else 0
        i = greatest[body]
        threshold = density[i]
        while i != body:
            i = nodes.parent[i]
            threshold = min(threshold, density[i])
        content = set[int]()
        while i < nodes.end[body]:
            best = greatest[i] if density[i] >= threshold and sums[greatest[i]] else -1
            content.update(range(best, nodes.end[best]) if best >= 0 else ())
            i = nodes.end[i] if i in content else i + 1
        owners = enumerate(page.runs.node)
        chosen = [k for k, i in owners if i in content and not page.hidden[i]]
        return Extraction.of_runs(page, chosen, 1.0, self.name)


def densities(page: Page) -> list[float]:
    """Return the composite text density per node (Sun et al. 2011, eq. 2)."""
    nodes, runs, is_link, hidden = page.nodes, page.runs, page.is_link, page.hidden
    lengths = [0 if hidden[i] else len(t) for t, i in zip(runs.text, runs.node, strict=True)]
    chars = prefix_sums(lengths)
    linked = prefix_sums(n if is_link[i] else 0 for n, i in zip(lengths, runs.node, strict=True))
    # A node's tags are those inside it; so are its link tags.
    tags, links = prefix_sums(map(bool, nodes.tag)), prefix_sums(tag == "a" for tag in nodes.tag)
    body_ratio = linked[-1] / (chars[-1] or 1)
    found = []
    for i in range(len(nodes)):
        c = chars[runs.end[i]] - chars[runs.first[i]]
        lc = linked[runs.end[i]] - linked[runs.first[i]]
        t = max(tags[nodes.end[i]] - tags[i + 1], 1)
        lt = max(links[nodes.end[i]] - links[i + 1], 1)
        if not c:
            found.append(0.0)
            continue
        unlinked, lc = max(c - lc, 1), max(lc, 1)
        base = log(c / unlinked * lc + body_ratio * c + e)
        found.append(c / t * log(c / lc * t / lt) / log(base))
    return found


class Lori:
    """Main text by the container with the greatest value of punctuation and links.

    A guess at the method that WFFTE calls LORI: Song, Wu (2007), whose three features it lists
    (punctuation, unlinked text, linked text), by the value of its own equation 4.
    """

    name: ClassVar[str] = "lori"

    def extract(self, page: Page) -> Extraction:
        held = _held(page)
        content = held.content
        rows = zip(content.words, content.link_words, content.punctuation, strict=True)
        values = [general_support(w, max(lw, 1), p) for w, lw, p in rows]
        return _best(page, held, values, self.name)


class Sun:
    """Main text by the container with most words outside links.

    A guess at the method that WFFTE calls SUN, of which it says only that it counts. Its reference
    is Zhou, Zhu, Gao (2009), not Sun, Guan (2004). Words of Chinese are its characters.
    """

    name: ClassVar[str] = "sun"

    def extract(self, page: Page) -> Extraction:
        held = _held(page)
        return _best(page, held, held.content.words, self.name)


def _held(page: Page) -> Held:
    """Return the containers of a page in WFFTE's paper reading: each has all text inside it."""
    return WffteExtractor("paper", segmenter="bigrams").held(page).with_inner()


def _best(page: Page, held: Held, values: Sequence[float], name: str) -> Extraction:
    best = max(range(len(values)), key=values.__getitem__)
    runs = held.runs_of([best]) if values[best] else []
    return literal_extraction(page, held.page.runs, runs, 1.0, name)
