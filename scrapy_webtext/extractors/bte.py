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

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.page import Page, count_words, tags
from scrapy_webtext.results import Extraction, Signal

Words = Literal["segments", "spaces"]
Hidden = Literal["skipped", "read"]


@dataclass(frozen=True, slots=True)
class Plateau:
    """The pieces of text between the ends of the plateau, and what the ends are worth."""

    first: int  #: the first run of the body; -1 on a page without words
    last: int  #: the last run of the body
    gain: int  #: words less tags between the ends: T(i, j) less the tags of the page


@dataclass(frozen=True)
class BodyTextExtractor:
    """Main text by the plateau of the tag curve.

    ``score`` is T(i, j) / N, in [0, 1]: the share of the page's N tokens that lie on their side
    of the plateau's ends, words inside and tags outside. Of equally good ends the earliest i
    is taken, then the last j: a sentence is not cut where it breaks even. The paper has no
    parameters; these are readings of it:

    ``words``
        ``"segments"`` (default): scripts that set no spaces between words count one word token
        per ``segment_chars`` characters. ``"spaces"`` is the paper's letter, words between
        white space; it loses every Chinese and Japanese body (docs/algorithms/bte.md).
    ``segment_chars``
        Characters per word token of such scripts, at least 1 (default 4).
    ``hidden``
        ``"skipped"`` (default): text that a browser does not show (`Page.hidden`) makes no
        word tokens and is not extracted. ``"read"`` is the paper's letter, every word counts.

    Scripts, styles and comments are neither word nor tag text in either reading; tags are
    counted as the parser repaired them, one start and one end tag per element.
    """

    name: ClassVar[str] = "bte"

    words: Words = "segments"
    segment_chars: int = 4
    hidden: Hidden = "skipped"

    def __post_init__(self) -> None:
        check_choice("words", self.words, get_args(Words))
        check_choice("hidden", self.hidden, get_args(Hidden))
        if not isinstance(self.segment_chars, int) or self.segment_chars < 1:
            raise SettingsError(
                f"segment_chars={self.segment_chars!r} is not allowed; use an integer of 1 or more"
            )

    def extract(self, page: Page) -> Extraction:
        """Return the text between the plateau's ends; empty for a page without words."""
        words = self.words_of_runs(page)
        plateau = best_plateau(words, page.runs.tags_before)
        if plateau.first < 0:
            return Extraction("", 0.0, self.name)
        tag_tokens = count_tags(page)
        score = (tag_tokens + plateau.gain) / (tag_tokens + sum(words))
        runs = [k for k in range(plateau.first, plateau.last + 1) if words[k]]
        return Extraction.of_runs(page, runs, score, self.name)

    def words_of_runs(self, page: Page) -> list[int]:
        """Return the word tokens of each run of the page; 0 where its text is not read."""
        texts = page.runs.text
        if self.words == "spaces":
            words = [text.count(" ") + 1 for text in texts]
        else:
            words = [count_words(text, self.segment_chars) for text in texts]
        if self.hidden == "skipped":
            hidden = page.hidden
            return [0 if hidden[i] else n for n, i in zip(words, page.runs.node, strict=True)]
        return words

    def signals(self, page: Page) -> tuple[Signal, ...]:
        """Return the cumulative number of tags per token (the paper's Fig. 3).

        Selected are the tokens of the plateau, its ends first and last.
        """
        words = self.words_of_runs(page)
        tags_before = page.runs.tags_before
        plateau = best_plateau(words, tags_before)
        curve: list[float] = []
        blocks: list[tuple[int, int] | None] = []
        ends = (*page.blocks.end_run, len(words) + 1)
        seen = block = 0
        for k, (n, before) in enumerate(
            zip((*words, 0), (*tags_before, count_tags(page)), strict=True)
        ):
            block += k == ends[block]
            curve.extend(range(seen + 1, before + 1))
            curve.extend([before] * n)
            blocks.extend([None] * (before - seen))
            blocks.extend([(block, block)] * n)
            seen = before
        selected: range | tuple[()] = ()
        if plateau.first >= 0:
            words_before = list(accumulate(words, initial=0))
            i = tags_before[plateau.first] + words_before[plateau.first]
            j = tags_before[plateau.last] + words_before[plateau.last + 1] - 1
            selected = range(i, j + 1)
        return (
            Signal("cumulative_tags", "token", tuple(curve), None, tuple(selected), tuple(blocks)),
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


def count_tags(page: Page) -> int:
    """Return the start and end tags of the page's elements."""
    tag = page.nodes.tag
    started = len(tag) - tag.count("")
    return 2 * started - sum(map(tags.VOID.__contains__, tag))
