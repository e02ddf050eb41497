"""Finds the authors of the article: declared authors, and the names in its byline.

A name that is both declared and visible is certain. A declared name is often the name of the site,
a role or an account; then the byline decides. The value of a candidate is a tuple of names: "By
Jane Doe and John Roe, Staff Writers" has two. "admin", "Staff", an address or a date is not a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.core.words import UNSPACED, count_words
from scrapy_webtext.metadata.dates import find_dates, has_year, locate_dates, western
from scrapy_webtext.metadata.names import (
    ROLE_SUFFIX,
    SINGLE,
    TABLES,
    after_by,
    author_names,
    in_order,
    is_by,
    names_in,
    person_likeness,
)
from scrapy_webtext.metadata.sources import (
    BYLINE,
    JSON_LD,
    META,
    MICRODATA,
    Candidate,
    Sources,
    elect,
    support,
)
from scrapy_webtext.metadata.surroundings import Place, find_bounds, find_dated, find_nearby
from scrapy_webtext.metadata.text import folded, one_line
from scrapy_webtext.metadata.title import leads_elsewhere, site_names

#: Maximum number of values in an author of JSON-LD that are read.
MAX_VALUES: Final = 200
#: Minimum merit (see `_elect`) of the chosen candidate.
MIN_MERIT: Final = 0.3
#: If a source has at least this weight and its names are of people, no byline is needed.
SURE: Final = 3.0
SINGLE_IN_BYLINE: Final = 0.8
#: Maximum number of pieces of text in a byline.
MAX_RUNS: Final = 12
#: Each piece of a byline has fewer blanks than this.
MAX_SPACES: Final = 6
#: Maximum number of names in a byline; a longer list is not of authors.
MAX_NAMES: Final = 6
#: Maximum number of characters of a block that is only a name.
MAX_CHARS: Final = 40
#: Place -> weight of a byline. `_BY_WORD` is for bylines that begin with a word such as "By",
#: `_BY_ELEMENT` for elements with the name of a byline.
_BY_WORD: Final = {Place.BELOW: 2.0, Place.ABOVE: 0.5, Place.INSIDE: 0.8, Place.AFTER: 0.9}
_BY_ELEMENT: Final = {Place.BELOW: 2.2, Place.ABOVE: 1.0, Place.INSIDE: 1.2}
_BYLINE: Final = Signs(*TABLES.words("byline elements"))
#: A link to another story is searched around a byline: in at most this many levels above it, and in
#: at most this many elements. The link must have at least this many words.
MAX_LEVELS: Final = 3
MAX_BOX: Final = 40
LINK_WORDS: Final = 5
#: Names of <meta> that contain one person each, family name first.
_OF_LIBRARIES: Final = frozenset(TABLES.words("libraries"))
_CODE: Final = frozenset({"code", "pre", "tt", "kbd", "samp"})
_NO_BYLINE: Final = re.compile(TABLES.pattern("other elements"))
_AUTHOR_LABEL: Final = re.compile(TABLES.pattern("author labels"), re.IGNORECASE)
#: Attribute -> texts in its value that mark a byline.
_BYLINES: Final = dict.fromkeys(
    ("class", "id", "rel", "itemprop", "data-testid", "data-component"), _BYLINE
)
_SEPARATOR: Final = re.compile(r"[|•·—–\n]|\s-\s")
#: Matches a sign or word between two names that are elements of their own, and those around one.
_CONNECTOR: Final = re.compile(
    r"^(?:[,&+/]|and|und|et|y|e|och|og|en|i)\s|^[,&+/]$|\b(?:and|und|et|y|e|och|og|en|i)$"
)
_HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6 dt th".split())
#: Addresses of authors' pages.
_AUTHOR_PAGE: Final = re.compile(r"/(?:authors?|autore?n?|auteurs?|contributors?)/[^/?#]{2,80}/?\Z")
_AUTHOR_PAGES: Final = {"href": Signs("/author", "/autor", "/auteur", "/contributor")}


def find_authors(sources: Sources) -> Candidate | None:
    """Return the authors; None if no source can be trusted."""
    site = frozenset(name.replace(" ", "") for name in site_names(sources))

    def are_people(candidate: Candidate) -> bool:
        return all(person_likeness(name, site) == 1 for name in candidate.value)

    declared = (one for one in _declared_authors(sources) if one.value)
    candidates = list(islice(declared, 1))
    if candidates and candidates[0].weight >= SURE and are_people(candidates[0]):
        return candidates[0]
    candidates += [*declared, *(one for one in _bylines(sources) if one.value)]
    if not any(map(are_people, candidates)):
        candidates += [*_names_near_date(sources), *_signatures(sources)]
    candidates = candidates or list(_linked_authors(sources))
    likeness: dict[str, float] = {}
    for candidate, name in ((one, name) for one in candidates for name in one.value):
        own = person_likeness(name, site)
        if own == SINGLE and (candidate.kind, candidate.name) == (BYLINE, Place.BELOW):
            own = SINGLE_IN_BYLINE
        likeness[folded(name)] = max(own, likeness.get(folded(name), 0.0))
    return _elect(candidates, likeness)


def _elect(candidates: Sequence[Candidate], likeness: dict[str, float]) -> Candidate | None:
    """Return the candidate with the greatest merit.

    The merit is the candidate's weight plus the support of similar candidates, multiplied by the
    mean likeness of its names to names of people.
    """
    sets = [frozenset(map(folded, one.value)) for one in candidates]

    def merit(number: int) -> float:
        own = sets[number]
        # Equal names count once per kind of source.
        agreeing = support(
            ((other.kind, names), other.weight * len(own & names) / len(own | names))
            for k, (other, names) in enumerate(zip(candidates, sets, strict=True))
            if k != number
        )
        mean = sum(likeness[name] for name in own) / len(own)
        return (candidates[number].weight + 0.7 * agreeing) * mean

    best = elect(range(len(candidates)), merit, MIN_MERIT)
    if best is None:
        return None
    found = candidates[best]
    people = [name for name in found.value if likeness[folded(name)] == 1]
    # Beside names of people, an agency is no author, and outside JSON-LD a word is an account.
    others = (n for n in found.value if " " in n or found.kind == JSON_LD)
    kept = {*people, *(n for n in others if not ROLE_SUFFIX.fullmatch(f" {n}"))}
    return found._replace(value=tuple(n for n in found.value if n in kept)) if people else found


def _declared_authors(sources: Sources) -> Iterator[Candidate]:
    """Yield the authors that the page declares, in order of trust."""
    for one in sources.of_json_ld("authors"):
        names = names_in(_json_names(sources, one.value))
        yield one._replace(value=names, weight=1.0 if one.name == "videoobject" else one.weight)
    properties = [one for one in sources.properties if one.field == "authors"]
    if nodes := [one.node for one in properties if sources.is_of_article(one)]:
        texts = [_microdata_name(sources, node) for node in nodes[:20]]
        yield Candidate(names_in(texts), MICRODATA, "author", 2.0)
    for one in sources.of_meta("authors"):
        is_account = one.name == "twitter:creator"
        texts = [text for text in one.value if not is_account or " " in text]
        if one.name in _OF_LIBRARIES:
            # Journals name one person at a time.
            longest = 3 if one.name.startswith("citation") else 1
            texts = [in_order(name, longest) for text in texts for name in text.split(";")]
        yield one._replace(value=names_in(texts))
    for number in "12":  # Twitter's cards have labels and their values
        label = sources.texts_of_meta(f"twitter:label{number}")[:1]
        if label and _AUTHOR_LABEL.search(label[0]):
            names = author_names(sources.meta.get(f"twitter:data{number}", [""])[0])
            yield Candidate(names, META, f"twitter:data{number}", 1.5)


def _json_names(sources: Sources, value: Any) -> Iterator[str]:
    """Yield the names in an author of JSON-LD: text, object, reference or lists of these."""
    rest, number = [value], 0
    while rest and number < MAX_VALUES:
        one, number = rest.pop(0), number + 1
        if isinstance(one, list):
            rest[:0] = one[:50]
            continue
        if isinstance(one, dict):
            person = sources.json_ld.resolved(one)
            parts = [person.get(key) for key in ("givenname", "additionalname", "familyname")]
            joined = " ".join(part for part in parts if isinstance(part, str))
            one = in_order(person.get("name") or joined)
        yield from one[:50] if isinstance(one, list) else [one]


def _microdata_name(sources: Sources, node: int) -> str:
    """Return the name in a property: the name of a person inside it, else its content or text."""
    nodes = sources.page.nodes
    for inner in range(node, min(nodes.end[node], node + 20)):
        if sources.attribute(inner, "itemprop").lower() == "name":
            node = inner
            break
    return sources.attribute(node, "content") or sources.text_of(node)


def _bylines(sources: Sources) -> Iterator[Candidate]:
    """Yield the visible bylines near the headline."""
    yield from _byline_elements(sources)
    found: list[Candidate] = []
    after: set[str] = set()
    is_after_by = False
    for block, place in find_nearby(sources):
        names: dict[str, None] = {}
        for piece in _pieces(sources, block, place):
            if _CONNECTOR.fullmatch(piece) and names:
                is_after_by = True
                continue
            written = piece if is_after_by else after_by(piece) or _after_date(piece, sources)
            if place == Place.AFTER and written and not is_by(piece):
                after.add(written)
            is_name = not is_after_by or _is_full_name(_CONNECTOR.sub("", piece.strip()))
            is_after_by = is_by(piece)
            own = author_names(written) if written and is_name and not is_after_by else ()
            if all(person_likeness(n) >= SINGLE for n in own):
                names.update(dict.fromkeys(own))
        if 0 < len(names) <= MAX_NAMES:
            found.append(Candidate(tuple(names), BYLINE, place, _BY_WORD[place]))
    # Several bylines after the text are of other stories.
    yield from (one for one in found if one.name != Place.AFTER or len(after) < 2)


def _pieces(sources: Sources, block: int, place: str) -> list[str]:
    """Return the pieces of a byline: its elements if one is a name, else the text between signs."""
    page = sources.page
    runs = page.runs.text[page.blocks.first_run[block] : page.blocks.end_run[block]]
    parts = [part.strip() for run in runs[:MAX_RUNS] for part in _SEPARATOR.split(run)]
    are_short = len(parts) > 1 and max(part.count(" ") for part in parts) < MAX_SPACES
    named = parts if are_short and place != Place.AFTER else ()
    if any(_is_full_name(after_by(part) or part) for part in named):
        return list(filter(None, parts))
    return _SEPARATOR.split(page.blocks.text[block])


def _after_date(text: str, sources: Sources) -> str:
    """Return the text after a date and a word such as "by"; empty if either is missing."""
    text = western(text) if has_year(text) else ""
    for one in locate_dates(text, sources.language):
        rest = text[one.end :].lstrip(", ")
        return "" if UNSPACED.match(rest) else after_by(rest)
    return ""


def _byline_elements(sources: Sources) -> Iterator[Candidate]:
    """Yield, per place, the names in elements that an attribute names a byline."""
    page, bounds = sources.page, find_bounds(sources)
    nodes, runs, blocks = page.nodes, page.runs, page.blocks
    if bounds is None or not len(blocks):
        return
    first_run = blocks.first_run
    outside = runs.node[first_run[max(0, bounds.headline - 8)]]
    last = runs.node[first_run[min(bounds.end + 6, len(blocks) - 1)]]
    headline = runs.node[first_run[bounds.headline]] if bounds.headline >= 0 else -1
    texts: dict[str, list[str]] = {}
    for node, _, value in nodes.attributes.with_signs(_BYLINES):
        begin, end = runs.first[node], runs.end[node]
        if (
            not outside <= node <= last
            or not 0 < end - begin <= MAX_RUNS
            or page.hidden[node]
            or _NO_BYLINE.search(value.lower())
            or not _CODE.isdisjoint(nodes.tag[node : min(nodes.end[node], node + 20)])
            or _is_of_other_story(sources, node, headline)
        ):
            continue
        outside = nodes.end[node]
        place = Place.ABOVE
        if bounds.headline >= 0 and begin >= first_run[bounds.headline]:
            place = Place.BELOW
        if bounds.start < len(blocks) and begin >= first_run[bounds.start]:
            place = Place.INSIDE
        texts.setdefault(place, []).extend(_texts_of_byline(sources, node))
    for place, written in texts.items():
        names = names_in(written)
        if len(names) <= MAX_NAMES:
            yield Candidate(names, BYLINE, place, _BY_ELEMENT[place])


def _is_of_other_story(sources: Sources, node: int, headline: int) -> bool:
    """Return whether an element is next to a long link to another page, as in lists of stories."""
    nodes = sources.page.nodes
    box = node
    for _ in range(MAX_LEVELS):
        box = nodes.parent[box]
        if box < 0 or nodes.end[box] - box > MAX_BOX or box <= headline < nodes.end[box]:
            return False
        links = (link for link in range(box, nodes.end[box]) if nodes.tag[link] == "a")
        for link in links:
            if count_words(sources.text_of(link), 2) >= LINK_WORDS:
                return leads_elsewhere(sources, link)
    return False


def _texts_of_byline(sources: Sources, node: int) -> list[str]:
    """Return the texts of a byline that may be names: its links, its pieces or all its text."""
    nodes, runs = sources.page.nodes, sources.page.runs
    links = [i for i in range(node, nodes.end[node]) if nodes.tag[i] == "a"]
    texts = [sources.text_of(link) for link in links[:20]]
    if any(map(author_names, texts)):
        return texts
    pieces = [piece.strip() for piece in runs.text[runs.first[node] : runs.end[node]]]
    named = [after_by(piece) or piece for piece in pieces if not is_by(piece)]
    if named and _is_full_name(named[0]):  # "Ann Doe", "Bo Roe", "CBS News", "3 May 2020"
        return list(filter(_is_full_name, named))
    whole = sources.text_of(node)
    return [whole if after_by(whole) else pieces[0]]


def _names_near_date(sources: Sources) -> Iterator[Candidate]:
    """Yield names on a line of their own next to a date: "Jane Doe", "3 May 2020"."""
    shown, language = sources.page.blocks.text, sources.language
    dated = [block for block, _ in find_dated(sources)]
    below = [block for block, place in find_nearby(sources) if place == Place.BELOW]
    has_date = [
        has_year(shown[b]) and any(find_dates(shown[b], language, is_short=True)) for b in below
    ]
    near = [b for k, b in enumerate(below) if dated and any(has_date[max(0, k - 1) : k + 2])]
    # In other places, only a name on the line of the date counts.
    near += [block for block, place in find_dated(sources) if place in (Place.ABOVE, Place.INSIDE)]
    for block in near:
        for piece in _pieces(sources, block, Place.BELOW):
            if _is_full_name(piece.strip()):
                yield Candidate((piece.strip(),), "beside the date", weight=0.6)


def _signatures(sources: Sources) -> Iterator[Candidate]:
    """Yield names that are a block of their own at the end of the text."""
    blocks, chosen = sources.page.blocks, sources.extraction.chosen
    for block in (*chosen[-2:], *(last + 1 for last in chosen[-1:])):
        if block < len(blocks) and blocks.chars[block] < MAX_CHARS and not blocks.link_chars[block]:
            text = one_line(blocks.text[block])
            if sources.page.nodes.tag[blocks.node[block]] not in _HEADINGS and _is_full_name(text):
                yield Candidate((text,), "below the text", weight=0.6)


def _is_full_name(text: str) -> bool:
    is_short = 1 <= text.count(" ") <= 2 and ":" not in text and not text.isupper()
    return is_short and author_names(text) == (text,) and person_likeness(text) == 1


def _linked_authors(sources: Sources) -> Iterator[Candidate]:
    """Yield the name in the page's links to authors if all these links have the same name."""
    attributes = sources.page.nodes.attributes
    nodes = [node for node, _, relation in attributes.named({"rel"}) if "author" in relation]
    links = attributes.with_signs(_AUTHOR_PAGES)
    nodes += [node for node, _, address in links if _AUTHOR_PAGE.search(address)]
    names: dict[str, str] = {}
    for node in nodes:
        for name in author_names(sources.text_of(node)):
            names.setdefault(name.casefold(), name)
        if len(names) > 1:
            return
    if names:
        yield Candidate((*names.values(),), "link to the author", weight=0.8)
