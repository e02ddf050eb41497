"""Reads HTML or a ready lxml root into the columns of a :class:`~scrapy_webtext.page.page.Page`.

`read_columns` reads a tree and does not change it. libxml2 stops building a tree at 2,048 levels
and drops the rest of the page without notice. Its parser events have no such limit, and they have
the same tokens, implied start tags and implied end tags. So `read_events` fills the columns of
deeper pages from events, without a tree.

One cost of events must be bounded. For each end tag libxml2 searches its stack of open elements, so
many end tags that close nothing would take quadratic time on a deep page. So the source is fed in
pieces. If more than ``REACH`` elements are open, an end tag is left out unless it closes one of the
``REACH`` innermost. A second <body> is left out there, too, because libxml2 searches the same stack
for it.

`end_heads` ends <head> where a browser ends it. libxml2 ends <head> only at </head> and at the
block-level tags of HTML 4. A page without <body> and </head> that begins with <article>, <main>,
<header> or a custom element would have its whole text in <head>, where text is not shown. Browsers
end <head> at the first element that it must not contain (HTML Living Standard, "in head" insertion
mode).

Some pages have their article only in ``<script type="text/template">`` and similar elements, which
other scripts show in the browser. If a page shows little other text, it is parsed again with these
scripts as ``<template>`` elements, which are treated like ``<noscript>``
(:mod:`scrapy_webtext.page.hidden`).
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lxml import etree

from scrapy_webtext.core.texts import Texts
from scrapy_webtext.page import tags
from scrapy_webtext.page.encoding import to_utf8
from scrapy_webtext.page.hidden import few_shown
from scrapy_webtext.page.nodes import Attributes, Nodes, attributes_of, nodes_of
from scrapy_webtext.page.page import Page
from scrapy_webtext.page.parser_limits import has_swollen_tag
from scrapy_webtext.page.selectors import Selectors, select
from scrapy_webtext.page.shown_later import SENTENCE

if TYPE_CHECKING:
    from lxml.etree import _Element

try:
    from scrapy_webtext.core import reader  # type: ignore[attr-defined]
except ImportError:  # not compiled
    reader = None

#: Maximum length of a name. Each name may contain the address of a namespace, so without a limit
#: the names could be quadratic in the page.
MAX_NAME_CHARS: Final = 1_000

#: A document with nodes of every kind, to compare the two readers.
_SAMPLE: Final = """<?before it?><!DOCTYPE html [<!ENTITY name "of <i>an</i> entity">]>
<html xmlns:o="urn:o" lang="en">text &name; and<head id="&amp;"><title/></head>
<script type="application/LD+json">{"a": 1}</script><script>code</script>
<body title="" o:own="&quot;caf\u00e9&quot; \u6f22"><p>\u00fc&lt;<![CDATA[<&>]]> joined<!-- no -->
tail <b/> <br/>\n<o:p xmlns="urn:p">&name;<q>in &name; it</q>after</o:p><?do it?>\U0001f600</p>
<i> </i> \t</body>\u2028</html><!-- behind -->"""

#: Maximum number of levels that an end tag may close.
REACH: Final = 256

_SEARCHED_FOR: Final = re.compile(rb"<(?:/([a-z][^\s/<>]*)|body\b)", re.IGNORECASE)

HEAD: Final = frozenset({"head"})
#: Elements that <head> may contain.
HEAD_CONTENT: Final = frozenset(
    "base basefont bgsound command link meta noframes noscript object script style template "
    "title".split()
)

#: A tree with fewer levels is complete: libxml2 drops the rest of a page only at 2,048 levels.
DEPTH_LIMIT: Final = 2046
#: White space of ASCII.
_BLANKS: Final = bytes(c for c in range(128) if chr(c).isspace())

#: A script contains markup if its type contains one of these words.
_OF_TEMPLATE: Final = re.compile(
    "template|tmpl|mustache|handlebars|text/html", re.IGNORECASE | re.ASCII
)

_SCRIPT: Final = frozenset({"script"})
#: These begin with a literal "<", which is found faster than with IGNORECASE.
_START: Final = re.compile("<[sS][cC][rR][iI][pP][tT](?=[\\s/>])")
_END: Final = re.compile("</[sS][cC][rR][iI][pP][tT](?=[\\s/>])")
_TYPE: Final = re.compile(r"""\stype\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)


def parse(html: str | bytes, *, url: str | None = None, selectors: Selectors | None = None) -> Page:
    """Parse HTML into a page, without the elements that the selectors leave out.

    Any input can be parsed; an empty one gives a page without nodes.
    """
    return parse_utf8(to_utf8(html), url=url, selectors=selectors)


def parse_utf8(body: bytes, *, url: str | None = None, selectors: Selectors | None = None) -> Page:
    """Parse HTML that is UTF-8 without NUL, as `to_utf8` returns it."""
    inner = _without_ends(body)
    if not inner:
        return from_root(None, body=body, url=url)
    if has_swollen_tag(body):
        page = Page(url, body, *read_events(body))
        return page if selectors is None else select(page, selectors)
    return from_root(_root(inner), body=body, url=url, selectors=selectors)


def _root(body: bytes) -> _Element | None:
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        # Ids are not needed; without them building the tree takes a tenth less time.
        collect_ids=False,
    )
    return etree.fromstring(body, parser)


def _without_ends(body: bytes) -> bytes:
    """Return HTML without white space at its ends, as parsel parses it.

    If an element follows ``</html>``, libxml2 would read white space at the end as text.
    """
    inner = body.strip(_BLANKS)
    if inner[:1].isascii() and inner[-1:].isascii():
        return inner
    return body.decode().strip().encode()


def from_root(
    root: _Element | None,
    *,
    body: bytes = b"",
    url: str | None = None,
    selectors: Selectors | None = None,
) -> Page:
    """Return the page of a tree, which is not changed.

    Elements after ``</html>`` are siblings of the root in libxml2; they are read, too. If the tree
    was cut at the parser's depth limit, ``body``, its HTML as UTF-8, is read instead, if given.
    ``selectors`` select elements to leave out or to keep.
    """
    page = _read(root, body, url)
    return page if selectors is None else select(page, selectors)


def _read(root: _Element | None, body: bytes, url: str | None) -> Page:
    if root is None:
        return Page(url, body, nodes_of([], [], [], attributes_of([], [0]), [], []))
    columns = read_columns(root, len(body))
    nodes, is_truncated = end_heads(columns.nodes), columns.depth >= DEPTH_LIMIT
    page = Page(url, body, nodes, tuple(columns.json_ld), is_truncated)
    if not body:
        return page
    if page.is_truncated:
        return _read_again(page)
    sentences = sentence_chars(page.source) if has_templates(nodes) else 0
    shown = few_shown(nodes, page.hidden, sentences) if sentences else None
    if shown is not None and sentences > shown:  # the page is built by scripts
        opened = _root(open_templates(page.source).encode())
        return replace(_read(opened, b"", url), body=body)
    return page


def _read_again(page: Page) -> Page:
    """Read a page from its source by events; return it if it has more nodes than the tree."""
    nodes, json_ld = read_events(page.body)
    if len(nodes) > len(page.nodes):
        return Page(page.url, page.body, nodes, json_ld, is_truncated=True)
    return replace(page, is_truncated=False)


def has_templates(nodes: Nodes) -> bool:
    """Return whether some scripts of a page contain markup."""
    types = {nodes.attributes.get(script, "type") for script in nodes.tagged(_SCRIPT)}
    return any(map(_OF_TEMPLATE.search, types))


def sentence_chars(source: str) -> int:
    """Count the characters of sentences in the scripts that contain markup."""
    pieces = (
        piece.rpartition(">")[2].strip()
        for _, inside, end, _ in _templates(source)
        for piece in source[inside:end].split("<")
    )
    return sum(len(piece) for piece in pieces if len(piece) >= SENTENCE)


def open_templates(source: str) -> str:
    """Return HTML in which scripts that contain markup are <template> elements.

    Other scripts, and a script without an end tag, are not changed.
    """
    pieces: list[str] = []
    done = 0
    for start, inside, end, after in _templates(source):
        pieces += (source[done:start], "<template>", source[inside:end], "</template")
        done = after
    return "".join([*pieces, source[done:]])


def _templates(source: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield four offsets per script that contains markup: start, content, end tag, end."""
    for start, attributes, inside, end, after in _scripts(source):
        kind = _TYPE.search(source, attributes, inside)
        if kind and _OF_TEMPLATE.search(kind[1]):
            yield start, inside, end, after


def scripts_in(source: str) -> Iterator[str]:
    """Yield the contents of the scripts in HTML, in order."""
    for _, _, inside, end, _ in _scripts(source):
        yield source[inside:end]


def _scripts(source: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield five offsets per script: start, attributes, content, end tag, end."""
    at = 0
    while start := _START.search(source, at):
        inside = source.find(">", start.end()) + 1
        end = _END.search(source, inside) if inside else None
        if end is None:
            return
        at = end.end()
        yield start.start(), start.end(), inside, end.start(), at


class Columns(NamedTuple):
    """The columns that are read from a tree."""

    nodes: Nodes
    json_ld: list[str]  #: texts of <script type="application/ld+json">
    depth: int  #: greatest depth of a node; 0 for a root without children


def is_json_ld(script_type: str) -> bool:
    """Return whether a script of this type is JSON-LD."""
    return "ld+json" in script_type.lower()


class _Filling:
    """Fills the columns of :class:`Nodes` from start tags, end tags and text."""

    def __init__(self, is_tree: bool = False) -> None:
        self.json_ld: list[str] = []
        self._is_tree = is_tree  #: whether a tree is read, whose root may have a tail
        self._tag: list[str] = []
        self._parent: list[int] = []
        self._end: list[int] = []
        self._flat: list[str] = []
        self._first = [0]
        self._text: list[str | None] = []
        self._tail: list[str | None] = []
        self._open: list[int] = []
        self._levels: defaultdict[str, list[int]] = defaultdict(list)
        self._pieces: list[str] = []
        self._closed = -1  #: the node that ended last; -1 if a node has begun since

    def levels_to(self, name: str) -> int:
        """Return the number of levels from the innermost open node up to one with this tag."""
        levels = self._levels.get(name)
        return len(self._open) - (levels[-1] if levels else 0)

    def enter(self, element: _Element) -> Iterator[_Element]:
        """Add an element and the text before its children; return an iterator of the children."""
        own = [(name[:MAX_NAME_CHARS], value) for name, value in element.items()]
        self._add(str(element.tag)[:MAX_NAME_CHARS], own)
        self.data(element.text)
        return iter(element)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._add(tag, attributes.items())

    def _add(self, tag: str, attributes: Iterable[tuple[str, str]]) -> None:
        self._end_text()
        node = len(self._tag)
        self._tag.append(tag)
        self._parent.append(self._open[-1] if self._open else -1)
        self._end.append(node + 1)
        self._flat.extend(chain.from_iterable(attributes))
        self._first.append(len(self._flat))
        self._text.append(None)
        self._tail.append(None)
        self._open.append(node)
        self._levels[tag].append(len(self._open))
        self._closed = -1
        if self._is_json_ld(node):
            self.json_ld.append("")

    def end(self, _: str) -> None:
        self._end_text()
        node = self._open.pop()
        self._levels[self._tag[node]].pop()
        self._end[node] = len(self._tag)
        self._closed = node

    def data(self, piece: str | None) -> None:
        if piece is not None:
            self._pieces.append(piece)

    def close(self) -> Nodes:
        self._end_text()
        for node in self._open:
            self._end[node] = len(self._tag)
        rows = attributes_of(self._flat, self._first)
        return nodes_of(self._tag, self._parent, self._end, rows, self._text, self._tail)

    def _end_text(self) -> None:
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        if not self._open and not (self._is_tree and self._closed >= 0):
            return  # text outside the root
        node = self._open[-1] if self._open else -1
        if self._closed >= 0:
            self._tail[self._closed] = text
        elif self._tag[node] not in tags.CODE:
            self._text[node] = text
        elif self._is_json_ld(node):
            self.json_ld[-1] = text

    def _is_json_ld(self, node: int) -> bool:
        if self._tag[node] != "script":
            return False
        own = self._flat[self._first[node] : self._first[node + 1]]
        return is_json_ld(dict(zip(own[::2], own[1::2], strict=True)).get("type", ""))


def read_in_python(root: _Element, _source_size: int = 0) -> Columns:
    """Return the columns of a tree, read through lxml's Python API.

    Comments, instructions and entities are left out; the texts before and after them are joined.
    """
    columns = _Filling(is_tree=True)
    depth = 0
    for top in (root, *root.itersiblings()):
        if not isinstance(top.tag, str):
            columns.data(top.tail)
            continue
        opened = [(top, columns.enter(top))]
        while opened:
            element, children = opened[-1]
            child = next(children, None)
            if child is None:
                opened.pop()
                columns.end("")
                columns.data(element.tail)
            elif isinstance(child.tag, str):
                depth = max(depth, len(opened))
                opened.append((child, columns.enter(child)))
            else:
                columns.data(child.tail)
    return Columns(columns.close(), columns.json_ld, depth)


def _read_compiled(root: _Element, source_size: int = 0) -> Columns:
    """Return the columns of a tree, read from the fields of libxml2's nodes."""
    read = reader.read(root, source_size)
    (names, name, parent, end), attributes, text, tail, json_ld, depth = read
    nodes = Nodes(names, name, parent, end, Attributes(*attributes), text, tail)
    return Columns(nodes, json_ld, depth)


def _is_compiled() -> bool:
    """Return whether the compiled reader exists and agrees with lxml's API on samples."""
    if reader is None:
        return False
    try:
        if all(_read_compiled(root) == read_in_python(root) for root in _samples()):
            return True
        fault = "it sees something else"
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    warnings.warn(
        f"The compiled reader of trees is not used ({fault}): pages cost more CPU. "
        "Build scrapy_webtext anew for the lxml that is installed",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


def _samples() -> list[_Element]:
    parser = etree.XMLParser(resolve_entities=False, strip_cdata=False, no_network=True)
    strict = etree.fromstring(_SAMPLE.encode(), parser)
    lenient = etree.fromstring(f"{_SAMPLE}<p hidden>behind", etree.HTMLParser())
    inner = etree.fromstring("<r><a/>before<!-- no -->behind<?do it?><b/>tail<!-- no --></r>")[0]
    return [strict, strict[0], lenient, inner]


#: Whether the compiled reader is used.
IS_COMPILED: Final = _is_compiled()
#: Function that returns the columns of a tree and of the siblings of its root.
read_columns: Final = _read_compiled if IS_COMPILED else read_in_python


def read_events(body: bytes) -> tuple[Nodes, tuple[str, ...]]:
    """Return the nodes and the JSON-LD of HTML of any depth, in time linear in the body.

    White space at the ends of the body is left out, as in a tree.
    """
    body = _without_ends(body)
    columns: Any = _Filling()
    parser = etree.HTMLParser(target=columns, encoding="utf-8", huge_tree=True)
    fed = 0
    for match in _SEARCHED_FOR.finditer(body):
        if match.start() < fed:
            continue
        if match.start() > fed:
            parser.feed(body[fed : match.start()])
            fed = match.start()
        name = (match[1] or b"").decode("utf-8", "replace").lower()
        if columns.levels_to(name) > REACH:
            fed = body.find(b">", match.end()) + 1 or len(body)
    parser.feed(body[fed:] or b"<!---->")  # some releases of lxml refuse an empty last piece
    nodes: Nodes = parser.close()
    return end_heads(nodes), tuple(filter(None, columns.json_ld))


def end_heads(nodes: Nodes) -> Nodes:
    """Return the nodes with each <head> ended where a browser ends it; linear in the page.

    Elements that libxml2 put into <head> after that end become siblings of <head>.
    """
    ends = [(head, end) for head in nodes.tagged(HEAD) if (end := _end(nodes, head)) is not None]
    if not ends:
        return nodes
    parent, last, tail = nodes.parent[:], nodes.end[:], list(nodes.tail)
    # Node -> pieces of its new tail, last piece first. The tail of <head> becomes the tail of the
    # last element that was moved; in nested <head>s, the tail moves on with the outer one.
    pieces: dict[int, list[str | None]] = {}
    for head, end in ends:
        moved = child = end
        while child < last[head]:
            parent[child] = parent[head]
            moved, child = child, last[child]
        last[head] = end
        pieces[moved] = pieces.pop(head, [tail[head]])
        pieces[moved].append(tail[moved])
        tail[head] = None
    for node, parts in pieces.items():
        tail[node] = "".join(filter(None, reversed(parts))) or None
    names = nodes.names, nodes.name
    return Nodes(*names, parent, last, nodes.attributes, nodes.text, Texts(tail))


def _end(nodes: Nodes, head: int) -> int | None:
    """Return the first child that a <head> must not contain; None if missing."""
    names, name, end = nodes.names, nodes.name, nodes.end
    child, last = head + 1, end[head]
    while child < last and names[name[child]] in HEAD_CONTENT:
        child = end[child]
    return child if child < last else None
