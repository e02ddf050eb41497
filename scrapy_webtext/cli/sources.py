"""Where pages come from: addresses, files, standard input, and lists of these."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from scrapy_webtext.errors import InputError
from scrapy_webtext.page import Page, parse

STDIN: Final = "-"

#: ``https://...``, and ``data:``, the one scheme of Scrapy's downloader without slashes.
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://|data:", re.IGNORECASE)

#: What looks like an address without its scheme.
_HOST: Final = re.compile(r"www\.|[\w-]+(\.[\w-]+)+/", re.IGNORECASE)


def is_address(source: str) -> bool:
    """Whether a source is fetched (``https://...``) and not read from a file."""
    return _ADDRESS.match(source) is not None


def checked_sources(given: Iterable[str], lists: Iterable[str]) -> list[str]:
    """Return the sources that were given and those of the lists; files are known to exist.

    A list has one address or file per line; empty lines and lines with ``#`` in front are left
    out. InputError for a missing file, before anything is fetched or written.
    """
    sources = list(given)
    for name in lists:
        lines = [line.strip() for line in _read(name).decode("utf-8-sig", "replace").splitlines()]
        found = [line for line in lines if line and not line.startswith("#")]
        if not found:
            raise InputError(f"No addresses in {name}: write one a line")
        sources += found
    if not sources:
        raise InputError("No page given: name an address, a file, or - for standard input")
    if [*sources, *lists].count(STDIN) > 1:
        raise InputError("Standard input (-) can be read only once")
    for source in sources:
        if source != STDIN and not is_address(source) and not Path(source).is_file():
            raise InputError(_missing(source))
    return sources


def read_source(source: str) -> Page:
    """Return the page in a file or on standard input; InputError where it cannot be read."""
    url = None if source == STDIN else Path(source).resolve().as_uri()
    return parse(_read(source), url=url)


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError(_missing(name)) from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None


def _missing(source: str) -> str:
    if Path(source).is_dir():
        return f"{source} is a folder: name the files in it"
    hint = f"; for a page on the web write https://{source}" if _HOST.match(source) else ""
    return f"No such file: {source}{hint}"
