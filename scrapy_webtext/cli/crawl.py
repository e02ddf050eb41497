"""``scrapy webtext crawl``: what it is asked to do, and what came of it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.output import STDOUT, check_file
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown, without_credentials

#: Ending of the output's name -> format of Scrapy's exporters.
FORMATS: Final = {
    ".jsonl": "jsonlines",
    ".jl": "jsonlines",
    ".ndjson": "jsonlines",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
}

_WEB_ADDRESS: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)

#: Why a crawl ended that read as many pages as it was to read.
PAGES: Final = "pages"

#: Why a crawl ended whose rows could not be stored, or whose job could not be written.
OUTPUT: Final = "output"

#: The stat of pages that were read.
PAGES_READ: Final = "webtext/crawl/pages"


@dataclass(frozen=True)
class CrawlOrder:
    """What a crawl is to do, by the names of the options."""

    sources: list[str]  #: addresses of sites, sitemaps and feeds
    output: str
    fields: list[str]
    pages: int  #: the crawl ends after so many; 0 for no limit
    depth: int  #: links between a source and a page; 0 for no limit
    include: list[re.Pattern[str]]  #: addresses that match one are followed
    exclude: list[re.Pattern[str]]  #: addresses that match one are not
    job: str | None  #: folder that a stopped crawl goes on from
    overwrite: bool
    all_pages: bool  #: pages without an article are kept, too
    no_formulas: bool  #: cells of CSV that begin like a formula get a ' in front

    @property
    def form(self) -> str | None:
        """The format of the output; None if its ending has none."""
        ending = Path(self.output).suffix.lower()
        return "jsonlines" if self.output == STDOUT else FORMATS.get(ending)

    @property
    def is_whole(self) -> bool:
        """Whether the output is written in one piece: no later run can continue it."""
        return self.form in ("json", "parquet")

    @property
    def purpose(self) -> dict[str, Any]:
        """What must be the same where a job goes on."""
        return {
            "sources": list(map(without_credentials, self.sources)),
            "include": [expression.pattern for expression in self.include],
            "exclude": [expression.pattern for expression in self.exclude],
            "all_pages": self.all_pages,
        }


def order_of(opts: argparse.Namespace, results: Collection[str]) -> CrawlOrder:
    """Return what the options ask for; InputError for what cannot be done, before anything is.

    ``results`` are the names of results that an item can have beside its ``url``.
    """
    if not opts.sources:
        raise InputError("No address given: name a site, a sitemap or a feed")
    for source in opts.sources:
        if not _WEB_ADDRESS.match(source):
            hint = "" if "://" in source else f": write https://{source}"
            raise InputError(f"{shown(source)} is no http or https address{hint}")
    unknown = [name for name in opts.fields if name != "url" and name not in results]
    if unknown:
        raise InputError(
            f"--fields has {unknown[0]!r}; it takes: url, {', '.join(sorted(results))}"
        )
    given = {field.name: getattr(opts, field.name) for field in fields(CrawlOrder)}
    order = CrawlOrder(**{**given, "sources": list(dict.fromkeys(opts.sources))})
    if order.form is None:
        raise InputError(f"-o {order.output}: its ending must be one of {', '.join(FORMATS)}")
    check_file(order.output)
    if order.job is not None and order.overwrite:
        raise InputError("--job continues FILE and --overwrite replaces it: leave one of them out")
    if order.job is None and not order.overwrite:
        check_new(order.output)
    return order


def check_new(output: str) -> None:
    """Raise InputError where an output has content."""
    path = Path(output)
    if output != STDOUT and path.is_file() and path.stat().st_size:
        raise InputError(
            f"{output} is there already: name another file, give --overwrite, or go on with the "
            "crawl that wrote it by its --job"
        )


@dataclass(frozen=True)
class CrawlOutcome:
    """What came of a crawl."""

    stats: Mapping[str, Any]  #: Scrapy's
    failures: tuple[str, ...]  #: why sources could not be read, or rows not be stored
    kept: int  #: rows that are stored
    is_resumed: bool = False  #: whether it went on with a job

    @property
    def is_interrupted(self) -> bool:
        """Whether somebody stopped it."""
        return self.stats.get("finish_reason") in ("shutdown", None)

    def table(self, order: CrawlOrder) -> str:
        """Return what became of the pages, a line each, and why the crawl ended before its end.

        What is 0 is left out.
        """
        rows = [
            ("pages read", self._number(PAGES_READ)),
            ("articles kept", self.kept),
            ("without an article", self._number("webtext/items/dropped")),
            ("without a text", self._number("webtext/crawl/no_text")),
            ("copies of what was kept", self._number("webtext/crawl/copies")),
            ("answered with an error", self._number("webtext/crawl/error_answers")),
            ("sitemaps, feeds, files", self._number("webtext/responses/skipped/not_html")),
            ("too large", self._total("webtext/responses/skipped/too_")),
            ("forbidden by robots.txt", self._number("robotstxt/forbidden")),
            ("not reached", self._number("webtext/crawl/not_reached")),
            ("links to other sites", self._number("offsite/filtered")),
        ]
        if order.all_pages:
            rows[1] = ("pages kept", rows[1][1])
        always = ("pages read", rows[1][0])
        lines = [f"{words:<24} {n:>7}" for words, n in rows if n or words in always]
        lines.append(f"{'time':<24} {_time(float(self.stats.get('elapsed_time_seconds') or 0))}")
        return "\n".join([*lines, *filter(None, [self._ending(order)])])

    def faults(self, order: CrawlOrder) -> list[str]:
        """Return what went wrong: sources that could not be read, or that nothing was kept."""
        if self.failures or self.is_interrupted or self.is_resumed:
            return list(self.failures)
        pages = self._number(PAGES_READ)
        if self.kept:
            return []
        if self._number("robotstxt/forbidden") and pages <= len(order.sources):
            return ["robots.txt forbids all that was found: name a part of the site that it allows"]
        unreached = self._number("webtext/crawl/not_reached")
        if unreached:
            return [
                f"Of {pages + unreached} pages {unreached} were not reached, none has an article"
            ]
        return [
            f"No article kept of {pages} read: read more (--pages, --depth, --include), name a "
            "section, a sitemap or a feed, lower --threshold, or see the others with --all-pages"
        ]

    def _ending(self, order: CrawlOrder) -> str | None:
        reason = self.stats.get("finish_reason")
        if reason == "finished":
            return None
        how = "with --job DIR " if order.job is None else ""
        file = " in another FILE" if order.is_whole else ""
        go_on = f"{how}the same command goes on from there{file}"
        if reason == PAGES:
            return f"stopped after {order.pages} pages (--pages); {go_on}"
        if reason == OUTPUT:
            return f"stopped, because nothing more can be stored; {go_on}"
        return f"{'interrupted' if self.is_interrupted else f'stopped: {reason}'}; {go_on}"

    def _number(self, name: str) -> int:
        return int(self.stats.get(name, 0))

    def _total(self, prefix: str) -> int:
        return sum(int(n) for name, n in self.stats.items() if name.startswith(prefix))


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:>4}:{rest:02}"
