"""The two readings of a paper, and a page in each of them: its source, its lines, a literal page.

``"paper"`` follows the paper to the letter; docs/algorithms has the choices where a paper
contradicts itself. ``"modern"`` adapts the algorithm to today's pages.

`source_lines` takes the lines of the HTML source. `block_lines` starts a line wherever a
block-level element begins or ends, regardless of the lines of the source. Both are linear in the
page.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import inf
from typing import Final, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.page import Page, parse, tags
from scrapy_webtext.page.hidden import Hidden
from scrapy_webtext.page.nodes import Nodes, prefix_sums
from scrapy_webtext.page.text import INVISIBLE, Runs
from scrapy_webtext.render.tree import join_runs
from scrapy_webtext.results import Extraction

Reading = Literal["modern", "paper"]


def check_reading(reading: object) -> None:
    """Raise SettingsError for a reading that does not exist."""
    check_choice("reading", reading, get_args(Reading))


def check_number(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is a finite number of at least ``least``."""
    if type(value) not in (int, float) or not least <= value < inf:  # type: ignore[operator]
        raise SettingsError(f"{name}={value!r} is not allowed; use a number of {least} or more")


def check_integer(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is an integer of at least ``least``."""
    if type(value) is not int or value < least:
        raise SettingsError(f"{name}={value!r} is not allowed; use an integer of {least} or more")


# The source, and the lines of a page

#: The start of an element whose content is code, or of a comment.
_CODE: Final = re.compile(r"<(?:(script|style)(?=[\s/>])|!--)", re.IGNORECASE)
_CODE_END: Final = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*>?", re.IGNORECASE) for name in tags.CODE
}

#: A tag, with its name as a group, or a declaration. Quotes count only after "=", as in browsers.
#: After "<" and a letter no part of the pattern can fail, so it never backtracks. The bound on the
#: number of attributes limits memory.
TAG: Final = re.compile(
    r"""<(/?[a-zA-Z][^\s/>]*)[^>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*')?[^>=]*){0,9999}[^>]*>?"""
    r"""|<[!?][^>]*>?"""
)


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The lines of a page's source that have text or tags, as columns of equal length."""

    text: list[str]  #: text without tags, entities resolved; a line feed between blocks
    chars: list[int]  #: characters of the text
    source_text: list[str]  #: characters outside tags, with entities and indentation as sent
    tags: list[int]  #: number of tags that begin on the line


@dataclass(frozen=True, slots=True)
class BlockLines:
    """Lines of a page; a line ends before a block-level start tag and after its end tag.

    Columns of equal length; lines without text and tags are left out. Text that a browser does not
    show (`Page.hidden`) does not count. A block-level element that is shown within a line of text
    does not end the line.
    """

    first_run: list[int]
    end_run: list[int]
    chars: list[int]  #: number of characters of the line's runs
    tags: list[int]  #: number of tags, except of scripts and styles


def page_source(page: Page) -> str:
    """Return the HTML of a page: its source, or HTML made from its tree if it has no source.

    HTML is also made from the tree if a site's rule leaves text out. It has the same text and tags,
    as the parser repaired them, but no attributes, comments or code.
    """
    return (
        "".join(_serialized(page.kept_nodes)) if page.is_limited or not page.body else page.source
    )


def source_parts(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_tags: bool = False
) -> list[str]:
    """Split HTML into a list of alternating text and tags; the first item is text.

    A tag is given by its name; the name of an end tag begins with "/". A declaration is "" in place
    of a tag. Text between two adjacent tags is "". Entities are as in the source, and every line
    ends with a line feed. Comments and the elements ``removed`` are left out; with ``keep_tags``,
    only the content of these elements is left out.
    """
    kept = without_code(source, removed, keep_tags=keep_tags)
    return [part or "" for part in TAG.split(kept)]


def without_code(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_tags: bool = True
) -> str:
    """Remove comments and the elements ``removed`` from HTML.

    With ``keep_tags``, remove only the content of these elements and the attributes of their tags.
    An element without end tag extends to the end of the source.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    pieces: list[str] = []
    kept = at = 0
    while begin := _CODE.search(source, at):
        name = (begin[1] or "").lower()
        at = begin.end()
        if name and name not in removed:
            continue
        pieces.append(source[kept : begin.start()])
        if name:
            start = TAG.match(source, begin.start())
            end = _CODE_END[name].search(source, start.end() if start else at)
            if keep_tags:
                pieces.append(f"<{name}></{name}>" if end else f"<{name}>")
            at = end.end() if end else len(source)
        else:
            found = source.find("-->", begin.start() + 2)  # "<!-->" is a comment
            at = found + 3 if found >= 0 else len(source)
        kept = at
    return "".join([*pieces, source[kept:]])


def text_of_parts(parts: Sequence[str]) -> str:
    """Return the text of a slice of `source_parts` whose first item is text.

    Resolve entities and fold white space. A line ends at <br> and at block-level tags.
    """
    pieces = list(parts)
    pieces[::2] = [text.replace("\n", " ") for text in parts[::2]]
    pieces[1::2] = ["\n" if _ends_line(tag) else "" for tag in parts[1::2]]
    return _folded("".join(pieces))


def _ends_line(tag: str) -> bool:
    """Return whether a tag ends a line of text."""
    name = tag.lstrip("/").lower()
    return name == "br" or name in tags.BLOCK


def source_lines(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_spaces: bool = False
) -> SourceLines:
    """Return the lines of HTML without comments and the elements ``removed``.

    ``removed`` is a subset of `tags.CODE`; the content of the other elements in `tags.CODE` counts
    as text. The HTML is read as a sequence of tags and text, without a parser's repairs. A tag that
    extends over several lines belongs to the line where it begins, and these lines are one line.
    With ``keep_spaces``, a line is kept if its only text are entities of white space.
    """
    lines = SourceLines([], [], [], [])
    pieces: list[str] = []
    outside: list[str] = []
    count = 0

    def end_line() -> None:
        nonlocal pieces, outside, count
        text, literal = _folded("".join(pieces)), "".join(outside)
        if text or count or (keep_spaces and literal.strip()):
            lines.text.append(text)
            lines.chars.append(len(text))
            lines.source_text.append(literal)
            lines.tags.append(count)
        pieces, outside, count = [], [], 0

    for k, part in enumerate(source_parts(source, removed)):
        if not part:  # no text between two tags, or a declaration
            continue
        if k % 2:
            count += 1
            if _ends_line(part):
                pieces.append("\n")  # so that "a</p><p>b" is not one word
            continue
        first, *others = part.split("\n")
        pieces.append(first)
        outside.append(first)
        for other in others:
            end_line()
            pieces.append(other)
            outside.append(other)
    end_line()
    return lines


def block_lines(page: Page) -> BlockLines:
    """Return the lines of a page, which end at its block-level tags after the parser's repairs."""
    nodes, runs, hidden = page.nodes, page.runs, page.hidden
    shown = prefix_sums(
        0 if hidden[i] else len(text) for text, i in zip(runs.text, runs.node, strict=True)
    )
    lines = BlockLines([], [], [], [])
    tag, inline = nodes.tag, runs.inline
    start = count = 0  # first run and tags of the open line

    def end_line(run: int) -> None:
        nonlocal start, count
        chars = shown[run] - shown[start]
        if chars or count:
            lines.first_run.append(start)
            lines.end_run.append(run)
            lines.chars.append(chars)
            lines.tags.append(count)
        start, count = run, 0

    for i, is_end in _walked(nodes):
        is_block = tag[i] in tags.BLOCK and i not in inline
        if is_end:
            count += tag[i] not in _UNCLOSED
            if is_block:
                end_line(runs.end[i])
        else:
            if is_block:
                end_line(runs.first[i])
            count += tag[i] not in tags.CODE
    end_line(len(runs))
    return lines


def _walked(nodes: Nodes) -> Iterator[tuple[int, bool]]:
    """Yield (node, False) at the beginning and (node, True) at the end of each node, in order."""
    parent, node_end = nodes.parent, nodes.end
    current = -1  # the innermost open node
    for i in range(len(nodes) + 1):
        while current >= 0 and node_end[current] == i:
            yield current, True
            current = parent[current]
        if i < len(nodes):
            yield i, False
            current = i


def breaks_in_text(page: Page) -> int:
    """Count the line feeds inside the texts of a page that a browser shows."""
    nodes, hidden = page.nodes, page.hidden
    texts = chain(enumerate(nodes.text), zip(nodes.parent, nodes.tail, strict=True))
    shown = (text for i, text in texts if text and "\n" in text and not hidden[i])
    return sum(text.strip().count("\n") for text in shown)


def blocks_of_spans(spans: Iterable[tuple[int, int] | None]) -> tuple[int, ...]:
    """Return the indices of all blocks in ``spans`` (of `block_spans`), each once."""
    found = chain.from_iterable(range(span[0], span[1] + 1) for span in spans if span)
    return tuple(dict.fromkeys(found))


def block_spans(page: Page, texts: Iterable[str]) -> list[tuple[int, int] | None]:
    """Return, per text of the source, the first and the last block in it; None for an empty text.

    ``texts`` are all texts of the source, with entities resolved. They and the blocks have the same
    characters in the same order, so positions are compared by counting characters other than white
    space. If the parser has moved or dropped text, the blocks after it are only approximate.
    """
    columns = zip(page.blocks.text, page.blocks.node, strict=True)
    block_end = list(accumulate(0 if page.outside[i] else _letters(text) for text, i in columns))
    last = len(block_end) - 1
    found: list[tuple[int, int] | None] = []
    for first, end in pairwise(prefix_sums(map(_letters, texts))):
        block = bisect_right(block_end, first)
        is_inside = first < end and block <= last
        found.append((block, min(bisect_left(block_end, end), last)) if is_inside else None)
    return found


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


#: Elements whose end tag does not count.
_UNCLOSED: Final = tags.CODE | tags.VOID


def _serialized(nodes: Nodes) -> Iterator[str]:
    """Yield start tags, text and end tags of these nodes in document order."""
    for i, is_end in _walked(nodes):
        name = nodes.tag[i]
        if not is_end or name not in tags.VOID:
            yield f"</{name}>" if is_end else f"<{name}>"
        yield html.escape((nodes.tail if is_end else nodes.text)[i] or "", quote=False)


def _folded(text: str) -> str:
    """Resolve entities, fold white space within lines, and remove empty lines."""
    if "&" in text:
        with suppress(ValueError):  # a numeric entity of thousands of digits
            text = html.unescape(text)
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


# The page in the paper's reading: the papers do not treat hidden text or markup in scripts


class LiteralPage(Page):
    """A page on which no text is hidden and each script is code."""

    @cached_property
    def hiding(self) -> Hidden:
        """A `Hidden` without any hidden text."""
        return Hidden(bytearray(len(self.nodes)), [])


def read_literally(page: Page, rewrite: Callable[[str], str] = str) -> LiteralPage:
    """Parse the source of a page again, changed by ``rewrite``; no text of the result is hidden.

    A page without source (a ready tree), or of which a site's rule leaves text out, keeps its
    elements. The elements of a page with source stay equal, unless the first parse read markup in
    scripts as elements (`page.parse`).
    """

    def read() -> LiteralPage:
        body = b"" if page.is_limited else page.body
        nodes = parse(rewrite(without_code(page.source))).nodes if body else page.kept_nodes
        return LiteralPage(page.url, body, nodes)

    return page.cached(("literal", rewrite), read)


def same_runs(page: Page, runs: Runs) -> list[int]:
    """Return, per run of a literal page, the index of the equal run of ``page``; -1 if missing."""
    known: defaultdict[tuple[int, str], deque[int]] = defaultdict(deque)
    for k, key in enumerate(zip(page.runs.node, page.runs.text, strict=True)):
        known[key].append(k)
    keys = zip(runs.node, runs.text, strict=True)
    return [known[key].popleft() if known[key] else -1 for key in keys]


def literal_extraction(
    page: Page, runs: Runs, chosen: Sequence[int], score: float, extractor: str
) -> Extraction:
    """Return the Extraction of these runs of the page in the paper's reading.

    ``runs`` are all runs of the literal page, ``chosen`` are the indices of the runs in the text,
    ascending. The text has one line per block and no list markers. The chosen blocks are the blocks
    of ``page`` that contain these runs.
    """
    text = join_runs(runs, chosen)
    if not text.strip(INVISIBLE):
        return Extraction("", 0.0, extractor)
    same = same_runs(page, runs)
    blocks = page.blocks_of_runs(sorted(same[k] for k in chosen if same[k] >= 0))
    return Extraction(text, score, extractor, blocks)
