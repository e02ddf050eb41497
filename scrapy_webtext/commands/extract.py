"""``scrapy webtext extract``: reads or fetches pages and prints their main text."""

from __future__ import annotations

import argparse
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.crawling.sites import Sites, is_web_address
from scrapy_webtext.errors import InputError, describe, printable, shown
from scrapy_webtext.files import Output, json_text, writing
from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import what_else
from scrapy_webtext.processes import Progress
from scrapy_webtext.reader import INCLUDED, VERSION, PageReader, field_names
from scrapy_webtext.results import DESCRIBED, plain
from scrapy_webtext.settings import WebtextSettings

STDIN: Final = "-"

#: ``https://...`` and the like, or ``data:``, which Scrapy's downloader supports, too.
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://|data:", re.IGNORECASE)

#: An address without its scheme.
_HOST: Final = re.compile(
    r"www\.|([\w-]+(\.[\w-]+)+|localhost)(:\d+)?/|localhost:\d", re.IGNORECASE
)

#: Format of the output (except JSON) -> result field that is printed.
RENDERED: Final = {"text": "main_text", "markdown": "main_markdown", "html": "main_html"}


def is_address(source: str) -> bool:
    """Return whether a source is fetched (``https://...``) and not read from a file."""
    return _ADDRESS.match(source) is not None


def check_sources(given: Iterable[str], lists: Iterable[str]) -> list[str]:
    """Return the given sources, then the addresses in the files ``lists``.

    A list has one web address per line; empty lines and lines that begin with ``#`` are skipped.
    Raise InputError for a missing list and for a line that is no web address.
    """
    sources = list(given)
    if [*sources, *lists].count(STDIN) > 1:
        raise InputError("Standard input (-) can be read only once")
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
            if not is_web_address(line):  # no file names, because other users may write lists
                raise InputError(
                    f"Line {number} of {name} is no http or https address: {shown(line)}; "
                    "name files on the command line"
                )
            found.append(line)
    if not found:
        raise InputError(f"No addresses in {name}: write one a line")
    return found


def read_source(source: str, reader: PageReader, url: str | None) -> Page:
    """Return the page in a file or from standard input; raise InputError if it is no HTML."""
    if source != STDIN:
        url = url or Path(source).resolve().as_uri()
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
    """Read files, then fetch addresses; call ``receive`` with each page or the reason for no page.

    The first argument of ``receive`` is the index of the source.
    """
    if opts.url and (len(sources) > 1 or is_address(sources[0])):
        raise InputError("--url is the address of one file: give each file its own command")
    addresses = {n: source for n, source in enumerate(sources) if is_address(source)}
    for number, source in enumerate(sources):
        if number not in addresses:
            try:
                found: Page | str = read_source(source, sites.of(opts.url or "").reader, opts.url)
            except InputError as error:
                found = str(error)
            receive(number, found)
    if addresses:
        from scrapy_webtext.commands.fetching import fetch

        fetch(addresses, receive, sites, opts.meta, process)


def _read(name: str) -> bytes:
    if name == STDIN and sys.stdin is None:
        raise InputError("Standard input (-) is closed")
    try:
        return sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        is_file = os.path.exists(name) and not os.path.isdir(name)
        reason = f"{name} cannot be read: {error.strerror or error}"
        raise InputError(reason if is_file else _missing(name)) from None


def _missing(source: str) -> str:
    if not source.strip():
        return f"{source!r} is no address and no file"
    if os.path.isdir(source):
        return f"{source} is a folder: name the files in it"
    hint = f"; for a page on the web write https://{source}" if _HOST.match(source) else ""
    return f"No such file: {source}{hint}"


def record_of(source: str, page: Page, reader: PageReader) -> dict[str, Any]:
    """Return the JSON output of a page: its result with all scores."""
    result = reader.result(page)
    return {
        "source": source,
        "url": page.url,
        "has_article": result.has_article,
        "article_probability": result.article_probability,
        "threshold": reader.threshold,
        "judge": result.judge,
        "p_value": result.p_value,
        "extractor": result.extractor,
        "main_text_score": result.main_text_score,
        "main_text": result.main_text,
        **{name: plain(getattr(result, name)) for name in reader.fields},
    }


def fields_of(form: str, asked: Collection[str]) -> tuple[str, ...]:
    """Return the optional result fields that a format needs; JSON also has the requested fields."""
    if form == "json":
        return field_names({*asked, *DESCRIBED, VERSION})
    header = DESCRIBED if form == "markdown" else ()
    return field_names({RENDERED[form], *header}.intersection(INCLUDED))


def as_markdown(record: dict[str, Any]) -> str:
    """Return a YAML header with the metadata of a record, then its Markdown.

    The values in the header are written as JSON, which is valid YAML 1.2.
    """
    known = {"url": record["url"]} | {name: record[name] for name in DESCRIBED}
    lines = [f"{name}: {json_text(value)}" for name, value in known.items() if value]
    header = "".join(f"{line}\n" for line in lines)
    return f"---\n{header}---\n\n{record['main_markdown']}"


def printer(form: str, pages: int) -> Callable[[dict[str, Any]], str]:
    """Return a function that formats a record for printing.

    If there are several pages, the source is printed above each page. JSON has the source as a key.
    """
    if form == "json":
        return lambda record: json_text(record) + "\n"
    key = RENDERED[form]
    content = as_markdown if form == "markdown" else itemgetter(key)
    if pages == 1:
        return lambda record: f"{content(record)}\n"
    return lambda record: f"==> {printable(record['source'])} <==\n{content(record)}\n\n"


@dataclass
class ExtractJob:
    """Prints the results of pages in the order of the sources; pages may arrive in any order."""

    sources: list[str]
    reader_of: Callable[[Page], PageReader]
    output: Output
    progress: Progress
    form: Any  #: record -> text
    failures: list[str] = field(default_factory=list)
    _waiting: dict[int, str] = field(default_factory=dict)  #: outputs that wait for an earlier page
    _next: int = 0

    def receive(self, number: int, found: Page | str) -> None:
        """Print the result of a page after all earlier pages; store the reason if it has none."""
        source, record = self.sources[number], None
        try:
            if isinstance(found, str):
                raise InputError(found)
            record = record_of(source, found, self.reader_of(found))
        except InputError as error:
            self.failures.append(str(error))
        except Exception as error:  # a user's own extractor failed on one page of many
            self.failures.append(f"{shown(source)}: {describe(error)}")
        self._waiting[number] = self.form(record) if record is not None else ""
        while self._next in self._waiting:
            self.output.write(self._waiting.pop(self._next))
            self._next += 1
        self.progress.step()
        if record is not None and not record["main_text"]:
            self.progress.say(f"{shown(source)}: no main text found")


def run(
    opts: argparse.Namespace,
    settings: WebtextSettings,
    process: Any,
    complain: Callable[[str], None],
) -> None:
    """Print the results of the pages that the options name; raise InputError if all failed.

    Scrapy's ``process`` fetches addresses; ``complain`` prints an error message.
    """
    sites = Sites(settings)
    fields = fields_of(opts.format, sites.of("").reader.fields)

    def reader_of(page: Page) -> PageReader:
        return replace(sites.of(page.url or "").reader, fields=fields)

    sources = check_sources(opts.sources, opts.urls)
    form = printer(opts.format, len(sources))
    progress = Progress(len(sources))
    with writing(opts.output) as output:
        job = ExtractJob(sources, reader_of, output, progress, form)
        with closing(progress):
            read_pages(sources, job.receive, sites, opts, process)
        if len(job.failures) == len(sources) == 1:
            raise InputError(job.failures[0])
        for reason in job.failures:
            complain(reason)
        if len(job.failures) == len(sources):
            raise InputError(f"None of {len(sources)} pages could be read")
