"""Body text extraction (Finn, Kushmerick, Smyth 2001).

A page is read as one sequence of tokens, tags (``B_n = 1``) and words (``B_n = 0``). The number
of tags seen so far, drawn over the position, rises steeply where the page is navigation and
hardly at all where it is prose: the body is the plateau. Its ends i and j are put where most
tags lie outside and most words inside, that is where

    T(i, j) = sum(B_n, n < i) + sum(1 - B_n, i <= n <= j) + sum(B_n, n > j)

is greatest. The first and last sum are all tags less those inside, so T(i, j) is a constant plus
the sum of ``1 - 2 B_n`` from i to j, and the best i and j are the ends of the run of tokens with
the greatest sum, found in one pass. Since words come in runs between tags, the pass goes over
the page's pieces of text and no token is ever made.
"""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final, Literal, NamedTuple

from scrapy_webtext.extractors.readings import Reading, check_reading
from scrapy_webtext.page import Page, count_words, page_source, prefix_sums, source_parts, tags
from scrapy_webtext.results import Extraction, Signal

#: Characters per word token of scripts without spaces between words, by the modern reading.
SEGMENT_CHARS: Final = 4
#: Elements that refer to something, and the attribute that says to what.
_REFERENCES: Final = {"a": "href", "img": "src"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words and tags of a page; the columns have one value per run."""

    words: list[int]  #: words of the run; 0 where its text is not read
    tags_before: Sequence[int]  #: tags before it
    tags: int  #: of the page


class Plateau(NamedTuple):
    """The pieces of text between the ends of a plateau, and the worth of the ends."""

    first: int  #: the first run of the body; -1 on a page without words
    last: int  #: the last run of the body
    gain: int  #: words less tags between the ends: T(i, j) less the tags of the page


class Reference(NamedTuple):
    """A link or a picture in the body."""

    kind: Literal["link", "image"]
    address: str  #: as it stands in the page
    node: int


def read_tokens(page: Page, reading: Reading) -> Tokens:
    """Return the tokens of a page; `BodyTextExtractor` describes the readings."""
    texts = page.runs.text
    if reading == "modern":
        hidden, tag = page.hidden, page.nodes.tag
        words = [
            0 if hidden[i] else count_words(text, SEGMENT_CHARS)
            for text, i in zip(texts, page.runs.node, strict=True)
        ]
        started = len(tag) - tag.count("")
        tag_count = 2 * started - sum(map(tags.VOID.__contains__, tag))
        return Tokens(words, page.runs.tags_before, tag_count)
    places = _tag_places(page)
    starts = prefix_sums(map(_letters, texts))[:-1]
    return Tokens(
        [text.count(" ") + 1 if text else 0 for text in texts],
        [bisect_right(places, start) for start in starts],
        len(places),
    )


def best_plateau(words: Sequence[int], tags_before: Sequence[int]) -> Plateau:
    """Return the ends with the greatest T(i, j), in linear time.

    Of equally good ends, the earliest i and then the last j.
    ``words`` has the word tokens of each run, ``tags_before`` the tags before it. The best ends
    are the first and last word of two runs, since a tag at an end could be left out for a
    greater T.
    """
    first, last, gain = -1, -1, 0
    start, sum_here, seen = -1, -1, 0
    for k, (n, before) in enumerate(zip(words, tags_before, strict=True)):
        if not n:
            continue
        sum_here -= before - seen
        if sum_here < 0:  # not at 0: an equally good run that begins earlier goes on
            start, sum_here = k, 0
        sum_here += n
        seen = before
        if sum_here > gain or (sum_here == gain and start == first):
            first, last, gain = start, k, sum_here
    return Plateau(first, last, gain)


@dataclass(frozen=True)
class BodyTextExtractor:
    """Main text by the plateau of the tag curve.

    ``score`` is T(i, j) / N, in [0, 1]: the share of the page's N tokens that lie on their side
    of the plateau's ends, words inside and tags outside. Of equally good ends the earliest i
    is taken, then the last j: a sentence is not cut where it breaks even.

    ``reading``
        ``"paper"`` is the letter: words between white space, which loses every Chinese and
        Japanese body; hidden text counts; tags are those of the HTML as it was sent.
        ``"modern"`` (default): scripts without spaces between words count one word token per
        four characters. Text that a browser does not show (`Page.hidden`) makes no word tokens
        and is not extracted. Tags are one start and one end tag per element, as the parser
        repaired them.

    Scripts, styles and comments are neither word nor tag text in either reading.
    """

    name: ClassVar[str] = "bte"

    reading: Reading = "modern"

    def __post_init__(self) -> None:
        check_reading(self.reading)

    def extract(self, page: Page) -> Extraction:
        """Return the text between the plateau's ends; empty for a page without words."""
        tokens = self.tokens(page)
        body = self.plateau(tokens)
        if body.first < 0:
            return Extraction("", 0.0, self.name)
        score = (tokens.tags + body.gain) / (tokens.tags + sum(tokens.words))
        runs = [k for k in range(body.first, body.last + 1) if tokens.words[k]]
        return Extraction.of_runs(page, runs, score, self.name)

    def references(self, page: Page) -> list[Reference]:
        """Return the links and pictures of the body, which the paper calls relevant to it.

        Links with text of the body, and what stands between two texts of it; in page order. The
        page must have been read with its attributes.
        """
        found = []
        first, end = page.runs.first, page.runs.end
        body = self.plateau(self.tokens(page))
        for node, tag in enumerate(page.nodes.tag):
            if tag in _REFERENCES and first[node] <= body.last and end[node] > body.first:
                address = dict(page.nodes.attributes[node]).get(_REFERENCES[tag], "").strip()
                if address:
                    found.append(Reference("link" if tag == "a" else "image", address, node))
        return found

    def tokens(self, page: Page) -> Tokens:
        """Return the words and tags of a page."""
        return read_tokens(page, self.reading)

    def plateau(self, tokens: Tokens) -> Plateau:
        """Return the plateau that makes the body."""
        return best_plateau(tokens.words, tokens.tags_before)

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the cumulative number of tags per token (the paper's Fig. 3).

        Selected are the tokens of the plateau, its ends first and last.
        """
        tokens = self.tokens(page)
        curve, blocks = _curve(page, tokens)
        body = self.plateau(tokens)
        selected: tuple[int, ...] = ()
        if body.first >= 0:
            words_before = list(accumulate(tokens.words, initial=0))
            i = tokens.tags_before[body.first] + words_before[body.first]
            j = tokens.tags_before[body.last] + words_before[body.last + 1] - 1
            selected = tuple(range(i, j + 1))
        return (Signal("cumulative_tags", "token", tuple(curve), None, selected, tuple(blocks)),)


def _curve(page: Page, tokens: Tokens) -> tuple[Sequence[float], Sequence[tuple[int, int] | None]]:
    """Return per token the tags so far, and the block that it lies in."""
    words, tags_before = tokens.words, tokens.tags_before
    curve: list[float] = []
    blocks: list[tuple[int, int] | None] = []
    ends = (*page.blocks.end_run, len(words) + 1)
    seen = block = 0
    for k, (n, before) in enumerate(zip((*words, 0), (*tags_before, tokens.tags), strict=True)):
        block += k == ends[block]
        curve.extend(range(seen + 1, before + 1))
        curve.extend([before] * n)
        blocks.extend([None] * (before - seen))
        blocks.extend([(block, block)] * n)
        seen = before
    return curve, blocks


def _tag_places(page: Page) -> list[int]:
    """Return per tag of the source the letters of text before it.

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
