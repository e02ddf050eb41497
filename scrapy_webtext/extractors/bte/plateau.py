"""The plateaus of the curve of tags: where T(i, j) is greatest (Finn et al. 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Plateau:
    """The pieces of text between the ends of a plateau, and what the ends are worth."""

    first: int  #: the first run of the body; -1 on a page without words
    last: int  #: the last run of the body
    gain: int  #: words less tags between the ends: T(i, j) less the tags of the page


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


def best_plateaus(words: Sequence[int], tags_before: Sequence[int], count: int) -> list[Plateau]:
    """Return up to so many plateaus with the greatest gains, in page order.

    A plateau is a run of tokens that no run around it or inside it outdoes; plateaus do not
    overlap, and all are found in one pass (Ruzzo, Tompa 1999). The first is `best_plateau`.
    """
    if count == 1:
        best = best_plateau(words, tags_before)
        return [best] if best.first >= 0 else []
    found = sorted(all_plateaus(words, tags_before), key=lambda plateau: -plateau.gain)[:count]
    return sorted(found, key=lambda plateau: plateau.first)


def all_plateaus(words: Sequence[int], tags_before: Sequence[int]) -> list[Plateau]:
    """Return all maximal runs of tokens by words less tags, in page order."""
    open_ones: list[_Run] = []
    total = seen = 0
    for k, (n, before) in enumerate(zip(words, tags_before, strict=True)):
        if not n:
            continue
        total -= before - seen
        seen = before
        run = _Run(k, k, total, total + n)
        total += n
        while True:
            below = len(open_ones) - 1
            while below >= 0 and open_ones[below].left >= run.left:
                below = open_ones[below].below
            if below < 0 or open_ones[below].right >= run.right:
                open_ones.append(replace(run, below=below))
                break
            joined = open_ones[below]
            del open_ones[below:]
            run = _Run(joined.first, run.last, joined.left, run.right)
    return [Plateau(run.first, run.last, run.right - run.left) for run in open_ones]


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of tokens that may grow."""

    first: int
    last: int
    left: int  #: words less tags of all before it
    right: int  #: and with its own
    below: int = -1  #: the last run before it that begins lower; -1 for none
