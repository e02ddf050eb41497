"""One input file, one output part: written under another name and moved when it is whole."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from scrapy_webtext import __version__
from scrapy_webtext.archive.batch import RESULT_SCHEMA, ExtractionSettings, extract_batch
from scrapy_webtext.archive.stored import READERS, read_batches, reader_of
from scrapy_webtext.errors import InputError, MissingExtraError

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

#: Where a part keeps what it was made of, in the metadata of its Parquet footer.
STAMP: Final = b"scrapy_webtext"

#: Rows of a row group of the output.
GROUP_ROWS: Final = 4096


@dataclass(frozen=True)
class Part:
    """An input file and the output part that its pages go to."""

    source: str
    target: str


@dataclass(frozen=True)
class PartReport:
    """What came of one part."""

    source: str
    pages: int = 0
    articles: int = 0
    errors: int = 0  #: rows with an error
    failure: str | None = None  #: why there is no output part


def plan_parts(inputs: Iterable[str], output: str) -> list[Part]:
    """Return the parts of these files and folders, in order.

    A folder stands for the files of known kinds in it and below, and its layout is kept. InputError
    for a missing input, one of unknown kind, two that would be one part, and for no input at all.
    """
    parts: dict[str, Part] = {}
    for given in inputs:
        for source, name in _files(Path(given)):
            reader_of(source)
            target = Path(output) / (name if name.endswith(".parquet") else f"{name}.parquet")
            part = Part(str(source.resolve()), str(target.resolve()))
            if part.source == part.target:
                raise InputError(f"{source} would be overwritten: choose another output folder")
            other = parts.setdefault(part.target, part)
            if other != part:
                raise InputError(
                    f"{source} and {other.source} would both become {target}: name the folder "
                    f"above them, or give each its own output folder"
                )
    if not parts:
        raise InputError(f"No archives found; known endings: {', '.join(READERS)}")
    return list(parts.values())


def _files(given: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of an input and their names in the output folder."""
    if given.is_file():
        yield given, given.name
        return
    if not given.is_dir():
        raise InputError(f"No such file or folder: {given}")
    for path in sorted(given.rglob("*")):
        name = path.relative_to(given)
        is_hidden = any(piece.startswith((".", "_")) for piece in name.parts)
        if path.is_file() and not is_hidden and path.name.lower().endswith(tuple(READERS)):
            yield path, str(name)


def finished(part: Part, settings: ExtractionSettings) -> PartReport | None:
    """Return the report of an output part that is there and whole, None where it is to be made.

    One whose input has another size now is to be made again. InputError where it was made with
    other settings or by something else: a folder of mixed results helps nobody.
    """
    try:
        stamp = pq.read_metadata(part.target).metadata or {}
        made = json.loads(stamp[STAMP])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, pa.ArrowException):
        raise InputError(
            f"{part.target} was not written by this command: choose another output folder"
        ) from None
    if made["settings"] != json.loads(settings.as_json):
        changed = [k for k, v in asdict(settings).items() if made["settings"].get(k) != v]
        raise InputError(
            f"{part.target} was made with another {', '.join(changed)}: use the same settings "
            f"or another output folder"
        )
    if made["size"] != os.path.getsize(part.source):
        return None
    return PartReport(part.source, made["pages"], made["articles"], made["errors"])


def attempt_part(part: Part, settings: ExtractionSettings) -> PartReport:
    """Return the report of `run_part`; what it raises becomes the report's failure."""
    try:
        return run_part(part, settings)
    except Exception as error:  # a full disk, say: the other parts go on
        return PartReport(part.source, failure=f"{type(error).__name__}: {error}")


def run_part(part: Part, settings: ExtractionSettings) -> PartReport:
    """Extract the pages of one input file and write its output part.

    Memory is bounded by a batch of pages and a row group of texts. An interruption leaves a
    hidden partial file, which the next attempt removes.
    """
    target = Path(part.target)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{uuid.uuid4().hex}.partial")
    try:
        made = _write(part, settings, partial)
        _move(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    for left in target.parent.glob(f".{target.name}.*.partial"):
        left.unlink(missing_ok=True)
    return PartReport(part.source, made["pages"], made["articles"], made["errors"])


def _write(part: Part, settings: ExtractionSettings, partial: Path) -> dict[str, Any]:
    made: dict[str, Any] = {
        "source": Path(part.source).name,
        "size": os.path.getsize(part.source),
        "settings": json.loads(settings.as_json),
        "version": __version__,
        "pages": 0,
        "articles": 0,
        "errors": 0,
    }
    began = time.perf_counter()
    with partial.open("wb") as file:
        with pq.ParquetWriter(file, RESULT_SCHEMA, compression="zstd") as writer:
            for table in _groups(part, settings):
                writer.write_table(table, row_group_size=GROUP_ROWS)
                made["pages"] += len(table)
                made["articles"] += table["has_article"].to_pylist().count(True)
                made["errors"] += len(table) - table["error"].null_count
            made["seconds"] = round(time.perf_counter() - began, 3)
            writer.add_key_value_metadata({STAMP: json.dumps(made).encode()})
        file.flush()
        os.fsync(file.fileno())
    return made


def _groups(part: Part, settings: ExtractionSettings) -> Iterator[pa.Table]:
    """Yield the results in tables of about one row group."""
    found: list[pa.RecordBatch] = []
    for batch in read_batches(Path(part.source), settings.max_body_size):
        found.append(extract_batch(batch, settings))
        if sum(map(len, found)) >= GROUP_ROWS:
            yield pa.Table.from_batches(found)
            found = []
    if found:
        yield pa.Table.from_batches(found)


def _move(partial: Path, target: Path) -> None:
    try:
        partial.replace(target)
    except FileNotFoundError:
        # An engine that took us for dead let somebody else make this part, who tidied up.
        if not target.exists():
            raise
