"""Body text extraction (Finn, Kushmerick, Smyth 2001).

A page is a sequence of tokens: tags (``B_n = 1``) and words (``B_n = 0``). The cumulative number of
tags rises steeply in navigation and hardly rises in prose, so the body is a plateau of this curve.
The first token i and the last token j of the plateau maximize the tags outside and the words
inside:

    T(i, j) = sum(B_n, n < i) + sum(1 - B_n, i <= n <= j) + sum(B_n, n > j)

The first and the last sum count the tags outside, which is all tags minus the tags inside. So T(i,
j) is a constant plus the sum of ``1 - 2 B_n`` from i to j, and the body is the subsequence of
tokens with the greatest such sum. One pass over the texts between tags finds it; no list of tokens
is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from scrapy_webtext.core.words import count_words
from scrapy_webtext.extractors.readings import (
    Reading,
    block_spans,
    blocks_of_spans,
    check_reading,
    page_source,
    source_parts,
    text_of_parts,
)
from scrapy_webtext.page import Page, tags
from scrapy_webtext.page.nodes import prefix_sums
from scrapy_webtext.results import Extraction, Signal

#: Modern reading: characters per word token in scripts without spaces between words.
SEGMENT_CHARS: Final = 4


@dataclass(frozen=True, slots=True)
class Tokens:
    """Numbers of words and tags of a page; a column has one value per text between two tags."""

    words: list[int]  #: number of word tokens of the text; 0 for hidden text
    tags_before: Sequence[int]
    tags: int  #: number of tags of the page
    parts: Sequence[str] = ()  #: paper reading: the source as text, tag, text, tag ...


class Plateau(NamedTuple):
    """The first and last text of a plateau."""

    first: int  #: the first text of the body; -1 on a page without words
    last: int  #: the last text of the body
    gain: int  #: words minus tags from first to last: T(i, j) minus the page's tags


def best_plateau(words: Sequence[int], tags_before: Sequence[int]) -> Plateau:
    """Return the plateau with the greatest T(i, j), in linear time.

    ``words`` has the number of word tokens of each text, ``tags_before`` the number of tags before
    it. The plateau begins with the first word of a text and ends with the last word of a text,
    because a tag at either end would reduce T.
    """
    first, last, gain = -1, -1, 0
    start, sum_here, seen = -1, -1, 0
    for k, (n, before) in enumerate(zip(words, tags_before, strict=True)):
        if not n:
            continue
        sum_here -= before - seen
        if sum_here < 0:  # at 0, keep the earlier start
            start, sum_here = k, 0
        sum_here += n
        seen = before
        if sum_here > gain or (sum_here == gain and start == first):
            first, last, gain = start, k, sum_here
    return Plateau(first, last, gain)


@dataclass(frozen=True)
class BodyTextExtractor:
    """Main text by the plateau of the tag curve.

    ``score`` is T(i, j) / N, in [0, 1]: words inside the plateau plus tags outside, divided by the
    page's N tokens. If several plateaus are equally good, the one with the smallest i is used, and
    of these the one with the greatest j. So a sentence with as many tags as words is not cut.

    ``reading``
        ``"paper"`` follows the paper to the letter. A token is a tag (also ``<script>`` and
        ``<style>``) or a word between white space, so Chinese and Japanese bodies are lost. The
        HTML is read as it was sent; a page without source is read as HTML made from its tree.
        Hidden text counts.
        ``"modern"`` (default): scripts without spaces between words count one word token per
        four characters. Text that a browser does not show (`Page.hidden`) has no word tokens
        and is not extracted. Tags are one start and one end tag per element, as the parser
        repaired them.

    In both readings, code and comments do not count as words, and declarations not as tags.
    """

    name: ClassVar[str] = "bte"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def extract(self, page: Page) -> Extraction:
        """Return the text of the plateau; empty for a page without words."""
        tokens = self.tokens(page)
        body = best_plateau(tokens.words, tokens.tags_before)
        if body.first < 0:
            return Extraction("", 0.0, self.name)
        score = (tokens.tags + body.gain) / (tokens.tags + sum(tokens.words))
        if self.reading == "paper":
            text = text_of_parts(tokens.parts[2 * body.first : 2 * body.last + 1])
            blocks = blocks_of_spans(_spans(page, tokens)[body.first : body.last + 1])
            return Extraction(text, score, self.name, blocks)
        runs = [k for k in range(body.first, body.last + 1) if tokens.words[k]]
        return Extraction.of_runs(page, runs, score, self.name)

    def tokens(self, page: Page) -> Tokens:
        """Count the words and tags of a page."""
        if self.reading == "paper":
            parts = source_parts(page_source(page), keep_tags=True)
            words = [len(text_of_parts([text]).split()) for text in parts[::2]]
            tags_before = prefix_sums(bool(tag) for tag in parts[1::2])
            return Tokens(words, tags_before, tags_before[-1], parts)
        hidden, tag = page.hidden, page.nodes.tag
        words = [
            0 if hidden[i] else count_words(text, SEGMENT_CHARS)
            for text, i in zip(page.runs.text, page.runs.node, strict=True)
        ]
        tag_count = 2 * len(tag) - sum(map(tags.VOID.__contains__, tag))
        return Tokens(words, page.runs.tags_before, tag_count)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the cumulative number of tags at each token (the paper's Fig. 3).

        The plateau's tokens are selected.
        """
        tokens = self.tokens(page)
        curve, blocks = _curve(page, tokens)
        body = best_plateau(tokens.words, tokens.tags_before)
        selected: tuple[int, ...] = ()
        if body.first >= 0:
            words_before = prefix_sums(tokens.words)
            i = tokens.tags_before[body.first] + words_before[body.first]
            j = tokens.tags_before[body.last] + words_before[body.last + 1] - 1
            selected = tuple(range(i, j + 1))
        return (Signal("cumulative_tags", "token", tuple(curve), None, selected, tuple(blocks)),)


def _curve(page: Page, tokens: Tokens) -> tuple[list[float], list[tuple[int, int] | None]]:
    """Return each token's number of tags up to it, and the first and last block of its text."""
    curve: list[float] = []
    blocks: list[tuple[int, int] | None] = []
    end = (0, tokens.tags, None)  # the tags after the last text, without words
    texts = zip(tokens.words, tokens.tags_before, _spans(page, tokens), strict=True)
    seen = 0
    for n, before, span in [*texts, end]:
        curve.extend(range(seen + 1, before + 1))
        curve.extend([before] * n)
        blocks.extend([None] * (before - seen))
        blocks.extend([span] * n)
        seen = before
    return curve, blocks


def _spans(page: Page, tokens: Tokens) -> Sequence[tuple[int, int] | None]:
    """Return per text its first and last block."""
    if tokens.parts:
        return block_spans(page, [text_of_parts([text]) for text in tokens.parts[::2]])
    blocks = zip(page.blocks.first_run, page.blocks.end_run, strict=True)
    return [(b, b) for b, (first, end) in enumerate(blocks) for _ in range(first, end)]
