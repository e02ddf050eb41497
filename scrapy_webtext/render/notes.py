"""Finds footnotes and callouts, for Markdown.

A footnote is a mark in the text that links to a note anywhere on the page. The note links back to
the mark, has the name of a note, or begins with the mark (MediaWiki, Word, Hugo, Org, Pandoc,
Substack). A sidenote is directly at its mark. Callouts are boxes with notes, tips and warnings in
documentation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Final

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page, tags
from scrapy_webtext.render.containers import CHILDREN, MAX_DEPTH, Path, Roles
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.tree import Part

#: A mark: "1", "[2]", "(a)", "note 3", "*".
_MARK: Final = re.compile(
    r"\A[\[(]?\s{0,9}((?:note|nb|n|fn)?\.?\s{0,9}\w{1,4}|[*†‡§¶]{1,3})\s{0,9}[\])]?\Z"
)
#: Brackets around the link from a note to its mark.
_BRACKETS: Final = re.compile(r"\A[\[\](). ]+\Z")
_NO_WORD: Final = re.compile(r"\W")
_BACK: Final = re.compile(r"\A(?:\W{0,3}|\W{0,2}\w{1,4}\W{0,2})\Z")
_NAME: Final = re.compile(r"fn|foot|note|cite|endnote|_ftn|_edn", re.IGNORECASE)
_BACK_NAMES: Final = re.compile(r"back-?(?:link|ref)|reversefootnote|footnote-return", re.I)
_SIDENOTE: Final = re.compile(r"(?:^|\s)(?:side-?note|margin-?note)(?:$|\s)")
_INLINE: Final = frozenset({"sup", "span", "small", "b", "em", "i", "a"})
_NOTES: Final = ("li", "div", "aside", "dd", "section")
_HREF_SIGNS: Final = {"href": Signs("#")}
#: Maximum number of levels above and below a mark that are searched for the id that the note links
#: to.
_REACH: Final = 3
#: An element with more nodes is no note.
MAX_ELEMENTS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Notes:
    """The footnotes of a text."""

    label: Mapping[int, str] = field(default_factory=dict)
    """First run of a mark -> its label; further runs of the mark -> ""."""
    runs: Mapping[str, Sequence[int]] = field(default_factory=dict)  #: label -> runs of the note
    gone: frozenset[int] = frozenset()  #: runs that are in notes


class _Finder:
    """Finds the marks and notes of a page."""

    def __init__(self, page: Page) -> None:
        self.page, self.nodes, self.runs = page, page.nodes, page.runs
        self.links: dict[int, str] = {}  # link within the page -> the id of its target
        for node, _, value in page.nodes.attributes.with_signs(_HREF_SIGNS):
            address, _, name = value.partition("#")
            if name and (not address or (page.url or "").endswith(address.lstrip("./"))):
                self.links[node] = name

    @cached_property
    def by_id(self) -> dict[str, int]:
        """Id -> first element with this id."""
        return {one: node for node, ids in reversed(self.ids.items()) for one in ids}

    @cached_property
    def ids(self) -> dict[int, set[str]]:
        """Element -> its ids and names."""
        found: defaultdict[int, set[str]] = defaultdict(set)
        for node, _, value in self.nodes.attributes.named({"id", "name"}):
            found[node].add(value)
        return found

    @cached_property
    def leading_to(self) -> dict[str, list[int]]:
        """Id -> links to it, ascending."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for node, name in self.links.items():
            found[name].append(node)
        return found

    def text(self, node: int) -> str:
        runs = range(self.runs.first[node], min(self.runs.end[node], self.runs.first[node] + 8))
        return " ".join(self.runs.text[k] for k in runs)

    def note(self, link: int) -> int:
        """Return the element of the note that a link leads to; -1 if the link is no mark."""
        name, tag, parent, end = self.links[link], self.nodes.tag, self.nodes.parent, self.nodes.end
        mark = self.text(link)
        target = self.by_id.get(name, -1) if _MARK.match(mark) else -1
        if target < link:
            return -1
        note = self.page.containers[target]
        for _ in range(_REACH):  # Word puts several paragraphs into a <div id=ftn1>
            up = parent[note]
            is_named = any(one[-1:].isdigit() for one in self.ids.get(up, ()))
            if up < 0 or tag[up] not in _NOTES or not is_named or up <= link < end[up]:
                break
            note = up
        is_large = end[note] - note > MAX_ELEMENTS
        if note <= link < end[note] or is_large or tag[note] in ("body", "html", *tags.HEADINGS):
            return -1
        own = set().union(*(self.ids.get(i, ()) for i in self._around(link)))
        is_mark = _NAME.search(name) and (tag[parent[link]] == "sup" or tag[note] in _NOTES)
        is_mark = is_mark or (mark[0] in "[(" and self.text(note).startswith(mark))
        return note if is_mark or any(self._has_link(note, one) for one in own) else -1

    def _has_link(self, note: int, name: str) -> bool:
        links = self.leading_to.get(name, ())
        k = bisect_left(links, note)
        return k < len(links) and links[k] < self.nodes.end[note]

    def _around(self, link: int) -> Iterator[int]:
        yield from range(link, min(self.nodes.end[link], link + _REACH))
        for _ in range(_REACH):
            link = self.nodes.parent[link]
            if link < 0 or self.nodes.tag[link] not in _INLINE:
                return
            yield link

    def mark_of(self, link: int) -> range:
        """Return the runs of a mark, including its brackets."""
        node, parent = link, self.nodes.parent
        while self.nodes.tag[parent[node]] in _INLINE and _MARK.match(self.text(parent[node])):
            node = parent[node]
        return range(self.runs.first[node], self.runs.end[node])

    def runs_of(self, note: int, noted: Collection[str]) -> list[int]:
        """Return the visible runs of a note without its links back to marks.

        ``noted`` are the ids of notes; a link to one of them is a reference in the note's text.
        """
        nodes, gone = self.nodes, set[int]()
        for i in range(note, nodes.end[note]):
            given = dict(nodes.attributes[i])
            names = f"{given.get('class', '')} {given.get('role', '')}"
            name = self.links.get(i)
            is_back = name and name not in noted and _BACK.match(self.text(i))
            if is_back or _BACK_NAMES.search(names):
                gone.update(range(self.runs.first[i], self.runs.end[i]))
        runs = range(self.runs.first[note], self.runs.end[note])
        shown = [k for k in runs if k not in gone and not self.page.hidden[self.runs.node[k]]]
        while shown and _BRACKETS.match(self.runs.text[shown[0]]):
            del shown[0]
        return shown


def find_notes(outline: Outline) -> Notes:
    """Return the footnotes whose marks are in the text of an outline."""
    page = outline.page
    chosen = {k for part in outline.parts for k in part.runs}
    finder = _Finder(page)
    first, end = page.runs.first, page.runs.end
    marks = {link: finder.note(link) for link in finder.links if first[link] in chosen}
    for node in page.nodes.tagged(_INLINE):
        if first[node] in chosen and _SIDENOTE.search(page.nodes.attributes.get(node, "class")):
            marks[node] = node
    tops = {*page.nodes.outermost(sorted({*marks.values()} - {-1}))}  # in no other note
    found = [  # (note, mark, runs of the mark)
        (note, mark, range(first[mark], end[mark]) if note == mark else finder.mark_of(mark))
        for mark, note in marks.items()
        if note in tops
    ]
    notes = {note for note, mark, _ in found if note != mark}
    noted = {finder.links[mark] for note, mark, _ in found if note != mark}
    inside = {k for note in notes for k in range(first[note], end[note])}
    labels: dict[int, str] = {}
    label: dict[int, str] = {}
    runs: dict[str, Sequence[int]] = {}
    numbers = map(str, count(1))
    for note, link, mark in sorted(found, key=lambda one: one[2].start):
        if mark.start in inside or mark.start in page.runs.preformatted:
            continue
        if note not in labels:
            match = _MARK.match(finder.text(link)) if link != note else None
            name = _NO_WORD.sub("", match[1]) if match else ""
            if not name or name in runs:
                name = next(name for name in numbers if name not in runs)
            own = finder.runs_of(note, noted)
            if not own:
                continue
            labels[note], runs[name] = name, own
        label.update(dict.fromkeys(mark, ""))
        label[mark.start] = labels[note]
    used = {k for note in labels for k in range(first[note], end[note])}
    return Notes(label, runs, frozenset(used & inside))


#: ``block`` of a part that only names the kind of a callout.
CALLOUT: Final = -2

#: Kind in class names and titles -> kind in GitHub's Markdown.
KINDS: Final[Mapping[str, str]] = {
    word: kind
    for kind, words in {
        "NOTE": "note info seealso abstract",
        "TIP": "tip hint success",
        "IMPORTANT": "important",
        "WARNING": "warning attention",
        "CAUTION": "caution danger error",
    }.items()
    for word in words.split()
}
#: Class names of callouts, which also have a class name for their kind: Sphinx, MkDocs, GitHub,
#: Docusaurus, VitePress, AsciiDoc, Starlight, Obsidian, MDN, Bootstrap.
_BOX: Final = re.compile(
    r"(?:^|\s)(?:admonition|theme-admonition|markdown-alert|custom-block|callout|starlight-aside"
    r"|notecard|alert|admonitionblock)(?:$|\s)"
)
_KIND: Final = re.compile(rf"(?:^|[\s_-])({'|'.join(KINDS)})(?=$|\s)")
_TAGS: Final = frozenset({"div", "aside", "section", "blockquote", "details"})
#: Containers that cannot contain a quote.
_NO_QUOTES: Final = frozenset({*CHILDREN, "heading", "code"})


def add_callouts(outline: Outline) -> Outline:
    """Return an outline whose callouts are quotes, each with a first part that names its kind."""
    page, parent, tag = outline.page, outline.page.nodes.parent, outline.page.nodes.tag
    inside: list[Path] = []  # per part, the callouts that contain it
    kinds: dict[int, str] = {}
    around: dict[int, Path] = {-1: ()}  # node -> callouts that contain it
    for part in outline.parts:
        below: list[int] = []
        node = part.node(page)
        while node not in around:
            below.append(node)
            node = parent[node]
        path = around[node]
        for i in reversed(below):
            if tag[i] in _TAGS and len(path) < MAX_DEPTH and (kind := _find_kind(page, i)):
                kinds[i], path = kind, (*path, i)
            around[i] = path
        inside.append(path)
    if not kinds:
        return outline
    for i in set(inside[0]).intersection(*inside) if inside else ():
        del kinds[i]  # it contains the whole text
    parts: list[Part] = []
    begun: set[int] = set()
    for part, callouts in zip(outline.parts, inside, strict=True):
        for callout in callouts:
            if callout not in kinds:
                continue
            path = _insert_callout(part.path, callout, outline.role)
            part = part._replace(path=path)
            if callout not in begun:
                begun.add(callout)
                mark = Part(f"[!{kinds[callout]}]", path[: path.index(callout) + 1], CALLOUT)
                parts.append(mark)
                part = _remove_title(page, part, kinds[callout])
        if part.text or part.image:
            parts.append(part)
    return replace(outline, parts=parts, role={**outline.role, **dict.fromkeys(kinds, "quote")})


def _find_kind(page: Page, node: int) -> str:
    """Return the kind of an element that is a callout; "" for others."""
    get, first = page.nodes.attributes.get, page.runs.first[node]
    named = get(node, "data-callout")
    for names in (f"callout {named}" if named else "", get(node, "class")):
        kind = _KIND.search(names.lower()) if names else None
        if kind and first < page.runs.end[node]:
            title = KINDS.get(_read_label(page, first), "")
            if title or page.nodes.tag[node] == "details" or _BOX.search(kind.string):
                return title or KINDS[kind[1]]
    return ""


def _read_label(page: Page, run: int) -> str:
    return page.runs.text[run].strip(" :!.").lower()


def _remove_title(page: Page, part: Part, kind: str) -> Part:
    """Remove the first run of a callout's first part if it only names the kind.

    If nothing is left, the text of the part is "".
    """
    if not part.runs or part.formulas or _read_label(page, part.runs[0]) != kind.lower():
        return part
    others = part.runs[1:]
    if not others:
        return part._replace(text="")
    is_word = page.runs.text[others[0]][0].isalnum()
    return part._replace(runs=others) if is_word else part


def _insert_callout(path: Path, callout: int, role: Roles) -> Path:
    """Insert a callout into a path, outside of containers that cannot contain a quote."""
    if callout in path:
        return path
    place = next((k for k, i in enumerate(path) if i > callout), len(path))
    while place and role.get(path[place - 1]) in _NO_QUOTES:
        place -= 1
    return (*path[:place], callout, *path[place:])
