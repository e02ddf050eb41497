"""Which blocks of a page a text from elsewhere is made of, as far as its lines tell."""

from __future__ import annotations

from scrapy_webtext.page import Page


def matching_blocks(page: Page, text: str) -> tuple[int, ...]:
    """Return the blocks whose letters and digits are those of a line of the text, ascending.

    Each line is found once, by the next block that has its words. Blocks that the text has in
    pieces, or run together with others, are not found.
    """
    lines: dict[str, int] = {}
    for line in filter(None, map(_letters, text.split("\n"))):
        lines[line] = lines.get(line, 0) + 1
    found = []
    for b, block in enumerate(page.blocks.text):
        letters = _letters(block)
        if lines.get(letters):
            lines[letters] -= 1
            found.append(b)
    return tuple(found)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
