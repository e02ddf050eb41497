"""Who wrote the article: as declared, and as the byline near the headline says.

A name that is declared and shown, too, is certain. What is declared is often the site, a role or an
account; then the byline decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from scrapy_webtext.metadata.byline import (
    SAID,
    Byline,
    beside_date,
    by_links,
    shown,
    signatures,
)
from scrapy_webtext.metadata.names import author_names, joined_names, likeness_to_person
from scrapy_webtext.metadata.site_name import site_names
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.words import folded, plain_text

_WRITTEN_BY: Final = re.compile(
    r"written|verfasst|geschrieben|écrit|escrit|scritto|geschreven|author|autor|napisane|skriv|"
    r"автор|написано|作者",
    re.IGNORECASE,
)
#: Less weight names nobody.
LEAST: Final = 0.3
#: The weight of a source that is trusted without a look at the page, where it names people.
SURE: Final = 3.0
#: The likeness to a person of one capitalised word, and where a byline says that somebody wrote.
SINGLE: Final = 0.5
SINGLE_SAID: Final = 0.8


def find_authors(sources: Sources) -> Byline | None:
    """Return the authors, None where no source names any that can be trusted."""
    site = frozenset(name.replace(" ", "") for name in site_names(sources))
    lines: list[Byline] = []
    for line in declared(sources):
        if line.names:
            lines.append(line)
            first = lines[0]
            is_twice = line is not first and _names_of(line) == _names_of(first)
            if (first.weight >= SURE or is_twice) and _are_people(first, site):
                return first
    lines += [line for line in shown(sources) if line.names]
    if not any(_are_people(line, site) for line in lines):
        lines += [*beside_date(sources), *signatures(sources)]
    lines = lines or list(by_links(sources))
    people: dict[str, float] = {}
    for line in lines:
        for name in line.names:
            likeness = likeness_to_person(name, site)
            if likeness == SINGLE and line.source == SAID:
                likeness = SINGLE_SAID
            people[folded(name)] = max(likeness, people.get(folded(name), 0.0))
    best = _agreed(lines, people)
    return best and _in_full(best, lines, people)


def _in_full(best: Byline, lines: Sequence[Byline], people: dict[str, float]) -> Byline:
    """Return a byline of one first name with the whole name that another one has of it."""
    if len(best.names) == 1 and " " not in best.names[0]:
        start = folded(best.names[0]) + " "
        for line in lines:
            for name in line.names:
                if folded(name).startswith(start) and people[folded(name)] == 1:
                    return line._replace(names=(name,))
    return best


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
