"""Measures of extracted text and of judgements, from the five papers and from today's benchmarks.

The measures of text compare the extracted text ("predicted") with the gold text.

==========  ================================================================================
overlap     precision, recall and F1 of the multisets of words and of 4-shingles, as in today's
            benchmarks; the P value paper's "accurately extracted" pages; the accuracy and
            completeness of WFFTE
characters  the text-to-tag ratio paper's longest common subsequence, edit distance ratio and
            space saved; the segments that a label names
sentences   the naive Bayes paper's lost sentences, noise blocks and grades (excellent, good, poor)
judgement   the P value paper's confusion table; the area under the ROC curve; the calibration
            curve
==========  ================================================================================
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from math import fsum
from statistics import fmean, mean
from typing import Any, Final, Literal, NamedTuple, get_args

from scrapy_webtext.errors import import_extra
from scrapy_webtext.lab.corpus import match_words

#: The number of successive words or characters in a shingle.
SHINGLE: Final = 4
#: The P value paper counts pages whose precision, recall and F1 are all greater than this.
ACCURATE: Final = 0.95
#: WFFTE: an extraction is correct only if it has more than this share of the main text.
CORRECT_RECALL: Final = 0.5

#: The unit of a text: words, or characters for scripts without spaces between words.
Unit = Literal["words", "chars"]

_WORD: Final = re.compile(r"\w+")
_WORD_CHAR: Final = re.compile(r"\w")


class Overlap(NamedTuple):
    """How well two multisets agree; each value is in [0, 1]."""

    precision: float  #: share of the predicted that is gold
    recall: float  #: share of the gold that was predicted
    f1: float  #: their harmonic mean


def word_overlap(predicted: str, gold: str) -> Overlap:
    """Return the overlap of the lower-cased words; a repeated word counts each time.

    A word is a series of letters, digits and underscores. If a text has no words, all values are 0.
    """
    return _overlap(_shingles(scored_words(predicted), 1), _shingles(scored_words(gold), 1))


def shingle_overlap(predicted: str, gold: str, unit: Unit = "words") -> Overlap:
    """Return the overlap of the 4-shingles of lower-cased words, or of characters.

    Characters are letters, digits and underscores, with their case. A text of fewer than four
    units is one shingle.
    """
    if unit == "words":
        return _overlap(*(_shingles(scored_words(text), SHINGLE) for text in (predicted, gold)))
    return _overlap(_char_shingles(predicted), _char_shingles(gold))


def mean_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    """Return the means of precision, recall and F1 over pages."""
    return Overlap(*(mean(column) for column in zip(*overlaps, strict=True)))


def pooled_f1(overlaps: Sequence[Overlap]) -> float:
    """Return the F1 of mean precision and mean recall, as the 4-shingle benchmark computes it."""
    precision, recall, _ = mean_overlap(overlaps)
    return _f1(precision, recall)


def accurate_ratio(overlaps: Sequence[Overlap]) -> float:
    """Return the share of the pages that are accurately extracted (Lv et al. 2017, Table 2)."""
    return share(sum(min(one) > ACCURATE for one in overlaps), len(overlaps))


class Completeness(NamedTuple):
    """Pages correctly and completely extracted (Wang, Wei, eqs. 7 and 8)."""

    pages: int  #: C1
    correct: int  #: C2: pages whose extracted text is main text, complete or not
    complete: int  #: C3: correct pages of which nothing is missing

    @property
    def accuracy(self) -> float:
        """P = C2 / C1."""
        return share(self.correct, self.pages)

    @property
    def completeness(self) -> float:
        """R = C3 / C2."""
        return share(self.complete, self.correct)


def completeness(overlaps: Iterable[Overlap]) -> Completeness:
    """Return the counts of WFFTE's measures.

    The paper judges by eye. Here a page is correct if its precision is greater than 0.95 and its
    recall greater than one half (`CORRECT_RECALL`), because one word of the main text is not the
    main text. A correct page is complete if its recall is greater than 0.95, too.
    """
    pages = list(overlaps)
    found = [o for o in pages if o.precision > ACCURATE and o.recall > CORRECT_RECALL]
    return Completeness(len(pages), len(found), sum(o.recall > ACCURATE for o in found))


def share(part: float, whole: float) -> float:
    """Return the part divided by the whole; 0 if the whole is 0."""
    return part / whole if whole else 0.0


def scored_words(text: str) -> list[str]:
    """Return the words of a text, lower-cased: series of letters, digits and underscores."""
    return _WORD.findall(text.lower())


def _shingles(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    if len(words) < n:
        return Counter([tuple(words)] if words else ())
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _char_shingles(text: str) -> Counter[str]:
    chars = "".join(_WORD_CHAR.findall(text))
    return Counter(chars[at : at + SHINGLE] for at in range(max(1, len(chars) - SHINGLE + 1)))


def _overlap(predicted: Counter[Any], gold: Counter[Any]) -> Overlap:
    common = (predicted & gold).total()
    precision, recall = share(common, predicted.total()), share(common, gold.total())
    return Overlap(precision, recall, _f1(precision, recall))


def _f1(precision: float, recall: float) -> float:
    return share(2 * precision * recall, precision + recall)


#: Invisible characters: soft hyphen, zero-width spaces and joiners, byte order mark.
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
#: HTML 4.01, section 24.4: markup-significant and internationalization characters, the set
#: "special" of three sets of entities. White space in the set is left out, because it is removed
#: anyway.
SPECIAL_CHARACTERS: Final = '"&<>ŒœŠšŸˆ˜–—‘’‚“”„†‡‰‹›€'
_WITHOUT_SPECIAL: Final = dict.fromkeys(map(ord, SPECIAL_CHARACTERS))


def lcs_recall(predicted: str, gold: str) -> float:
    """Return the length of the longest common subsequence, divided by the length of the gold text.

    Weninger, Hsu 2008: LCS as recall. As in the paper, white space and special HTML characters
    (`SPECIAL_CHARACTERS`) are removed from both texts. Invisible characters are removed, too. The
    result is 1 for an empty gold text. Raise MissingExtraError without rapidfuzz (extra ``lab``).
    """
    predicted, gold = _packed(predicted), _packed(gold)
    if not gold:
        return 1.0
    distance = import_extra("rapidfuzz.distance", "An edit distance", "lab")
    return float(distance.LCSseq.similarity(predicted, gold)) / len(gold)


def edit_distance_ratio(predicted: str, gold: str) -> float:
    """Return 1 minus the ratio of edit distance to length of the longer text, in characters.

    Weninger, Hsu 2008, eq. 2: EDR as precision. Edits are insertions, deletions and substitutions.
    The texts are prepared as in `lcs_recall`. The result is 1 for two empty texts.
    """
    predicted, gold = _packed(predicted), _packed(gold)
    longest = max(len(predicted), len(gold))
    if not longest:
        return 1.0
    distance = import_extra("rapidfuzz.distance", "An edit distance", "lab")
    return 1 - float(distance.Levenshtein.distance(predicted, gold)) / longest


def space_saved(html: str, text: str) -> float:
    """Return 1 minus the ratio of the text's bytes to the page's bytes (UTF-8).

    Weninger, Hsu 2008, Table 4. The result is 0 for an empty page, below 0 if the text is longer.
    """
    return _saved(_utf8(html), _utf8(text))


def space_saved_compressed(html: str, text: str) -> float:
    """Return the space saved if page and text are both compressed (DEFLATE)."""
    return _saved(zlib.compress(_utf8(html)), zlib.compress(_utf8(text)))


def segments(text: str, required: Sequence[str], excluded: Sequence[str]) -> dict[str, float]:
    """Return the shares of required segments and of excluded segments that a text contains.

    They are named ``kept`` and ``left`` (WCXB's measure). An empty list has no share. A segment
    must match exactly, except for white space.
    """
    plain = _plain(text)
    found = {}
    for name, listed, is_held in (("kept", required, True), ("left", excluded, False)):
        if listed:
            found[name] = mean(float((_plain(one) in plain) == is_held) for one in listed)
    return found


def _plain(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", text).split())


def _packed(text: str) -> str:
    return "".join(_INVISIBLE.sub("", text).translate(_WITHOUT_SPECIAL).split())


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _saved(whole: bytes, part: bytes) -> float:
    return 1 - len(part) / len(whole) if whole else 0.0


#: A sentence counts as kept if at least this share of its words is kept.
KEPT: Final = 0.9

Grade = Literal["excellent", "good", "poor"]

_SENTENCE_END: Final = re.compile(
    r"\n+|(?<=[.!?…])\s+|(?<=[.!?…][\"'”’»)])\s+|(?<=[。！？])(?![”’」』）。！？])|(?<=[。！？][”’」』）])"
)


class Losses(NamedTuple):
    """The numbers of lost sentences and of noise blocks in an extraction (Wang et al. 2013)."""

    sentences_lost: int
    noise_blocks: int

    @property
    def grade(self) -> Grade:
        """The grade: excellent without losses or noise, good with up to two of each, else poor.

        The paper grades "1-2 sentences lost" or "1-2 noise blocks" as good. It does not mention a
        page with both, which is good here.
        """
        worst = max(self)
        return "excellent" if not worst else "good" if worst <= 2 else "poor"


def losses(predicted: str, gold: str) -> Losses:
    """Return how many sentences of the gold text are lost and how many predicted blocks are noise.

    The paper counts by eye. Here a sentence is lost unless nine tenths of its words are in the
    predicted text, in the same order (`KEPT`). A noise block is a series of sentences on one
    predicted line, and each of these sentences has less than nine tenths of its words in the gold
    text.
    """
    if scored_words(predicted) == scored_words(gold):
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
    """Split a text into sentences, which end at an end mark or at the end of a line."""
    return [part for part in map(str.strip, _SENTENCE_END.split(text)) if part]


def grades(pages: Iterable[Losses]) -> dict[Grade, int]:
    """Return for each grade the number of pages (Wang et al. 2013, Table 2)."""
    counts = Counter(page.grade for page in pages)
    return {grade: counts[grade] for grade in get_args(Grade)}


def _kept(parts: Sequence[str], text: str) -> list[bool]:
    """Return for each part whether nine tenths of its words are in a text; True without words."""
    return [not m.words or m.matched >= KEPT * m.words for m in match_words(parts, text)]


class Confusion(NamedTuple):
    """The number of pages by judgement and label (Lv et al. 2017, Table 3)."""

    true_positives: int  #: pages with an article that were judged to have one
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def accuracy(self) -> float:
        """The share of the pages with a correct judgement."""
        return share(self.true_positives + self.true_negatives, sum(self))

    @property
    def recall(self) -> float:
        """The share of the pages with an article that are judged to have one."""
        return share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """The share of the pages judged to have an article that do have one."""
        return share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def false_positive_rate(self) -> float:
        """The share of the pages without an article that are judged to have one."""
        return share(self.false_positives, self.false_positives + self.true_negatives)


def confusion(judged: Iterable[tuple[float, bool]], threshold: float = 0.5) -> Confusion:
    """Count pairs (probability, has an article); a probability >= threshold judges an article."""
    counts = Counter((probability >= threshold, is_article) for probability, is_article in judged)
    cells = ((True, True), (True, False), (False, True), (False, False))
    return Confusion(*(counts[cell] for cell in cells))


def area_under_roc(judged: Iterable[tuple[float, bool]]) -> float:
    """Return how often a page with an article has a greater probability than a page without.

    Equal probabilities count one half. The result is in [0, 1], and 0.5 if all pages have an
    article, or none has.
    """
    rows = list(judged)
    truth = [is_article for _, is_article in rows]
    if len(set(truth)) < 2:
        return 0.5
    feature = "The area under the ROC curve"
    sklearn = import_extra("sklearn.metrics", feature, "lab", "scikit-learn")
    return float(sklearn.roc_auc_score(truth, [probability for probability, _ in rows]))


class Bin(NamedTuple):
    """Pages whose probabilities are in one part of [0, 1]."""

    pages: int
    probability: float  #: the mean probability of these pages; 0 without pages
    article_share: float  #: the share of these pages that have an article


def calibration(judged: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Return the calibration curve of pairs (probability, has an article), in ten parts.

    Lv et al. 2017: "P value of a web page is equal to the probability" that it has an article. A
    probability on a bound belongs to the part above the bound, and 1 to the last part.
    """
    parts: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for probability, is_article in judged:
        parts[min(int(probability * 10), 9)].append((probability, is_article))
    none = Bin(0, 0.0, 0.0)
    return [Bin(len(p), *map(fmean, zip(*p, strict=True))) if p else none for p in parts]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the mean difference over pages between their bin's probability and article share."""
    pages = sum(part.pages for part in bins)
    off = (part.pages * abs(part.article_share - part.probability) for part in bins)
    return share(fsum(off), pages)
