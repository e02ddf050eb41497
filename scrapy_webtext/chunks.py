"""Splits a main text into chunks for retrieval, by section and by number of characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scrapy_webtext.page.text import INVISIBLE


class Chunk(NamedTuple):
    """A piece of a main text: ``main_text[start:end] == text``."""

    section: tuple[str, ...]  #: headings above the chunk, outermost first, then its own heading
    text: str
    start: int
    end: int


def chunks_of(main_text: str, blocks: Sequence[Mapping[str, Any]], most: int) -> Iterator[Chunk]:
    """Yield the chunks of a text, each of at most ``most`` characters.

    ``blocks`` are the rows of a result's ``blocks``, as dicts (``result.to_dict()``). A chunk ends
    where its section ends, or before a block that would exceed ``most``. A heading and the block
    below it are not separated. If a heading with this block, or a single block, exceeds ``most``,
    it is cut: at the end of a line of the block, else at a space, else anywhere. No chunk is blank.
    """
    if most < 1:
        raise ValueError(f"chunks of {most} characters are not possible: give 1 or more")
    return (one for one in _cut(main_text, blocks, most) if one.text.strip(INVISIBLE))


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
        while end - start > most:
            limit = start + most + 1
            cut = main_text.rfind("\n", max(start, block["start"]) + 1, limit)
            if cut < 0:
                cut = main_text.rfind(" ", start + 1, limit)
            if cut < 0:
                cut = start + most
            yield Chunk(section, main_text[start:cut], start, cut)
            start = cut + (main_text[cut] in " \n")
    if end > start:
        yield Chunk(section, main_text[start:end], start, end)
