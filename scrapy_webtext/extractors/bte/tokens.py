"""The tokens of a page (Finn et al. 2001): words in its runs of text, tags before each run."""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from scrapy_webtext.page import Page, count_words, page_source, prefix_sums, source_parts, tags

Words = Literal["segments", "spaces"]
Hidden = Literal["skipped", "read"]
Tags = Literal["tree", "source"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words and tags of a page; the columns have one value per run."""

    words: list[int]  #: words of the run; 0 where its text is not read
    tags_before: Sequence[int]  #: tags before it
    tags: int  #: of the page


def read_tokens(
    page: Page, words: Words, segment_chars: int, hidden: Hidden, tag_tokens: Tags
) -> Tokens:
    """Return the tokens of a page; what the parameters mean stands at `BodyTextExtractor`."""
    counts = run_words(page, words, segment_chars, hidden)
    if tag_tokens == "tree":
        return Tokens(counts, page.runs.tags_before, count_tags(page))
    places = _tag_places(page)
    starts = prefix_sums(map(_letters, page.runs.text))[:-1]
    return Tokens(counts, [bisect_right(places, start) for start in starts], len(places))


def run_words(page: Page, words: Words, segment_chars: int, hidden: Hidden) -> list[int]:
    """Return the words of each run, 0 for those whose text is not read."""
    texts = page.runs.text
    if hidden == "skipped":
        mask = page.hidden
        texts = ["" if mask[i] else text for text, i in zip(texts, page.runs.node, strict=True)]
    if words == "spaces":
        return [text.count(" ") + 1 if text else 0 for text in texts]
    return [count_words(text, segment_chars) for text in texts]


def count_tags(page: Page) -> int:
    """Return the start and end tags of the page's elements, as the parser repaired them."""
    tag = page.nodes.tag
    started = len(tag) - tag.count("")
    return 2 * started - sum(map(tags.VOID.__contains__, tag))


def _tag_places(page: Page) -> list[int]:
    """Per tag of the source, how many letters of text stand before it.

    Source and page have the same letters in the same order. Where the parser moved or dropped
    text, later tags are off by as much.
    """
    places = []
    letters = 0
    for k, part in enumerate(source_parts(page_source(page))):
        if part and k % 2:
            places.append(letters)
        elif part:
            letters += _letters(_unescaped(part))
    return places


def _unescaped(text: str) -> str:
    """Return a text of the source with its entities resolved, as far as they can be."""
    if "&" in text:
        with suppress(ValueError):  # a character number of thousands of digits stays as it is
            return html.unescape(text)
    return text


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
