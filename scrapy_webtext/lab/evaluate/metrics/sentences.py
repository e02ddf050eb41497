"""Sentences lost and noise blocks: the grades of Wang et al. 2013, Table 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final, Literal, NamedTuple

from scrapy_webtext.lab.corpus import match_words
from scrapy_webtext.lab.evaluate.metrics.overlap import words_of
from scrapy_webtext.lab.evaluate.metrics.shares import share

#: A sentence is kept if at least this share of its words is.
KEPT: Final = 0.9

Grade = Literal["excellent", "good", "poor"]

_SENTENCE_END: Final = re.compile(
    r"\n+|(?<=[.!?…])\s+|(?<=[.!?…][\"'”’»)])\s+|(?<=[。！？])(?![”’」』）。！？])|(?<=[。！？][”’」』）])"
)


class Losses(NamedTuple):
    """What an extraction lacks and what it has too much (Wang et al. 2013)."""

    sentences_lost: int
    noise_blocks: int

    @property
    def grade(self) -> Grade:
        """Excellent without either, good with up to two of each, else poor.

        The paper has good for "1-2 sentences lost" or "1-2 noise blocks"; both at once are
        not spoken of, and are good here.
        """
        worst = max(self)
        return "excellent" if not worst else "good" if worst <= 2 else "poor"


def losses(predicted: str, gold: str) -> Losses:
    """Return how many sentences of the gold text are lost and how many predicted blocks are noise.

    The paper counts by eye. Here a sentence is lost unless nine tenths of its words stand in the
    predicted text, in order (`KEPT`). A noise block is a series of sentences on one predicted
    line of each of which less than nine tenths stand in the gold text.
    """
    if words_of(predicted) == words_of(gold):
        return Losses(0, 0)
    lost = sum(not is_kept for is_kept in _kept(sentences(gold), predicted))
    lines = [sentences(line) for line in predicted.split("\n")]
    is_gold = iter(_kept([sentence for line in lines for sentence in line], gold))
    noise = 0
    for line in lines:
        by_kind = groupby(islice(is_gold, len(line)))
        noise += sum(not is_kept for is_kept, _ in by_kind)
    return Losses(lost, noise)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text: up to an end mark or the end of a line."""
    return [part for part in map(str.strip, _SENTENCE_END.split(text)) if part]


@dataclass(frozen=True, slots=True)
class Grades:
    """Pages by grade (Wang et al. 2013, Table 2)."""

    excellent: int
    good: int
    poor: int

    @property
    def excellent_rate(self) -> float:
        """Share of the excellent pages."""
        return share(self.excellent, self.excellent + self.good + self.poor)

    @property
    def good_rate(self) -> float:
        """Share of the pages that are excellent or good."""
        return share(self.excellent + self.good, self.excellent + self.good + self.poor)


def grades(pages: Iterable[Losses]) -> Grades:
    """Return how many pages have each grade."""
    counts = Counter(page.grade for page in pages)
    return Grades(counts["excellent"], counts["good"], counts["poor"])


def _kept(parts: Sequence[str], text: str) -> list[bool]:
    """Per part, whether nine tenths of its words stand in a text, in order; so if it has none."""
    return [not m.words or m.matched >= KEPT * m.words for m in match_words(parts, text)]
