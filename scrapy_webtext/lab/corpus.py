"""Labelled pages: corpora read a page at a time, and which words of a page are its gold text.

::

    pages.jsonl, pages.jsonl.gz   one JSON object a line: html, text; where known id, url, type,
                                  with and without (segments that the text must and must not hold)
    folder/ x.html + x.txt        the page and its gold text; x.html.gz too
    folder/ ground-truth.json     {"ID": {"articleBody": "...", "url": "..."}}
            html/ID.html.gz       and the pages (Scrapinghub's article-extraction-benchmark)

The gold text is aligned with a page as a diff matches two files, because a bag of words would call
every "the" of a menu content. Series of six words that both have are chained in the order of both
(a longest increasing subsequence). The gaps of that chain are matched by series of three words, and
the gaps left by single words, which catches short headings. Of a passage that
the page has twice, the copy wins that continues its neighbour's match. Each step costs n log n in
the matches, whose number is bounded per word.

Types of some pages are corrected by ``corrections.json``.

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
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

from tldextract import TLDExtract

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab import resource
from scrapy_webtext.page.encoding import decode

#: Type and reason by corpus and id, of pages whose type contradicts docs/extractors.md.
CORRECTIONS: Final[Mapping[str, Mapping[str, list[str]]]] = json.loads(resource("corrections.json"))

GROUND_TRUTH: Final = "ground-truth.json"

#: The list of public suffixes that comes with the package: never fetched, nothing cached.
_SPLIT: Final = TLDExtract(cache_dir=None, suffix_list_urls=())


#: Between the id of a labelled page and the kind of a page made of it.
SEPARATOR: Final = " made: "


@dataclass(frozen=True)
class LabelledPage:
    """One page and its gold text. Not slotted: the domain is cached."""

    id: str
    html: str
    text: str  #: the main text, a line per paragraph; empty if only the type is known
    url: str | None = None
    type: str = ""  #: article, listing, product, ...; empty if unknown
    required: tuple[str, ...] = ()  #: segments that the text must hold
    excluded: tuple[str, ...] = ()  #: segments that it must not hold

    @cached_property
    def domain(self) -> str:
        """The registered domain, by which folds of a cross-validation are kept apart.

        The host if its suffix is not public. Without an address, the id up to its last "/", or the
        whole id.
        """
        if not self.url:
            return self.id.rpartition("/")[0] or self.id
        parts = _SPLIT(self.url)
        labels = (parts.domain, parts.suffix) if parts.suffix else (parts.subdomain, parts.domain)
        return ".".join(filter(None, labels)) or self.url


def read_corpora(paths: Iterable[str | PathLike[str]]) -> Iterator[LabelledPage]:
    """Yield the pages of several corpora, in this order."""
    for path in paths:
        yield from read_corpus(path)


def read_corpus(path: str | PathLike[str]) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus in a fixed order: by line, or by name.

    The layout (see the module) is found from the path. CorpusError names the file and the line
    or page that cannot be read.
    """
    where = Path(path)
    if where.is_dir():
        if (where / GROUND_TRUTH).is_file():
            return _read_ground_truth(where)
        return _read_folder(where)
    if where.is_file():
        return _read_lines(where)
    raise CorpusError(
        f"No corpus at {where}: give a .jsonl or .jsonl.gz file, or a folder of pages"
    )


def read_json_lines(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield for each line of a file that is not blank: its number, its place, its JSON object.

    The place is the path and the line number, for errors. CorpusError for other content.
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
    """Return the files of pages of a folder, by their names without the ending, in order."""
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
    """Yield the lines of a file, gunzipped by its name, without holding them all."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


#: Words in a row that must agree, per pass.
SERIES: Final = (6, 3, 1)
#: A series that the gold text has more often than this within one gap is no evidence.
MOST_REPEATS: Final = 8

#: Letters of scripts without spaces; each is a word. `core.words` explains why there are three such
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
    matched: int  #: of these words, those in the gold text, in the same order

    @property
    def share(self) -> float:
        """The share of the words that are in the gold text, in [0, 1]; 0 without words."""
        return self.matched / self.words if self.words else 0.0


def tokens(text: str) -> list[str]:
    """Return the words of a text, lower-cased (see the module)."""
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


def _matched(page: list[str], gold: list[str]) -> bytearray:
    """Return a mask over the words of the page: 1 if matched to a word of the gold text."""
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
    """Return the places (page, gold) of equal series: page ascending, gold descending."""
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
    """Return the longest chain of pairs that increases in both (patience sorting with back links).

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


#: A text with a fifth of its characters in one of these is in that script.
_SCRIPTS: Final = {
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "greek": re.compile("[\u0370-\u03ff]"),
    "cjk": re.compile("[\u3040-\u30ff\u3400-\u9fff]"),
    "other": re.compile("[\u0590-\u06ff\u0900-\u0eff\uac00-\ud7af]"),
}
_LEAST_SHARE: Final = 0.2
#: Latin text with as great a share of these words is English or German, which most corpora are.
_USUAL: Final = (
    frozenset("the and of to in that for with this was you are from have not your".split()),
    frozenset("der die und das den von mit ist nicht auch für ein eine auf sich dem im".split()),
)
_LEAST_USUAL: Final = 0.06
_LOOKED_AT: Final = 20_000
_PLAIN_WORD: Final = re.compile(r"\w+")


def script_of(text: str) -> str:
    """Return cyrillic, greek, cjk, other, latin, or english or german for these two.

    >>> script_of("Утром в гавани было тихо")
    'cyrillic'
    """
    text = text[:_LOOKED_AT]
    for name, letters in _SCRIPTS.items():
        if len(letters.findall(text)) > _LEAST_SHARE * len(text):
            return name
    words = _PLAIN_WORD.findall(text.lower())
    english, german = (sum(map(own.__contains__, words)) for own in _USUAL)
    if max(english, german) < _LEAST_USUAL * len(words) or not words:
        return "latin"
    return "english" if english >= german else "german"


def corpus_path(name: str) -> Path:
    """Return the path of a corpus: as given, or by its name in WEBTEXT_CORPORA."""
    folder = os.environ.get("WEBTEXT_CORPORA")
    if folder and not Path(name).exists():
        return Path(folder) / f"{name}.jsonl.gz"
    return Path(name)


def corpus_name(path: str | PathLike[str]) -> str:
    """Return the name of a corpus in tables: the name of its file without extensions."""
    return Path(path).name.removesuffix(".gz").removesuffix(".jsonl")
