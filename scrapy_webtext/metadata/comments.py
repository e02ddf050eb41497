"""Finds readers' comments and the posts of a forum: text, author and date of each.

Publishing systems give the same name to all comments of a page: a class, a numbered id, or a type
of microdata. An element with such a name is a comment if it has text and a marked author or date;
without these marks it is a paragraph, a form or a counter. If a page has several such names, the
name with most comments is used; of names with equally many, the name of the innermost elements. A
reply inside a comment is a comment of its own. Some forum systems have the author, the date and the
text of a post in elements next to each other; their class names are in the table ``forums``. If the
page shows no comments, the comments in JSON-LD are used.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from string import ascii_lowercase
from typing import Final, NamedTuple

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.core.words import count_words
from scrapy_webtext.metadata.dates import find_dates, has_year, read_date
from scrapy_webtext.metadata.names import after_by, is_by
from scrapy_webtext.metadata.sources import JSON_LD, Candidate, Sources, once
from scrapy_webtext.metadata.text import first_of, load_tables, plain_text
from scrapy_webtext.metadata.title import leads_elsewhere
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import either, prefix_sums
from scrapy_webtext.render.text import render_runs
from scrapy_webtext.results import Comment

#: Maximum number of comments of a page.
MAX_COMMENTS: Final = 1_000
#: Maximum number of characters of an author's name, and of an element that names author or date.
MAX_NAME: Final = 60
MAX_MARK: Final = 200
#: Maximum number of characters of a class or id that are read (and kept in a cache).
MAX_NAMES: Final = 400
#: Maximum number of characters of a line of links that is a button: "Reply", "Like".
MAX_BUTTON: Final = 30
#: Maximum number of runs in a form for writing a comment; a longer form contains all comments.
MAX_FORM: Final = 60
#: Minimum mean number of characters of posts, outside links and marks.
MIN_POST: Final = 20
#: Minimum number of words of a link to another page that makes an element a teaser.
LINK_WORDS: Final = 4

_TABLES: Final = load_tables("comments")
#: Parts of the names of comments, then of posts.
_PARTS: Final = (_TABLES.words("comments"), _TABLES.words("posts"))
_SIGNS: Final = dict.fromkeys(("class", "id", "itemtype"), Signs(*_PARTS[0], *_PARTS[1]))
_NUMBER: Final = re.compile(r"\d+")
#: Type of microdata -> 1 for posts, 0 for comments.
_TYPES: Final = {"comment": 0, "usercomments": 0, "discussionforumposting": 1, "answer": 1}
#: Last word of an element's name -> kind of the element.
_KINDS: Final = {word: kind for kind, *words in map(str.split, _TABLES["kinds"]) for word in words}
_NOT_TEXT: Final = frozenset("button label nav select textarea h1 h2 h3 h4 h5 h6".split())
_FORMS: Final = frozenset({"form"})
_NAMES_OF_PEOPLE: Final = frozenset({"a", "cite", "b", "strong"})
_SAYS: Final = re.compile(r"\s(?:says|said|wrote|writes|sagte?|schrieb|meint|dit|a écrit|dice)\b.*")
_BETWEEN: Final = re.compile(r"[|·•»—–,(\n]")
_AROUND: Final = " \t.,;:|·•–—()[]»"


class Marks(NamedTuple):
    """The elements of authors and dates, and the bodies of comments."""

    #: Kind -> elements, ascending: kinds of `_KINDS`, "named" (authors and heads, whose texts may
    #: have a date) and "dated" (elements in which a short block with a date begins).
    nodes: dict[str, list[int]]
    mask: bytearray  #: 1 for nodes whose text is not text of a comment
    plain: list[int]  #: prefix sums over runs of visible characters outside links and marks


def find_comments(sources: Sources) -> Candidate:
    """Return the comments that the page shows, in document order; else comments in JSON-LD."""
    shown = max(tuple(_posts_of_forum(sources)), tuple(_shown_comments(sources)), key=_size)
    if shown:
        return Candidate(shown, "comments")
    return Candidate(tuple(_declared_comments(sources)), JSON_LD, "comment")


def _size(comments: Sequence[Comment]) -> tuple[int, int]:
    """Return the number of comments and the number of their dates; forum systems win ties."""
    return len(comments), sum(one.date is not None for one in comments)


def _declared_comments(sources: Sources) -> Iterator[Comment]:
    for one in islice(sources.json_ld.of_type("comment"), MAX_COMMENTS):
        values = one.values
        texts = map(values.get, ("text", "commenttext", "articlebody", "description"))
        text = next(filter(None, map(plain_text, texts)), "")
        author = sources.json_ld.resolved(first_of(values.get("author", values.get("creator"))))
        name = plain_text(author.get("name") if isinstance(author, dict) else author)
        times = map(values.get, ("datepublished", "datecreated", "commenttime"))
        days = (read_date(time, sources.language) for time in times)
        date = next(filter(None, days), None)
        if text:
            yield Comment(text, name[:MAX_NAME] or None, str(date) if date else None)


def _shown_comments(sources: Sources) -> Iterator[Comment]:
    groups = _groups(sources)
    named = sorted({node for some in groups for members in some for node in members})
    if not named:
        return
    marks = _find_marks(sources, sources.page.nodes.outermost(named))
    comments, posts = (_best(sources, some, marks, k) for k, some in enumerate(groups))
    if comments:  # comments on an article or on posts
        posts = [node for node in posts if not _has_article(sources, node)]
    yield from _read(sources, sorted({*comments, *posts})[:MAX_COMMENTS], marks)


def _groups(sources: Sources) -> list[list[list[int]]]:
    """Return the elements that may be comments and those that may be posts, grouped by name."""
    nodes, runs = sources.page.nodes, sources.page.runs
    groups: tuple[dict[tuple[str, str], list[int]], ...] = ({}, {})
    for node, attribute, value in nodes.attributes.with_signs(_SIGNS):
        if runs.first[node] == runs.end[node] or nodes.tag[node] in ("body", "html"):
            continue
        name, is_post = _name_of(attribute, value[:MAX_NAMES].lower())
        if name and (is_post or not _has_article(sources, node)):
            groups[is_post].setdefault((nodes.tag[node], name), []).append(node)
    return [[one for one in some.values() if len(one) > k] for k, some in enumerate(groups)]


@lru_cache(maxsize=1024)
def _name_of(attribute: str, value: str) -> tuple[str, int]:
    """Return the name of comments or posts in an attribute, without digits, and 1 for posts.

    The name is empty if the attribute has no such name.
    """
    if attribute == "itemtype":
        name = value.strip().rpartition("/")[2]
        return (f"type {name}", _TYPES[name]) if name in _TYPES else ("", 0)
    if attribute == "id" and not value[-1:].isdigit():
        return "", 0
    names = value.split()[:20]
    for is_post, parts in enumerate(_PARTS):
        for name in names:
            if any(part in name for part in parts):
                return f"{attribute} {_NUMBER.sub('', name)}", is_post
    return "", 0


def _find_marks(sources: Sources, outer: Sequence[int]) -> Marks:
    """Return the marks in these elements; a long element is no mark of an author or a date."""
    page, nodes, runs = sources.page, sources.page.nodes, sources.page.runs
    found: dict[str, set[int]] = {kind: set() for kind in _KINDS.values()}
    first, end, is_inside = outer[0], nodes.end[outer[-1]], nodes.below(outer)
    chars = _chars_before(sources)
    forms = [i for i in nodes.tops(_FORMS) if runs.end[i] - runs.first[i] <= MAX_FORM]
    is_in_form = nodes.below(forms)
    found["aside"].update(forms, (i for i in nodes.tagged(_NOT_TEXT) if first <= i < end))
    found["date"].update(i for i in sources.tagged("time") if first <= i < end)
    for node, attribute, value in nodes.attributes.named({"class", "itemprop"}, first, end):
        if not is_inside[node] or is_in_form[node] or runs.first[node] == runs.end[node]:
            continue
        kinds = _kinds_of(value[:MAX_NAMES])
        is_text = attribute == "itemprop" and "body" in kinds  # "commentText name"
        is_short = chars[runs.end[node]] - chars[runs.first[node]] <= MAX_MARK
        short = kinds - {"body"} if is_short and not is_text else ()
        for kind in short:
            found[kind].add(node)
        if "body" in kinds and not short and nodes.tag[node] not in _NOT_TEXT:
            found["body"].add(node)
    texts = {i: sources.text_of(i) for i in found["author"] | found["head"]}
    found["head"] = {i for i, text in texts.items() if has_year(text) or after_by(text)}
    found["named"] = found["author"] | found["head"]
    marks = {kind: sorted(some) for kind, some in found.items()}
    bare = set[int]().union(*(some for kind, some in found.items() if kind != "body"))
    mask = nodes.below(nodes.outermost(sorted(bare)))
    marks["dated"] = _dated(sources, range(runs.first[first], runs.end[end - 1]))
    is_out = either(either(page.is_link, mask), page.hidden)
    shown = zip(runs.node, runs.text, strict=True)
    return Marks(marks, mask, prefix_sums(0 if is_out[node] else len(text) for node, text in shown))


def _dated(sources: Sources, within: range) -> list[int]:
    """Return the elements in which a short block with a date begins."""
    page, blocks = sources.page, sources.page.blocks
    edges = (bisect_left(blocks.first_run, k) for k in (within.start, within.stop))
    return [
        page.runs.node[blocks.first_run[block]]
        for block in range(*edges)
        if blocks.chars[block] <= MAX_MARK
        and has_year(text := blocks.text[block])
        and any(find_dates(text, sources.language))
    ]


@lru_cache(maxsize=1024)  # comments repeat most values
def _kinds_of(value: str) -> frozenset[str]:
    """Return the kinds (`_KINDS`) of an element by the last words of its class names."""
    kinds: set[str] = set()
    for name in value.split()[:20]:
        word = name[max(name.rfind("-"), name.rfind("_")) + 1 :]
        if not word.islower():
            word = word[max(0, len(word.rstrip(ascii_lowercase)) - 1) :].lower()
        if word in _KINDS:
            kinds.add(_KINDS[word])
    return frozenset(kinds)


@once
def _chars_before(sources: Sources) -> list[int]:
    """Return prefix sums of the characters of runs."""
    return prefix_sums(map(len, sources.page.runs.text))


def _best(
    sources: Sources, groups: Iterable[Sequence[int]], marks: Marks, is_post: int
) -> list[int]:
    """Return the comments with the most frequent name; of equal names, the innermost elements."""
    nodes, runs = sources.page.nodes, sources.page.runs
    plain = marks.plain
    found: list[tuple[int, int, int, list[int]]] = []
    for members in groups:
        texts = (i for i in members if plain[runs.end[i]] > plain[runs.first[i]])
        counts = {i: _count_marks(sources, marks, i, is_post) for i in texts}
        whole = [i for i, count in counts.items() if count > is_post]
        outer = nodes.outermost(whole)
        size = sum(plain[runs.end[i]] - plain[runs.first[i]] for i in outer)
        is_list = is_post and (size < MIN_POST * len(outer) or _are_teasers(sources, outer))
        if len(whole) > is_post and not is_list:
            width = sum(runs.end[i] - runs.first[i] for i in outer)
            found.append((sum(1 + counts[i] for i in whole), size, width, whole))
    most = max((one[0] for one in found), default=0)
    equal = [one for one in found if one[0] == most]
    least = max((one[1] for one in equal), default=0) / 2
    return min((one for one in equal if one[1] >= least), key=itemgetter(2), default=[[]])[-1]


def _count_marks(sources: Sources, marks: Marks, node: int, is_post: int) -> int:
    """Return how many of author and date are marked in an element (0, 1 or 2).

    The date of a post may also be in its text.
    """
    end, some = sources.page.nodes.end[node], marks.nodes
    has_author = _holds(some["named"], node, end) or sources.attribute(node, "data-author") != ""
    is_dated = _holds(some["date"], node, end) or (is_post and _holds(some["dated"], node, end))
    return has_author + bool(is_dated)


def _has_article(sources: Sources, node: int) -> bool:
    """Return whether an element has most of the article's text."""
    before, within = _text_before(sources), sources.page.blocks_in(node)
    return 2 * (before[within.stop] - before[within.start]) > before[-1]


@once
def _text_before(sources: Sources) -> list[int]:
    """Return prefix sums over blocks: characters that belong to the article."""
    blocks, chosen = sources.page.blocks, frozenset(sources.extraction.chosen)
    own = (n if b in chosen else 0 for b, n in enumerate(blocks.chars))
    return prefix_sums(own)


def _are_teasers(sources: Sources, members: Sequence[int]) -> bool:
    """Return whether most elements have a long link to another page, as teasers do."""
    nodes = sources.page.nodes
    links = nodes.tagged(frozenset({"a"}))
    teasers = 0
    for node in members:
        own = links[bisect_left(links, node) : bisect_left(links, nodes.end[node])][:20]
        teasers += any(
            count_words(sources.text_of(link), 2) >= LINK_WORDS
            and not sources.attribute(link, "href").startswith("#")
            and (not sources.page.url or leads_elsewhere(sources, link))
            for link in own
        )
    return 2 * teasers > len(members)


def _read(sources: Sources, members: Sequence[int], marks: Marks) -> Iterator[Comment]:
    """Yield the comments in the elements ``members``, which ascend.

    The text of a comment is its body, or everything except marks and buttons if the body has less
    than a third of it. A text, a mark and a body belong to the innermost comment around them.
    """
    page, nodes, runs = sources.page, sources.page.nodes, sources.page.runs
    outer, is_member = nodes.outermost(members), frozenset(members)
    owners: dict[int, int] = {}
    for node in (k for i in outer for k in range(i, nodes.end[i])):
        owners[node] = node if node in is_member else owners[nodes.parent[node]]
    own: dict[int, dict[str, list[int]]] = {i: {} for i in members}
    for kind in ("author", "head", "body", "date", "named", "dated"):
        for node in marks.nodes[kind]:
            if (member := owners.get(nodes.parent[node], -1)) >= 0:
                own[member].setdefault(kind, []).append(node)
    bodies = {i: _body(sources, own[i].get("body", ()), members, marks) for i in members}
    whole, inner = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for run in (k for i in outer for k in range(runs.first[i], runs.end[i])):
        node = runs.node[run]
        if page.hidden[node]:
            continue
        body = bodies[owners[node]]
        if body >= 0 and runs.first[body] <= run < runs.end[body]:
            inner[owners[node]].append(run)
        if not marks.mask[node]:
            whole[owners[node]].append(run)
    for member in members:
        kept, some = inner[member], whole[member]
        of_body, of_all = (sum(len(runs.text[run]) for run in one) for one in (kept, some))
        if not kept or 3 * of_body < of_all:
            kept = [run for run in some if not _is_button(page, run)]
        text, author = render_runs(page, kept), _author(sources, member, own[member])
        if text and text != author and not is_by(text):
            yield Comment(text, author, _date(sources, own[member], bodies[member]))


def _body(sources: Sources, bodies: Sequence[int], members: Sequence[int], marks: Marks) -> int:
    """Return the longest of the bodies that contain no mark and no other comment; -1 if none."""
    chars, nodes, runs = _chars_before(sources), sources.page.nodes, sources.page.runs
    others = (marks.nodes["date"], marks.nodes["named"], members)
    bare = [i for i in bodies if not any(_holds(some, i, nodes.end[i]) for some in others)]
    return max(bare, key=lambda i: chars[runs.end[i]] - chars[runs.first[i]], default=-1)


def _holds(some: Sequence[int], node: int, end: int) -> bool:
    """Return whether one of the elements ``some``, which ascend, is inside an element."""
    return bisect_right(some, node) < bisect_left(some, end)


def _is_button(page: Page, run: int) -> bool:
    """Return whether the block of a run is a button: a short link such as "Reply"."""
    blocks = page.blocks
    block = bisect_right(blocks.first_run, run) - 1
    return blocks.chars[block] < MAX_BUTTON and 2 * blocks.link_chars[block] > blocks.chars[block]


def _author(sources: Sources, member: int, own: Mapping[str, Sequence[int]]) -> str | None:
    """Return the first author that an attribute, a mark or a head of a comment names."""
    name = sources.attribute(member, "data-author")[:MAX_NAME]
    found = (
        _named(sources, node, kind) for kind in ("author", "head") for node in own.get(kind, ())
    )
    return name or next(filter(None, found), None)


def _named(sources: Sources, node: int, kind: str) -> str:
    """Return the author in an element: a link or bold text, the text after "By", or all text."""
    nodes = sources.page.nodes
    for inner in range(node + 1, min(nodes.end[node], node + 30)):
        if nodes.tag[inner] in _NAMES_OF_PEOPLE and (name := _name(sources.text_of(inner))):
            return name
    text = sources.text_of(node)
    written = after_by(text)
    return "" if kind == "head" and not written else _name(written or text)


def _name(text: str) -> str:
    """Return the name at the start of a text; empty if missing."""
    name = _BETWEEN.split(_SAYS.sub("", text), maxsplit=1)[0].strip(_AROUND)
    is_name = 0 < len(name.strip("#0123456789")) <= MAX_NAME
    return name if is_name and not has_year(name) and _KINDS.get(name.lower()) != "aside" else ""


def _date(sources: Sources, own: Mapping[str, Sequence[int]], body: int) -> str | None:
    """Return the first date that a mark of a comment declares or shows outside the body."""
    end = sources.page.nodes.end
    places = (i for kind in ("date", "named", "dated") for i in own.get(kind, ()))
    days = (_day(sources, i) for i in places if not 0 <= body <= i < end[max(body, 0)])
    return next(filter(None, days), None)


def _day(sources: Sources, node: int) -> str:
    for name in ("datetime", "content", "title"):
        if day := read_date(sources.attribute(node, name), sources.language):
            return str(day)
    text = sources.text_of(node)[:MAX_MARK]
    return next(map(str, find_dates(text, sources.language)), "") if has_year(text) else ""


#: Per forum system, kind of an element -> class names, or # and the beginnings of ids.
_FORUMS: Final = [
    dict(zip(("author", "date", "body", "note"), map(tuple, map(str.split, signs)), strict=True))
    for line in _TABLES["forums"]
    for _, *signs in ([*line.split("|"), *_TABLES["notes"]],)
]


_NAMES: Final = sorted({name for one in _FORUMS for names in one.values() for name in names})
_FORUM_SIGNS: Final = {
    "class": Signs(*(name for name in _NAMES if name[0] != "#")),
    "id": Signs(*(name[1:] for name in _NAMES if name[0] == "#")),
}
#: Minimum number of posts with an author.
LEAST_POSTS: Final = 2


def _posts_of_forum(sources: Sources) -> Sequence[Comment]:
    """Return the posts of the forum system that marks most of them; empty for other pages."""
    nodes, runs = sources.page.nodes, sources.page.runs
    bodies: list[list[int]] = [[] for _ in _FORUMS]
    for node, attribute, value in nodes.attributes.with_signs(_FORUM_SIGNS):
        if runs.first[node] < runs.end[node]:
            for system in _systems("body", attribute, value[:MAX_NAMES]):
                bodies[system].append(node)
    found = [
        _read_forum(sources, system, nodes.outermost(some))
        for system, some in enumerate(bodies)
        if len(some) >= LEAST_POSTS
    ]
    most = max(found, key=len, default=[])
    return most[:MAX_COMMENTS] if len(most) >= LEAST_POSTS else []


@lru_cache(maxsize=1024)
def _systems(kind: str, attribute: str, value: str) -> Sequence[int]:
    """Return the forum systems that give an element of this kind such a class or id."""
    value = value.lower()
    names = frozenset(value.split())
    return [
        system
        for system, signs in enumerate(one[kind] for one in _FORUMS)
        if (f"#{value}".startswith(signs) if attribute == "id" else not names.isdisjoint(signs))
    ]


def _read_forum(sources: Sources, system: int, bodies: Sequence[int]) -> list[Comment]:
    """Return the posts with an author whose texts are these elements.

    Author and date of a post are the first ones that its system marks after the post before it.
    """
    page, nodes = sources.page, sources.page.nodes
    marks = {**dict.fromkeys(sources.tagged("time"), "date"), **dict.fromkeys(bodies, "body")}
    is_body, notes = nodes.below(bodies), list[int]()
    for node, attribute, value in nodes.attributes.with_signs(_FORUM_SIGNS):
        for kind in ("note",) if is_body[node] else ("author", "date"):
            if system not in _systems(kind, attribute, value[:MAX_NAMES]):
                continue
            if kind == "note":
                notes.append(node)
            else:
                marks.setdefault(node, kind)
    is_out = either(nodes.below(notes), page.hidden)
    found: list[Comment] = []
    author = date = ""
    for node, kind in sorted(marks.items()):
        if is_body[node] and kind != "body":
            continue
        if kind == "author":
            author = author or _named(sources, node, kind)
        elif kind == "date":
            date = date or _day(sources, node)
        else:
            own = range(page.runs.first[node], page.runs.end[node])
            shown = [k for k in own if not is_out[page.runs.node[k]]]
            if author and (text := render_runs(page, shown)):
                found.append(Comment(text, author, date or None))
            author = date = ""
    return found
