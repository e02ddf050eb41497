"""Splits a main text into chunks for retrieval, by section and by number of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from scrapy_webtext.page.text import INVISIBLE


class Chunk(NamedTuple):
    """A piece of a main text: ``main_text[start:end] == text``."""

    section: tuple[str, ...]  #: headings above the chunk, outermost first, then its own heading
    text: str
    start: int
    end: int


#: A fence of code, with the signs of quotes and items before it.
_FENCE: Final = re.compile(r"^[ >]*(?:(?:[-*+]|\d+\.) +)*(`{3,})")
#: Start of a block of Markdown -> its kind.
_KINDS: Final = {"#": "heading", "|": "table", "[^": "note"}
#: Kinds of blocks of Markdown that are not cut.
_WHOLE: Final = ("fence", "note")


def chunks_of(
    main_text: Any, blocks: Sequence[Any] | None = (), most: int = 1000, format: str = "text"
) -> Iterator[Chunk]:
    """Yield the chunks of a text, each of at most ``most`` characters.

    ``main_text`` is a text, and ``blocks`` the rows of a result's ``blocks``, as objects or dicts;
    or ``main_text`` is a result, as object or dict, that has both. A chunk ends where its section
    ends, or before a block that would exceed ``most``. A heading and the block below it are not
    separated. If a heading with this block, or a single block, exceeds ``most``, it is cut: at the
    end of a line of the block, else at a space, else anywhere. No chunk is blank.

    With ``format="markdown"`` the text is ``main_markdown``, and ``blocks`` are not needed. Fenced
    code, footnotes and rows of tables are not cut, so a chunk with one of them may be longer.
    """
    if most < 1:
        raise ValueError(f"chunks of {most} characters are not possible: give 1 or more")
    name = "main_markdown" if format == "markdown" else "main_text"
    if not isinstance(main_text, str):
        row = main_text if isinstance(main_text, Mapping) else main_text.to_dict()
        main_text, blocks = row.get(name), row.get("blocks")
    rows = [*_blocks_of_markdown(main_text or "")] if format == "markdown" else blocks
    if main_text is None or rows is None:
        raise ValueError(f"the result lacks {name} or blocks: name them in include")
    rows = [one if isinstance(one, Mapping) else asdict(one) for one in rows]
    return (one for one in _cut(main_text, rows, most) if one.text.strip(INVISIBLE))


def _blocks_of_markdown(text: str) -> Iterator[dict[str, Any]]:
    """Yield the blocks of Markdown, which blank lines outside of code and notes separate."""
    found: list[tuple[str, int, int]] = []  # kind, start, end
    fence, at, is_apart = "", 0, True
    for line in text.split("\n"):
        is_inside = fence or (found and found[-1][0] == "note" and line.startswith("    "))
        if line and is_apart and not is_inside:
            kinds = [kind for sign, kind in _KINDS.items() if line.startswith(sign)]
            found.append((kinds[0] if kinds else "paragraph", at, at))
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
        if line:
            kind = "fence" if mark and found[-1][0] != "note" else found[-1][0]
            found[-1] = (kind, found[-1][1], at + len(line))
        is_apart = not line
        at += len(line) + 1
    section: list[tuple[int, str]] = []
    for kind, start, end in found:
        level, _, title = text[start:end].partition(" ")
        while kind == "heading" and section and section[-1][0] >= len(level):
            section.pop()
        own = tuple(one for _, one in section)
        yield {"kind": kind, "text": title, "section": own, "start": start, "end": end}
        if kind == "heading":
            section.append((len(level), title))


def _cut(main_text: str, blocks: Sequence[Mapping[str, Any]], most: int) -> Iterator[Chunk]:
    start = end = 0
    is_heading = False
    section: tuple[str, ...] = ()
    for block in blocks:
        is_full = block["end"] - start > most and not is_heading
        is_heading = block["kind"] == "heading"
        own = (*block["section"], *([block["text"]] if is_heading else ()))
        if end > start and (own != section or is_full):
            yield Chunk(section, main_text[start:end], start, end)
            start = block["start"]
        start, end, section = (start if end > start else block["start"]), block["end"], own
        while end - start > most and block["kind"] not in _WHOLE:
            limit = start + most + 1
            cut = main_text.rfind("\n", max(start, block["start"]) + 1, limit)
            if cut < 0 and block["kind"] == "table":
                cut = main_text.find("\n", limit, end)
                if cut < 0:
                    break
            elif cut < 0:
                cut = main_text.rfind(" ", start + 1, limit)
            if cut < 0:
                cut = start + most
            yield Chunk(section, main_text[start:cut], start, cut)
            start = cut + (main_text[cut] in " \n")
    if end > start:
        yield Chunk(section, main_text[start:end], start, end)
