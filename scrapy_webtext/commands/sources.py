"""The sources of pages: addresses, files, standard input, and lists of addresses."""

from __future__ import annotations

import argparse
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown
from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import what_else
from scrapy_webtext.reader import PageReader

STDIN: Final = "-"

#: ``https://...``, and ``data:``, the one scheme of Scrapy's downloader without slashes.
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://|data:", re.IGNORECASE)

#: An address of a list. Others may write lists, so they name no files and no other schemes.
_WEB_ADDRESS: Final = re.compile(r"https?://[^/]", re.IGNORECASE)

#: An address without its scheme.
_HOST: Final = re.compile(
    r"www\.|([\w-]+(\.[\w-]+)+|localhost)(:\d+)?/|localhost:\d", re.IGNORECASE
)


def is_address(source: str) -> bool:
    """Return whether a source is fetched (``https://...``) and not read from a file."""
    return _ADDRESS.match(source) is not None


def checked_sources(given: Iterable[str], lists: Iterable[str]) -> list[str]:
    """Return the given sources, then the addresses of the lists.

    A list has one web address per line; empty lines and lines that begin with ``#`` are left out.
    InputError for a missing file and for a line that is no web address.
    """
    sources = list(given)
    if [*sources, *lists].count(STDIN) > 1:
        raise InputError("Standard input (-) can be read only once")
    for source in sources:
        is_file = os.path.exists(source) and not os.path.isdir(source)  # a pipe is a file, too
        if source != STDIN and not is_address(source) and not is_file:
            raise InputError(_missing(source))
    for name in lists:
        sources += _listed(name)
    if not sources:
        raise InputError("No page given: name an address, a file, or - for standard input")
    return sources


def _listed(name: str) -> list[str]:
    found = []
    for number, content in enumerate(_read(name).removeprefix(BOM_UTF8).splitlines(), 1):
        line = content.decode("utf-8", "replace").strip()
        if line and not line.startswith("#"):
            if not _WEB_ADDRESS.match(line):
                raise InputError(
                    f"Line {number} of {name} is no http or https address: {shown(line)}; "
                    "name files on the command line"
                )
            found.append(line)
    if not found:
        raise InputError(f"No addresses in {name}: write one a line")
    return found


def read_source(source: str, reader: PageReader) -> Page:
    """Return the page in a file or on standard input; InputError if it is no page."""
    url = None if source == STDIN else Path(source).resolve().as_uri()
    content = _read(source)
    other = what_else(content)
    if other:
        name = "Standard input (-)" if source == STDIN else source
        raise InputError(f"{name} is {other}, not HTML")
    return reader.page(content, url=url)


def read_pages(
    sources: Sequence[str],
    receive: Callable[[int, Page | str], None],
    sites: Sites,
    opts: argparse.Namespace,
    process: Any,
) -> None:
    """Read files, then fetch addresses; pass on each page, or why it cannot be read."""
    addresses = {n: source for n, source in enumerate(sources) if is_address(source)}
    for number, source in enumerate(sources):
        if number not in addresses:
            try:
                found: Page | str = read_source(source, sites.of("").reader)
            except InputError as error:
                found = str(error)
            receive(number, found)
    if addresses:
        from scrapy_webtext.commands.fetching import Fetch

        Fetch(process, receive, sites, opts.spider, opts.meta).run(addresses)


def _read(name: str) -> bytes:
    if name == STDIN and sys.stdin is None:
        raise InputError("Standard input (-) is closed")
    try:
        return sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError(_missing(name)) from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None


def _missing(source: str) -> str:
    if not source.strip():
        return f"{source!r} is no address and no file"
    if os.path.isdir(source):
        return f"{source} is a folder: name the files in it"
    hint = f"; for a page on the web write https://{source}" if _HOST.match(source) else ""
    return f"No such file: {source}{hint}"
