"""Labelled pages: reads corpora page by page and finds which words of a page are its gold text.

The gold text of a page is the main text that people marked.

::

    pages.jsonl, pages.jsonl.gz   one JSON object a line: html, text; where known id, url, type,
                                  with and without (segments that must or must not be in the text)
    folder/ x.html + x.txt        the page and its gold text; x.html.gz too
    folder/ ground-truth.json     {"ID": {"articleBody": "...", "url": "..."}}
            html/ID.html.gz       and the pages (Scrapinghub's article-extraction-benchmark)

The gold text is aligned with a page as a diff matches two files, because a bag of words would call
every "the" of a menu content. First the matching looks for series of six words that page and gold
text share, and takes the longest chain of them that has the same order in both (a longest
increasing subsequence). In the gaps of this chain it looks for series of three words, and in the
remaining gaps for single words, which finds short headings. If the page has a passage twice, the
copy is taken that directly follows the match before it. Each step takes n log n time for n matches,
and the number of matches per word is bounded.

``corrections.json`` corrects the types of some pages.

A word is a series of letters, digits and underscores, lower-cased; a character of a script that
is written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is a word of its own.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab import resource
from scrapy_webtext.page.encoding import decode

#: Corrected types of pages whose label contradicts docs/extractors.md: corpus -> id -> type,
#: reason.
CORRECTIONS: Final[Mapping[str, Mapping[str, list[str]]]] = json.loads(resource("corrections.json"))

GROUND_TRUTH: Final = "ground-truth.json"


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """One page and its gold text."""

    id: str
    html: str
    text: str  #: the main text, a line per paragraph; empty if only the type is known
    url: str | None = None
    type: str = ""  #: article, listing, product, ...; empty if unknown
    required: tuple[str, ...] = ()  #: segments that the text must contain
    excluded: tuple[str, ...] = ()  #: segments that it must not contain


def read_corpora(paths: Iterable[str | PathLike[str]]) -> Iterator[LabelledPage]:
    """Yield the pages of several corpora, in the order of ``paths``."""
    for path in paths:
        yield from read_corpus(path)


def read_corpus(path: str | PathLike[str]) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus in a fixed order: by line, or by name.

    The path determines the layout (see the module). Raise CorpusError, which names the file, and
    the line or page that cannot be read.
    """
    where = Path(path)
    if where.is_dir():
        if (where / GROUND_TRUTH).is_file():
            return _read_ground_truth(where)
        return _read_folder(where)
    if where.is_file():
        return _read_lines(where)
    repair = "give a .jsonl or .jsonl.gz file, or a folder of pages"
    raise CorpusError(f"No corpus at {where}: {repair}")


def read_json_lines(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield line number, place and JSON object for each line of a file that is not blank.

    The place is the path with the line number, for error messages. Raise CorpusError for a line
    that is no JSON object.
    """
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            where = f"{path}, line {number}"
            yield number, where, _json(line, where)


def _read_lines(path: Path) -> Iterator[LabelledPage]:
    number = 0
    corrected = CORRECTIONS.get(corpus_name(path), {})
    for number, where, entry in read_json_lines(path):
        page_id = str(entry.get("id", number))
        yield LabelledPage(
            id=page_id,
            html=_string(entry, "html", where),
            text=_string(entry, "text", where),
            url=_string(entry, "url", where, "") or None,
            type=corrected.get(page_id, [_string(entry, "type", where, "")])[0],
            required=_strings(entry, "with", where),
            excluded=_strings(entry, "without", where),
        )
    if not number:
        raise CorpusError(f"No pages in {path}: it is empty")


def _read_folder(folder: Path) -> Iterator[LabelledPage]:
    pages = _pages_in(folder)
    if not pages:
        raise CorpusError(f"No pages in {folder}: neither *.html nor {GROUND_TRUTH} is there")
    for name, path in pages.items():
        gold = folder / f"{name}.txt"
        if not gold.is_file():
            raise CorpusError(f"No gold text for {path}: write it to {gold.name} next to it")
        text = _text(_bytes(gold), str(gold))
        yield LabelledPage(name, decode(_bytes(path)), text)


def _pages_in(folder: Path) -> dict[str, Path]:
    """Return the page files in a folder, sorted: name without extensions -> path."""
    found = sorted([*folder.glob("*.html"), *folder.glob("*.html.gz")])
    return {p.name.removesuffix(".gz").removesuffix(".html"): p for p in found if p.is_file()}


def _read_ground_truth(folder: Path) -> Iterator[LabelledPage]:
    path = folder / GROUND_TRUTH
    truth = _json(_bytes(path), str(path))
    pages = _pages_in(folder / "html")  # a key is never used as a path
    for key in sorted(truth):
        where = f"{path}, page {key!r:.200}"
        entry = truth[key]
        if not isinstance(entry, dict):
            raise CorpusError(f"{where}: expected an object with articleBody, got {entry!r:.60}")
        if key not in pages:
            raise CorpusError(f"{where}: no such .html.gz in html/ next to {GROUND_TRUTH}")
        text, url = _string(entry, "articleBody", where), _string(entry, "url", where, "")
        yield LabelledPage(key, decode(_bytes(pages[key])), text, url or None, "article")


def _string(entry: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = default if entry.get(key) is None else entry[key]
    if not isinstance(value, str):
        raise CorpusError(f"{where}: {key!r} must be a string, got {value!r:.60}")
    return value


def _strings(entry: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = entry.get(key) or ()
    if not isinstance(values, list | tuple) or not all(isinstance(v, str) for v in values):
        raise CorpusError(f"{where}: {key!r} must be a list of strings, got {values!r:.60}")
    return tuple(values)


def _json(body: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(_text(body, where))
    except ValueError as error:
        raise CorpusError(f"{where}: no JSON ({error})") from error
    if not isinstance(value, dict):
        raise CorpusError(f"{where}: expected a JSON object, got {value!r:.60}")
    return value


def _text(body: bytes, where: str) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CorpusError(f"{where}: not UTF-8 ({error})") from error


def _bytes(path: Path) -> bytes:
    return b"".join(_lines(path))


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file one by one; a file whose name ends in .gz is decompressed."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


#: The number of successive words that must be equal, for each of the three passes.
SERIES: Final = (6, 3, 1)
#: A series that occurs more often than this in the gold text of one gap is not matched.
MOST_REPEATS: Final = 8

#: Characters of scripts that are written without spaces; each counts as a word. `core.words`
#: explains why there are three such sets.
_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_WORD: Final = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")


class WordMatch(NamedTuple):
    """How many words a text has, and how many of them are in the gold text."""

    words: int
    matched: int  #: the number of words that the gold text has too, in the same order

    @property
    def share(self) -> float:
        """The share of the words that are in the gold text, in [0, 1]; 0 if there are no words."""
        return self.matched / self.words if self.words else 0.0


def tokens(text: str) -> list[str]:
    """Return the words of a text, lower-cased (see the module)."""
    return _WORD.findall(text.lower())


def match_words(texts: Sequence[str], gold: str) -> list[WordMatch]:
    """Count for each text its words and how many of them are gold; texts are in document order."""
    split = [tokens(text) for text in texts]
    mask = _matched(list(chain.from_iterable(split)), tokens(gold))
    matches = []
    start = 0
    for words in split:
        matches.append(WordMatch(len(words), sum(mask[start : start + len(words)])))
        start += len(words)
    return matches


def _matched(page: list[str], gold: list[str]) -> bytearray:
    """Return a mask over the page's words: 1 for a word that matches a word of the gold text."""
    mask = bytearray(len(page))
    gaps = [(0, len(page), 0, len(gold))]
    for n in SERIES:
        gaps = [smaller for gap in gaps for smaller in _match_gap(page, gold, gap, n, mask)]
    return mask


_Gap = tuple[int, int, int, int]  # first and end on the page, first and end in the gold text


def _match_gap(page: list[str], gold: list[str], gap: _Gap, n: int, mask: bytearray) -> list[_Gap]:
    """Match series of n words within one gap; mark their words and return the remaining gaps."""
    i, i_end, j, j_end = gap
    if i == i_end or j == j_end:
        return []
    left: list[_Gap] = []
    for p, g in _increasing(_pairs(page, gold, gap, n)):
        if p - g == i - j and p < i:
            # This series continues the one before it and overlaps it: only its end is new.
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
    """Return where equal series begin: (place on the page, place in the gold text).

    The pairs are in ascending order on the page; for one place on the page they are in descending
    order in the gold text.
    """
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
    """Return the longest chain of pairs in which both places increase.

    The method is patience sorting with back links. If two pairs end chains of the same length at
    the same place in the gold text, the later pair is kept. The earlier pair is kept if it alone
    directly follows the match before it.
    """
    tops: list[int] = []  # per length of a chain, the gold place of the best chain's last pair
    last: list[int] = []  # per length of a chain, the index of the best chain's last pair
    before: list[int] = []  # for each pair, the pair before it in its chain
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


def corpus_path(name: str) -> Path:
    """Return the path of a corpus, which is a path or the name of a file in WEBTEXT_CORPORA."""
    folder = os.environ.get("WEBTEXT_CORPORA")
    if folder and not Path(name).exists():
        return Path(folder) / f"{name}.jsonl.gz"
    return Path(name)


def corpus_name(path: str | PathLike[str]) -> str:
    """Return the name that tables show for a corpus: its file name without extensions."""
    return Path(path).name.removesuffix(".gz").removesuffix(".jsonl")
