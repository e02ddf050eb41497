"""Extracts each input file into one output part.

A part is complete or does not exist, and is extracted once. The footer of a part has a stamp: size
and modification time of the input, and all settings that the results depend on.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq

from scrapy_webtext import __version__
from scrapy_webtext.archive import extract_batch, readers, schema_of
from scrapy_webtext.errors import InputError, describe, import_extra, shown, without_credentials
from scrapy_webtext.reader import VERSION, PageReader

#: Key of the stamp in the footer of a part.
FOOTER_KEY: Final = b"scrapy_webtext"

#: Hidden folder of an output folder, with the lock and the partial files.
STATE: Final = ".webtext"

SUFFIX: Final = ".parquet"

REMOTE: Final = "://"  #: an input that contains it is an address, others are paths

#: Name of a file in the workspace of a run. Workers append one byte to it per page read.
READ: Final = "read"

FACTS: Final = ("size", "mtime_ns")
COUNTS: Final = ("pages", "articles", "errors")

#: A row group is written when it has this many rows or bytes, whichever comes first.
GROUP_ROWS: Final = 4096
GROUP_BYTES: Final = 32 << 20

#: A part fails after this many workers have died while extracting it.
ATTEMPTS: Final = 3


@dataclass(frozen=True)
class Part:
    """An input (a path or an address) and the path of its output part."""

    source: str
    target: str


@dataclass(frozen=True)
class Job:
    """Everything that the parts of a run have in common; it is sent to the workers."""

    reader: PageReader
    keep: tuple[str, ...]  #: columns of the input that the output keeps
    made_with: Mapping[str, Any]  #: as `describe_settings` returns it
    run: str  #: name of the run
    workspace: str  #: folder of partial files


@dataclass(frozen=True)
class PartReport:
    """Counts of a part, or the reason why it failed."""

    source: str
    pages: int = 0
    articles: int = 0
    errors: int = 0  #: rows with an error
    kept: tuple[str, ...] = ()  #: kept columns that have a value
    is_new: bool = True  #: whether this run has extracted the part
    nothing: str | None = None  #: the first error, if each page has one
    failure: str | None = None  #: why there is no output part


def plan_parts(inputs: Iterable[str], output: str) -> list[Part]:
    """Return the parts for these files, addresses and folders, in order.

    A folder means all files of known kinds in it and its subfolders; its pages are one
    part. The output folder gets the same layout. Output folders inside a folder are skipped. Files
    of other kinds are printed to standard error. Raise InputError for a missing input, an input of
    unknown kind, two inputs with the same part, or no input.
    """
    folder = Path(os.path.realpath(output))
    parts: dict[str, Part] = {}
    for given in inputs:
        for source, name in [_remote(given)] if REMOTE in given else _files(Path(given), folder):
            readers.file_reader(name)
            # Not resolved, so that a link with this name is replaced and its target not changed.
            target = folder / name.parent / (name.name.removesuffix(SUFFIX) + SUFFIX)
            part = Part(source, str(target))
            if part.source == part.target:
                words = "would be overwritten: choose another output folder"
                raise InputError(f"{shown(source)} {words}")
            other = parts.setdefault(part.target, part)
            if other != part:
                names = f"{shown(source)} and {shown(other.source)}"
                repair = "name the folder above them, or give each its own output folder"
                raise InputError(f"{names} would both become {shown(str(target))}: {repair}")
    if not parts:
        raise InputError(f"No archives found; known endings: {', '.join(readers.FILE_READERS)}")
    return list(parts.values())


def _remote(address: str) -> tuple[str, Path]:
    """Return an address and the name of its file; raise InputError if it cannot be read."""
    fsspec = import_extra("fsspec", f"Reading {shown(address)}", "remote")
    scheme = address.partition(REMOTE)[0]
    try:
        fsspec.get_filesystem_class(scheme)
    except (ImportError, ValueError) as error:  # the message names the package or the scheme
        raise InputError(f"{shown(address)} cannot be read: {error}") from None
    return address, Path(PurePosixPath(urlsplit(address).path).name)


def _files(given: Path, output: Path) -> Iterator[tuple[str, Path]]:
    """Yield the path of each file of an input, and its path relative to the output folder."""
    if given.is_dir():
        yield from _files_below(given, output)
    elif given.is_file():
        yield os.path.realpath(given), Path(given.name)
    else:
        raise InputError(f"No such file or folder: {shown(str(given))}")


def _files_below(given: Path, output: Path) -> Iterator[tuple[str, Path]]:
    def refuse(error: OSError) -> None:
        reason = error.strerror or error
        raise InputError(f"{shown(str(error.filename))} cannot be read: {reason}") from None

    ignored: Counter[str] = Counter()
    is_output = Path(os.path.realpath(given)).is_relative_to(output)
    for root, folders, names in os.walk(given, onerror=refuse):
        paths = [Path(root, name) for name in sorted(folders) if name[0] not in "._"]
        inputs = (path for path in paths if not (path / STATE).is_dir())
        folders[:] = [path.name for path in inputs if Path(os.path.realpath(path)) != output]
        for name in sorted(names):
            path = Path(root, name)
            if name[0] in "._" or not path.is_file() or (is_output and is_part(path)):
                continue
            if not name.lower().endswith(tuple(readers.FILE_READERS)):
                ignored[path.suffix or path.name] += 1
            elif not name.lower().endswith(readers.PAGES):
                yield os.path.realpath(path), path.relative_to(given)
    if ignored:
        kinds = ", ".join(f"{number} {kind}" for kind, number in ignored.most_common(9))
        print(f"{shown(str(given))}: files of other kinds are ignored: {kinds}", file=sys.stderr)
    if readers.pages_below(given):
        yield os.path.realpath(given), Path(f"{given.resolve().name}{readers.PAGES[0]}")


def describe_settings(reader: PageReader, keep: Sequence[str] = ()) -> dict[str, Any]:
    """Return all settings that results depend on, by name, as values that JSON can hold."""
    made = {
        **reader.decisive,
        "max_body_size": reader.max_body_size,
        "max_elements": reader.max_elements,
        "--include": reader.fields,
        "--keep": keep,
        "version": __version__,
        VERSION: reader.version,
    }
    found: dict[str, Any] = json.loads(json.dumps(made, default=str))
    return found


def check_same(output: str, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise InputError with the differences if the settings of an output differ from ``now``."""
    parts = sorted({*there, *now} - {VERSION})  # VERSION is a hash of the other settings
    names = [name for name in parts if there.get(name) != now.get(name)]
    if names:
        found = ", ".join(f"{name} {there.get(name)!r}" for name in names)
        repair = "use the same, or another output folder, or --overwrite to discard its parts"
        raise InputError(f"{shown(output)} was made with {shown(found)}: {repair}")


def read_stamp(path: Path) -> dict[str, Any] | None:
    """Return the stamp of a part; None for a file of another program."""
    try:
        with path.open("rb") as file:
            stamp: dict[str, Any] = json.loads(pq.read_metadata(file).metadata[FOOTER_KEY])
        return stamp
    except (OSError, ValueError, LookupError, TypeError):
        return None


def parts_below(folder: Path) -> Iterator[Path]:
    """Yield the paths of the parts in a folder and its subfolders, except other output folders."""
    for root, folders, names in os.walk(folder):
        own = (name for name in folders if name[0] != ".")
        folders[:] = [name for name in own if not Path(root, name, STATE).is_dir()]
        yield from (path for name in names if is_part(path := Path(root, name)))


def is_part(path: Path) -> bool:
    """Return whether a file is an output part of this command."""
    return path.name.endswith(SUFFIX) and read_stamp(path) is not None


def find_finished(part: Part, job: Job) -> PartReport | None:
    """Return the report of an output part that exists; None if it must be extracted.

    A part is extracted again if size or modification time of its local input have changed. Raise
    InputError if another program wrote the part, or if it has other settings or another input. So a
    folder never has mixed results, and no part replaces another one.
    """
    if not os.path.exists(part.target):
        return None
    stamp = read_stamp(Path(part.target))
    if stamp is None:
        words = "was not written by this command: choose another output folder"
        raise InputError(f"{shown(part.target)} {words}")
    check_same(part.target, stamp["made_with"], job.made_with)
    source = _named(part)
    if REMOTE in source:
        is_same = source == stamp["source"]
    else:
        is_same = _facts(source) == {name: stamp[name] for name in FACTS}
    if not is_same and source != stamp["source"]:
        repair = f"give {shown(source)} its own output folder, or --overwrite"
        raise InputError(
            f"{shown(part.target)} has the texts of {shown(stamp['source'])}: {repair}"
        )
    return _report(part, stamp, is_new=stamp["run"] == job.run) if is_same else None


def _named(part: Part) -> str:
    """Return the path of an input, or its address without credentials and without signature."""
    if REMOTE not in part.source:
        return part.source
    return without_credentials(part.source).partition("?")[0]


def _report(part: Part, stamp: Mapping[str, Any], *, is_new: bool) -> PartReport:
    pages, articles, errors = (stamp[name] for name in COUNTS)
    kept, nothing = tuple(stamp["kept"]), stamp["nothing"]
    return PartReport(part.source, pages, articles, errors, kept, is_new, nothing)


def _facts(source: str | int) -> dict[str, int]:
    """Return size and time of a file (path or descriptor), or of the pages of a folder."""
    is_folder = isinstance(source, str) and os.path.isdir(source)
    places: list[Any] = [*readers.pages_below(Path(str(source)))] if is_folder else [source]
    stats = [os.stat(place) for place in places]
    times = [stat.st_mtime_ns for stat in stats]
    return {"size": sum(stat.st_size for stat in stats), "mtime_ns": max(times, default=0)}


def attempt_part(part: Part, job: Job) -> PartReport:
    """Extract a part if it does not exist yet; return its report.

    Any error becomes the report's ``failure``, so that other parts continue. A part fails, too, if
    `ATTEMPTS` workers have died while extracting it.
    """
    try:
        if job.made_with["version"] != __version__:  # a worker on another machine has it
            raise InputError(f"its worker has scrapy_webtext {__version__}: install the same")
        died = len(partials(part, job))
        if died >= ATTEMPTS:
            raise InputError(f"its worker died {died} times")
        return find_finished(part, job) or run_part(part, job)
    except InputError as error:
        return PartReport(part.source, failure=str(error))
    except BaseException as error:  # for example a full disk, or an extractor's KeyboardInterrupt
        return PartReport(part.source, failure=describe(error))


def partials(part: Part, job: Job) -> list[Path]:
    """Return the partial files of a part; workers that died or still run have left them."""
    return list(Path(job.workspace).glob(f"{_mark(part)}*"))


def _mark(part: Part) -> str:
    """Return the prefix of the names of a part's partial files."""
    return hashlib.sha256(os.fsencode(part.target)).hexdigest()[:24]


def run_part(part: Part, job: Job) -> PartReport:
    """Extract the pages of an input file, write its output part and return the report.

    Memory is bounded by one batch of pages and one row group of texts. A worker that dies leaves a
    partial file in the workspace.
    """
    partial = Path(job.workspace, f"{_mark(part)}.{uuid.uuid4().hex}")
    try:
        with partial.open("xb") as file:
            stamp = _write(part, job, file)
        Path(part.target).parent.mkdir(parents=True, exist_ok=True)
        partial.replace(part.target)
    finally:
        partial.unlink(missing_ok=True)
    return _report(part, stamp, is_new=True)


def _write(part: Part, job: Job, file: BinaryIO) -> dict[str, Any]:
    """Write a part into a file; return the part's stamp."""
    began = time.perf_counter()
    counts = dict.fromkeys(COUNTS, 0)
    has_value: set[str] = set()
    fault: str | None = None  # the first one
    with _opened(part, job) as pages:
        place = part.source if isinstance(pages, Path) else pages.fileno()
        facts = _facts(place)
        tables = _tables(part, pages, job)
        kept = [pa.field(name, pa.string()) for name in job.keep]
        first = next(tables, pa.schema([*schema_of(job.reader), *kept]).empty_table())
        with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
            for table in chain([first], tables):
                writer.write_table(table, row_group_size=GROUP_ROWS)
                if fault is None and len(table):
                    fault = table["error"][0].as_py()
                counts["pages"] += len(table)
                counts["articles"] += table["has_article"].to_pylist().count(True)
                counts["errors"] += len(table) - table["error"].null_count
                has_value.update(n for n in job.keep if table[n].null_count < len(table))
            if _facts(place) != facts:
                raise InputError("it was written to while it was read: start the run again")
            stamp = {"source": _named(part), **facts, **counts}
            stamp |= {"kept": sorted(has_value), "made_with": dict(job.made_with), "run": job.run}
            stamp["nothing"] = fault if counts["errors"] == counts["pages"] else None
            stamp |= {"seconds": round(time.perf_counter() - began, 3)}
            writer.add_key_value_metadata({FOOTER_KEY: json.dumps(stamp).encode()})
    file.flush()
    os.fsync(file.fileno())
    return stamp


@contextmanager
def _opened(part: Part, job: Job) -> Iterator[Any]:
    """Open an input, or yield the path of a folder; copy a remote input first.

    Otherwise a lost connection would look like a damaged record.
    """
    if os.path.isdir(part.source):
        yield Path(part.source)
        return
    if REMOTE not in part.source:
        with open(part.source, "rb") as file:
            yield file
        return
    fsspec = import_extra("fsspec", f"Reading {part.source}", "remote")
    with TemporaryFile(dir=job.workspace) as copy:
        with fsspec.open(part.source, "rb") as remote:
            copyfileobj(remote, copy, GROUP_BYTES)
        copy.seek(0)
        yield copy


def _tables(part: Part, pages: Any, job: Job) -> Iterator[pa.Table]:
    """Yield the results of a part in tables of about one row group each."""
    found: list[pa.RecordBatch] = []
    rows = size = 0
    place = Path(urlsplit(part.source).path if REMOTE in part.source else part.source)
    read: Any = readers.read_folder if isinstance(pages, Path) else readers.file_reader(place)
    for batch in read(pages, job.reader.max_body_size, job.keep):
        found.append(_extract(batch, job))
        with Path(job.workspace, READ).open("ab") as bytes_of_pages:
            bytes_of_pages.write(bytes(len(batch)))
        rows += len(found[-1])
        size += found[-1].nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield pa.Table.from_batches(found)
            found, rows, size = [], 0, 0
    if found:
        yield pa.Table.from_batches(found)


def _extract(batch: pa.RecordBatch, job: Job) -> pa.RecordBatch:
    """Return the results of a batch, with the columns that --keep names at the end."""
    pages = batch.num_columns - len(job.keep)
    results = extract_batch(batch.select(list(range(pages))), job.reader)
    for name, column in zip(job.keep, batch.columns[pages:], strict=True):
        results = results.append_column(name, column)
    return results
