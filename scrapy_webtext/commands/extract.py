"""``scrapy webtext extract``: the main text of pages, as text or as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Final

from scrapy_webtext.commands.sources import checked_sources, read_pages
from scrapy_webtext.crawling.sites import Sites
from scrapy_webtext.errors import InputError
from scrapy_webtext.files import Output, json_text, writing
from scrapy_webtext.log_text import describe, printable, shown
from scrapy_webtext.page import Page
from scrapy_webtext.progress import Progress
from scrapy_webtext.reader import INCLUDED, VERSION, PageReader, field_names
from scrapy_webtext.results import DESCRIBED, plain

#: Form of the output, except JSON -> the result field that is printed.
RENDERED: Final = {"text": "main_text", "markdown": "main_markdown", "html": "main_html"}


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
    """Return the optional result fields of a form; JSON has the fields of the settings, too."""
    if form == "json":
        return field_names({*asked, *DESCRIBED, VERSION})
    header = DESCRIBED if form == "markdown" else ()
    return field_names({RENDERED[form], *header}.intersection(INCLUDED))


def as_markdown(record: dict[str, Any]) -> str:
    """Return the Markdown of a record after a YAML header with its metadata.

    The values of the header are JSON, which is valid YAML 1.2.
    """
    known = {"url": record["url"]} | {name: record[name] for name in DESCRIBED}
    lines = [f"{name}: {json_text(value)}" for name, value in known.items() if value]
    header = "".join(f"{line}\n" for line in lines)
    return f"---\n{header}---\n\n{record['main_markdown']}"


def printer(form: str, pages: int) -> Callable[[dict[str, Any]], str]:
    """Return the function from a record to its output in a form.

    With several pages the source is printed above each; in JSON it is a key.
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
    """Prints the results of pages in the order of the sources, in whatever order they come."""

    sources: list[str]
    reader_of: Callable[[Page], PageReader]
    output: Output
    progress: Progress
    form: Any  #: record -> text
    failures: list[str] = field(default_factory=list)
    _waiting: dict[int, str] = field(default_factory=dict)  #: outputs after a slower page
    _next: int = 0

    def receive(self, number: int, found: Page | str) -> None:
        """Print the result of a page after all before it; keep why a page has no result."""
        source, record = self.sources[number], None
        try:
            if isinstance(found, str):
                raise InputError(found)
            record = record_of(source, found, self.reader_of(found))
        except InputError as error:
            self.failures.append(str(error))
        except Exception as error:  # of a user's own extractor, on one page of many
            self.failures.append(f"{shown(source)}: {describe(error)}")
        self._waiting[number] = self.form(record) if record is not None else ""
        while self._next in self._waiting:
            self.output.write(self._waiting.pop(self._next))
            self._next += 1
        self.progress.step()
        if record is not None and not record["main_text"]:
            self.progress.say(f"{shown(source)}: no main text found")


def run(
    opts: argparse.Namespace, sites: Sites, process: Any, complain: Callable[[str], None]
) -> None:
    """Print the results of the pages that the options name; InputError if all failed.

    Scrapy's ``process`` fetches addresses; ``complain`` prints a fault.
    """
    reader = sites.of("").reader
    reader = replace(reader, fields=fields_of(opts.format, reader.fields))

    def reader_of(page: Page) -> PageReader:
        return replace(reader, selectors=sites.of(page.url or "").reader.selectors)

    sources = checked_sources(opts.sources, opts.urls)
    form = printer(opts.format, len(sources))
    progress = Progress(len(sources))
    with writing(opts.output) as output:
        job = ExtractJob(sources, reader_of, output, progress, form)
        try:
            read_pages(sources, job.receive, sites, opts, process)
        finally:
            progress.clear()
        if len(job.failures) == len(sources) == 1:
            raise InputError(job.failures[0])
        for reason in job.failures:
            complain(reason)
        if len(job.failures) == len(sources):
            raise InputError(f"None of {len(sources)} pages could be read")
