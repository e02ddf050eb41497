"""``scrapy webtext extract``: reads or fetches pages and prints their main text."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.settings import BaseSettings, default_settings
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.misc import load_object
from twisted.python.failure import Failure

from scrapy_webtext.crawling.responses import read_page, skip_reason
from scrapy_webtext.crawling.sites import Sites, is_web_address
from scrapy_webtext.errors import InputError, describe, printable, shown
from scrapy_webtext.files import Output, Progress, json_text, writing
from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import what_else
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

#: A function that receives the index of a source, and its page or the reason for no page.
Receive = Callable[[int, Page | str], None]

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
                words = f"{shown(line)}; name files on the command line"
                raise InputError(f"Line {number} of {name} is no http or https address: {words}")
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
    sources: Sequence[str], receive: Receive, sites: Sites, opts: Namespace, process: Any
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
    names = ("judge", "p_value", "extractor", "main_text_score", "main_text", *reader.fields)
    return {
        "source": source,
        "url": page.url,
        "has_article": result.has_article,
        "article_probability": result.article_probability,
        "threshold": reader.threshold,
        **{name: plain(getattr(result, name)) for name in names},
    }


def fields_of(form: str, asked: Collection[str]) -> tuple[str, ...]:
    """Return the optional result fields that a format needs; JSON also has the requested fields."""
    if form == "json":
        return field_names({*asked, *DESCRIBED, VERSION})
    header = DESCRIBED if form == "markdown" else ()
    return field_names({RENDERED[form], *header}.intersection(INCLUDED))


def as_markdown(record: dict[str, Any]) -> str:
    """Return a YAML header with the metadata of a record (not its sources), then its Markdown.

    The values in the header are written as JSON, which is valid YAML 1.2.
    """
    known = {"url": record["url"]} | {n: record[n] for n in DESCRIBED if n != "sources"}
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
    opts: Namespace, settings: WebtextSettings, process: Any, complain: Callable[[str], None]
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


#: Settings that get Scrapy's defaults, so that no queue and no stats of the project are used.
PARTS: Final = (
    "DUPEFILTER_CLASS LOG_FORMATTER SCHEDULER SCHEDULER_DISK_QUEUE SCHEDULER_MEMORY_QUEUE "
    "SCHEDULER_PRIORITY_QUEUE STATS_CLASS"
).split()

#: Settings that disable the project's feeds, pipelines, extensions and queue. Fetching single pages
#: must not overwrite a feed or take requests from a queue that other crawls share.
OVERRIDES: Final[Mapping[str, Any]] = {
    "FEEDS": {},
    "FEED_URI": None,
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {},
    # AutoThrottle sets delays if AUTOTHROTTLE_ENABLED is true.
    "EXTENSIONS_BASE": {"scrapy.extensions.throttle.AutoThrottle": 0},
    "SPIDER_MIDDLEWARES": {},
    "JOBDIR": None,
    "STATS_DUMP": False,
    "WEBTEXT_ENABLED": False,
    **{name: getattr(default_settings, name) for name in PARTS},
}

#: Schemes to which a server may redirect.
WEB: Final = frozenset({"http", "https"})

TOO_LARGE: Final = (
    "is larger than WEBTEXT_MAX_BODY_SIZE or DOWNLOAD_MAXSIZE allow: raise both with -s"
)


@dataclass
class LastSettings:
    """An add-on that runs last. It overrides other add-ons, and disables download handlers."""

    overrides: Mapping[str, Any] = field(default_factory=dict)  #: setting -> value
    schemes: Set[str] = WEB  #: schemes that may be fetched

    def update_settings(self, settings: BaseSettings) -> None:
        """Apply the overrides; disable the download handlers of all schemes not allowed."""
        sizes = [self.overrides.get("DOWNLOAD_MAXSIZE", 0), settings.getint("DOWNLOAD_MAXSIZE")]
        settings.setdict(dict(self.overrides), priority="cmdline")
        size = min(filter(None, sizes), default=0)  # 0 means no limit
        settings.set("DOWNLOAD_MAXSIZE", size, priority="cmdline")
        others = settings.getwithbase("DOWNLOAD_HANDLERS").keys() - self.schemes
        handlers = {**settings.getdict("DOWNLOAD_HANDLERS"), **dict.fromkeys(others)}
        settings.set("DOWNLOAD_HANDLERS", handlers, priority="cmdline")
        middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
        if MetaRefreshMiddleware not in map(load_object, middlewares):
            middlewares |= {MetaRefreshMiddleware: None, PatientMetaRefresh: 580}
            settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority="cmdline")


class PatientMetaRefresh(MetaRefreshMiddleware):
    """Scrapy's middleware, changed to keep pages with a wrong ``<base>`` or an unknown charset."""

    def process_response(  # type: ignore[override]
        self, request: Request, response: Response, **given: Any
    ) -> Any:
        """Return the redirected request, or the response if looking for a redirect fails."""
        try:
            return super().process_response(request, response, **given)
        except (ValueError, LookupError):
            return response


def fetch(
    addresses: Mapping[int, str], receive: Receive, sites: Sites, meta: dict[str, Any], process: Any
) -> None:
    """Fetch addresses in one crawl; call ``receive`` with each index and its page or reason.

    Scrapy's ``process`` can start only one crawl. ``meta`` is the meta of each request.
    """
    overrides = {**OVERRIDES, "DOWNLOAD_MAXSIZE": sites.of("").reader.max_body_size}
    schemes = WEB | {address.partition(":")[0].lower() for address in addresses.values()}
    last = partial(LastSettings, overrides, schemes)
    addons = {**process.settings.getdict("ADDONS"), last: sys.maxsize}
    process.settings.set("ADDONS", addons, priority="cmdline")
    waiting, raised = dict(addresses), list[Exception]()
    given = {"receive": receive, "sites": sites, "meta": meta}
    error = run_crawler(process, Fetcher, waiting=waiting, raised=raised, **given)
    if raised:
        raise raised[0]
    fault = f"cannot start: {describe(error)}" if error else "was stopped before"
    for number, address in sorted(waiting.items()):
        receive(number, f"{shown(address)} was not fetched: the crawl {fault}")


class Fetcher(Spider):
    """The spider of `fetch`."""

    name = "default"
    receive: Receive
    sites: Sites
    meta: Mapping[str, Any]
    waiting: dict[int, str]  #: addresses without an answer
    raised: list[Exception]  #: errors that ``receive`` raised

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests; call ``receive`` with the error of each source that is no address."""
        how: Any = {"errback": self._failed, "meta": self.meta, "dont_filter": True}
        for number, address in list(self.waiting.items()):
            try:
                request = Request(address, self._received, cb_kwargs={"number": number}, **how)
            except Exception as error:
                self.waiting.pop(number)
                self.receive(number, f"{shown(address)} is no address: {describe(error)}")
            else:
                yield request

    def _received(self, response: Response, number: int) -> None:
        found = self._read(response, shown(self.waiting.pop(number)))
        try:
            self.receive(number, found)
        except Exception as error:  # Scrapy would log it and continue
            self.raised.append(error)
            raise CloseSpider("failed") from error

    def _read(self, response: Response, address: str) -> Page | str:
        reader = self.sites.of(response.url).reader
        reason = skip_reason(response, None, reader)
        if reason is not None:
            return f"{address} {_skipped(reason, response, reader)}"
        try:
            return read_page(response, reader, shares_tree=False)
        except Exception as error:
            return f"{address} cannot be read: {describe(error)}"

    def _failed(self, failure: Failure) -> None:
        number = failure.request.cb_kwargs["number"]  # type: ignore[attr-defined]
        address = shown(self.waiting.pop(number))
        self.receive(number, f"{address} {reason_of(failure.value)}")


def reason_of(error: Any) -> str:
    """Return the end of a message: why the address was not fetched, and how to repair this."""
    if isinstance(error, HttpError):
        return f"answered with status {error.response.status}"
    if is_of_size(error):
        return TOO_LARGE
    if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
        return (
            "is forbidden by the site's robots.txt: name a part of the site that is not, or for a "
            "site of your own give -s ROBOTSTXT_OBEY=False"
        )
    if isinstance(error, IgnoreRequest):
        return f"was not fetched: {describe(error)}"
    return f"cannot be reached (address and connection right?): {describe(error)}"


def run_crawler(process: Any, crawler: Any, **arguments: Any) -> BaseException | None:
    """Run a crawler to its end; return the error that prevented its start, or None.

    Raise InputError if a component of the project raises.
    """
    faults: list[BaseException] = []
    try:
        running: Any = process.crawl(crawler, **arguments)
    except InputError:
        raise
    except Exception as error:  # components of a project may raise anything
        raise InputError(f"The crawl cannot start: {describe(error)}") from error
    if hasattr(running, "addErrback"):
        running.addErrback(lambda failure: faults.append(failure.value))
    else:
        running.add_done_callback(
            lambda task: faults.extend([] if task.cancelled() else filter(None, [task.exception()]))
        )
    process.start()
    return faults[0] if faults else None


def is_of_size(error: BaseException) -> bool:
    """Return whether a response exceeded DOWNLOAD_MAXSIZE, before or after decompression."""
    is_cancelled = type(error).__name__ in {"DownloadCancelledError", "CancelledError"}
    return is_cancelled or (isinstance(error, IgnoreRequest) and "DOWNLOAD_MAXSIZE" in str(error))


def _skipped(reason: str, response: Response, reader: PageReader) -> str:
    """Return the end of a message: why the page was skipped, and how to repair this."""
    if reason == "status":
        return f"answered with status {response.status}"
    if reason == "too_large":
        return TOO_LARGE
    if reason == "too_many_elements":
        limit = reader.max_elements
        return f"has more than {limit} elements: raise WEBTEXT_MAX_ELEMENTS with -s"
    content_type = (response.headers.get("Content-Type") or b"of no type").decode("latin-1")
    return f"is no HTML page ({shown(content_type)})"
