"""Measures of extracted text and of judgements: those of the five papers and today's.

Compared are the extracted text ("predicted") and the gold text.

* Overlap of words and of 4-shingles: precision, recall and F1 of multisets, as today's
  benchmarks have them; with it the P value paper's "accurately extracted" pages.
* The confusion table of the P value paper, and the area under the ROC curve.
* Longest common subsequence, edit distance ratio and space saved, of the text-to-tag ratio paper.
* Sentences lost and noise blocks: excellent, good or poor, of the naive Bayes paper.
* Accuracy and completeness of WFFTE.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from statistics import mean
from typing import Any, Final, Literal, NamedTuple

from scrapy_webtext.corpus import match_words
from scrapy_webtext.errors import MissingExtraError

#: Words or characters in a row that make a shingle.
SHINGLE: Final = 4
#: The P value paper counts pages whose precision, recall and F1 are all greater than this.
ACCURATE: Final = 0.95

#: What texts are made of: words, or characters in scripts without spaces between words.
Unit = Literal["words", "chars"]
Grade = Literal["excellent", "good", "poor"]

_WORD: Final = re.compile(r"\w+")
_WORD_CHAR: Final = re.compile(r"\w")
#: Characters that show nothing: soft hyphen, zero-width spaces and joiners, byte order mark.
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_SENTENCE_END: Final = re.compile(
    r"\n+|(?<=[.!?…])\s+|(?<=[.!?…][\"'”’»)])\s+|(?<=[。！？])(?![”’」』）。！？])|(?<=[。！？][”’」』）])"
)


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
    return _overlap(_shingles(_words(predicted), 1), _shingles(_words(gold), 1))


def shingle_overlap(predicted: str, gold: str, unit: Unit = "words") -> Overlap:
    """Return the overlap of the 4-shingles: of words lower-cased, or of characters.

    Characters are letters, digits and underscores as they stand. A text of fewer than four is
    one shingle.
    """
    if unit == "words":
        return _overlap(_shingles(_words(predicted), SHINGLE), _shingles(_words(gold), SHINGLE))
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
class Confusion:
    """Pages by what the judge said and what they are (Lv et al. 2017, Table 3)."""

    true_positives: int  #: judged to have an article, and they have
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def pages(self) -> int:
        """All pages."""
        counts = (self.true_positives, self.false_positives, self.false_negatives)
        return sum(counts) + self.true_negatives

    @property
    def accuracy(self) -> float:
        """Share of the pages that are judged rightly."""
        return _ratio(self.true_positives + self.true_negatives, self.pages)

    @property
    def recall(self) -> float:
        """Share of the pages with an article that are judged so."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """Share of the pages judged to have an article that have one."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def false_positive_rate(self) -> float:
        """Share of the pages without an article that are judged to have one."""
        return _ratio(self.false_positives, self.false_positives + self.true_negatives)


def confusion(judged: Iterable[tuple[float, bool]], threshold: float = 0.5) -> Confusion:
    """Return the table of (probability, has an article) pairs; judged are those >= threshold."""
    counts = Counter((probability >= threshold, is_article) for probability, is_article in judged)
    return Confusion(
        true_positives=counts[True, True],
        false_positives=counts[True, False],
        false_negatives=counts[False, True],
        true_negatives=counts[False, False],
    )


def area_under_roc(judged: Iterable[tuple[float, bool]]) -> float:
    """Return how often a page with an article has a greater probability than one without.

    Ties count one half. In [0, 1]; 0.5 where one of the kinds is missing.
    """
    ranked = sorted(judged)
    positives = sum(is_article for _, is_article in ranked)
    negatives = len(ranked) - positives
    if not positives or not negatives:
        return 0.5
    won = 0.0
    below = 0  # pages without an article seen so far
    for _, ties in groupby(ranked, key=lambda pair: pair[0]):
        kinds = Counter(is_article for _, is_article in ties)
        won += kinds[True] * (below + kinds[False] / 2)
        below += kinds[False]
    return won / (positives * negatives)


def lcs_recall(predicted: str, gold: str) -> float:
    """Return the longest common subsequence's length over the gold text's, in characters.

    Weninger, Hsu 2008: LCS as recall. White space is folded and invisible characters dropped
    on both sides; 1 for an empty gold text. MissingExtraError without rapidfuzz (extra ``lab``).
    """
    predicted, gold = _plain(predicted), _plain(gold)
    if not gold:
        return 1.0
    return float(_distances().LCSseq.similarity(predicted, gold)) / len(gold)


def edit_distance_ratio(predicted: str, gold: str) -> float:
    """Return 1 less the edit distance over the longer text's length, in characters.

    Weninger, Hsu 2008, eq. 2: EDR as precision. Edits are insertions, deletions and
    substitutions. Texts are prepared as for the LCS; 1 for two empty ones.
    """
    predicted, gold = _plain(predicted), _plain(gold)
    longest = max(len(predicted), len(gold))
    if not longest:
        return 1.0
    return 1 - float(_distances().Levenshtein.distance(predicted, gold)) / longest


def space_saved(html: str, text: str) -> float:
    """Return the share of the page's bytes (UTF-8) that its text does without.

    Weninger, Hsu 2008, Table 4. 0 for an empty page; below 0 if the text is longer.
    """
    return _saved(_utf8(html), _utf8(text))


def space_saved_compressed(html: str, text: str) -> float:
    """Return the space saved where page and text are both compressed (DEFLATE)."""
    return _saved(zlib.compress(_utf8(html)), zlib.compress(_utf8(text))) if html else 0.0


class Segments(NamedTuple):
    """Of the segments that a page's label names, the shares that were rightly kept and left."""

    kept: float | None = None  #: of those that the text must hold, in [0, 1]; None without any
    left: float | None = None  #: of those that it must not hold


def segments(text: str, required: Sequence[str], excluded: Sequence[str]) -> Segments:
    """Return how many segments a text holds and leaves out as its label asks (WCXB's measure).

    White space is folded on both sides; case and everything else count.
    """
    plain = _plain(text)
    kept = [_plain(segment) in plain for segment in required]
    left = [_plain(segment) not in plain for segment in excluded]
    return Segments(
        sum(kept) / len(kept) if kept else None,
        sum(left) / len(left) if left else None,
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
    """Return how many sentences of the gold text are lost and how many predicted lines are noise.

    The paper counts by eye. Here a sentence is lost if no more than half of its words stand in
    the predicted text, in order; a predicted line is a noise block if no more than half of its
    words stand in the gold text.
    """
    return Losses(_unmatched(sentences(gold), predicted), _unmatched(predicted.split("\n"), gold))


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
        return _ratio(self.excellent, self.excellent + self.good + self.poor)

    @property
    def good_rate(self) -> float:
        """Share of the pages that are excellent or good."""
        return _ratio(self.excellent + self.good, self.excellent + self.good + self.poor)


def grades(pages: Iterable[Losses]) -> Grades:
    """Return how many pages have each grade."""
    counts = Counter(page.grade for page in pages)
    return Grades(counts["excellent"], counts["good"], counts["poor"])


@dataclass(frozen=True, slots=True)
class Completeness:
    """Pages correctly and completely extracted (Wang, Wei, eqs. 7 and 8)."""

    pages: int  #: C1
    correct: int  #: C2: what was extracted is main text
    complete: int  #: C3: of these, nothing is missing

    @property
    def accuracy(self) -> float:
        """P = C2 / C1."""
        return _ratio(self.correct, self.pages)

    @property
    def completeness(self) -> float:
        """R = C3 / C2."""
        return _ratio(self.complete, self.correct)


def completeness(overlaps: Iterable[Overlap], bound: float = ACCURATE) -> Completeness:
    """Return the counts of WFFTE's measures.

    The paper judges by eye. Here a page is correct if its precision is greater than the bound,
    and complete if its recall is, too.
    """
    counts = Counter((o.precision > bound, o.recall > bound) for o in overlaps)
    correct = counts[True, True] + counts[True, False]
    return Completeness(counts.total(), correct, counts[True, True])


def _words(text: str) -> list[str]:
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
    precision, recall = _ratio(common, predicted.total()), _ratio(common, gold.total())
    return Overlap(precision, recall, _f1(precision, recall))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _plain(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", text).split())


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _saved(whole: bytes, part: bytes) -> float:
    return 1 - len(part) / len(whole) if whole else 0.0


def _unmatched(parts: Sequence[str], text: str) -> int:
    """Of these parts, how many have words of which no more than half stand in the text."""
    return sum(match.words > 0 and match.share <= 0.5 for match in match_words(parts, text))


def _distances() -> Any:
    try:
        return import_module("rapidfuzz.distance")
    except ImportError as error:
        raise MissingExtraError("an edit distance", "rapidfuzz", "lab") from error
