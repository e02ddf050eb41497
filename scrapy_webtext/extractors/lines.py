"""The lines of a page with their text and tags, for ratios of text to tags.

`source_lines` reads the lines of the HTML source; `block_lines` breaks the page where block-level
elements begin and end, whatever the lines of the source are. Both are linear in the page.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Final

from scrapy_webtext.page import tags
from scrapy_webtext.page.encoding import storable_source
from scrapy_webtext.page.nodes import Nodes, prefix_sums
from scrapy_webtext.page.page import Page

#: The start of an element whose content is code, or of a comment.
_CODE: Final = re.compile(r"<(?:(script|style)(?=[\s/>])|!--)", re.IGNORECASE)
_CODE_END: Final = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*>?", re.IGNORECASE) for name in tags.CODE
}

#: A tag, its name caught, or a declaration. Quotes are read only after "=", as browsers do. After
#: "<" and a letter no part can fail, so there is no backtracking; the bound on attributes limits
#: memory.
TAG: Final = re.compile(
    r"""<(/?[a-zA-Z][^\s/>]*)[^>=]*(?:=(?:\s*"[^"]*"|\s*'[^']*')?[^>=]*){0,9999}[^>]*>?"""
    r"""|<[!?][^>]*>?"""
)


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Lines of a page's source: columns of equal length, lines without text and tags left out."""

    text: list[str]  #: without tags, entities resolved, one line per block within the line
    chars: list[int]  #: characters of the text
    source_text: list[str]  #: what is outside tags, with entities and indentation
    tags: list[int]  #: tags that begin on the line


@dataclass(frozen=True, slots=True)
class BlockLines:
    """Lines of a page broken before each block-level start tag and after each end tag.

    Columns of equal length; lines without text and tags are left out. Text that a browser does
    not show (`Page.hidden`) is no text, and an element in a line of text breaks none.
    """

    first_run: list[int]
    end_run: list[int]
    chars: list[int]  #: characters of the runs
    tags: list[int]  #: without tags of scripts and styles


def page_source(page: Page) -> str:
    """Return the HTML of a page: its source, or where it has none (a ready tree) one made of it.

    That HTML has no attributes, comments or code, but the same text and tags, after the repairs of
    the parser.
    """
    return page.source or "".join(_serialized(page.kept_nodes))


def source_parts(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_tags: bool = False
) -> list[str]:
    """Return some HTML as text and tags by turns, text first, without comments and ``removed``.

    A tag is its name; an end tag begins with "/". "" is a declaration, or no text between
    two tags. Entities are as in the source, and every line ends by a line feed. With ``keep_tags``,
    of the elements ``removed`` only the content is left out.
    """
    kept = without_code(source, removed, keep_tags=keep_tags)
    return [part or "" for part in TAG.split(kept)]


def without_code(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_tags: bool = True
) -> str:
    """Remove comments and the elements ``removed``, or only their content, from some HTML.

    Tags that are kept lose their attributes. An element without end takes the rest of the source.
    """
    source = storable_source(source)[0].replace("\r\n", "\n").replace("\r", "\n")
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
    """Return the text of some `source_parts`, which begin with text.

    Entities are resolved and white space is folded. A line ends at <br> and block-level tags.
    """
    pieces = list(parts)
    pieces[::2] = [text.replace("\n", " ") for text in parts[::2]]
    pieces[1::2] = ["\n" if _ends_line(tag) else "" for tag in parts[1::2]]
    return _folded("".join(pieces))


def _ends_line(tag: str) -> bool:
    """Return whether words before and after a tag are in different lines of text."""
    name = tag.lstrip("/").lower()
    return name == "br" or name in tags.BLOCK


def source_lines(
    source: str, removed: frozenset[str] = tags.CODE, *, keep_spaces: bool = False
) -> SourceLines:
    """Return the lines of some HTML without comments and the elements ``removed``.

    ``removed`` is a subset of `tags.CODE`; what is not removed of it counts as text. Read as a
    sequence of tags and text, without the repairs of a parser. A tag counts on the line where it
    begins, and what it spans of the next lines belongs to that line. With ``keep_spaces``, a line
    of entities that are white space is not empty.
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
                pieces.append("\n")  # for the text of the line: "a</p><p>b" is not one word
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
    """Return the lines of a page broken at its block-level tags, as its parser repaired them."""
    nodes, runs, hidden = page.nodes, page.runs, page.hidden
    shown = prefix_sums(
        0 if hidden[i] else len(text) for text, i in zip(runs.text, runs.node, strict=True)
    )
    lines = BlockLines([], [], [], [])
    tag, parent, node_end, inline = nodes.tag, nodes.parent, nodes.end, runs.inline
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

    current = -1  # the innermost open node
    for i in range(len(tag) + 1):
        while current >= 0 and node_end[current] == i:
            name = tag[current]
            count += name not in _UNCLOSED
            if name in tags.BLOCK and current not in inline:
                end_line(runs.end[current])
            current = parent[current]
        if i < len(tag):
            name = tag[i]
            if name in tags.BLOCK and i not in inline:
                end_line(runs.first[i])
            count += name not in tags.CODE
            current = i
    end_line(len(runs))
    return lines


def breaks_in_text(page: Page) -> int:
    """Count the line ends of the source within pieces of text that are shown."""
    nodes, hidden = page.nodes, page.hidden
    found = 0
    for i, text in enumerate(nodes.text):
        if text and "\n" in text and not hidden[i]:
            found += text.strip().count("\n")
    for i, tail in zip(nodes.parent, nodes.tail, strict=True):
        if tail and "\n" in tail and not hidden[i]:
            found += tail.strip().count("\n")
    return found


def blocks_of_spans(spans: Iterable[tuple[int, int] | None]) -> tuple[int, ...]:
    """Return the indices of the blocks in some of `block_spans`, each once."""
    found = chain.from_iterable(range(span[0], span[1] + 1) for span in spans if span)
    return tuple(dict.fromkeys(found))


def block_spans(page: Page, texts: Iterable[str]) -> list[tuple[int, int] | None]:
    """Return, per text of the source, its first and last block; None for an empty text.

    ``texts`` are all of the source, with entities resolved. They and the blocks have the same text
    in the same order, so a position is found by counting characters without white space. If the
    parser moved or dropped text, later blocks are found near their texts only.
    """
    left_out = page.nodes.below(page.left_out)
    columns = zip(page.blocks.text, page.blocks.node, strict=True)
    block_end = list(accumulate(0 if left_out[i] else _letters(text) for text, i in columns))
    last = len(block_end) - 1
    found: list[tuple[int, int] | None] = []
    for first, end in pairwise(prefix_sums(map(_letters, texts))):
        block = bisect_right(block_end, first)
        is_inside = first < end and block <= last
        found.append((block, min(bisect_left(block_end, end), last)) if is_inside else None)
    return found


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


#: Elements without an end tag to count.
_UNCLOSED: Final = tags.CODE | tags.VOID


def _serialized(nodes: Nodes) -> Iterator[str]:
    """Yield start tags, text and end tags of these nodes in document order."""
    tag, parent, node_end = nodes.tag, nodes.parent, nodes.end
    current = -1  # the innermost open node
    for i in range(len(tag) + 1):
        while current >= 0 and node_end[current] == i:
            if tag[current] not in tags.VOID:
                yield f"</{tag[current]}>"
            yield html.escape(nodes.tail[current] or "", quote=False)
            current = parent[current]
        if i < len(tag):
            yield f"<{tag[i]}>"
            yield html.escape(nodes.text[i] or "", quote=False)
            current = i


def _folded(text: str) -> str:
    """Resolve entities, fold white space within lines, and remove empty lines."""
    if "&" in text:
        with suppress(ValueError):  # a character number of thousands of digits stays as it is
            text = html.unescape(text)
    if "\n" not in text:
        return " ".join(text.split())
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
