"""Finds the title of the article, which is the headline that readers see, and the site's name.

Declared titles are often written for search engines and social networks, and contain the site's
name. The first heading may be a section or a logo. Candidates are the headings of the page and the
blocks shortly above the text. Each declared title votes for the candidates that it contains. If no
candidate has enough votes, a declared title is the fallback.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple

from scrapy_webtext.core.words import count_words
from scrapy_webtext.metadata.dates import has_year, locate_dates, western
from scrapy_webtext.metadata.names import is_byline
from scrapy_webtext.metadata.sources import (
    JSON_LD,
    META,
    TITLE,
    Candidate,
    Sources,
    elect,
    once,
    once_per_page,
    split_address,
)
from scrapy_webtext.metadata.text import clean, first_of, folded, load_tables, one_line, plain_text

#: Maximum number of characters of a headline.
MAX_CHARS: Final = 400
#: Maximum number of blocks above the text that are candidates.
BLOCKS_ABOVE: Final = 30
#: Maximum number of blocks from the start of the text on in which headings are candidates.
BLOCKS_INTO: Final = 4
#: Maximum number of headings of a page that are candidates.
MAX_HEADINGS: Final = 200
#: Maximum number of pieces of a title, and of blocks of a heading, that are compared.
MAX_PIECES: Final = 12
#: A headline needs a score above this.
MIN_SCORE: Final = 0.5
#: Maximum number of characters before the date in a heading that is only a date.
MAX_WEEKDAY: Final = 12
#: Subtracted from the score of a heading that links to the start of the site.
HOME_MALUS: Final = 1.5
#: Maximum number of characters of a link to the start of the site that names the site.
MAX_LOGO: Final = 80
#: Maximum number of characters of a host (DNS).
MAX_HOST: Final = 253
#: Similarity of a text to a declared title that only adds the site's name.
SAME: Final = 0.95
_HEADINGS: Final = {"h1": 1.2, "h2": 0.6, "h3": 0.4, "h4": 0.3, "h5": 0.2, "h6": 0.1}
_HEADING_TAGS: Final = frozenset(_HEADINGS)
_HOME: Final = re.compile(
    r"(?:https?:)?(?://[^/?#]*)?/?(?:index\.(?:html?|php|aspx?)|[a-z]{2}/?)?(?:[?#].*)?|\./",
    re.IGNORECASE,
)
#: A link to the start of a site; group 1 is the host.
_ROOT: Final = re.compile(r"(?:(?:https?:)?//([^/?#]*))?/?(?<=[/\w])", re.IGNORECASE)
#: Maximum number of links of a page that may name the site.
MAX_ROOT_LINKS: Final = 100
MAX_ADDRESS: Final = 2_000
#: A headline that <meta> or <title> repeats is no name of the site if it has more words than this.
MAX_NAME_WORDS: Final = 5
#: A <title> without a site's name needs this many words if the page shows text above the main text.
MIN_WORDS: Final = 3
_ADDRESS: Final = re.compile(
    r"(?:https?:|www\.|file:)\S{0,400}\Z|[\w./-]{1,200}\.(?:html?|php|aspx?)\Z"
)
_NO_TITLES: Final = frozenset(map(folded, load_tables("declared")["no titles"]))
#: Separators in a title between the headline and names of the site or of sections.
_SEPARATOR: Final = re.compile(
    r"\s{1,9}[|–—·•»«›‹:/~\\*<>:-]{1,9}\s{1,9}|\s{0,9}[|｜»«›‹·•_]{1,9}\s{0,9}"
    r"|(?<=[\u3040-\u9fff])\s{0,9}[-–—]{1,9}\s{0,9}"
    r"|\s{0,9}[-–—]{1,9}\s{0,9}(?=[\u3040-\u9fff])|:\s{1,9}"
)


class Titles(NamedTuple):
    """The titles that a page declares."""

    distinct: list[Candidate]  #: one per text; weights of equal titles are added
    whole: frozenset[str]  #: folded titles
    parts: frozenset[str]  #: folded titles and folded parts of titles
    words: frozenset[str]  #: words of all titles


class Heading(NamedTuple):
    """A visible text that may be the headline."""

    text: str
    words: str  #: folded text
    node: int
    bonus: float  #: score for the element and the position
    source: str
    is_heading: bool = True  #: whether it is in <h1> to <h6>


@once
def find_headline(sources: Sources) -> tuple[Candidate | None, int]:
    """Return the title and the block of its headline; (None, -1) if missing."""
    best = _only_h1(sources) or _elect(sources)
    titles = _declared_titles(sources)
    if best is not None:
        agree = [title.source for title in titles if folded(title.value) == best.words]
        title = Candidate(clean(best.text), ", ".join([best.source, *agree[:2]]))
        return title, next(iter(sources.page.blocks_in(best.node)), -1)
    site = site_names(sources)
    for title in titles:
        text = _without_site(title.value[:MAX_CHARS], site)
        if _names_page(text, site) and (
            title.kind != TITLE
            or text != title.value
            or count_words(text, 2) >= MIN_WORDS
            or not _has_blocks_above(sources)
        ):
            return title._replace(value=text), -1
    return None, -1


@once_per_page
def _declared_titles(sources: Sources) -> list[Candidate]:
    """Return the titles that the page declares, in order of trust."""
    outside_head = chain(sources.of_json_ld("title"), sources.of_microdata("title"))
    return [*_with_words(outside_head), *_titles_in_head(sources)]


@once_per_page
def _titles_in_head(sources: Sources) -> list[Candidate]:
    """Return the titles in <meta> and <title>; reading them is faster than JSON-LD."""
    page_title = Candidate(sources.page.title, TITLE, weight=2.0)
    return _with_words((*sources.of_meta("title"), page_title))


def _with_words(declared: Iterable[Candidate]) -> list[Candidate]:
    """Return the titles as plain text; leave out empty titles and names of a WebPage."""
    titles: list[Candidate] = []
    for one in declared:
        text = one.value if one.kind == META else plain_text(one.value)
        if folded(text) and not (one.is_of_page and one.key == "name"):
            titles.append(one._replace(value=text))
    return titles


@once_per_page
def _only_h1(sources: Sources) -> Heading | None:
    """Return the only visible <h1> if it equals a declared title, as on most pages."""
    page = sources.page
    first, end = page.runs.first, page.runs.end
    visible = [i for i in sources.tagged("h1") if first[i] < end[i] and not page.hidden[i]]
    text = sources.text_of(visible[0]) if len(visible) == 1 else ""
    if not 0 < len(text) <= MAX_CHARS:
        return None
    found = Heading(text, words := folded(text), visible[0], 0.0, "<h1>")
    is_long = words.count(" ") >= MAX_NAME_WORDS
    if is_long and any(folded(title.value) == words for title in _titles_in_head(sources)):
        return found
    if words in (site := site_names(sources)):
        return None
    titles = chain.from_iterable(read(sources) for read in (_titles_in_head, _declared_titles))
    return found if any(_likeness(words, title, site) >= SAME for title in titles) else None


def _elect(sources: Sources) -> Heading | None:
    """Return the heading with the highest score; None if no score exceeds `MIN_SCORE`.

    The score combines the votes of declared titles with the heading's bonus.
    """
    site, titles = site_names(sources), _titles(sources)
    total = sum(title.weight for title in titles.distinct) or 1.0
    candidates = list(_headings(sources, titles))
    tags = sources.page.nodes.tag
    h1 = {one.node for one in candidates if one.is_heading and tags[one.node] == "h1"}
    content = [node for node in h1 if not _leads_home(sources, node)]

    sections = _sections(sources, candidates) if _agreed(titles, site) else ()

    def score(heading: Heading) -> float:
        votes = _support(heading.words, titles, site)
        # A banner above the only <h1> may be part of <title>, too.
        is_banner = len(content) == 1 and heading.node < content[0]
        is_weak = votes < 0.5 * total or (is_banner and heading.words not in titles.whole)
        if is_weak and not heading.is_heading:
            return 0.0
        if votes:
            own = 4 * votes / total + heading.bonus
        elif heading.node in sections or _is_no_title(sources, heading):
            return 0.0
        else:
            own = 0.6 * heading.bonus
        return own - HOME_MALUS * _leads_home(sources, heading.node)

    best = elect(candidates, score, MIN_SCORE)
    if best is None or best.words in titles.whole:
        return best
    headings = {one.words: one for one in reversed(candidates) if one.is_heading}
    return _below_site(best, titles.distinct, headings) or best


def _is_no_title(sources: Sources, heading: Heading) -> bool:
    """Return whether a text that no declared title has is a byline, a date or a teaser."""
    text = western(heading.text)
    days = locate_dates(text, sources.language) if has_year(text) else ()
    is_date = any(not text[one.end :].strip() and one.start < MAX_WEEKDAY for one in days)
    return is_byline(text) or is_date or leads_elsewhere(sources, heading.node)


def _agreed(titles: Titles, site: frozenset[str]) -> bool:
    """Return whether two declared titles are equal without the site's name, and name the page."""
    bare = [_without_site(title.value[:MAX_CHARS], site) for title in titles.distinct]
    named = [folded(text) for text in bare if _names_page(text, site)]
    weight = max((one.weight for one in titles.distinct), default=0.0)
    return len(named) > len(set(named)) or (len(named) == 1 and weight > 2)


def _sections(sources: Sources, headings: Sequence[Heading]) -> frozenset[int]:
    """Return the headings from the start of the text on; <h1> is none of them."""
    page, chosen = sources.page, sources.extraction.chosen
    start = page.blocks.first_run[chosen[0]] if chosen else len(page.runs)
    return frozenset(
        one.node
        for one in headings
        if one.is_heading and page.nodes.tag[one.node] != "h1"
        if page.runs.first[one.node] >= start or _follows(sources, one.node, start)
    )


def _follows(sources: Sources, node: int, start: int) -> bool:
    """Return whether the text begins right after a heading, and has another of its kind."""
    page = sources.page
    last = page.blocks.end_run[sources.extraction.chosen[-1]]
    is_next = page.blocks_in(node).stop == sources.extraction.chosen[0]
    same = page.nodes.tagged(frozenset({page.nodes.tag[node]}))
    return is_next and any(start <= page.runs.first[other] < last for other in same)


@once_per_page
def _titles(sources: Sources) -> Titles:
    """Return the declared titles in the forms that headings are compared with: see `Titles`."""
    distinct: dict[str, Candidate] = {}
    for title in _declared_titles(sources):
        text = title.value[:MAX_CHARS]
        known = distinct.get(text)
        distinct[text] = known._replace(weight=known.weight + title.weight) if known else title
    whole = frozenset(folded(title.value) for title in distinct.values())
    parts = whole.union(*map(_parts_of_title, distinct))
    words = frozenset[str]().union(*map(_set_of, whole))
    return Titles(list(distinct.values()), whole, parts, words)


def _below_site(
    best: Heading, titles: Sequence[Candidate], headings: dict[str, Heading]
) -> Heading | None:
    """Return the heading below ``best`` that is the rest of a declared title, if there is one.

    Then ``best`` is the name of the site, before or after the title.
    """
    for words in (folded(title.value) for title in titles):
        for rest in (words.removeprefix(f"{best.words} "), words.removesuffix(f" {best.words}")):
            if rest != words and rest in headings and headings[rest].node > best.node:
                return headings[rest]
    return None


def _headings(sources: Sources, titles: Titles) -> Iterator[Heading]:
    """Yield headings up to the first blocks of the text, and blocks above it that may be titles."""
    page = sources.page
    hidden, blocks, runs = page.hidden, page.blocks, page.runs
    chosen = sources.extraction.chosen
    start = chosen[0] if chosen else len(blocks)
    stop = blocks.end_run[min(start + BLOCKS_INTO, len(blocks) - 1)] if chosen else len(runs)
    lengths = {len(folded(title.value)) for title in titles.distinct}
    in_headings: set[int] = set()
    nodes, first, end = page.nodes.tagged(_HEADING_TAGS), runs.first, runs.end
    shown = (i for i in nodes if not hidden[i] and first[i] < end[i])
    for node in islice(shown, MAX_HEADINGS):
        if first[node] >= stop:
            break
        tag = page.nodes.tag[node]
        within = page.blocks_in(node)
        in_headings.update(within[:MAX_PIECES])
        text = sources.text_of(node)
        if not text or len(text) > MAX_CHARS:
            continue
        bonus = _HEADINGS[tag] + _nearness(within.start if len(within) else 0, start)
        words = folded(text)
        yield Heading(text, words, node, bonus, f"<{tag}>")
        for part in _parts_of_heading(sources, node) if words not in titles.parts else ():
            if folded(part) in titles.parts and 3 * len(part) > len(text):
                yield Heading(part, folded(part), node, bonus, f"in <{tag}>")
    for block in range(max(0, start - BLOCKS_ABOVE), min(start + 2, len(blocks))):
        if block in in_headings or sources.is_hidden(block):
            continue
        bonus = _nearness(block, start)
        line, _, more = blocks.text[block][:MAX_CHARS].partition("\n")
        texts = [line] if more and folded(line) in titles.parts else []
        if 3 < blocks.chars[block] <= MAX_CHARS:
            text = one_line(blocks.text[block])
            words = folded(text)
            if words in titles.parts or any(0.4 < len(words) / chars < 2.5 for chars in lengths):
                texts.append(text)
        for text in texts:
            yield Heading(text, folded(text), blocks.node[block], bonus, "above the text", False)


def _nearness(block: int, start: int) -> float:
    """Return the bonus of a block for its position: 1 right above the text, less farther above."""
    above = start - block
    below = 0.0 if above == -1 else -0.5
    return below if above < 0 else max(0.0, 1 - max(above - 1, 0) / BLOCKS_ABOVE)


def _link_of(sources: Sources, node: int) -> str:
    """Return the address of a visible link at a node: itself, its parent or its first child."""
    nodes, hidden = sources.page.nodes, sources.page.hidden
    for one in (node, nodes.parent[node], *range(node + 1, min(node + 3, nodes.end[node]))):
        if one >= 0 and nodes.tag[one] == "a" and not hidden[one]:
            return sources.attribute(one, "href")[:MAX_ADDRESS].strip() or "#"
    return ""


def _leads_home(sources: Sources, node: int) -> bool:
    """Return whether an element links to the start of a site."""
    address = _link_of(sources, node)
    return bool(address) and _HOME.fullmatch(address) is not None


def leads_elsewhere(sources: Sources, node: int) -> bool:
    """Return whether an element links to another page, as a teaser does."""
    address = _link_of(sources, node)
    url = sources.page.url or ""
    there, here = split_address(address, url), split_address(url)
    return bool(address and here.path) and there.path.rstrip("/") != here.path.rstrip("/")


def _has_blocks_above(sources: Sources) -> bool:
    """Return whether the page shows anything above the text."""
    page = sources.page
    chosen = sources.extraction.chosen
    first = page.blocks.first_run[chosen[0]] if chosen else len(page.runs)
    return not all(page.hidden[node] for node in page.runs.node[:first])


def _parts_of_heading(sources: Sources, node: int) -> Iterator[str]:
    """Yield the text of a heading without its first pieces, and without its last pieces."""
    runs = sources.page.runs
    pieces = runs.text[runs.first[node] : runs.end[node]][:8]
    for k in range(1, len(pieces)):
        yield " ".join(pieces[k:])
        yield " ".join(pieces[:k])


@lru_cache(maxsize=256)
def _parts_of_title(title: str) -> frozenset[str]:
    """Return the folded parts of a title: its pieces, and the title without some outer pieces."""
    signs = islice(_SEPARATOR.finditer(title), MAX_PIECES)
    ends = [0, *(end for sign in signs for end in sign.span()), len(title)]
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    parts = [title[first:end] for first, end in spans]
    parts += [title[first:] for first, _ in spans[1:-1]]
    parts += [title[:end] for _, end in spans[1:-1]]
    return frozenset(map(folded, parts))


def _support(words: str, titles: Titles, site: frozenset[str]) -> float:
    """Return the sum of the declared titles' votes for a folded text."""
    if not words or words in site:
        return 0.0
    if words not in titles.parts and titles.words.isdisjoint(_set_of(words)):
        return 0.0
    return sum(title.weight * _likeness(words, title, site) for title in titles.distinct)


def _likeness(words: str, title: Candidate, site: frozenset[str]) -> float:
    """Return the similarity of a folded text and a declared title, in [0, 1]."""
    whole = folded(title.value)
    if words == whole:
        return 1.0
    share = len(words) / len(whole)
    if share < 1 and words in whole and words in _parts_of_title(title.value[:MAX_CHARS]):
        rest = whole.replace(words, "", 1).strip()
        return SAME if rest in site else 0.5 + 0.4 * share
    if share < 1 and f" {words} " in f" {whole} ":
        return 0.2 + 0.6 * share
    if share > 1 and " " in whole and f" {whole} " in f" {words} ":
        return 0.2 + 0.6 / share
    one, other = _set_of(words), _set_of(whole)
    both = len(one & other)
    common = both / (len(one) + len(other) - both or 1)
    return 0.7 * common if common >= 0.4 else 0.0


@lru_cache(maxsize=256)
def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _without_site(title: str, site: frozenset[str]) -> str:
    """Remove the pieces at both ends of a title that name the site."""
    spans = [sign.span() for sign in _SEPARATOR.finditer(title)]
    while spans and folded(title[spans[-1][1] :]) in site:
        title = title[: spans.pop()[0]]
    if spans and folded(title[: spans[0][0]]) in site:
        title = title[spans[0][1] :]
    return title.strip()


@once_per_page
def site_names(sources: Sources) -> frozenset[str]:
    """Return folded names that titles may have for the site: declared names, logos, the host."""
    names = {folded(name.value) for name in declared_site_names(sources)}
    logos = set(map(folded, _root_links(sources, host_of(sources).removeprefix("www."))))
    logos -= {folded(title.value) for title in sources.of_meta("title")}
    hosts = host_names(sources)
    # Without the host in brackets.
    bare = {name.removesuffix(hosts[0]).strip().removesuffix(" www") for name in names}
    return frozenset(names.union(bare, logos, hosts) - {""})


def declared_site_names(sources: Sources) -> list[Candidate]:
    """Return the site's names that the page declares, in order of trust."""
    json_ld, names, others = sources.json_ld, list[Candidate](), list[Candidate]()
    for name in sources.of_meta("site_name"):
        some = names if name.name == "og:site_name" else others
        some.append(name if some is names else name._replace(value=name.value.lstrip("@")))
    for one in json_ld.of_type("website"):
        if text := plain_text(one.values.get("name")):
            names.append(Candidate(text, JSON_LD, "WebSite", key="name"))
    for publisher in sources.of_json_ld("publisher"):
        value = first_of(json_ld.resolved(publisher.value))
        if text := plain_text(first_of(value.get("name")) if isinstance(value, dict) else value):
            names.append(publisher._replace(value=text))
    return names + others


def _root_links(sources: Sources, host: str) -> Iterator[str]:
    """Yield the short texts of links to the home page, such as the logo's."""
    hosts = (host, f"www.{host}")
    most = len(f"https://{hosts[1]}/")
    links = sources.page.nodes.attributes.named({"href"}, most=most)
    roots = ((node, _ROOT.fullmatch(link.strip())) for node, _, link in links)
    found = [node for node, root in roots if root and (root[1] or host) in hosts]
    for node in found[:MAX_ROOT_LINKS]:
        if len(text := sources.text_of(node)) <= MAX_LOGO:
            yield text


def host_of(sources: Sources) -> str:
    """Return the host of the page's address; empty if unknown."""
    return (split_address(sources.page.url).hostname or "")[:MAX_HOST]


def host_names(sources: Sources) -> tuple[str, ...]:
    """Return the names that titles use for a host: "example com", "example"."""
    host = host_of(sources).removeprefix("www.")
    labels = host.split(".")[:-1]
    return (folded(host), *(folded(label) for label in labels if len(label) > 3))


def _names_page(title: str, site: frozenset[str]) -> bool:
    """Return whether a title names the page, not only the site, an address or "Home"."""
    rest = words = folded(title)
    for name in sorted(site, key=len, reverse=True):
        rest = rest.replace(name, "")
    return bool(rest.strip()) and words not in _NO_TITLES and not _ADDRESS.match(title)
