"""What a part was made of, in the metadata of its Parquet footer."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from scrapy_webtext.archive.readers import open_input
from scrapy_webtext.errors import InputError, MissingExtraError

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtraError("Reading archives", "pyarrow", "archive") from None

STAMP: Final = b"scrapy_webtext"

#: Seconds within which a file can change again without a new time: FAT counts in twos.
TICK: Final = 2.0


def read_stamp(path: Path) -> dict[str, Any] | None:
    """Return the stamp of a part, None where there is none; OSError where there is no file."""
    path.stat()
    try:
        with open_input(path) as file:
            stamp = json.loads((pq.read_metadata(file).metadata or {})[STAMP])
    except (InputError, OSError, ValueError, KeyError, pa.ArrowException):
        return None
    return stamp if isinstance(stamp, dict) else None


def is_part(path: Path) -> bool:
    """Whether this command wrote a file."""
    return path.name.endswith(".parquet") and read_stamp(path) is not None


def facts_of(file: BinaryIO) -> dict[str, Any]:
    """Return size, time of change in ns and digest of an open file, and go to its beginning.

    The time is None where the file changed just now: it could change again without a new one.
    """
    now = time.time_ns()
    found = os.fstat(file.fileno())
    is_settled = now - found.st_mtime_ns > TICK * 1e9
    return {
        "size": found.st_size,
        "mtime_ns": found.st_mtime_ns if is_settled else None,
        "sha256": digest(file),
    }


def digest(file: BinaryIO) -> str:
    """Return the SHA-256 of an open file, in hexadecimal, and go to its beginning."""
    file.seek(0)
    hashed = hashlib.sha256()
    while chunk := file.read(1 << 20):
        hashed.update(chunk)
    file.seek(0)
    return hashed.hexdigest()


def is_unchanged(path: Path, stamp: Mapping[str, Any], *, by_digest: bool = False) -> bool:
    """Whether an input is still what a part was made of.

    By size and time; ``by_digest`` reads a file whose time alone is another.
    """
    found = path.stat()
    if found.st_size != stamp["size"]:
        return False
    if found.st_mtime_ns == stamp["mtime_ns"]:
        return True
    if not by_digest:
        return False
    with open_input(path) as file:
        same: bool = digest(file) == stamp["sha256"]
        return same
