"""What the containers of a page hold, each by itself or with what is inside it (steps 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.extractors.wffte.container_tree import Containers
from scrapy_webtext.extractors.wffte.title import Segmenter, StopWords, title_counts, title_words
from scrapy_webtext.page import Page, count_words, tags

#: Of a page's headings so many characters are read: segmenting Chinese takes 10 microseconds each.
MAX_HEADINGS_CHARS: Final = 20_000

MARKS: Final = ',.;:!?"()，。、；：？！“”（）《》…—'

_MARK: Final = re.compile(f"[{MARKS}]")


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
    is_link, node, texts = page.is_link, page.runs.node, page.runs.text
    kept = [k for k, row in enumerate(owner) if row >= 0]
    candidates = title_words(_titles(page, owner), segmenter, stop_words)
    named = title_counts(candidates, [texts[k].lower() for k in kept])
    for k, of_first, of_second in zip(kept, *named, strict=True):
        row, text = owner[k], texts[k]
        chars[row] += len(text)
        (link_words if is_link[node[k]] else words)[row] += count_words(text, 1)
        punctuation[row] += len(_MARK.findall(text))
        first[row] += of_first
        second[row] += of_second
    return Content(chars, words, link_words, punctuation, first, second)


def _titles(page: Page, owner: Sequence[int]) -> list[str]:
    """Return the page's title and its headings, of which so many characters are read."""
    runs = page.runs
    titles, left = [page.title], MAX_HEADINGS_CHARS
    for i in page.nodes.tops(tags.HEADINGS):
        inside = range(runs.first[i], runs.end[i])
        heading = " ".join(runs.text[k] for k in inside if owner[k] >= 0)[:left]
        titles.append(heading)
        left -= len(heading)
    return titles


def _summed(values: Sequence[int], parents: Sequence[int]) -> list[int]:
    sums = list(values)
    for row in range(len(sums) - 1, 0, -1):
        if parents[row] > 0:
            sums[parents[row]] += sums[row]
    return sums
