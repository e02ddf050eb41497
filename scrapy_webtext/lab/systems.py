"""Systems that can be scored: extractors and judges with options, baselines and peers.

A system is written as its name, or with options as ``ttr:clustering=em,radius=3``. Commas also
separate the systems of a list: an entry without a name before its ``=`` is an option of the
system before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import e, log
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.peers import CALLS
from scrapy_webtext.extractors.wffte import Held, WffteExtractor, general_support
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.nodes import prefix_sums
from scrapy_webtext.registry import EXTRACTORS, make_extractor
from scrapy_webtext.render import render_runs
from scrapy_webtext.render.parts import join_runs
from scrapy_webtext.results import Extractor


class Spec(NamedTuple):
    """A name and its options."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextSystem:
    """A system that returns the main text of a page from its HTML and URL."""

    call: Callable[[str, str | None], str | None]
    extractor: Extractor | None = None  #: None for baselines and peers

    def text(self, html: str, url: str | None) -> str:
        """Return the main text of a page; empty if the system returns None."""
        return self.call(html, url) or ""


def split_specs(listed: str) -> list[str]:
    """Return the systems of a list, each as it is written there.

    >>> split_specs("bte,ttr:clustering=em,radius=3,pvalue")
    ['bte', 'ttr:clustering=em,radius=3', 'pvalue']
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, listed.split(","))):
        if "=" in part and ":" not in part.partition("=")[0]:
            if not found or ":" not in found[-1]:
                raise SettingsError(f"{part!r} belongs to no system; write NAME:{part}")
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def parse_spec(written: str) -> Spec:
    """Return name and options of one system; values are read as JSON, else as strings.

    >>> parse_spec("ttr:clustering=em,radius=2")
    Spec(name='ttr', options={'clustering': 'em', 'radius': 2})
    """
    name, _, listed = written.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise SettingsError(f"{part!r} in {written!r} is no option; write NAME:OPTION=VALUE")
        options[key.strip()] = value.strip()
        with suppress(ValueError):
            options[key.strip()] = json.loads(value)
    return Spec(name.strip(), options)


def make_system(written: str) -> TextSystem:
    """Return the extractor, baseline or peer of this name; extractors come first.

    SettingsError for an unknown name or option, MissingExtraError for a peer that is not
    installed.
    """
    name, options = parse_spec(written)
    if name in EXTRACTORS or name not in {*CALLS, *BASELINES}:
        extractor = make_extractor(name, options)
        return TextSystem(lambda html, url: extractor.extract(parse(html, url=url)).text, extractor)
    if options:
        raise SettingsError(f"{written!r}: the peer {name} takes no options")
    if name in CALLS:
        return TextSystem(CALLS[name]())
    return TextSystem(lambda html, url: BASELINES[name](parse(html, url=url)))


# Algorithms that the five papers compare themselves with, as far as they are published.
#
# They are not offered for crawls. `systems` knows them by name, so that they can be scored.


def cetd(page: Page) -> str:
    """Return the main text by composite text density (Sun, Song, Liao 2011), "CTD" of Lv et al.

    The density of a node is its characters per tag, times a factor that falls with its links; its
    density sum is the sum over its children. The threshold is the least density on the way from
    the node with the greatest sum up to the body. From the body down, below each node that is as
    dense, the node with the greatest sum is content.
    """
    nodes, runs = page.nodes, page.runs
    if not len(runs):
        return ""
    density = densities(page)
    sums = [0.0] * len(nodes)
    for i in range(len(nodes) - 1, 0, -1):
        if nodes.parent[i] >= 0:
            sums[nodes.parent[i]] += density[i]
    greatest = list(range(len(nodes)))  # per node, where the sum is greatest in its subtree
    for i in range(len(nodes) - 1, 0, -1):
        above = nodes.parent[i]
        if above >= 0 and sums[greatest[i]] >= sums[greatest[above]]:
            greatest[above] = greatest[i]
    body = nodes.tag.index("body") if "body" in nodes.tag else 0
    threshold = density[greatest[body]]
    i = greatest[body]
    while i != body:
        i = nodes.parent[i]
        threshold = min(threshold, density[i])
    is_content = bytearray(len(nodes))
    i = body
    while i < nodes.end[body]:
        if density[i] >= threshold:
            best = greatest[i]
            if sums[best] and not is_content[best]:
                is_content[best : nodes.end[best]] = b"\x01" * (nodes.end[best] - best)
        i = nodes.end[i] if is_content[i] else i + 1
    hidden = page.hidden
    return render_runs(
        page, [k for k, i in enumerate(runs.node) if is_content[i] and not hidden[i]]
    )


def lori(page: Page) -> str:
    """Return the text of the container with the greatest value of punctuation and links.

    A guess at the method that WFFTE calls LORI: Song, Wu (2007), whose three features it lists
    (punctuation, unlinked text, linked text), by the value of its own equation 4.
    """
    held = _held(page)
    content = held.content
    rows = zip(content.words, content.link_words, content.punctuation, strict=True)
    return _best(held, [general_support(w, max(lw, 1), p) for w, lw, p in rows])


def sun(page: Page) -> str:
    """Return the text of the container with most words outside links.

    A guess at the method that WFFTE calls SUN, of which it says only that it counts. Its reference
    is Zhou, Zhu, Gao (2009), not Sun, Guan (2004). Words of Chinese are its characters.
    """
    held = _held(page)
    return _best(held, held.content.words)


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


def _held(page: Page) -> Held:
    """Return the containers of a page in WFFTE's paper reading: each has all text inside it."""
    return WffteExtractor("paper", segmenter="bigrams").held(page).with_inner()


def _best(held: Held, values: Sequence[float]) -> str:
    best = max(range(len(values)), key=values.__getitem__)
    return join_runs(held.page.runs, held.runs_of([best])) if values[best] else ""


#: Name in `systems` -> function.
BASELINES: Final[Mapping[str, Callable[[Page], str]]] = {"cetd": cetd, "lori": lori, "sun": sun}
