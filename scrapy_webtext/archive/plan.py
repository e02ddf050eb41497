"""Which parts a run has: an output part for each input file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scrapy_webtext.archive.folder import STATE
from scrapy_webtext.archive.readers import READERS, reader_of
from scrapy_webtext.archive.stamp import is_part
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown

SUFFIX: Final = ".parquet"

#: Bytes of a file's name, on all file systems in use.
MAX_NAME: Final = 255


@dataclass(frozen=True)
class Part:
    """An input file and the output part that its pages go to, as absolute paths."""

    source: str
    target: str


def plan_parts(inputs: Iterable[str], output: str) -> list[Part]:
    """Return the parts of these files and folders, in order.

    A folder stands for the files of known kinds in it and below, and its layout is kept. What an
    earlier run wrote is no input, should the output folder lie in it. InputError for a missing
    input, one of unknown kind, two that would be one part, and for no input at all.
    """
    folder = Path(os.path.realpath(output))
    parts: dict[str, Part] = {}
    for given in inputs:
        for source, name in _files(Path(given), folder):
            reader_of(source)
            # Not resolved: a link that stands there is replaced, not written through.
            target = folder / name.parent / part_name(name.name)
            part = Part(os.path.realpath(source), str(target))
            if part.source == part.target:
                raise InputError(
                    f"{shown(str(source))} would be overwritten: choose another output folder"
                )
            other = parts.setdefault(part.target, part)
            if other != part:
                raise InputError(
                    f"{shown(str(source))} and {shown(other.source)} would both become "
                    f"{shown(str(target))}: name the folder above them, or give each its own "
                    f"output folder"
                )
    if not parts:
        raise InputError(f"No archives found; known endings: {', '.join(READERS)}")
    return list(parts.values())


def part_name(name: str) -> str:
    """Return the name of the part of an input file of this name.

    With ``.parquet`` behind it; what is too long for a file's name is cut and told apart by a
    digest.
    """
    if name.endswith(SUFFIX):
        return name
    encoded = os.fsencode(name)
    if len(encoded) + len(SUFFIX) <= MAX_NAME:
        return name + SUFFIX
    mark = f"~{hashlib.sha256(encoded).hexdigest()[:16]}{SUFFIX}"
    return encoded[: MAX_NAME - len(mark)].decode("utf-8", "ignore") + mark


def _files(given: Path, output: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files of an input and their names in the output folder."""
    if given.is_dir():
        yield from _files_below(given, output)
    elif given.is_file():
        yield given, Path(given.name)
    elif given.exists():
        raise InputError(f"{shown(str(given))} is neither a file nor a folder")
    else:
        raise InputError(f"No such file or folder: {shown(str(given))}")


def _files_below(given: Path, output: Path) -> Iterator[tuple[Path, Path]]:
    is_output = Path(os.path.realpath(given)).is_relative_to(output)
    for root, folders, names in os.walk(given, onerror=_refuse):
        folders[:] = sorted(name for name in folders if _is_input(Path(root, name), output))
        for name in sorted(names):
            path = Path(root, name)
            is_known = name.lower().endswith(tuple(READERS)) and not _is_hidden(name)
            if is_known and path.is_file() and not (is_output and is_part(path)):
                yield path, path.relative_to(given)


def _is_input(folder: Path, output: Path) -> bool:
    """Whether a folder is gone through: not this run's output, nor another's."""
    is_output = (folder / STATE).is_dir() or Path(os.path.realpath(folder)) == output
    return not _is_hidden(folder.name) and not is_output


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _refuse(error: OSError) -> None:
    raise InputError(
        f"{shown(str(error.filename))} cannot be read: {error.strerror or error}"
    ) from None
