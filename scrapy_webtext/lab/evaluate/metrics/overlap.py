"""Overlap of words and of 4-shingles, as today's benchmarks have it, and what is made of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Final, Literal, NamedTuple

from scrapy_webtext.lab.evaluate.metrics.shares import share

#: Words or characters in a row that make a shingle.
SHINGLE: Final = 4
#: The P value paper counts pages whose precision, recall and F1 are all greater than this.
ACCURATE: Final = 0.95
#: WFFTE: text that is main text must be more than this share of it to be the correct text.
CORRECT_RECALL: Final = 0.5

#: What texts are made of: words, or characters in scripts without spaces between words.
Unit = Literal["words", "chars"]

_WORD: Final = re.compile(r"\w+")
_WORD_CHAR: Final = re.compile(r"\w")


class Overlap(NamedTuple):
    """How far two multisets agree; each value in [0, 1]."""

    precision: float  #: share of the predicted that is gold
    recall: float  #: share of the gold that was predicted
    f1: float  #: their harmonic mean

    @property
    def is_accurate(self) -> bool:
        """Whether all three are greater than 0.95 (Lv et al. 2017, "accurately extracted")."""
        return min(self) > ACCURATE


def word_overlap(predicted: str, gold: str) -> Overlap:
    """Return the overlap of the words, lower-cased, each as often as it stands.

    A word is a series of letters, digits and underscores. Without words on either side all is 0.
    """
    return _overlap(_shingles(words_of(predicted), 1), _shingles(words_of(gold), 1))


def shingle_overlap(predicted: str, gold: str, unit: Unit = "words") -> Overlap:
    """Return the overlap of the 4-shingles: of words lower-cased, or of characters.

    Characters are letters, digits and underscores as they stand. A text of fewer than four is
    one shingle.
    """
    if unit == "words":
        return _overlap(_shingles(words_of(predicted), SHINGLE), _shingles(words_of(gold), SHINGLE))
    return _overlap(_char_shingles(predicted), _char_shingles(gold))


def mean_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    """Return the means of precision, recall and F1 over pages; 0 without pages."""
    if not overlaps:
        return Overlap(0.0, 0.0, 0.0)
    return Overlap(*(mean(column) for column in zip(*overlaps, strict=True)))


def pooled_f1(overlaps: Sequence[Overlap]) -> float:
    """Return the F1 of mean precision and mean recall, as the 4-shingle benchmark has it."""
    precision, recall, _ = mean_overlap(overlaps)
    return _f1(precision, recall)


def accurate_ratio(overlaps: Sequence[Overlap]) -> float:
    """Return the share of the pages that are accurately extracted (Lv et al. 2017, Table 2)."""
    return sum(o.is_accurate for o in overlaps) / len(overlaps) if overlaps else 0.0


@dataclass(frozen=True, slots=True)
class Completeness:
    """Pages correctly and completely extracted (Wang, Wei, eqs. 7 and 8)."""

    pages: int  #: C1
    correct: int  #: C2: what was extracted is the main text, if not all of it
    complete: int  #: C3: of these, nothing is missing

    @property
    def accuracy(self) -> float:
        """P = C2 / C1."""
        return share(self.correct, self.pages)

    @property
    def completeness(self) -> float:
        """R = C3 / C2."""
        return share(self.complete, self.correct)


def completeness(overlaps: Iterable[Overlap], bound: float = ACCURATE) -> Completeness:
    """Return the counts of WFFTE's measures.

    The paper judges by eye. Here a page is correct if its precision is greater than the bound
    and its recall greater than one half (`CORRECT_RECALL`): a word of the main text is not the
    main text. It is complete if its recall is greater than the bound, too.
    """
    pages = list(overlaps)
    found = [o for o in pages if o.precision > bound and o.recall > CORRECT_RECALL]
    return Completeness(len(pages), len(found), sum(o.recall > bound for o in found))


def words_of(text: str) -> list[str]:
    """Return the words of a text, lower-cased: series of letters, digits and underscores."""
    return _WORD.findall(text.lower())


def _shingles(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    if not words:
        return Counter()
    if len(words) < n:
        return Counter([tuple(words)])
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _char_shingles(text: str) -> Counter[str]:
    chars = "".join(_WORD_CHAR.findall(text))
    return Counter(chars[at : at + SHINGLE] for at in range(max(1, len(chars) - SHINGLE + 1)))


def _overlap(predicted: Counter[Any], gold: Counter[Any]) -> Overlap:
    common = (predicted & gold).total()
    precision, recall = share(common, predicted.total()), share(common, gold.total())
    return Overlap(precision, recall, _f1(precision, recall))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
