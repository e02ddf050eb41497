"""The second stage: whole stretches of chosen blocks are kept or dropped.

A block of comments, of "about us" or of another story reads like an article, block by block.
What gives it away is where it stands: apart from the body, behind a gap or a heading that was
dropped, in other elements, with another template. So the chosen blocks are cut into stretches
at gaps, and a small second ensemble judges each stretch against the main one, the stretch with
the most expected words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum
from typing import Final, NamedTuple

from scrapy_webtext.extractors.fusion.features import Reading
from scrapy_webtext.extractors.fusion.places import steps_up
from scrapy_webtext.page import Page, prefix_sums

#: Kinds of block (see features) from here on are headings.
FIRST_HEADING: Final = 13
#: A stretch goes on across as many dropped blocks, unless one is a heading.
MAX_GAP: Final = 3

STRETCH_FEATURES: Final = (
    "share",
    "share_of_main",
    "words",
    "blocks",
    "mean_p",
    "highest_p",
    "lowest_p",
    "words_per_block",
    "side",
    "gap_blocks",
    "gap_words",
    "gap_highest_p",
    "gap_has_heading",
    "words_between",
    "alike_main",
    "steps_to_main",
    "starts_with_heading",
    "first_kind",
    "density",
    "prose_ratio",
    "ends_ratio",
    "name_low",
    "name_sum",
    "name_sum_less_main",
    "depth_less_main",
    "entries",
    "copies",
    "title_similarity",
    "from_headline",
    "stretches",
    "main_share",
    "words_after",
    "is_article",
    "is_forum",
)


class Stretch(NamedTuple):
    """Chosen blocks without a wide gap between them: places among the visible blocks."""

    first: int
    end: int


def stretches(chosen: Sequence[int], reading: Reading) -> list[Stretch]:
    """Return the stretches of these visible blocks, given ascending.

    A stretch ends where more than ``MAX_GAP`` blocks, or a heading, were dropped.
    """
    if not chosen:
        return []
    kinds = reading.columns["kind"]
    cuts = [
        (a, b)
        for a, b in pairwise(chosen)
        if b - a > 1 + MAX_GAP or any(kind >= FIRST_HEADING for kind in kinds[a + 1 : b])
    ]
    firsts = [chosen[0], *(b for _, b in cuts)]
    ends = [*(a + 1 for a, _ in cuts), chosen[-1] + 1]
    return [Stretch(a, z) for a, z in zip(firsts, ends, strict=True)]


class _Main(NamedTuple):
    """What stretches are compared with: the one with the most expected words."""

    place: int
    first: int
    end: int
    signatures: set[int]
    name_sum: float
    depth: float
    steps: list[int]  #: per visible block, up from the main stretch until the block is inside


def stretch_rows(
    page: Page,
    reading: Reading,
    probabilities: Sequence[float],
    kinds: tuple[float, float],
    found: Sequence[Stretch],
) -> list[list[float]]:
    """Return the features of each stretch, in the order of ``STRETCH_FEATURES``.

    ``kinds`` are the probabilities that the page is an article and a forum.
    """
    words = reading.texts.words
    before = prefix_sums(words)
    mass = [
        fsum(p * w for p, w in zip(probabilities[a:z], words[a:z], strict=True)) for a, z in found
    ]
    total = fsum(mass) or 1.0
    after = prefix_sums(reversed(mass))[-2::-1]
    main = _main(page, reading, mass.index(max(mass)), found)
    rows = []
    for k, (a, z) in enumerate(found):
        n = sum(words[a:z])
        rows.append(
            [
                mass[k] / total,
                mass[k] / (mass[main.place] or 1.0),
                n,
                z - a,
                mass[k] / n,
                max(probabilities[a:z]),
                min(probabilities[a:z]),
                n / (z - a),
                *_apart(reading, probabilities, found, k, main, before),
                *_inside(reading, a, z, main),
                len(found),
                mass[main.place] / total,
                after[k] / total,
                *kinds,
            ]
        )
    return rows


def _main(page: Page, reading: Reading, place: int, found: Sequence[Stretch]) -> _Main:
    first, end = found[place]
    signature = reading.elements.signature
    return _Main(
        place,
        first,
        end,
        {signature[i] for i in reading.texts.owner[first:end]},
        _mean(reading.columns["name_sum"], first, end),
        _mean(reading.columns["depth"], first, end),
        _steps_to(page, reading, first, end),
    )


def _apart(
    reading: Reading,
    probabilities: Sequence[float],
    found: Sequence[Stretch],
    k: int,
    main: _Main,
    before: Sequence[int],
) -> tuple[float, ...]:
    """What lies between a stretch and the main one: the features side to words_between.

    ``before`` are the prefix sums of the words.
    """
    words, kinds = reading.texts.words, reading.columns["kind"]
    a, z = found[k]
    if k < main.place:
        side, gap, between = -1, range(z, found[k + 1].first), before[main.first] - before[z]
    elif k > main.place:
        side, gap, between = 1, range(found[k - 1].end, a), before[a] - before[main.end]
    else:
        side, gap, between = 0, range(0), 0
    return (
        side,
        len(gap),
        sum(words[i] for i in gap),
        max((probabilities[i] for i in gap), default=0.0),
        any(kinds[i] >= FIRST_HEADING for i in gap),
        between,
    )


def _inside(reading: Reading, a: int, z: int, main: _Main) -> tuple[float, ...]:
    """What a stretch is made of: the features alike_main to from_headline."""
    texts, columns, signature = reading.texts, reading.columns, reading.elements.signature
    words = texts.words[a:z]
    alike = sum(
        w for w, i in zip(words, texts.owner[a:z], strict=True) if signature[i] in main.signatures
    )
    chars = (texts.chars_sums[z] - texts.chars_sums[a]) or 1
    name_sum = _mean(columns["name_sum"], a, z)
    kind = columns["kind"][a]
    return (
        alike / sum(words),
        min(main.steps[a:z]),
        kind >= FIRST_HEADING,
        kind,
        1 - (texts.plain_sums[z] - texts.plain_sums[a]) / chars,
        (texts.prose_sums[z] - texts.prose_sums[a]) / chars,
        sum(texts.ends[a:z]) / (z - a),
        min(columns["name_low"][a:z]),
        name_sum,
        name_sum - main.name_sum,
        _mean(columns["depth"], a, z) - main.depth,
        max(columns["entries"][a:z]),
        max(columns["copies"][a:z]),
        max(columns["title_similarity"][a:z]),
        columns["from_headline"][a],
    )


def _mean(values: Sequence[float], first: int, end: int) -> float:
    return fsum(values[first:end]) / (end - first)


def _steps_to(page: Page, reading: Reading, first: int, end: int) -> list[int]:
    """Per visible block, steps up from the element around a stretch until the block is inside."""
    at, end_run, parent = reading.texts.at, page.runs.end, page.nodes.parent
    node = reading.texts.node[first]
    while parent[node] >= 0 and at[end_run[node]] < end:
        node = parent[node]
    return steps_up(page, reading.texts, node)
