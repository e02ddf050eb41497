"""Gold text to blocks: which words of a page stand, in order, in the gold text.

A bag of words would call every "the" of a menu content. Here page and gold are two sequences
of words, matched as a diff matches two files: series of six words that both have are chained in
the order of both (a longest increasing subsequence); between two links of that chain the same is
done with series of three words, and between those with single words, which catches short
headings. Where a passage stands on the page twice, the copy wins that continues its neighbour's
match. Each step costs n log n in the matches, whose number is bounded per word, so that a page
of 10,000 words takes some 30 ms.

A word is a series of letters, digits and underscores, lower-cased; a character of a script that
is written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is a word of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

#: Words in a row that must agree, per pass.
SERIES: Final = (6, 3, 1)
#: A series that the gold text has more often than this within one gap is no evidence.
MOST_REPEATS: Final = 8

#: Letters of scripts without spaces; each is a word. `page.words` tells why there are three such
#: sets.
_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_WORD: Final = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")


class WordMatch(NamedTuple):
    """How far one text is made of the gold text."""

    words: int
    matched: int  #: of these words, how many stand in the gold text, in order

    @property
    def share(self) -> float:
        """Share of the words that stand in the gold text, in [0, 1]; 0 without words."""
        return self.matched / self.words if self.words else 0.0


def tokens(text: str) -> list[str]:
    """Words of a text, lower-cased; see the module."""
    return _WORD.findall(text.lower())


def match_words(texts: Sequence[str], gold: str) -> list[WordMatch]:
    """Return per text (blocks in document order) its words and how many of them are gold."""
    split = [tokens(text) for text in texts]
    mask = _matched(list(chain.from_iterable(split)), tokens(gold))
    matches = []
    start = 0
    for words in split:
        matches.append(WordMatch(len(words), sum(mask[start : start + len(words)])))
        start += len(words)
    return matches


def content_mask(texts: Sequence[str], gold: str, share: float = 0.5) -> list[bool]:
    """Return per text whether it is content: more than this share of its words are gold.

    A text without words is none.
    """
    return [match.share > share for match in match_words(texts, gold)]


def _matched(page: list[str], gold: list[str]) -> bytearray:
    """Mask over the words of the page: 1 for those matched to a word of the gold text."""
    mask = bytearray(len(page))
    gaps = [(0, len(page), 0, len(gold))]
    for n in SERIES:
        gaps = [smaller for gap in gaps for smaller in _match_gap(page, gold, gap, n, mask)]
    return mask


_Gap = tuple[int, int, int, int]  # first and end on the page, first and end in the gold text


def _match_gap(page: list[str], gold: list[str], gap: _Gap, n: int, mask: bytearray) -> list[_Gap]:
    """Match series of n words within one gap; mark their words and return the gaps left."""
    i, i_end, j, j_end = gap
    if i == i_end or j == j_end:
        return []
    left: list[_Gap] = []
    for p, g in _increasing(_pairs(page, gold, gap, n)):
        if p - g == i - j and p < i:
            # It overlaps the series before it on the same diagonal: only its end is new.
            new = p + n - i
            mask[i : i + new] = b"\x01" * new
            i, j = i + new, j + new
        elif p >= i and g >= j:
            left.append((i, p, j, g))
            mask[p : p + n] = b"\x01" * n
            i, j = p + n, g + n
    left.append((i, i_end, j, j_end))
    return left


def _pairs(page: list[str], gold: list[str], gap: _Gap, n: int) -> list[tuple[int, int]]:
    """Where series of n words agree: page ascending, for equal page gold descending."""
    i, i_end, j, j_end = gap
    places: dict[tuple[str, ...], list[int]] = {}
    for g, series in zip(range(j_end - n, j - 1, -1), _series(gold, j, j_end, n)[::-1]):  # noqa: B905
        places.setdefault(series, []).append(g)
    none: list[int] = []
    return [
        (p, g)
        for p, series in enumerate(_series(page, i, i_end, n), i)
        if len(found := places.get(series, none)) <= MOST_REPEATS
        for g in found
    ]


def _series(words: list[str], first: int, end: int, n: int) -> list[tuple[str, ...]]:
    if end - first < n:
        return []
    return list(zip(*(words[first + k : end - n + 1 + k] for k in range(n)), strict=True))


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Longest chain of pairs that increases in both (patience sorting with back links).

    Of two pairs with the same place in the gold text at the same length, the later one wins,
    unless only the earlier one continues the match before it without a gap.
    """
    tops: list[int] = []  # per length, the gold place of the best chain's last pair
    last: list[int] = []  # per length, that pair
    before: list[int] = []  # per pair, the pair before it in its chain
    continues: list[bool] = []
    for k, (p, g) in enumerate(pairs):
        length = bisect_left(tops, g)
        previous = last[length - 1] if length else -1
        before.append(previous)
        continues.append(previous >= 0 and pairs[previous] == (p - 1, g - 1))
        if length == len(tops):
            tops.append(g)
            last.append(k)
        elif tops[length] > g or continues[k] or not continues[last[length]]:
            tops[length] = g
            last[length] = k
    found = []
    k = last[-1] if last else -1
    while k >= 0:
        found.append(pairs[k])
        k = before[k]
    return found[::-1]
