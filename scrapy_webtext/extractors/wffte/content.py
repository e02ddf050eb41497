"""What the containers of a page hold, each by itself or with what is inside it (steps 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.extractors.wffte.containers import Containers
from scrapy_webtext.extractors.wffte.title import (
    Segmenter,
    StopWords,
    most_frequent,
    occurrences,
    title_words,
)
from scrapy_webtext.page import Page, count_words, tags

#: Of a page's headings so many characters are read: segmenting Chinese takes 10 microseconds each.
MAX_HEADINGS_CHARS: Final = 20_000

PUNCTUATION: Final = re.compile('[,.;:!?"()，。、；：？！“”（）《》…—]')


@dataclass(frozen=True, slots=True)
class Content:
    """What the containers hold: columns of equal length C."""

    chars: list[int]
    words: list[int]  #: NC: outside links
    link_words: list[int]  #: HC
    punctuation: list[int]  #: p
    first: list[int]  #: FW
    second: list[int]  #: SW

    def with_inner(self, containers: Containers) -> Content:
        """Return the same with the content of inner containers; row 0 stays as it is."""
        return Content(
            _summed(self.chars, containers.parent),
            _summed(self.words, containers.parent),
            _summed(self.link_words, containers.parent),
            _summed(self.punctuation, containers.parent),
            _summed(self.first, containers.parent),
            _summed(self.second, containers.parent),
        )


def read_content(
    page: Page, owner: Sequence[int], rows: int, segmenter: Segmenter, stop_words: StopWords
) -> Content:
    """Return what each container holds by itself, without inner containers.

    ``owner`` has the row of each run, -1 for noise.
    """
    chars, words, link_words, punctuation, first, second = ([0] * rows for _ in range(6))
    named = list(zip((first, second), _title_words(page, owner, segmenter, stop_words)))  # noqa: B905
    is_link, node = page.is_link, page.runs.node
    for text, row, i in zip(page.runs.text, owner, node, strict=True):
        if row < 0:
            continue
        chars[row] += len(text)
        (link_words if is_link[i] else words)[row] += count_words(text, 1)
        punctuation[row] += len(PUNCTUATION.findall(text))
        if named:
            lowered = text.lower()
            for column, word in named:
                if word in lowered:
                    column[row] += occurrences(word, lowered)
    return Content(chars, words, link_words, punctuation, first, second)


def _title_words(
    page: Page, owner: Sequence[int], segmenter: Segmenter, stop_words: StopWords
) -> list[str]:
    """FirstWord and SecondWord (step 3), as far as the page has them."""
    runs = page.runs
    titles, left = [page.title], MAX_HEADINGS_CHARS
    for i in page.nodes.tops(tags.HEADINGS):
        inside = range(runs.first[i], runs.end[i])
        heading = " ".join(runs.text[k] for k in inside if owner[k] >= 0)[:left]
        titles.append(heading)
        left -= len(heading)
    kept = (text for text, row in zip(runs.text, owner, strict=True) if row >= 0)
    return most_frequent(title_words(titles, segmenter, stop_words), "\n".join(kept).lower())


def _summed(values: Sequence[int], parents: Sequence[int]) -> list[int]:
    sums = list(values)
    for row in range(len(sums) - 1, 0, -1):
        if parents[row] > 0:
            sums[parents[row]] += sums[row]
    return sums
