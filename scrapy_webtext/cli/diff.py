"""``scrapy webtext diff``: how the texts of two outputs differ.

An index on disk has a digest of each text, and the texts that changed. Memory does not grow with
the outputs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from heapq import nlargest
from os.path import commonprefix
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from scrapy_webtext.cli.output import check_file, write_file
from scrapy_webtext.errors import InputError, import_extra
from scrapy_webtext.lab.metrics import words_of
from scrapy_webtext.log_text import describe, printable, shown
from scrapy_webtext.provenance import FOOTER_KEY, VERSION

#: Endings of the files that are read in a folder.
ENDINGS: Final = (".parquet", ".jsonl", ".jl", ".ndjson", ".jsonl.gz", ".jl.gz", ".ndjson.gz")

#: Changes that are shown, characters of a piece, and characters before its first difference.
LARGEST: Final = 20
PIECE_CHARS: Final = 80
CONTEXT_CHARS: Final = 20

_INDEX: Final = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
CREATE TABLE pages (url BLOB PRIMARY KEY, old BLOB, new BLOB,
    old_article INT, new_article INT, old_text BLOB, new_text BLOB);
"""
_COUNTS: Final = {
    "pages in both": "old NOTNULL AND new NOTNULL",
    "only in old": "new ISNULL",
    "only in new": "old ISNULL",
    "article only in old": "new NOTNULL AND old_article = 1 AND new_article IS NOT 1",
    "article only in new": "old NOTNULL AND new_article = 1 AND old_article IS NOT 1",
    "texts changed": "old <> new",
}
#: Count of rows without an address or a text, next to those of versions.
_UNREAD: Final = "without address or text"


class Change(NamedTuple):
    """The change of a text; ``went`` and ``came`` are pieces of it."""

    url: str
    gone: int  #: words
    new: int
    f1: float  #: of the words, each as often as it is there; 1 if only their order changed
    went: str
    came: str


def run_diff(opts: argparse.Namespace) -> None:
    """Write the report of the options' two outputs; InputError if one cannot be read."""
    check_file(opts.output)
    for name in (opts.old, opts.new):
        if not Path(name).exists():
            raise InputError(f"No such file or folder: {name}")
    with (
        TemporaryDirectory(prefix="webtext-diff-") as folder,
        closing(sqlite3.connect(Path(folder, "index"))) as db,
    ):
        db.executescript(_INDEX)
        report = "\n".join(_report(db, opts))
    write_file(opts.output, f"{report}\n")


def _report(db: sqlite3.Connection, opts: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the report."""
    for side in ("old", "new"):
        versions: Counter[str] = Counter()
        db.executemany(
            f"INSERT INTO pages (url, {side}, {side}_article) VALUES (?1, ?2, ?3) "
            f"ON CONFLICT (url) DO UPDATE SET {side} = ?2, {side}_article = ?3",
            ((url, _digest(text), is_one) for url, text, is_one in _rows(side, opts, versions)),
        )
        found = ", ".join(f"{version} ({n:,})" for version, n in versions.most_common(5))
        yield printable(f"{side} {getattr(opts, side)}: {found}")
    for side in ("old", "new"):
        db.executemany(
            f"UPDATE pages SET {side}_text = ? WHERE url = ? AND {side} = ? AND old <> new",
            ((text, url, _digest(text)) for url, text, _ in _rows(side, opts, Counter())),
        )
    words = Counter({"words gone": 0, "words new": 0})
    largest = nlargest(LARGEST, _changes(db, words), key=lambda change: change.gone + change.new)
    wheres = ", ".join(f"TOTAL({where})" for where in _COUNTS.values())
    counts = map(int, db.execute(f"SELECT {wheres} FROM pages").fetchone())
    yield ""
    for name, number in {**dict(zip(_COUNTS, counts, strict=True)), **words}.items():
        yield f"{name:<24} {number:>11,}"
    for change in largest:
        yield ""
        yield f"-{change.gone:,} +{change.new:,} words, F1 {change.f1:.3f}: {shown(change.url)}"
        for sign, piece in (("-", change.went), ("+", change.came)):
            if piece:
                yield f"  {sign} {printable(piece)}"


def _changes(db: sqlite3.Connection, words: Counter[str]) -> Iterator[Change]:
    """Yield each changed text, and count its words."""
    for row in db.execute("SELECT url, old_text, new_text FROM pages WHERE old <> new"):
        change = compare(*map(bytes.decode, row))
        words.update({"words gone": change.gone, "words new": change.new})
        yield change


def compare(url: str, before: str, after: str) -> Change:
    """Return the change between two texts; linear in their length."""
    old, new = Counter(words_of(before)), Counter(words_of(after))
    common, total = (old & new).total(), old.total() + new.total()
    pieces = _line_of(before, after, old - new), _line_of(after, before, new - old)
    start = max(0, len(commonprefix(pieces)) - CONTEXT_CHARS)  # noqa: RUF071 (of texts, not paths)
    went, came = (line[start : start + PIECE_CHARS] for line in pieces)
    f1 = 2 * common / total if total else 1.0
    return Change(url, old.total() - common, new.total() - common, f1, went, came)


def _line_of(text: str, other: str, changed: Counter[str]) -> str:
    """Return the line that another text does not have with most of the changed words."""
    others = set(other.split("\n"))
    lines = (line for line in text.split("\n") if line not in others)
    return max(lines, key=lambda line: sum(word in changed for word in words_of(line)), default="")


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).digest()


def _rows(
    side: str, opts: argparse.Namespace, versions: Counter[str]
) -> Iterator[tuple[bytes, bytes, bool | None]]:
    """Yield address, text and flag of the rows of an output, and count their versions.

    Of rows with the same address the last one counts.
    """
    path = Path(getattr(opts, side))
    columns = [opts.url, opts.text, "has_article", VERSION]
    known = sorted(file for file in path.rglob("*") if file.name.endswith(ENDINGS))
    for file in known if path.is_dir() else [path]:
        is_parquet = file.suffix == ".parquet"
        try:
            for row in _read_parquet(file, columns) if is_parquet else _read_lines(file):
                url, text = row.get(opts.url), row.get(opts.text, 0)
                if not isinstance(url, str) or not isinstance(text, str | None):
                    versions[_UNREAD] += 1  # half a line of a crawl that was killed, say
                    continue
                versions[row.get(VERSION) or "unknown version"] += 1
                coded = (text or "").encode("utf-8", "replace")
                yield url.encode("utf-8", "replace"), coded, row.get("has_article")
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise InputError(f"{file} cannot be read: {describe(error)}") from None
    if not versions.keys() - {_UNREAD}:
        raise InputError(
            f"{path} has no row with {opts.url!r} and {opts.text!r}: give JSON lines or Parquet, "
            "and name the fields of address and text with --url and --text"
        )


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON lines, an empty one for a line that is none."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        for line in filter(bytes.strip, file):
            try:
                values = json.loads(line)
            except (ValueError, RecursionError):
                values = None
            yield values if isinstance(values, dict) else {}


def _read_parquet(path: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file; an archive without the column has its footer's version."""
    pq = import_extra("pyarrow.parquet", "Reading Parquet", "archive")
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 16) as file:
        stamp = json.loads((file.metadata.metadata or {}).get(FOOTER_KEY, b"{}"))
        version = stamp.get("made_with", {}).get(VERSION)
        for batch in file.iter_batches(256, columns=columns, use_threads=False):
            for row in batch.to_pylist():
                yield {VERSION: version, **row}
