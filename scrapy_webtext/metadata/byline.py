"""The byline near the headline, found by the names of its elements or by words such as "By"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from scrapy_webtext.metadata.dates import find_dates, has_year
from scrapy_webtext.metadata.names import (
    after_by,
    author_names,
    joined_names,
    likeness_to_person,
)
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.surroundings import PLACES, find_bounds, find_dated, find_nearby
from scrapy_webtext.metadata.words import one_line
from scrapy_webtext.page import Nodes

#: Words in the names of elements that hold a byline, and of those that hold more or other things.
_BYLINE: Final = re.compile(r"by-?line|auth?or|autor|auteur|writer|reporter|posted-?by|vcard")
_NO_BYLINE: Final = re.compile(
    r"bio|box|image|avatar|photo|comment|social|follow|related|more-from|desc|authori[zst]|"
    r"share|footer|nav|widget|sidebar|teaser|note"
)
#: Attributes that name an element.
_NAMES: Final = frozenset({"class", "id", "rel", "itemprop", "data-testid", "data-component"})
_PIECES: Final = re.compile(r"\s{0,9}[|•·—–\n]\s{0,9}|\s{1,9}-\s{1,9}")
_BETWEEN: Final = re.compile(r"[|•·—–\n-]")
#: Pieces of text that a byline has at most.
MAX_RUNS: Final = 12
#: Names in what is shown as a byline; more are a list of something else.
MAX_SHOWN: Final = 6


#: A name has at most so many characters where it stands alone.
MAX_NAME: Final = 40
_HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6 dt th".split())
#: Addresses of authors' pages.
_AUTHOR_PAGE: Final = re.compile(
    r"/(?:authors?|autore?n?|auteurs?|contributors?)/[^/?#\0]{2,80}/?(?:\Z|\0)"
)


class Byline(NamedTuple):
    """Names, and where they came from."""

    names: tuple[str, ...]
    source: str
    weight: float


#: The source of what a byline below the headline says.
SAID: Final = f"byline {PLACES['below']}"
_BY_PLACES: Final = {"below": 2.0, "above": 0.5, "in": 0.8, "after": 0.9}


def shown(sources: Sources) -> Iterator[Byline]:
    """Yield the bylines that readers see near the headline."""
    yield from _by_elements(sources)
    near = find_nearby(sources)
    for text, _, place in near:
        for piece in _pieces(text):
            written = after_by(piece)
            names = author_names(written) if written else ()
            if 0 < len(names) <= MAX_SHOWN and all(likeness_to_person(n) >= 0.5 for n in names):
                yield Byline(names, f"byline {PLACES[place]}", _BY_PLACES[place])


def _pieces(text: str) -> list[str]:
    return _PIECES.split(text) if _BETWEEN.search(text) else [text]


def beside_date(sources: Sources) -> Iterator[Byline]:
    """Yield a name that stands alone beside a date: "Jane Doe", "3 May 2020"."""
    if not find_dated(sources):
        return
    texts = [text for text, _, place in find_nearby(sources) if place == "below"]
    language = sources.language
    dated = [has_year(t) and any(find_dates(t, language, is_short=True)) for t in texts]
    near = [text for k, text in enumerate(texts) if any(dated[max(0, k - 1) : k + 2])]
    # Above the headline, it stands in one line with the date.
    near += [text for text, _, place in find_dated(sources) if place == "above"]
    for text in near:
        for piece in _pieces(text):
            if _is_full_name(piece):
                yield Byline((piece,), "beside the date", 0.6)


def signatures(sources: Sources) -> Iterator[Byline]:
    """Yield a name that is all of a block where the text ends."""
    blocks, chosen = sources.page.blocks, sources.extraction.chosen
    for block in (*chosen[-2:], *(last + 1 for last in chosen[-1:])):
        if block < len(blocks) and blocks.chars[block] < MAX_NAME and not blocks.link_chars[block]:
            text = one_line(blocks.text[block])
            if sources.page.nodes.tag[blocks.node[block]] not in _HEADINGS and _is_full_name(text):
                yield Byline((text,), "below the text", 0.6)


def by_links(sources: Sources) -> Iterator[Byline]:
    """Yield the name that all links to authors on the page have, if it is one."""
    names: dict[str, str] = {}
    for node in _author_links(sources.page.nodes):
        for name in author_names(sources.text_of(node)):
            names.setdefault(name.casefold(), name)
        if len(names) > 1:
            return
    for name in names.values():
        yield Byline((name,), "link to the author", 0.8)


def _author_links(nodes: Nodes) -> Iterator[int]:
    """Yield the elements that lead to an author, as an attribute says."""
    for node, _, relation in nodes.attributes.named({"rel"}):
        if "author" in relation:
            yield node
    links = nodes.attributes.named({"href"})
    # One search in all addresses at once: most pages have none that matches.
    if _AUTHOR_PAGE.search("\0".join([address for _, _, address in links])):
        yield from (node for node, _, address in links if _AUTHOR_PAGE.search(address))


def _is_full_name(text: str) -> bool:
    if not 2 <= text.count(" ") + 1 <= 3 or text.isupper():
        return False
    return ":" not in text and author_names(text) == (text,) and likeness_to_person(text) == 1


def _by_elements(sources: Sources) -> Iterator[Byline]:
    """Yield what stands in elements that are named as bylines, per place."""
    page, found = sources.page, find_bounds(sources)
    nodes, runs, blocks = page.nodes, page.runs, page.blocks
    if found is None or not len(blocks):
        return
    first_run = blocks.first_run
    first = runs.node[first_run[max(0, found.headline - 8)]]
    last = runs.node[first_run[min(found.end + 6, len(blocks) - 1)]]
    texts: dict[str, list[str]] = {}
    outside = 0
    for node in _named_bylines(nodes, first, last):
        if node < outside or not nodes.tag[node]:
            continue
        begin, end = runs.first[node], runs.end[node]
        if begin == end or end - begin > MAX_RUNS or page.hidden[node]:
            continue
        outside = nodes.end[node]
        place = "above"
        if found.headline >= 0 and begin >= first_run[found.headline]:
            place = "below"
        if found.start < len(blocks) and begin >= first_run[found.start]:
            place = "in"
        texts.setdefault(place, []).extend(_people_in(sources, node))
    for place, written in texts.items():
        names = joined_names(written)
        if len(names) <= MAX_SHOWN:
            yield Byline(names, f"byline {PLACES[place]}", _ELEMENTS[place])


_ELEMENTS: Final = {"below": 2.2, "above": 1.0, "in": 1.2}


def _named_bylines(nodes: Nodes, first: int, last: int) -> Iterator[int]:
    """Yield the elements from first to last that an attribute names as a byline."""
    named = nodes.attributes.named(_NAMES, first, last + 1)
    # One search in all names at once: most pages have few such ones, or none.
    names = "\0".join([value for _, _, value in named]).lower()
    number = end = 0
    while match := _BYLINE.search(names, end):
        number += names.count("\0", end, match.start())
        start, end = names.rfind("\0", 0, match.start()) + 1, names.find("\0", match.end())
        end = end if end >= 0 else len(names)
        if not _NO_BYLINE.search(names, start, end):
            yield named[number][0]


def _people_in(sources: Sources, node: int) -> Iterator[str]:
    """Yield the texts in a byline's element that may be names: its links, or all of it."""
    nodes, runs = sources.page.nodes, sources.page.runs
    links = [i for i in range(node, nodes.end[node]) if nodes.tag[i] == "a"]
    texts = [sources.text_of(link) for link in links[:20]]
    if any(map(author_names, texts)):
        yield from texts
        return
    whole = sources.text_of(node)
    yield whole if after_by(whole) else runs.text[runs.first[node]]
