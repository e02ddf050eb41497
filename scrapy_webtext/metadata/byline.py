"""Who wrote the article: as declared, and as the byline near the headline says.

A name that is declared and shown, too, is certain. What is declared is often the site, a role or an
account; then the byline decides, found by the names of its elements or by words such as "By".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scrapy_webtext.metadata.dates import find_dates, has_year
from scrapy_webtext.metadata.names import (
    after_by,
    author_names,
    joined_names,
    likeness_to_person,
)
from scrapy_webtext.metadata.words import folded, plain_text

if TYPE_CHECKING:
    from scrapy_webtext.metadata.sources import Sources
    from scrapy_webtext.page import Nodes

#: Words in the names of elements that hold a byline, and of those that hold more or other things.
_BYLINE: Final = re.compile(r"by-?line|auth?or|autor|auteur|writer|reporter|posted-?by|vcard", re.I)
_NO_BYLINE: Final = re.compile(
    r"bio|box|image|avatar|photo|comment|social|follow|related|more-from|desc|authori[zst]|"
    r"share|footer|nav|widget|sidebar|teaser",
    re.I,
)
#: Attributes that name an element.
_NAMES: Final = frozenset({"class", "id", "rel", "itemprop", "data-testid", "data-component"})
_WRITTEN_BY: Final = re.compile(
    r"written|verfasst|geschrieben|écrit|escrit|scritto|geschreven|author|autor|napisane|skriv|"
    r"автор|написано|作者",
    re.IGNORECASE,
)
_PIECES: Final = re.compile(r"\s*[|•·—–\n]\s*|\s+-\s+")
#: Less weight names nobody.
LEAST: Final = 0.3
#: The weight of a source that is trusted without a look at the page, where it names people.
SURE: Final = 3.0
#: Pieces of text that a byline has at most.
MAX_RUNS: Final = 12
#: Names in what is shown as a byline; more are a list of something else.
MAX_SHOWN: Final = 6


class Byline(NamedTuple):
    """Names, and where they came from."""

    names: tuple[str, ...]
    source: str
    weight: float


def find_authors(sources: Sources) -> Byline | None:
    """Return the authors, None where no source names any that can be trusted."""
    lines = [line for line in declared(sources) if line.names]
    if lines and _are_people(lines[0], sources.site_names):
        first, *others = lines
        if first.weight >= SURE or any(_names_of(one) == _names_of(first) for one in others):
            return first
    lines += [line for line in shown(sources) if line.names]
    people = {
        folded(name): likeness_to_person(name, sources.site_names)
        for line in lines
        for name in line.names
    }
    return _agreed(lines, people)


def _names_of(line: Byline) -> set[str]:
    return set(map(folded, line.names))


def _are_people(line: Byline, site: frozenset[str]) -> bool:
    return all(likeness_to_person(name, site) == 1 for name in line.names)


def _agreed(lines: Sequence[Byline], people: dict[str, float]) -> Byline | None:
    """Return the byline that others bear out most; of those that hold it, the one with more."""
    sets = [frozenset(map(folded, line.names)) for line in lines]

    def merit(number: int) -> float:
        own, line = sets[number], lines[number]
        likeness = sum(people[name] for name in own) / len(own)
        others = {
            lines[k].source.partition(" ")[0] + str(sorted(other)): lines[k].weight
            * len(own & other)
            / len(own | other)
            for k, other in enumerate(sets)
            if k != number
        }
        return (line.weight + 0.7 * sum(others.values())) * likeness

    merits = [merit(number) for number in range(len(lines))]
    if not lines or max(merits) < LEAST:
        return None
    best = max(range(len(lines)), key=merits.__getitem__)
    for number, names in enumerate(sets):
        more = names - sets[best]
        is_declared = not lines[number].source.startswith("byline")
        if is_declared and sets[best] < names and all(people[name] == 1 for name in more):
            best = number
    return _people_first(lines[best], people)


def _people_first(line: Byline, people: dict[str, float]) -> Byline:
    """Return a byline without accounts and words beside the people in it."""
    likely = [name for name in line.names if people[folded(name)] == 1]
    if not likely or line.source.startswith("JSON-LD"):
        return line
    names = tuple(name for name in line.names if name in likely or " " in name)
    return line._replace(names=names)


def declared(sources: Sources) -> Iterator[Byline]:
    """Yield the authors that the page declares, in order of trust."""
    for source, value in sources.values("author", "creator"):
        weight = 1.5 if "webpage" in source else 1.0 if "video" in source else 3.0
        yield Byline(joined_names(_of_json(sources, value)), source, weight)
    own = [p.node for p in sources.properties if p.field == "authors" and p.is_own]
    if own:
        texts = [_value(sources, node) for node in own[:20]]
        yield Byline(joined_names(texts), "microdata author", 2.0)
    for source, texts in sources.head.values("authors"):
        if source == "meta twitter:creator":
            texts = [text for text in texts if " " in text]
        yield Byline(joined_names(texts), source, 1.5)
    yield from _labelled(sources)


def _labelled(sources: Sources) -> Iterator[Byline]:
    """Yield what Twitter's cards say: a label, "Written by", and its value."""
    meta = sources.head.meta
    for number in "12":
        label = plain_text(meta.get(f"twitter:label{number}", [""])[0])
        if _WRITTEN_BY.search(label):
            names = author_names(meta.get(f"twitter:data{number}", [""])[0])
            yield Byline(names, f"meta twitter:data{number}", 1.5)


def _of_json(sources: Sources, value: Any) -> Iterator[str]:
    """Yield the names in an author of JSON-LD: a text, an object, a reference, a list of these."""
    values = value if isinstance(value, list) else [value]
    for one in values[:50]:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            name = sources.json_ld.resolved(one).get("name")
            yield from (name[:50] if isinstance(name, list) else [name])
        elif isinstance(one, list):
            yield from one[:50]


def _value(sources: Sources, node: int) -> str:
    nodes = sources.page.nodes
    for inner in range(node, min(nodes.end[node], node + 20)):
        row = dict(nodes.attributes[inner])
        if row.get("itemprop", "").lower() == "name":
            return row.get("content") or sources.text_of(inner)
    return sources.attribute(node, "content") or sources.text_of(node)


_PLACES: Final = {"below": 2.0, "above": 0.5, "in": 0.8, "after": 0.9}


def shown(sources: Sources) -> Iterator[Byline]:
    """Yield the bylines that readers see near the headline."""
    yield from _by_elements(sources)
    near = sources.nearby
    for text, _, place in near:
        for piece in _PIECES.split(text):
            written = after_by(piece)
            names = author_names(written) if written else ()
            if 0 < len(names) <= MAX_SHOWN and all(likeness_to_person(n) >= 0.5 for n in names):
                yield Byline(names, f"byline {place} the headline", _PLACES[place])
    yield from _beside_date([text for text, _, place in near if place == "below"], sources.language)


def _beside_date(texts: Sequence[str], language: str) -> Iterator[Byline]:
    """Yield a name that stands alone beside a date: "Jane Doe", "3 May 2020"."""
    dated = [has_year(t) and any(find_dates(t, language, is_short=True)) for t in texts]
    for number, text in enumerate(texts):
        if any(dated[max(0, number - 1) : number + 2]):
            for piece in _PIECES.split(text):
                if _is_full_name(piece):
                    yield Byline((piece,), "beside the date", 0.6)


def _is_full_name(text: str) -> bool:
    if not 2 <= text.count(" ") + 1 <= 3 or text.isupper():
        return False
    return author_names(text) == (text,) and likeness_to_person(text) == 1


def _by_elements(sources: Sources) -> Iterator[Byline]:
    """Yield what stands in elements that are named as bylines, per place."""
    page, found = sources.page, sources.bounds
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
            yield Byline(names, f"byline {place} the headline", _ELEMENTS[place])


_ELEMENTS: Final = {"below": 2.2, "above": 1.0, "in": 1.2}


def _named_bylines(nodes: Nodes, first: int, last: int) -> Iterator[int]:
    """Yield the elements from first to last that an attribute names as a byline."""
    flat, begin = nodes.attributes.flat, nodes.attributes.first
    places = range(begin[first], begin[last + 1], 2)
    hits = [k for k in places if flat[k] in _NAMES and _names_byline(flat[k + 1][:200])]
    yield from dict.fromkeys(bisect_right(begin, k) - 1 for k in hits)


@lru_cache(maxsize=4096)  # pages of a site have the same names
def _names_byline(name: str) -> bool:
    return _BYLINE.search(name) is not None and _NO_BYLINE.search(name) is None


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
