"""One input file, one output part: written in the run's workspace and moved when it is whole."""

from __future__ import annotations

import hashlib
import json
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from scrapy_webtext.archive.batch import ExtractionSettings, extract_batch
from scrapy_webtext.archive.manifest import check_same, differences, made_with
from scrapy_webtext.archive.plan import Part
from scrapy_webtext.archive.readers import open_input, read_open
from scrapy_webtext.archive.stamp import STAMP, facts_of, is_unchanged, read_stamp
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe, shown

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

#: A row group of the output has so many rows or bytes, whichever comes first.
GROUP_ROWS: Final = 4096
GROUP_BYTES: Final = 32 << 20

#: A part whose worker dies so often is given up.
ATTEMPTS: Final = 3


@dataclass(frozen=True)
class Job:
    """What the parts of a run share, wherever they are made."""

    settings: ExtractionSettings
    keep: tuple[str, ...]  #: columns that are passed on
    made_with: Mapping[str, Any]  #: as `manifest.made_with` has it
    run: str  #: names this run
    workspace: str  #: folder for parts in the making


@dataclass(frozen=True)
class PartReport:
    """What came of one part."""

    source: str
    target: str = ""
    pages: int = 0
    articles: int = 0
    errors: int = 0  #: rows with an error
    facts: Mapping[str, Any] | None = None  #: size, time and digest of the input
    is_new: bool = True  #: made by this run
    failure: str | None = None  #: why there is no output part


def finished(part: Part, job: Job, *, by_digest: bool = False) -> PartReport | None:
    """Return the report of an output part that is there and whole, None where it is to be made.

    One whose input has changed is to be made again; ``by_digest`` as `is_unchanged`. InputError
    where it was made with something else or by somebody else: a folder of mixed results helps
    nobody.
    """
    try:
        stamp = read_stamp(Path(part.target))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{shown(part.target)} cannot be read: {error.strerror}") from None
    try:
        stamp = stamp or {}
        report = _report(part, stamp, is_new=stamp["run"] == job.run)
        check_same(part.target, stamp["made_with"], job.made_with)
    except (KeyError, TypeError, AttributeError):
        raise InputError(
            f"{shown(part.target)} was not written by this command: choose another output folder"
        ) from None
    try:
        return report if is_unchanged(Path(part.source), stamp, by_digest=by_digest) else None
    except OSError:  # the attempt will tell of it
        return None


def attempt_part(part: Part, job: Job) -> PartReport:
    """Return the report of a part that is made now, if it is not there yet.

    Whatever is raised becomes the report's failure: the other parts go on. A part that took so
    many workers with it is not begun again, and tells so.
    """
    try:
        _check_worker(job)
        left = _left(part, job)
        if len(left) >= ATTEMPTS:
            raise InputError(f"its worker died {len(left)} times")
        return finished(part, job, by_digest=True) or run_part(part, job)
    except InputError as error:
        return PartReport(part.source, failure=str(error))
    except BaseException as error:  # a full disk, say, or an extractor's KeyboardInterrupt
        return PartReport(part.source, failure=describe(error))


def run_part(part: Part, job: Job) -> PartReport:
    """Extract the pages of one input file and write its output part.

    Memory is bounded by a batch of pages and a row group of texts. An interruption leaves a
    partial file in the workspace.
    """
    partial = Path(job.workspace, f"{_mark(part)}.{uuid.uuid4().hex}")
    target = Path(part.target)
    try:
        with _made_partial(partial) as file:
            stamp = _write(part, job, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        _move(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    for left in _left(part, job):
        left.unlink(missing_ok=True)
    return _report(part, stamp, is_new=True)


def _made_partial(partial: Path) -> BinaryIO:
    try:
        return partial.open("xb")
    except FileNotFoundError:
        raise InputError(
            "the output folder was taken away while the run was on; begin it again"
        ) from None


def _write(part: Part, job: Job, file: BinaryIO) -> dict[str, Any]:
    """Write the part into a file; return its stamp."""
    began = time.perf_counter()
    counts = {"pages": 0, "articles": 0, "errors": 0}
    source = Path(part.source)
    with ExitStack() as stack:
        pages = stack.enter_context(open_input(source))
        before = os.fstat(pages.fileno())
        facts = facts_of(pages)
        writer: Any = None
        for table in _groups(source, pages, job):
            writer = writer or stack.enter_context(_writer(file, table.schema))
            writer.write_table(table, row_group_size=GROUP_ROWS)
            counts["pages"] += len(table)
            counts["articles"] += table["has_article"].to_pylist().count(True)
            counts["errors"] += len(table) - table["error"].null_count
        after = os.fstat(pages.fileno())
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InputError("it was written to while it was read; begin the run again")
        writer = writer or stack.enter_context(_writer(file, _schema(job)))
        seconds = round(time.perf_counter() - began, 3)
        stamp = {"source": source.name, **facts, **counts, "seconds": seconds}
        stamp |= {"made_with": dict(job.made_with), "run": job.run}
        writer.add_key_value_metadata({STAMP: json.dumps(stamp).encode()})
    file.flush()
    os.fsync(file.fileno())
    return stamp


def _writer(file: BinaryIO, schema: pa.Schema) -> Any:
    return pq.ParquetWriter(file, schema, compression="zstd")


def _schema(job: Job) -> pa.Schema:
    """Return the schema of a part without pages."""
    return pa.schema([*job.settings.schema, *(pa.field(name, pa.string()) for name in job.keep)])


def _groups(source: Path, pages: BinaryIO, job: Job) -> Iterator[pa.Table]:
    """Yield the results in tables of about one row group."""
    found: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in read_open(source, pages, job.settings.max_body_size, job.keep):
        found.append(_extract(batch, job))
        rows += len(found[-1])
        size += found[-1].nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield pa.Table.from_batches(found)
            found, rows, size = [], 0, 0
    if found:
        yield pa.Table.from_batches(found)


def _extract(batch: pa.RecordBatch, job: Job) -> pa.RecordBatch:
    """Return the results of a batch, and behind them the columns kept."""
    pages = batch.num_columns - len(job.keep)
    results = extract_batch(batch.select(list(range(pages))), job.settings)
    kept = [_valid(column) for column in batch.columns[pages:]]
    fields = [pa.field(name, column.type) for name, column in zip(job.keep, kept, strict=True)]
    return pa.RecordBatch.from_arrays(
        [*results.columns, *kept], schema=pa.schema([*results.schema, *fields])
    )


def _valid(column: pa.Array) -> pa.Array:
    """Return a column whose values can be read again: null instead of those that cannot."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return pa.concat_arrays([_valid_value(column.slice(at, 1)) for at in range(len(column))])
    return column


def _valid_value(column: pa.Array) -> pa.Array:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return pa.nulls(1, column.type)
    return column


def _report(part: Part, stamp: Mapping[str, Any], *, is_new: bool) -> PartReport:
    facts = {name: stamp[name] for name in ("size", "mtime_ns", "sha256")}
    counts = (stamp["pages"], stamp["articles"], stamp["errors"])
    return PartReport(part.source, part.target, *counts, facts=facts, is_new=is_new)


def _mark(part: Part) -> str:
    """Return how the partial files of a part begin."""
    return hashlib.sha256(os.fsencode(part.target)).hexdigest()[:24]


def _left(part: Part, job: Job) -> list[Path]:
    """Return partial files of this part: those of workers that died, and of twins at work."""
    mark = _mark(part)
    names = os.listdir(job.workspace) if os.path.isdir(job.workspace) else []
    return [Path(job.workspace, name) for name in names if name.startswith(mark)]


def _check_worker(job: Job) -> None:
    """Raise InputError where a worker has another release, or other models, than the run."""
    found = list(differences(_made_with_here(job.settings.as_json, job.keep), job.made_with))
    if found:
        raise InputError(f"the worker that was to make it has another {', another '.join(found)}")


@lru_cache(maxsize=8)
def _made_with_here(settings: str, keep: tuple[str, ...]) -> Mapping[str, Any]:
    given = ExtractionSettings(**json.loads(settings))
    given.parts()
    return made_with(given, keep)


def _move(partial: Path, target: Path) -> None:
    try:
        partial.replace(target)
    except FileNotFoundError:
        # An engine that took us for dead let somebody else make this part, who tidied up.
        if not target.exists():
            raise
