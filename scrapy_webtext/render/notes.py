"""Finds footnotes, for Markdown.

A footnote is a mark in the text and a note anywhere on the page. The mark is a link to the note,
which links back to the mark, has the name of a note, or begins with the mark (MediaWiki, Word,
Hugo, Org, Pandoc, Substack, Texinfo). Or the mark is a raised number without a link, and the note
begins with the same number. A sidenote is in the sentence, at its mark.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final, NamedTuple
from urllib.parse import unquote

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.text import BREAK
from scrapy_webtext.render.outline import Outline
from scrapy_webtext.render.tree import number_items

#: A mark: "1", "[2]", "(a)", "note 3", "*".
_MARK: Final = re.compile(
    r"\A[\[(]?\s{0,9}((?:note|nb|n|fn)?\.?\s{0,9}\w{1,4}|[*†‡§¶]{1,3})\s{0,9}[\])]?\Z"
)
#: A number that is a mark without a link, or is the start of a note; `_NUMBERED`: with its text.
_NUMBER: Final = re.compile(r"\A[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?[.:)]?\Z")
_NUMBERED: Final = re.compile(r"\A(\[(\d{1,3})\]|\((\d{1,3})\)|(\d{1,3})[.)])\s")
#: Brackets around the link from a note to its mark.
_BRACKETS: Final = re.compile(r"\A[\[\](). ]+\Z")
_NO_WORD: Final = re.compile(r"\W")
_BACK: Final = re.compile(r"\A(?:\W{0,3}|\W{0,2}\w{1,4}\W{0,2})\Z")
_NAME: Final = re.compile(r"fn|foot|note|cite|endnote|_ftn|_edn", re.IGNORECASE)
#: The names of a note and of its mark, which have the same end (Word may write them without ids).
_OF_NOTE: Final = re.compile(r"(?:ftn|edn|fn|note)[:_-]?(\w{1,20})\Z", re.IGNORECASE)
_OF_MARK: Final = re.compile(r"(?:ftn|edn|fn|note)[:_-]?ref[:_-]?(\w{1,20})\Z", re.IGNORECASE)
_BACK_NAMES: Final = re.compile(
    r"back-?(?:link|ref)|reversefootnote|footnote-return|to-top", re.IGNORECASE
)
#: Class names of elements in a sentence that have a note and perhaps its mark; of the note in them
#: (`_CONTENT`); of marks and labels in the note (`_NO_CONTENT`, LaTeXML).
_BESIDE: Final = re.compile(
    r"(?:^|\s)(?:side-?note|margin-?note|inline-footnote|(?:foot|side)note-container|ltx_note)"
    r"(?:$|\s)"
)
_CONTENT: Final = re.compile(
    r"(?:^|\s)(?:footnote(?:-?content)?|sidenote|ltx_note_content)(?:$|\s)", re.IGNORECASE
)
_NO_CONTENT: Final = re.compile(r"(?:^|\s)(?:ltx_note_(?:mark|type)|ltx_tag)(?:$|\s)")
#: Class names of marks without links, and class names and ids of sections of notes.
_MARK_NAME: Final = re.compile(r"(?:^|[\s_-])(?:foot-?note|fn|note-?ref|endnote)", re.IGNORECASE)
_SECTION_NAME: Final = re.compile(r"foot-?notes?|end-?notes?|(?:^|[\s_-])fn-?list", re.IGNORECASE)
#: Titles of sections of notes.
_SECTION: Final = re.compile(
    r"\W{0,5}(?:(?:foot|end)[ -]?notes?|notes?(?: and references)?|anmerkung(?:en)?"
    r"|fu(?:ß|ss)noten?|endnoten|notas?(?: (?:al pie|de rodapé|finales))?"
    r"|notes? de (?:bas de page|fin)"
    r"|note a piè di pagina|voetnoten|noten|fotnoter|noter|przypisy|poznámky|сноски|примечания"
    r"|примітки|[脚腳]?[注註][释釋解]?|각주|주석)\W{0,5}",
    re.IGNORECASE,
)
_INLINE: Final = frozenset({"sup", "span", "small", "b", "strong", "em", "i", "a", "cite"})
_NOTES: Final = ("li", "div", "aside", "dd", "section", "tr", "table", "dt")
_HREF_SIGNS: Final = {"href": Signs("#")}
_BACK_SIGNS: Final = {
    "class": Signs("ack", "reversefootnote", "return", "to-top"),
    "role": Signs("backlink"),
}
_BESIDE_SIGNS: Final = {"class": Signs("note", "margin")}
_NOTE_SIGNS: Final = {name: Signs("note", "fn") for name in ("class", "id")}
#: Maximum number of levels above and below a mark that are searched for the id that the note links
#: to.
_REACH: Final = 3
#: An element with more nodes is no note.
MAX_ELEMENTS: Final = 1_000
#: Minimum share of the numbered notes that need a mark, and minimum number of notes without title.
_MIN_MARKED: Final = 0.75
_MIN_NOTES: Final = 2


@dataclass(frozen=True, slots=True)
class Notes:
    """The footnotes of a text."""

    label: Mapping[int, str] = field(default_factory=dict)
    """First run of a mark -> its label; further runs of the mark -> ""."""
    runs: Mapping[str, Sequence[int]] = field(default_factory=dict)  #: label -> runs of the note
    gone: frozenset[int] = frozenset()  #: runs that are in notes


def is_title(text: str) -> bool:
    """Return whether a text is the title of a section of notes."""
    return _SECTION.fullmatch(text[:100]) is not None


class _Found(NamedTuple):
    """A mark and its note, as runs. A note in a sentence has its own runs and no place."""

    mark: range
    note: range
    name: str  #: text of the mark
    own: Sequence[int] = ()


class _Finder:
    """Finds the marks and notes of a page; ``chosen`` are the runs of the text."""

    def __init__(self, page: Page, chosen: Collection[int]) -> None:
        self.page, self.nodes, self.runs, self.chosen = page, page.nodes, page.runs, chosen
        self.links: dict[int, str] = {}  # link within the page -> the id of its target
        for node, _, value in page.nodes.attributes.with_signs(_HREF_SIGNS):
            address, _, name = value.partition("#")
            name = unquote(name) if "%" in name and name not in self.by_id else name
            is_here = not address or (page.url or "").endswith(address.lstrip("./"))
            # Word writes the address of its file.
            if name and (is_here or (_NAME.search(name) and name in self.by_id)):
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

    @cached_property
    def backs(self) -> dict[str, int]:
        """End of the name of a mark -> the last link to it."""
        found = ((_OF_MARK.search(name), link) for link, name in self.links.items())
        return {match[1]: link for match, link in found if match}

    def text(self, node: int) -> str:
        runs = range(self.runs.first[node], min(self.runs.end[node], self.runs.first[node] + 8))
        return " ".join(self.runs.text[k] for k in runs)

    def linked(self) -> Iterator[_Found]:
        """Yield the marks that are links to their notes."""
        notes: dict[int, list[int]] = {}  # note -> its marks
        for link in self.links:
            if self.runs.first[link] in self.chosen and (note := self.note(link)) >= 0:
                notes.setdefault(note, []).append(link)
        for note in self.nodes.outermost(sorted(notes)):  # in no other note
            whole, first = self._extent(note), self.runs.first
            # Several notes in one element begin at their targets.
            starts = sorted({first[self._target(self.links[link])] for link in notes[note]})
            for link in notes[note]:
                k = bisect_left(starts, first[self._target(self.links[link])])
                start = starts[k] if k else whole.start
                own = range(start, starts[k + 1] if k + 1 < len(starts) else whole.stop)
                yield _Found(self.mark_of(link), own, self.text(link))

    def note(self, link: int) -> int:
        """Return the element of the note that a link leads to; -1 if the link is no mark."""
        name, tag, parent, end = self.links[link], self.nodes.tag, self.nodes.parent, self.nodes.end
        mark = self.text(link)
        target = self._target(name) if _MARK.match(mark) else -1
        if target < link:
            return -1
        note = self.page.containers[target]
        note = parent[note] if tag[note] in ("td", "th") else note
        for _ in range(_REACH):  # Word puts several paragraphs into a <div id=ftn1>
            up = parent[note]
            is_named = any(one[-1:].isdigit() for one in self.ids.get(up, ()))
            if up < 0 or tag[up] not in _NOTES or not is_named or up <= link < end[up]:
                break
            note = up
        is_title = tag[note] in tags.HEADINGS and not _MARK.match(self.text(note))
        is_large = end[note] - note > MAX_ELEMENTS or tag[note] in ("body", "html")
        if note <= link < end[note] or is_large or is_title:
            return -1
        own = set().union(*(self.ids.get(i, ()) for i in self._around(link)))
        is_raised = tag[parent[link]] == "sup" or tag[link + 1 : link + 2] == ["sup"]
        is_named = _NAME.search(name) is not None
        is_mark = is_named and (is_raised or tag[note] in _NOTES)
        is_mark = is_mark or (is_raised and tag[note] == "li")
        is_sign = is_named or is_raised or mark[0] in "[("
        is_numbered = self._begins_with(note, mark) or self._begins_with(target, mark)
        is_mark = is_mark or (is_sign and is_numbered)
        return note if is_mark or any(self._has_link(note, one) for one in own) else -1

    def _target(self, name: str) -> int:
        """Return the element that a link leads to; without one, the link back to the mark."""
        if name in self.by_id:
            return self.by_id[name]
        match = _OF_NOTE.search(name)
        return self.backs.get(match[1], -1) if match else -1

    def _begins_with(self, note: int, mark: str) -> bool:
        label, first = mark.strip("[]() "), self.runs.first[note]
        text = (self.text(note) or " ".join(self.runs.text[first : first + 1])).lstrip("[( ")
        return text.startswith(label) and not text[len(label) : len(label) + 1].isalnum()

    def _extent(self, note: int) -> range:
        """Return the runs of a note; after a heading or a term, those up to the next one."""
        nodes, first, end = self.nodes, self.runs.first, self.runs.end
        tag, after, up = nodes.tag[note], nodes.end[note], nodes.parent[note]
        if tag != "dt" and tag not in tags.HEADINGS:
            return range(first[note], end[note])
        while after < nodes.end[up] and nodes.tag[after] != tag:
            after = nodes.end[after]
        return range(first[note], first[after] if after < nodes.end[up] else end[up])

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

    def beside(self) -> Iterator[_Found]:
        """Yield the notes in sentences, each in an element with its mark or after its mark."""
        tag, given = self.nodes.tag, self.nodes.attributes.with_signs(_BESIDE_SIGNS)
        named = [i for i, _, value in given if _BESIDE.search(value) and tag[i] in _INLINE]
        found = [self._read_beside(node) for node in self.nodes.outermost(named)]
        # LaTeXML may write the text of a note in another place than its mark.
        apart = {one.name: one for one in found if one.note and one.own}
        for one in found:
            whole = one if one.own else apart.get(one.name, one)
            if one.mark.start in self.chosen and whole.own and not one.note:
                yield whole._replace(mark=one.mark)

    def _read_beside(self, node: int) -> _Found:
        nodes, first, end, texts = self.nodes, self.runs.first, self.runs.end, self.runs.text
        content, without = node, set[int]()
        for i in range(node + 1, min(nodes.end[node], node + MAX_ELEMENTS)):
            names = nodes.attributes.get(i, "class")
            if _NO_CONTENT.search(names):
                without.update(range(first[i], end[i]))
            elif content == node and _CONTENT.search(names):
                content = i
        start, name = first[node], ""
        for k in (first[node] - 1, first[node], first[content]):
            number = _NUMBER.match(texts[k]) if 0 <= k < end[node] else None
            if number and self._is_raised(k):
                name, start = name or number[1], min(start, k)
                without.add(k)
        own = [k for k in range(first[content], end[content]) if k not in without]
        is_apart = "footnotetext" in nodes.attributes.get(node, "class")
        return _Found(range(start, end[node]), range(start, end[node] * is_apart), name, own)

    def _is_raised(self, run: int) -> bool:
        """Return whether a run is in an element for marks."""
        node, attributes = self.runs.node[run], self.nodes.attributes
        for _ in range(_REACH):
            if node < 0 or self.nodes.tag[node] in ("sup", "label"):
                break
            if _MARK_NAME.search(attributes.get(node, "class")) and self.nodes.tag[node] in _INLINE:
                return True
            node = self.nodes.parent[node]
        return node >= 0 and self.nodes.tag[node] in ("sup", "label")

    def numbered(self) -> Iterator[_Found]:
        """Yield the notes that begin with the number of marks that are no links."""
        marks: dict[str, list[range]] = defaultdict(list)
        raised = self.nodes.outermost(sorted(self._raised()))
        for node in raised:
            runs = range(self.runs.first[node], self.runs.end[node])
            text = "".join(self.runs.text[k] for k in runs[:_REACH])
            if runs and runs[0] in self.chosen and (number := _NUMBER.match(text)):
                marks[number[1]].append(runs)
        titled = self._titled() if marks else range(0)
        notes = self._numbered_notes(marks, titled) if marks else {}
        marked = [name for name in notes if marks[name][0].stop <= notes[name].start]
        least = 1 if any(note.start in titled for note in notes.values()) else _MIN_NOTES
        if len(marked) >= max(least, _MIN_MARKED * len(notes)):
            for name in marked:
                before = (mark for mark in marks[name] if mark.stop <= notes[name].start)
                yield from (_Found(mark, notes[name], name) for mark in before)

    def _raised(self) -> Iterator[int]:
        """Yield the elements that may be marks without links."""
        yield from self.nodes.tagged(frozenset({"sup"}))
        for node, name, value in self.nodes.attributes.with_signs(_NOTE_SIGNS):
            if name == "class" and _MARK_NAME.search(value) and self.nodes.tag[node] in _INLINE:
                yield node

    def _titled(self) -> range:
        """Return the runs after the last title of notes, or in a section that is named so."""
        page, nodes, first, end = self.page, self.nodes, self.runs.first, self.runs.end
        for node, _, value in reversed(nodes.attributes.with_signs(_NOTE_SIGNS)):
            is_block = nodes.tag[node] in ("div", "section", "aside", "ol", "footer")
            if is_block and first[node] < end[node] and _SECTION_NAME.search(value):
                return range(first[node], end[node])
        for b in range(len(page.blocks) - 1, -1, -1):
            if is_title(page.blocks.text[b]):
                up = nodes.parent[page.blocks.node[b]]
                is_last = page.blocks.end_run[b] == end[up]  # the title has a box of its own
                up = nodes.parent[up] if is_last else up
                return range(page.blocks.end_run[b], end[up] if up >= 0 else len(page.runs))
        rules = nodes.tagged(frozenset({"hr"}))
        if rules:
            return range(first[rules[-1]], end[nodes.parent[rules[-1]]])
        lists = [
            i for i in nodes.tagged(frozenset({"ol"})) if nodes.tag[nodes.parent[i]] == "aside"
        ]
        return range(first[lists[-1]], end[lists[-1]]) if lists else range(0)

    def _numbered_notes(self, marks: Collection[str], titled: range) -> dict[str, range]:
        """Return number -> runs of its note."""
        blocks, tag = self.page.blocks, self.nodes.tag
        starts: dict[str, int] = {}  # number -> first run of its note
        ends: list[int] = []
        for b, run in enumerate(blocks.first_run):
            text, node = self.runs.text[run], blocks.node[b]
            is_own = self.runs.node[run] != node
            number = _NUMBER.match(text) if is_own else None
            if number and not self._is_raised(run) and text[0] != "[" and run not in titled:
                number = None
            name = number[1] if number else ""
            if not name and (found := _NUMBERED.match(blocks.text[b])):
                is_name = run in titled or found[2]
                name = next(filter(None, found.groups()[1:])) if is_name else ""
            if not name and run in titled:
                item = next((i for i in (node, self.nodes.parent[node]) if tag[i] == "li"), -1)
                if item >= 0 and self.runs.first[item] == run:
                    number_of = number_items(self.page).get((self.nodes.parent[item], item))
                    name = str(number_of or "")
            if name in marks and name not in starts:
                starts[name] = run
                ends.append(blocks.end_run[b])
        firsts = [*starts.values()]
        are_blocks = len(firsts) > 1 and ends[:-1] == firsts[1:]
        for k, first in enumerate(() if are_blocks else firsts):
            after = firsts[k + 1] if k + 1 < len(firsts) else titled.stop
            if first in titled and first < after <= titled.stop:
                ends[k] = after
        return {name: range(starts[name], end) for name, end in zip(starts, ends, strict=True)}

    def runs_of(self, one: _Found, noted: Collection[str], backs: Sequence[int]) -> list[int]:
        """Return the runs of a note without its number and its links back to marks.

        ``noted`` are the ids of notes; a link to one of them is a reference in the note's text.
        ``backs`` are the links within the page and elements whose names say that they lead back.
        """
        if one.own:
            return list(one.own)
        first, end, gone = self.runs.first, self.runs.end, set[int]()
        for k in range(bisect_left(backs, one.note.start, key=first.__getitem__), len(backs)):
            if first[backs[k]] >= one.note.stop:
                break
            name = self.links.get(backs[k])
            if name is None or (name not in noted and _BACK.match(self.text(backs[k]))):
                gone.update(range(first[backs[k]], end[backs[k]]))
        hidden, node = self.page.hidden, self.runs.node
        left = [k for k in one.note if k not in gone]
        shown = [k for k in left if not hidden[node[k]]] or left
        label = one.name.strip("[]() ")
        while shown and self._is_number(shown[0], label):
            del shown[0]
        return shown

    def _is_number(self, run: int, label: str) -> bool:
        """Return whether the first run of a note is its number, in an element or block alone."""
        text, node, gap = self.runs.text[run], self.runs.node[run], self.runs.gap
        is_own = node != self.page.containers[node] or BREAK in gap[run + 1 : run + 2]
        is_number = bool(label) and text.strip("[]().: ") == label and is_own
        return is_number or _BRACKETS.match(text) is not None


def find_notes(outline: Outline) -> Notes:
    """Return the footnotes whose marks are in the text of an outline."""
    page = outline.page
    finder = _Finder(page, {k for part in outline.parts for k in part.runs})
    linked, beside = [*finder.linked()], [*finder.beside()]
    found = [*linked, *beside, *([] if linked else finder.numbered())]
    if not found:
        return Notes()
    noted = {finder.links[i] for i in finder.links if finder.note(i) >= 0}
    named = page.nodes.attributes.with_signs(_BACK_SIGNS)
    backs = sorted({*finder.links, *(i for i, _, value in named if _BACK_NAMES.search(value))})
    inside = {k for note in {one.note for one in found} for k in note}
    labels: dict[object, str] = {}  # note -> its label
    label: dict[int, str] = {}
    runs: dict[str, Sequence[int]] = {}
    numbers = map(str, count(1))
    for one in sorted(found, key=lambda one: one.mark.start):
        if one.mark.start in inside or one.mark.start in page.runs.preformatted:
            continue
        note = (one.note, *one.own)
        if note not in labels:
            match = _MARK.match(one.name)
            name = _NO_WORD.sub("", match[1]) if match else ""
            if not name or name in runs:
                name = next(name for name in numbers if name not in runs)
            own = finder.runs_of(one, noted, backs)
            if not own:
                continue
            labels[note], runs[name] = name, own
        label.update(dict.fromkeys(one.mark, ""))
        label[one.mark.start] = labels[note]
    noted_runs = {one.note for one in found if (one.note, *one.own) in labels}
    used = {k for note in noted_runs for k in note}
    return Notes(label, runs, frozenset(used))
