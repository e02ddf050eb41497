"""Labelled corpora, read one page at a time.

::

    pages.jsonl, pages.jsonl.gz   one JSON object a line: html, text; where known id, url, type,
                                  with and without (segments that the text must and must not hold)
    folder/ x.html + x.txt        the page and its gold text; x.html.gz too
    folder/ ground-truth.json     {"ID": {"articleBody": "...", "url": "..."}} beside
            html/ID.html.gz       the pages (Scrapinghub's article-extraction-benchmark)
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Final

from tldextract import TLDExtract

from scrapy_webtext.errors import CorpusError
from scrapy_webtext.page import decode

GROUND_TRUTH: Final = "ground-truth.json"

#: Of a page, a line or a list of gold texts, unpacked. Whoever made the files may not mean well.
MAX_BYTES: Final = 256 * 2**20

#: The list of public suffixes that comes with the package: never fetched, nothing cached.
_SPLIT: Final = TLDExtract(cache_dir=None, suffix_list_urls=())


@dataclass(frozen=True)
class LabelledPage:
    """One page and its gold text. Not slotted: the domain is cached."""

    id: str
    html: str
    text: str  #: the main text, paragraphs by newline; empty where only the type is known
    url: str | None = None
    type: str = ""  #: article, listing, product, ...; empty where unknown
    required: tuple[str, ...] = ()  #: segments that the text must hold
    excluded: tuple[str, ...] = ()  #: segments that it must not hold

    @cached_property
    def domain(self) -> str:
        """The registered domain, by which folds of a cross-validation are kept apart.

        The host where its suffix is no public one; without an address, the id up to its last
        "/", or the whole id.
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
    """Yield the pages of a corpus in a fixed order: that of the lines, or by name.

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


def count_pages(path: str | PathLike[str]) -> int:
    """Return how many pages a corpus has, without parsing them; 0 where there is none."""
    where = Path(path)
    if where.is_file():
        return sum(1 for line in _lines(where) if line.strip())
    if (where / GROUND_TRUTH).is_file():
        return len(_json(_bytes(where / GROUND_TRUTH), str(where / GROUND_TRUTH)))
    return len(_pages_in(where))


def _read_lines(path: Path) -> Iterator[LabelledPage]:
    count = 0
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        count += 1
        where = f"{path}, line {number}"
        yield _page(_json(line, where), where, default_id=str(number))
    if not count:
        raise CorpusError(f"No pages in {path}: it is empty")


def _read_folder(folder: Path) -> Iterator[LabelledPage]:
    found = _pages_in(folder)
    if not found:
        raise CorpusError(f"No pages in {folder}: neither *.html nor {GROUND_TRUTH} stands there")
    for path in found:
        name = _page_name(path)
        gold = folder / f"{name}.txt"
        if not gold.is_file():
            raise CorpusError(f"No gold text for {path}: it belongs into {gold.name} beside it")
        text = _text(_bytes(_inside(gold, folder)), str(gold))
        yield LabelledPage(name, decode(_bytes(_inside(path, folder))), text)


def _pages_in(folder: Path) -> list[Path]:
    """Return the files of pages of a folder, by name."""
    found = [*folder.glob("*.html"), *folder.glob("*.html.gz")]
    return sorted(path for path in found if path.is_file())


def _page_name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".html")


def _inside(path: Path, folder: Path) -> Path:
    """Return the path of a file; CorpusError where it is a link that leads out of the folder."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise CorpusError(f"{path} leads out of {folder}: put a copy of the file there")
    return path


def _read_ground_truth(folder: Path) -> Iterator[LabelledPage]:
    path = folder / GROUND_TRUTH
    truth = _json(_bytes(_inside(path, folder)), str(path))
    # By names that are there: a key is no path, whatever it looks like.
    pages = {_page_name(page): page for page in _pages_in(folder / "html")}
    for key in sorted(truth):
        shown = repr(key)[1:-1][:200]
        where = f"{path}, page '{shown}'"
        entry = truth[key]
        if not isinstance(entry, dict):
            raise CorpusError(f"{where}: expected an object with articleBody, got {entry!r:.60}")
        if key not in pages:
            raise CorpusError(f"{where}: no html/{shown}.html.gz beside {GROUND_TRUTH}")
        html = _inside(pages[key], folder)
        yield LabelledPage(
            key,
            decode(_bytes(html)),
            _string(entry, "articleBody", where),
            _string(entry, "url", where, "") or None,
            "article",
        )


def _page(entry: Mapping[str, Any], where: str, default_id: str) -> LabelledPage:
    return LabelledPage(
        id=str(entry.get("id", default_id)),
        html=_string(entry, "html", where),
        text=_string(entry, "text", where),
        url=_string(entry, "url", where, "") or None,
        type=_string(entry, "type", where, ""),
        required=_strings(entry, "with", where),
        excluded=_strings(entry, "without", where),
    )


def _string(entry: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = entry.get(key, default)
    if value is None and default is not None:
        return default
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
    except (ValueError, RecursionError) as error:
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
    body = bytearray()
    for line in _lines(path):
        body += line
        if len(body) > MAX_BYTES:
            raise _too_large(path)
    return bytes(body)


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, gunzipped by its name, without holding them all."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while line := file.readline(MAX_BYTES + 1):
                if len(line) > MAX_BYTES:
                    raise _too_large(path)
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def _too_large(path: Path) -> CorpusError:
    return CorpusError(f"{path} has more than {MAX_BYTES >> 20} MB in one page or line")
