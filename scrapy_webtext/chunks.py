"""A main text in pieces for retrieval: by section, at most a number of characters each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class Chunk(NamedTuple):
    """A piece of a main text: ``main_text[start:end] == text``."""

    section: tuple[str, ...]  #: the headings that it is below, from the outermost, and its own
    text: str
    start: int
    end: int


def chunks_of(main_text: str, blocks: Sequence[Mapping[str, Any]], most: int) -> Iterator[Chunk]:
    """Yield the chunks of a text of at most ``most`` characters.

    ``blocks`` are the rows of a result's ``blocks``, as dicts (``result.to_dict()``). A chunk ends
    where a section ends, or before the block that is too much. A longer block, or one directly
    below a heading, is cut at a blank.
    """
    if most < 1:
        raise ValueError(f"chunks of {most} characters are not possible: give 1 or more")
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
            cut = main_text.rfind(" ", start + 1, start + most + 1)
            cut = cut if cut > start else start + most
            yield Chunk(section, main_text[start:cut], start, cut)
            start = cut + (main_text[cut] == " ")
    if end > start:
        yield Chunk(section, main_text[start:end], start, end)
