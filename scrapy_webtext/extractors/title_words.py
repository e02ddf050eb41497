"""The title words of WFFTE: the two words of title and headings that are most frequent on a page.

In scripts with spaces, a word counts if it has at least four letters and is not common
(`COMMON_WORDS`). In Chinese, a segmenter finds the words. Without a segmenter, and in other scripts
without spaces, any two adjacent characters are a word.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, Literal

from scrapy_webtext.core.words import UNSPACED, has_unspaced
from scrapy_webtext.errors import MissingExtraError

Segmenter = Literal["auto", "jieba", "bigrams"]

#: Words that many texts of a language have, so that they do not name a page's subject: lower-cased
#: words of four letters or more in the gold texts of labelled pages. They are in at least a third
#: of 2,674 English and 473 German texts, or in at least half of 52 Polish, 42 French, 37 Greek and
#: 34 Spanish texts.
COMMON_WORDS: Final = frozenset(
    """
    about after also around back based because been before being best between both could down
    each even every find first from good have help here high including into just know last like
    long made make many more most much need only other over part people right same should some
    still such take than that their them then there these they this those through time used
    using very want well were what when where which while will with without work world would
    year years your
    aber alle auch beim dabei damit dann dass diese dieser doch durch eine einem einen einer
    geht gibt haben hier ihre immer kann keine können mehr muss nach nicht noch oder schon sehr
    sein seit selbst sich sind unter viele wenn werden wieder wird wurde über
    ainsi après aussi autres avec cette comme dans depuis deux elle entre faire fait leur mais
    même nous plus pour sans sont tous tout être
    como desde esta este para pero sobre también todos
    jednak jest które może przez
    κατά στην στις τους
    """.split()
)

#: In scripts with spaces, shorter words seldom name a subject.
MIN_LETTERS: Final = 4
#: Longer words of a segmenter are dropped, because each length of words needs its own search.
MAX_CHARS: Final = 10

_WORD: Final = re.compile(r"\w+")
#: Punctuation and full-width forms in UNSPACED; they end a word.
_SIGNS: Final = (
    "\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ufe30-\ufe4f\uff00-\uffef"
)
_UNSPACED_RUN: Final = re.compile(f"(?:(?![{_SIGNS}]){UNSPACED.pattern})+")
_IS_HAN: Final = re.compile(
    "[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def title_words(texts: Iterable[str], segmenter: Segmenter) -> list[str]:
    """Return the lower-cased words of title and headings without `COMMON_WORDS`, each once.

    The words of each text are in order, but words of scripts with spaces come first.
    """
    words = dict.fromkeys(word for text in texts for word in _words(text.lower(), segmenter))
    return [word for word in words if word not in COMMON_WORDS]


def title_counts(
    candidates: Sequence[str], texts: Sequence[str], times: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return how often each text has FirstWord, and how often it has SecondWord (step 3).

    FirstWord and SecondWord are the two candidates that occur most often in the lower-cased texts.
    The candidates are distinct. An occurrence in a text counts as often as ``times`` says for this
    text.
    """
    joined: dict[int, list[str]] = {}
    for text, n in zip(texts, times, strict=True):
        joined.setdefault(n, []).append(text)
    words = most_frequent(candidates, {n: "\n".join(some) for n, some in joined.items()})
    columns = [[occurrences(word, text) for text in texts] for word in words]
    zeros = [0] * len(texts)
    first, second = (*columns, zeros, zeros)[:2]
    return first, second


def most_frequent(candidates: Sequence[str], texts: Mapping[int, str]) -> list[str]:
    """Return the two candidates that occur most often in lower-cased texts, most frequent first.

    ``texts`` maps a weight to a text; each occurrence in this text counts as the weight. If fewer
    than two candidates occur, fewer are returned. If words are equally frequent, the earlier
    candidate comes first.
    """
    counts: Counter[str] = Counter()
    unspaced = {word for word in candidates if UNSPACED.match(word)}
    spaced = set(candidates) - unspaced
    for times, text in texts.items():
        found: Counter[str] = Counter()
        if spaced:
            found.update(filter(spaced.__contains__, _spaced_words(text)))
        for length in sorted(set(map(len, unspaced))):
            shifted = (text[start:] for start in range(length))
            grams = map("".join, zip(*shifted))  # noqa: B905 (the last one is the shortest)
            found.update(filter(unspaced.__contains__, grams))
        counts.update({word: times * n for word, n in found.items()})
    ranked = sorted((word for word in candidates if counts[word]), key=lambda w: -counts[w])
    return ranked[:2]


def occurrences(word: str, text: str) -> int:
    """Return how often a word occurs in a lower-cased text; with spaces only as a whole word."""
    found = text.count(word)
    if found and not UNSPACED.match(word):
        return _spaced_words(text).count(word)
    return found


def check_segmenter(segmenter: Segmenter) -> None:
    """Raise MissingExtraError if this segmenter is "jieba" and jieba is not installed."""
    if segmenter == "jieba" and _jieba() is None:
        raise MissingExtraError("segmenter='jieba' of wffte", "jieba", "zh")


def _spaced_words(text: str) -> list[str]:
    return _WORD.findall(UNSPACED.sub(" ", text) if has_unspaced(text) else text)


def _words(text: str, segmenter: Segmenter) -> Iterator[str]:
    yield from (word for word in _spaced_words(text) if len(word) >= MIN_LETTERS)
    for run in _UNSPACED_RUN.findall(text) if has_unspaced(text) else ():
        if segmenter != "bigrams" and _IS_HAN.fullmatch(run) and (jieba := _jieba()):
            yield from (word for word in jieba.cut(run) if 1 < len(word) <= MAX_CHARS)
        else:
            yield from map("".join, pairwise(run))


@cache
def _jieba() -> Any:
    """Return the package jieba; None if it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about jieba's regexes and setuptools
            jieba = import_module("jieba")
    except ImportError:
        return None
    jieba.setLogLevel("WARNING")  # without this, jieba logs the loading of its dictionary
    return jieba
